// redo hash-object of named files and standard input, one after the other.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Hashes files in the order they are named.
enum HashFiles {
  /// The largest blob that is read.
  static let blobLimit = 1 << 30
  /// The largest text of a node that is read: one byte more than a node may have shows the excess.
  static let nodeLimit = Node.byteLimit + 1

  static func run(
    _ paths: [String], takesStdin: Bool, _ request: HashObject.Request, _ context: inout Context
  ) throws -> Exit {
    let writer = request.writes ? try NodeWriter.open(request, &context) : nil
    var hasher = ObjectHasher(request, keys: try keySources(request, writer, &context))
    let names = (takesStdin ? [InputFile.standardInputName] : []) + paths
    var warnings = WarningTally()
    defer { warnings.report(context.effects) }
    for (position, name) in names.enumerated() {
      let bytes =
        takesStdin && position == 0
        ? try readInput(request, &context) : try readFile(name, request, context)
      let judged = try hasher.judge(bytes)
      if request.explains { try explain(judged, &context) }
      guard let object = judged.object, !judged.isRefused else {
        context.effects.reportErrors(judged.errors, of: name)
        return .no
      }
      warnings.note(judged.findings, request.profile) { name }
      if let writer { try writer.write([judged], names: [name], &context) }
      if !request.explains {
        try context.output.append { output throws in
          object.id.append(to: &output)
          output.append(UInt8(ascii: "\n"))
        }
      }
    }
    return .ok
  }

  /// Where keys of signers are looked for: the trust file, and the store, if there is one.
  static func keySources(
    _ request: HashObject.Request, _ writer: NodeWriter?, _ context: inout Context
  ) throws -> KeySources {
    guard request.kind == .node, request.verifies else { return KeySources() }
    if let writer { return try context.effects.keySources(writer.opened) }
    return try context.effects.keySources(try context.effects.openRepositoryIfPresent())
  }

  /// The bytes of a file; of a node never much more than a node may have.
  static func readFile(
    _ path: String, _ request: HashObject.Request, _ context: borrowing Context
  ) throws -> [UInt8] {
    try InputFile.read(
      path, limit: request.kind == .node ? nodeLimit : blobLimit, cuts: request.kind == .node,
      context.effects)
  }

  private static func readInput(
    _ request: HashObject.Request, _ context: inout Context
  ) throws -> [UInt8] {
    try InputFile.read(
      context.input, limit: request.kind == .node ? nodeLimit : blobLimit,
      cuts: request.kind == .node)
  }

  /// Three lines: what the input states, what its bytes hash to, and these bytes.
  private static func explain(
    _ judged: JudgedObject, _ context: inout Context
  ) throws {
    let computed = judged.mismatch?.computed ?? judged.object?.id
    guard let computed else { return }
    let bytes = judged.mismatch?.body ?? judged.object?.canonical ?? []
    try context.output.writeLine("stated   \(judged.statedID?.text ?? "-")")
    try context.output.writeLine("computed \(computed.text)")
    try context.output.write("bytes    ")
    try context.output.write(bytes)
    try context.output.writeLine("")
  }
}

/// A judged object of either kind.
struct JudgedObject: Sendable {
  /// The object; `nil` when it is no node.
  var object: StoredObject?
  /// The decoded node of a node.
  var node: Node?
  /// The signer's key, if it is known.
  var keyOfSigner: PublicKey?
  /// What refuses it.
  var errors: [Finding] = []
  /// Every broken rule, warnings included.
  var findings: [Finding] = []
  /// Whether it must not be stored.
  var isRefused = false
  var mismatch: NodeDecoder.Mismatch?
  var statedID: ObjectID?
}

/// Hashes bytes of one kind.
struct ObjectHasher: ~Copyable {
  private let request: HashObject.Request
  private var intake: Intake

  init(_ request: HashObject.Request, keys: KeySources) {
    self.request = request
    intake = Intake(
      Intake.Options(profile: request.profile, verifies: request.verifies), keys)
  }

  /// Judges one object.
  mutating func judge(_ bytes: [UInt8]) throws -> JudgedObject {
    guard request.kind == .node else { return JudgedObject(object: StoredObject(blob: bytes)) }
    return made(of: try intake.judge(text: bytes.span))
  }

  /// Judges objects on all processors, in order.
  mutating func judge(_ inputs: [[UInt8]]) throws -> [JudgedObject] {
    guard request.kind == .node else {
      return Threads.parallelMap(
        inputs, threads: Threads.processorCount, makeState: { 0 }
      ) { _, bytes in
        JudgedObject(object: StoredObject(blob: bytes))
      }
    }
    return try intake.judge(texts: inputs).map { made(of: $0) }
  }

  private func made(of judged: Judged) -> JudgedObject {
    JudgedObject(
      object: judged.node.map { StoredObject($0) }, node: judged.node,
      keyOfSigner: judged.node.flatMap { intake.key(of: $0) },
      errors: judged.errors(request.profile), findings: judged.findings,
      isRefused: judged.isRefused,
      mismatch: judged.mismatch, statedID: judged.statedID)
  }
}
