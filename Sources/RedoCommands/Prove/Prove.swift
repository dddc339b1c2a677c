// redo prove: a proof to hand on. It needs neither store nor network to be checked: that a node was
// received before a checkpoint was made, or that a checkpoint continues an earlier one.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo prove [--checkpoint=<checkpoint>] [-o <file>] <revision>`, or `--extends=<checkpoint>`.
enum Prove: Command {
  static let name = "prove"
  static let summary = "prove to anybody that a node is in the history, or that it only grew"
  static var usage: [String] {
    [
      "redo-prove [--checkpoint=<checkpoint>] [-o <file>] <revision>",
      "redo-prove --extends=<checkpoint> [-o <file>] [<checkpoint>]",
    ]
  }
  private static let checkpoint = OptionSpec(
    "checkpoint", .required("checkpoint"), help: "the checkpoint to prove it by: an id, or a file")
  private static let extends = OptionSpec(
    "extends", .required("checkpoint"), help: "prove that the history continues this checkpoint")
  static var options: [OptionSpec] { [checkpoint, extends, .statementFile] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    _ = try options.only(oneOf: [checkpoint, extends])
    let target = options.value(.statementFile)
    if let target { try StatementFile.check(target, context.effects, isLike: isProof) }
    let bytes: [UInt8]
    let opened: Repository
    if let old = options.value(extends) {
      guard options.arguments.count <= 1 else {
        throw CommandError.usage("only one later checkpoint can be named")
      }
      opened = try context.effects.openRepository()
      var maker = try ProofMaker(opened, try context.effects.trustList(opened))
      bytes = try maker.extends(old, options.arguments.first, context).bytes
    } else {
      guard options.arguments.count == 1 else {
        throw CommandError.usage("one node is to be named")
      }
      opened = try context.effects.openRepository()
      let id = try Revisions(opened, now: context.clock()).one(options.arguments[0])
      var maker = try ProofMaker(opened, try context.effects.trustList(opened))
      bytes = try maker.includes(id, options.value(checkpoint), context).bytes
    }
    if let target {
      try StatementFile.write(bytes, target, try opened.refsOptions().sync, context.effects)
      try context.output.writeLine(target)
    } else {
      try context.output.write(bytes)
    }
    return .ok
  }

  /// Whether a file that stands there may be replaced by a proof.
  private static func isProof(_ bytes: [UInt8]) -> Bool {
    [InclusionProof.firstLine, ConsistencyProof.firstLine].contains { line in
      bytes.starts(with: Array("\(line)\n".utf8))
    }
  }
}

/// Makes proofs of a store.
struct ProofMaker: ~Copyable {
  private let opened: Repository
  private let shelf: CheckpointShelf
  private let store: StoreID?
  /// What tells the keys of nodes that do not carry them.
  private let trust: TrustList?
  private var snapshot: RefsSnapshot
  private let tree: ReceivedTree

  init(_ opened: Repository, _ trust: TrustList?) throws {
    let store = try opened.storeID()
    let snapshot = try opened.snapshot()
    self.opened = opened
    self.trust = trust
    self.store = store
    shelf = CheckpointShelf(opened)
    tree = ReceivedTree(opened, snapshot)
    self.snapshot = snapshot
  }

  /// The last checkpoint of the store.
  private mutating func latest() throws -> SignedCheckpoint {
    guard let id = try shelf.latestID(&snapshot) else {
      throw CommandError(
        .refused, "there is no checkpoint", hints: ["'redo checkpoint create' makes one"])
    }
    let found = try shelf.stored(id)
    switch found.result {
    case .success(let signed): return signed
    case .failure(let fault): throw CommandError.fatal("checkpoint '\(id.text)': \(fault.detail)")
    }
  }

  private func check(_ signed: SignedCheckpoint) throws {
    guard signed.checkpoint.store != store else { return }
    throw CommandError(
      .refused, "checkpoint '\(signed.id.text)' is of the log \(signed.checkpoint.origin)",
      hints: ["'redo checkpoint verify' shows which ones the history continues"])
  }

  private func check(
    _ signed: SignedCheckpoint, _ roots: [Int: Digest]
  ) throws {
    guard roots[signed.checkpoint.size] != signed.checkpoint.root else { return }
    throw CommandError(
      .refused, "the history does not continue checkpoint '\(signed.id.text)'",
      hints: ["'redo checkpoint verify' shows the difference"])
  }

  /// Proves that a node was received before a checkpoint.
  mutating func includes(
    _ id: ObjectID, _ text: String?, _ context: borrowing Context
  ) throws -> InclusionProof {
    let signed: SignedCheckpoint
    if let text { signed = try shelf.named(text, context.effects) } else { signed = try latest() }
    try check(signed)
    guard let place = try tree.place(of: id, context.effects) else {
      throw CommandError(.refused, "'\(id.text)' is not in the history")
    }
    let size = signed.checkpoint.size
    guard place.index < size else {
      throw CommandError(
        .refused, "'\(id.text)' was received after checkpoint '\(signed.id.text)'",
        hints: ["'redo checkpoint create' makes a new one"])
    }
    let (path, roots) = try tree.prove(
      .inclusion(of: place.index, in: size), rootsAt: [size], context.effects)
    try check(signed, roots)
    guard let path else { throw CommandError.fatal("the received log has become shorter") }
    let proof = InclusionProof(
      node: try proven(id, place.received), index: place.index, path: path, checkpoint: signed)
    precondition(proof.holds(for: id), "BUG: a proof does not hold")
    return proof
  }

  /// The node with what its leaf and its signature need.
  private func proven(_ id: ObjectID, _ received: Int64) throws -> ProvenNode {
    var reader = NodeReader()
    if let node = try reader.node(id, in: opened.objects) {
      var bytes: [UInt8] = []
      node.appendWhole(to: &bytes)
      guard node.publicKey == nil, node.signature != nil else {
        return ProvenNode(node: bytes, received: received, key: nil)
      }
      var keys = KeyDirectory(trust)
      try keys.noteAll(in: opened.objects)
      return ProvenNode(node: bytes, received: received, key: keys.key(of: node.userID))
    }
    throw CommandError.fatal("'\(id.text)' is missing, or is no valid node")
  }

  /// Proves that a checkpoint continues an earlier one.
  mutating func extends(
    _ oldText: String, _ newText: String?, _ context: borrowing Context
  ) throws -> ConsistencyProof {
    let old = try shelf.named(oldText, context.effects)
    let new: SignedCheckpoint
    if let newText { new = try shelf.named(newText, context.effects) } else { new = try latest() }
    try check(old)
    try check(new)
    let (first, last) = (old.checkpoint.size, new.checkpoint.size)
    guard first <= last else {
      throw CommandError(
        .refused, "checkpoint '\(new.id.text)' has \(last) entries, the earlier one \(first)")
    }
    let (path, roots) = try tree.prove(
      .consistency(from: first, to: last), rootsAt: [first, last], context.effects)
    try check(old, roots)
    try check(new, roots)
    guard let path else { throw CommandError.fatal("the received log has become shorter") }
    let proof = ConsistencyProof(old: old, new: new, path: path)
    precondition(proof.holds, "BUG: a proof does not hold")
    return proof
  }
}
