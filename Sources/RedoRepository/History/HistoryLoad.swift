// The nodes that some tips reach, decoded: a history in memory.

package import RedoHistory
package import RedoObject
package import RedoStore

/// Reads histories.
package enum HistoryLoad {
  /// Nodes of a history, and those among them that break a rule.
  package struct Nodes: Sendable {
    package var nodes: [HistoryNode] = []
    /// Nodes that should not have been accepted, with the first rule that each breaks.
    package var broken: [(id: ObjectID, finding: Finding)] = []

    /// Removes nodes.
    package mutating func remove(_ ids: [ObjectID]) {
      let removed = Set(ids)
      nodes.removeAll { removed.contains($0.id) }
      broken.removeAll { removed.contains($0.id) }
    }
  }

  /// The nodes that tips reach, in no particular order.
  ///
  /// Each object is read once and hashed again.
  ///
  /// - Throws: `HistoryFault` or `StoreError` when a node is missing or corrupt, a tip is not a node, or an object
  ///   lacks even the clocks and parents of a node.
  package static func nodes(
    from tips: [ObjectID], _ store: ObjectStore
  ) throws -> Nodes {
    var reader = NodeReader()
    return try nodes(from: tips, store, &reader)
  }

  /// The same with a reader that is there already.
  static func nodes(
    from tips: [ObjectID], _ store: ObjectStore, _ reader: inout NodeReader
  ) throws -> Nodes {
    let found = try HistoryWalk.reach(from: tips, store, parents: \.0.parents, reader: &reader) {
      object, reader throws in try node(object, &reader)
    }
    var loaded = Nodes()
    for (node, finding) in found {
      loaded.nodes.append(node)
      if let finding { loaded.broken.append((node.id, finding)) }
    }
    return loaded
  }

  /// A node of a history, and the first rule that it breaks, if it is broken.
  ///
  /// - Throws: `HistoryFault` when it lacks even the clocks and parents of a node.
  package static func node(
    _ object: StoredObject, _ reader: inout NodeReader
  ) throws -> (HistoryNode, Finding?) {
    if let node = reader.decode(object) { return (HistoryNode(node), nil) }
    let finding = reader.decoder.findings.first { $0.rule.severity == .error }
    guard let broken = reader.decoder.decodeBroken(object) else {
      throw HistoryFault.invalid(object)
    }
    return (HistoryNode(broken), finding ?? Finding(.nodeType))
  }

  /// When nodes were received, in milliseconds since 1970; the first record of a node counts, unless it was taken back.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - ids: the nodes in question; all when `nil`.
  ///   - end: the number of bytes of the received log that count; those of the present log when `nil`.
  /// - Returns: the time of each node that was received.
  /// - Throws: `RefsError` when the refs or the received log cannot be read.
  package static func received(
    _ opened: Repository, of ids: Set<ObjectID>? = nil, to end: Int? = nil
  ) throws -> [ObjectID: Int64] {
    var times: [ObjectID: Int64] = [:]
    let bytes = if let end { end } else { try opened.snapshot().receivedBytes }
    if ids?.isEmpty == true || bytes == 0 { return times }
    try opened.store.received.forEach(to: bytes) { id, note in
      guard ids?.contains(id) ?? true else { return true }
      switch note {
      case .received(let time): if times[id] == nil { times[id] = time }
      case .forgotten: times[id] = nil
      }
      return true
    }
    return times
  }

  /// The heads of the store, or of some of its tasks.
  package static func heads(
    _ opened: Repository, tasks: [TaskID] = []
  ) throws -> [ObjectID] {
    var snapshot = try opened.snapshot()
    return try heads(&snapshot, tasks: tasks)
  }

  /// The heads at a moment, or those of some tasks.
  package static func heads(
    _ snapshot: inout RefsSnapshot, tasks: [TaskID] = []
  ) throws -> [ObjectID] {
    var tips: [ObjectID] = []
    for task in tasks { tips += try snapshot.ids(of: .heads(of: task)) }
    guard tasks.isEmpty else { return tips }
    try snapshot.forEach(prefix: "heads/") { ref throws(RefsError) in
      tips.append(ref.id)
      return true
    }
    return tips
  }
}
