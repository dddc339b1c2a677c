// redo hash-object of named files and standard input, one after the other.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Hashes files in the order they are named.
enum HashFiles {
  /// The largest blob that is read.
  static let blobLimit = 1 << 30

  static func run(
    _ paths: [String], takesStdin: Bool, _ request: HashObject.Request, _ context: inout Context
  ) throws -> Exit {
    let opened = request.writes ? try context.effects.openRepository() : nil
    var hasher = ObjectHasher(request, keys: try keySources(request, opened, &context))
    let names = (takesStdin ? [InputFile.standardInputName] : []) + paths
    var warnings = WarningTally()
    defer { warnings.report(context.effects) }
    for (position, name) in names.enumerated() {
      let bytes =
        takesStdin && position == 0
        ? try readInput(request, &context) : try readFile(name, request, context)
      let candidate = try hasher.judge(bytes)
      if request.explains { try explain(candidate, &context) }
      guard let object = candidate.object, !candidate.isRefused else {
        context.effects.reportErrors(candidate.errors(request.profile), of: name)
        return .no
      }
      warnings.note(candidate.findings, request.profile) { name }
      if let opened { try write([candidate], names: [name], request, opened, context) }
      if !request.explains {
        try context.output.append { output throws in request.append(object.id, to: &output) }
      }
    }
    return .ok
  }

  /// Where the keys of signers are looked for: in the trust file, and in the store, if there is one.
  static func keySources(
    _ request: HashObject.Request, _ opened: Repository?, _ context: inout Context
  ) throws -> KeySources {
    guard request.kind.hasHistory, request.verifies else { return KeySources() }
    if let opened { return try context.effects.keySources(opened) }
    return try context.effects.keySources(try context.effects.openRepositoryIfPresent())
  }

  /// Writes candidates that are valid by themselves, up to the first one whose parents do not fit.
  ///
  /// - Throws: `refused` for that candidate.
  static func write(
    _ candidates: [NodeTransaction.Candidate], names: [String], _ request: HashObject.Request,
    _ opened: Repository, _ context: borrowing Context
  ) throws {
    let refused = try NodeTransaction.eachUntilRefused(
      candidates, request.transaction, opened, context.effects)
    guard let (place, finding) = refused else { return }
    throw CommandError(.refused, Diagnosis.text(finding, of: names[place]))
  }

  /// The bytes of a file; of a kind with a limit, never much more than an object may have.
  static func readFile(
    _ path: String, _ request: HashObject.Request, _ context: borrowing Context
  ) throws -> [UInt8] {
    try InputFile.read(
      path, limit: request.fileLimit, cuts: request.kind.byteLimit != nil, context.effects)
  }

  private static func readInput(
    _ request: HashObject.Request, _ context: inout Context
  ) throws -> [UInt8] {
    try InputFile.read(
      context.input, limit: request.fileLimit, cuts: request.kind.byteLimit != nil)
  }

  /// Prints three lines: the id that the input states, the id of its bytes, and these bytes.
  private static func explain(
    _ candidate: NodeTransaction.Candidate, _ context: inout Context
  ) throws {
    let judged = candidate.judged
    let mismatch = judged?.mismatch
    let object = candidate.object
    guard let computed = mismatch?.computed ?? object?.id else { return }
    try context.output.writeLine("stated   \(judged?.statedID?.text ?? "-")")
    try context.output.writeLine("computed \(computed.text)")
    try context.output.write("bytes    ")
    try context.output.write(mismatch?.body ?? object?.canonical ?? [])
    try context.output.writeLine("")
  }
}

extension NodeTransaction.Candidate {
  /// The findings for which it is refused.
  func errors(_ profile: Profile) -> [Finding] {
    findings.filter { profile.severity(of: $0) == .error }
  }
}

/// Hashes bytes of one kind.
struct ObjectHasher: ~Copyable {
  private let request: HashObject.Request
  private var intake: Intake
  private var groups: GroupIntake

  init(_ request: HashObject.Request, keys: KeySources) {
    self.request = request
    intake = Intake(
      Intake.Options(profile: request.profile, verifies: request.verifies), keys)
    groups = GroupIntake(request.profile, verifies: request.verifies, keys)
  }

  /// Judges one object.
  mutating func judge(_ bytes: [UInt8]) throws -> NodeTransaction.Candidate {
    switch request.kind {
    case .node: return intake.candidate(try intake.judge(text: bytes.span))
    case .receipt:
      let incoming = IncomingObject(bytes, signature: request.signature)
      return .grouped(try groups.judge([incoming])[0])
    case .schema: return .grouped(try groups.judge([IncomingObject(schema: bytes)])[0])
    case .blob: return .blob(StoredObject(blob: bytes))
    }
  }

  /// Judges objects on all processors, in order.
  mutating func judge(_ inputs: [[UInt8]]) throws -> [NodeTransaction.Candidate] {
    switch request.kind {
    case .node: return try intake.judge(texts: inputs).map { intake.candidate($0) }
    case .receipt:
      return try groups.judge(inputs.map { IncomingObject($0) }).map { .grouped($0) }
    case .schema:
      return try groups.judge(inputs.map { IncomingObject(schema: $0) }).map { .grouped($0) }
    case .blob:
      return Threads.parallelMap(
        inputs, threads: Threads.processorCount, makeState: { 0 }
      ) { _, bytes in
        .blob(StoredObject(blob: bytes))
      }
    }
  }
}

extension Intake {
  /// A judged node as a candidate for the store.
  borrowing func candidate(_ judged: Judged) -> NodeTransaction.Candidate {
    .node(judged, key: judged.node.flatMap { key(of: $0) })
  }
}
