// Nodes on their way into a recovered history: each is read, hashed again, decoded and verified, on all
// processors, in bounded memory.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Reads the nodes of a store and proves that they may be written.
struct RecoverNodes {
  private let opened: Repository

  init(_ opened: Repository) { self.opened = opened }

  /// How many nodes are handed on together.
  private static let batchCount = 1024

  /// A node, and what is known of its signature.
  private struct Found: Sendable {
    let object: StoredObject
    let node: Node
    /// `nil` when its key has to be found elsewhere.
    let verdict: Verdict?
  }

  /// Hands on nodes in batches, in their order.
  ///
  /// - Parameters:
  ///   - ids: the nodes.
  ///   - context: asked for interrupts.
  ///   - body: receives the nodes as they are to be written.
  /// - Throws: `fatal` for a node that is missing, corrupt, or breaks a rule; what the body throws.
  func check(
    _ ids: [ObjectID], _ context: inout Context,
    _ body: ([ObjectWrite]) throws -> Void
  ) throws {
    let trust = try context.effects.trustList(opened)
    var keys: KeyDirectory?
    var batch: [ObjectWrite] = []
    try HistoryWalk.forEach(ids, opened.objects) { object, reader throws in
      guard let node = reader.decode(object) else {
        throw CommandError.fatal("object '\(object.id.text)' is no valid node")
      }
      let needsKey = node.signature != nil && node.publicKey == nil
      return Found(object: object, node: node, verdict: needsKey ? nil : node.verify())
    } _: { found throws in
      var key = found.node.publicKey
      var verdict = found.verdict
      if verdict == nil {
        if keys == nil { keys = try allKeys(trust) }
        key = keys?.key(of: found.node.userID)
        verdict = found.node.verify(key: key)
      }
      if case .bad(let finding) = verdict {
        throw CommandError.fatal(Diagnosis.text(finding, of: found.object.id.text))
      }
      batch.append(ObjectWrite(found.object, key: key))
      guard batch.count >= Self.batchCount else { return }
      try context.checkInterrupt()
      try body(batch)
      batch.removeAll(keepingCapacity: true)
    }
    try context.checkInterrupt()
    if !batch.isEmpty { try body(batch) }
  }

  private func allKeys(_ trust: TrustList?) throws -> KeyDirectory {
    var keys = KeyDirectory(trust)
    try keys.noteAll(in: opened.objects)
    return keys
  }
}
