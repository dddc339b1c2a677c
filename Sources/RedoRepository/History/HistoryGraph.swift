// The graph index: the history as columns, in `cache/graph` and `cache/graph.tail`. It is built from the nodes
// themselves, extended by those that were received since, and rebuilt when it does not fit.
//
// It contains every node that the received log names, and their ancestors. So it has all that the heads reach, and may
// have more; which nodes count is returned with it.

internal import RedoCrypto
package import RedoHistory
package import RedoObject
internal import RedoStore

/// The history of a store as columns, at one moment.
package struct HistoryGraph {
  /// The nodes; all columns that are going to be used must be checked first.
  package let graph: Graph
  /// For each position whether the heads reach the node; `nil` when they reach all.
  package let members: [Bool]?

  /// Opens the history.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - usesCache: whether the files of the index are read and written.
  ///   - columns: the columns that will be needed, for all nodes.
  ///   - isFresh: whether the index is rebuilt, because it was found to be damaged.
  /// - Returns: a graph that covers the present received log, and which of its nodes count.
  /// - Throws: `HistoryFault` or `StoreError` when a node of the history is missing or corrupt.
  package static func open(
    _ opened: Repository, usesCache: Bool, _ columns: GraphSegment.Columns = [],
    isFresh: Bool = false
  ) throws -> HistoryGraph {
    var snapshot = try opened.snapshot()
    let index = GraphIndex(opened, usesCache: usesCache)
    if usesCache, !isFresh, let found = try index.current(snapshot),
      let history = try HistoryGraph(found, &snapshot, index),
      history.graph.check(columns, of: 0..<history.graph.count)
    {
      return history
    }
    let made = try index.make(&snapshot)
    guard let history = try HistoryGraph(made, &snapshot, index),
      history.graph.check(columns, of: 0..<made.count)
    else { preconditionFailure("BUG: a graph that was just made does not hold the history") }
    return history
  }

  /// A history that is known to be whole.
  package init(_ graph: Graph) {
    self.graph = graph
    members = nil
  }

  /// - Returns: `nil` when the graph lacks a head, or is damaged.
  private init?(
    _ graph: Graph, _ snapshot: inout RefsSnapshot, _ index: GraphIndex
  ) throws {
    self.graph = graph
    if index.isComplete(graph, snapshot.chain) {
      members = nil
      return
    }
    if try index.staysComplete(graph, snapshot) {
      members = nil
      index.noteComplete(graph, snapshot.chain)
      return
    }
    guard let marks = try Self.marks(graph, &snapshot) else { return nil }
    members = marks.contains(false) ? marks : nil
    if members == nil { index.noteComplete(graph, snapshot.chain) }
  }

  /// What the heads reach.
  private static func marks(
    _ graph: Graph, _ snapshot: inout RefsSnapshot
  ) throws -> [Bool]? {
    guard graph.check(.parents, of: 0..<graph.count) else { return nil }
    var tips: [Int] = []
    var isWhole = true
    try snapshot.forEach(prefix: "heads/") { ref throws(RefsError) in
      guard let position = graph.position(of: ref.id) else {
        isWhole = false
        return false
      }
      tips.append(position)
      return true
    }
    return isWhole ? graph.reachable(from: tips) : nil
  }

  /// A graph that contains some nodes and all their ancestors: that of the index if it is current and has them,
  /// otherwise one built from these nodes alone.
  ///
  /// - Parameters:
  ///   - tips: the nodes.
  ///   - opened: the store.
  ///   - usesCache: whether the files of the index are read.
  ///   - columns: the columns that will be needed, for all nodes, in addition to the parents.
  ///   - withTimes: whether times of receipt will be needed; they are also there if the clocks are asked for.
  /// - Returns: the graph, which may contain more.
  /// - Throws: `HistoryFault` or `StoreError` when a node is missing or corrupt.
  package static func reaching(
    _ tips: [ObjectID], _ opened: Repository, usesCache: Bool,
    _ columns: GraphSegment.Columns = [], withTimes: Bool = false
  ) throws -> Graph {
    let index = GraphIndex(opened, usesCache: usesCache)
    if usesCache {
      let snapshot = try opened.snapshot()
      if let graph = try index.current(snapshot),
        tips.allSatisfy({ graph.position(of: $0) != nil }),
        graph.check(columns.union(.parents), of: 0..<graph.count)
      {
        return graph
      }
    }
    return try index.inMemory(tips, withTimes: withTimes || columns.contains(.clocks))
  }
}
