// The nodes that some tips reach, decoded: a history in memory.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// Reads histories.
enum HistoryLoad {
  /// Nodes of a history, and those among them that break a rule.
  struct Nodes: Sendable {
    var nodes: [HistoryNode] = []
    /// Nodes that should not have been accepted, with the first rule that each breaks.
    var broken: [(id: ObjectID, finding: Finding)] = []

    /// Takes nodes out.
    mutating func remove(_ ids: [ObjectID]) {
      let removed = Set(ids)
      nodes.removeAll { removed.contains($0.id) }
      broken.removeAll { removed.contains($0.id) }
    }
  }

  /// The nodes that tips reach, in no order.
  ///
  /// Each object is read once and hashed again.
  ///
  /// - Throws: `fatal` when a node is missing or corrupt, a tip is no node, or an object has not even
  ///   the clocks and parents of one.
  static func nodes(
    from tips: [ObjectID], _ store: ObjectStore
  ) throws(CommandError) -> Nodes {
    var loaded = Nodes()
    var seen = Set<ObjectID>()
    var level: [ObjectID] = []
    for tip in tips where seen.insert(tip).inserted { level.append(tip) }
    while !level.isEmpty {
      let found = Threads.parallelMap(
        level, threads: level.count < 16 ? 1 : Threads.processorCount,
        makeState: { NodeReader() }
      ) { reader, id -> Result<(HistoryNode, Finding?), CommandError> in
        do throws(CommandError) {
          return .success(try node(try HistoryWalk.object(id, store, &reader), &reader))
        } catch {
          return .failure(error)
        }
      }
      var next: [ObjectID] = []
      for result in found {
        switch result {
        case .success((let node, let finding)):
          loaded.nodes.append(node)
          if let finding { loaded.broken.append((node.id, finding)) }
          for parent in node.parents where seen.insert(parent).inserted {
            next.append(parent)
          }
        case .failure(let error): throw error
        }
      }
      level = next
    }
    return loaded
  }

  /// A node of a history, and the first rule that it breaks, if it is broken.
  ///
  /// - Throws: `fatal` when it has not even the clocks and parents of a node.
  static func node(
    _ object: StoredObject, _ reader: inout NodeReader
  ) throws(CommandError) -> (HistoryNode, Finding?) {
    if let node = reader.decode(object) { return (HistoryNode(node), nil) }
    let finding = reader.decoder.findings.first { $0.rule.severity == .error }
    guard let broken = reader.decoder.decodeBroken(object) else {
      throw .fatal("object '\(object.id.text)' is no valid node")
    }
    return (HistoryNode(broken), finding ?? Finding(.nodeType))
  }

  /// When the nodes of a store were first accepted, in milliseconds since 1970.
  static func received(_ opened: OpenRepository) throws(CommandError) -> [ObjectID: Int64] {
    var times: [ObjectID: Int64] = [:]
    let bytes = try opened.snapshot().receivedBytes
    do throws(RefsError) {
      try opened.repository.received.forEach(to: bytes) { id, note in
        switch note {
        case .received(let time): if times[id] == nil { times[id] = time }
        case .forgotten: times[id] = nil
        }
        return true
      }
    } catch {
      throw .fatal(error)
    }
    return times
  }

  /// The heads of the store, or of some of its tasks.
  static func heads(
    _ opened: OpenRepository, tasks: [TaskID] = []
  ) throws(CommandError) -> [ObjectID] {
    var snapshot = try opened.snapshot()
    return try heads(&snapshot, tasks: tasks)
  }

  /// The heads of a moment, or those of some tasks.
  static func heads(
    _ snapshot: inout RefsSnapshot, tasks: [TaskID] = []
  ) throws(CommandError) -> [ObjectID] {
    var tips: [ObjectID] = []
    do throws(RefsError) {
      for task in tasks { tips += try snapshot.ids(of: .heads(of: task)) }
      guard tasks.isEmpty else { return tips }
      try snapshot.forEach(prefix: "heads/") { ref throws(RefsError) in
        tips.append(ref.id)
        return true
      }
    } catch {
      throw .fatal(error)
    }
    return tips
  }
}
