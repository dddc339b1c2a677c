// The nodes that a log walks, as a set of places in the graph of the history.

package import RedoHistory
internal import RedoObject
internal import RedoStore

/// A set of changes in total order.
package struct LogSet {
  /// The history that they are in.
  package let graph: Graph
  /// The available nodes: everything that the tips reach, including what a range leaves out because it comes earlier;
  /// `nil` for the whole graph.
  package let reached: [Bool]?
  /// The positions of the set in total order; `nil` for all positions of the graph.
  private let order: [Int32]?

  /// Creates a set from the given positions of a graph, or from all that are reached.
  package init(_ graph: Graph, reached: [Bool]?, order: [Int32]? = nil) {
    self.graph = graph
    self.reached = reached
    self.order =
      order ?? reached.map { marks in marks.indices.filter { marks[$0] }.map(Int32.init) }
  }

  /// The number of changes.
  package var count: Int { order?.count ?? graph.count }

  /// The position in the graph of the change at a place, from the oldest on.
  package subscript(place: Int) -> Int { order.map { Int($0[place]) } ?? place }

  /// The place of a position; `nil` when it is not in the set.
  package func place(of position: Int) -> Int? {
    guard let order else { return position }
    // Only a set that is not closed may differ from the order of the graph.
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if order[middle] < position { low = middle + 1 } else { high = middle }
    }
    if low < order.count, order[low] == position { return low }
    return order.firstIndex(of: Int32(position))
  }

  /// Removes some positions.
  func subtracting(_ hidden: [Bool]) -> LogSet {
    LogSet(
      graph, reached: reached,
      order: (0..<count).filter { !hidden[self[$0]] }.map { Int32(self[$0]) })
  }

  /// The part of it that counts at a point in time.
  ///
  /// - Parameter counting: for each position whether it counts; `nil` for all.
  /// - Returns: the set at that point.
  private func cut(_ counting: [Bool]?) -> LogSet {
    guard let counting else { return self }
    let members = zip(counting, reached ?? counting).map { $0 && $1 }
    // A set that is not closed may have another order than the graph.
    return LogSet(graph, reached: members, order: Cut(of: graph, members: members).order)
  }

  /// The set that revisions name; the history when there are none.
  ///
  /// - Parameters:
  ///   - names: revisions and ranges.
  ///   - revisions: resolves revisions in the store.
  ///   - usesCache: whether the index is read and kept.
  ///   - columns: the columns of the index that `point` needs.
  ///   - isFresh: whether it is rebuilt, because it was found to be damaged.
  ///   - point: the nodes of a graph that count at the requested point in time; `nil` for all.
  /// - Returns: the set.
  /// - Throws: an error when a name matches nothing, or a node is missing or corrupt; what `point` throws.
  package static func read(
    _ names: [String], _ revisions: Revisions, usesCache: Bool, _ columns: GraphSegment.Columns,
    isFresh: Bool, _ point: (Graph) throws -> [Bool]?
  ) throws -> LogSet {
    let opened = revisions.opened
    guard !names.isEmpty else {
      let history = try HistoryGraph.open(
        opened, usesCache: usesCache, columns, isFresh: isFresh)
      return LogSet(history.graph, reached: history.members).cut(try point(history.graph))
    }
    var (tips, hidden) = try revisions.walk(names)
    // As in git: arguments that only exclude something exclude it from the whole history.
    if tips.isEmpty { tips = try revisions.heads() }
    let graph = try HistoryGraph.reaching(
      tips + hidden, opened, usesCache: usesCache && !isFresh, columns)
    func marks(_ ids: [ObjectID]) -> [Bool] {
      graph.reachable(from: ids.compactMap { graph.position(of: $0) })
    }
    let set = LogSet(graph, reached: marks(tips)).cut(try point(graph))
    return hidden.isEmpty ? set : set.subtracting(marks(hidden))
  }
}
