// Nodes on their way into a recovered history: each is read, hashed again, decoded and verified, on all
// processors, in bounded memory.

internal import RedoObject
internal import RedoStore

/// Reads the nodes of a store and proves that they may be written.
struct RecoverNodes {
  private let opened: Repository

  init(_ opened: Repository) { self.opened = opened }

  /// The number of nodes in a batch.
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
  ///   - effects: says whether the work is cancelled.
  ///   - body: receives the nodes as they are to be written.
  /// - Throws: `RecoverFault` or `StoreError` for a node that is missing, corrupt, or breaks a rule; what the body
  ///   throws.
  func check(
    _ ids: [ObjectID], _ effects: Effects,
    _ body: ([ObjectWrite]) throws -> Void
  ) throws {
    let trust = try effects.trustList(opened)
    var keys: KeyDirectory?
    var batch: [ObjectWrite] = []
    try HistoryWalk.forEach(ids, opened.objects) { object, reader throws in
      guard let node = reader.decode(object) else { throw HistoryFault.invalid(object) }
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
        throw RecoverFault.badSignature(found.object.id, finding)
      }
      batch.append(ObjectWrite(found.object, key: key))
      guard batch.count >= Self.batchCount else { return }
      try effects.checkInterrupt()
      try body(batch)
      batch.removeAll(keepingCapacity: true)
    }
    try effects.checkInterrupt()
    if !batch.isEmpty { try body(batch) }
  }

  private func allKeys(_ trust: TrustList?) throws -> KeyDirectory {
    var keys = KeyDirectory(trust)
    try keys.noteAll(in: opened.objects)
    return keys
  }
}
