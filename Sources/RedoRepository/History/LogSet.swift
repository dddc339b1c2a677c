// The nodes that a log walks, as a set of places in the graph of the history.

package import RedoHistory
package import RedoObject
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
  /// For each position whether ranges leave it out; `nil` when there are none.
  private let hidden: [Bool]?
  /// For each position whether the left side of a symmetric range reaches it; `nil` when there is no such range.
  private var left: [Bool]?

  /// Creates a set from the given positions of a graph, or from all that are reached.
  package init(
    _ graph: Graph, reached: [Bool]?, order: [Int32]? = nil, hidden: [Bool]? = nil
  ) {
    self.graph = graph
    self.reached = reached
    self.hidden = hidden
    self.order =
      order ?? reached.map { marks in marks.indices.filter { marks[$0] }.map(Int32.init) }
  }

  /// The number of changes.
  package var count: Int { order?.count ?? graph.count }

  /// The position in the graph of the change at a place, from the oldest on.
  package subscript(place: Int) -> Int { order.map { Int($0[place]) } ?? place }

  /// The positions of its changes, from the oldest on.
  package var positions: [Int] { (0..<count).map { self[$0] } }

  /// For each position of the graph whether it is in the set; `nil` when all are.
  var members: [Bool]? {
    guard let order else { return nil }
    var members = [Bool](repeating: false, count: graph.count)
    for position in order { members[Int(position)] = true }
    return members
  }

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
      order: (0..<count).filter { !hidden[self[$0]] }.map { Int32(self[$0]) }, hidden: hidden)
  }

  /// On which side of a range a position is.
  package func side(of position: Int) -> LogSide {
    if hidden?[position] ?? false { return .boundary }
    return left?[position] ?? false ? .left : .right
  }

  /// The boundary of some of its changes: their parents that ranges leave out.
  ///
  /// - Parameter positions: positions of changes of the set; the parents of the graph have been checked.
  /// - Returns: the parents as a set, in the total order of the graph.
  package func boundary(of positions: [Int]) -> LogSet {
    var found: Set<Int32> = []
    if let hidden {
      for position in positions {
        graph.forEachParent(at: position) {
          if hidden[$0], reached?[$0] ?? true { found.insert(Int32($0)) }
        }
      }
    }
    return LogSet(graph, reached: reached, order: found.sorted(), hidden: hidden)
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
  ///   - others: more nodes at which the walk starts.
  ///   - isAncestryPath: whether only what descends from what ranges leave out is in the set.
  ///   - withTimes: whether times of receipt are needed.
  ///   - isFresh: whether it is rebuilt, because it was found to be damaged.
  ///   - point: the nodes of a graph that count at the requested point in time, among those that are walked; `nil` for all.
  /// - Returns: the set.
  /// - Throws: an error when a name matches nothing, or a node is missing or corrupt; what `point` throws.
  package static func read(
    _ names: [String], _ revisions: Revisions, usesCache: Bool, _ columns: GraphSegment.Columns,
    tips others: [ObjectID] = [], isAncestryPath: Bool = false, withTimes: Bool = false,
    isFresh: Bool, _ point: (Graph, _ walked: [Bool]?) throws -> [Bool]?
  ) throws -> LogSet {
    let opened = revisions.opened
    guard !names.isEmpty || !others.isEmpty else {
      let history = try HistoryGraph.open(
        opened, usesCache: usesCache, columns, isFresh: isFresh)
      return LogSet(history.graph, reached: history.members)
        .cut(try point(history.graph, history.members))
    }
    var (tips, hidden, left) = try revisions.walk(names)
    tips += others
    // As in git: arguments that only exclude something exclude it from the whole history.
    if tips.isEmpty { tips = try revisions.heads() }
    let graph = try HistoryGraph.reaching(
      tips + hidden, opened, usesCache: usesCache && !isFresh, columns, withTimes: withTimes)
    func marks(_ ids: [ObjectID]) -> [Bool] {
      graph.reachable(from: ids.compactMap { graph.position(of: $0) })
    }
    let walked = marks(tips)
    var set = LogSet(graph, reached: walked).cut(try point(graph, walked))
    if !hidden.isEmpty {
      var isHidden = marks(hidden)
      if isAncestryPath {
        let path = graph.descending(from: hidden.compactMap { graph.position(of: $0) })
        for position in isHidden.indices where !path[position] { isHidden[position] = true }
      }
      set = set.subtracting(isHidden)
    }
    if !left.isEmpty { set.left = marks(left) }
    return set
  }
}

/// The side of a range on which a change is.
package enum LogSide: Sendable {
  /// The left side of a symmetric range `A...B` reaches it.
  case left
  /// Any other change of the set.
  case right
  /// It is left out, and a change of the set follows it.
  case boundary

  /// How it is written beside a change, as git does.
  package var mark: Unicode.Scalar {
    switch self {
    case .left: "<"
    case .right: ">"
    case .boundary: "-"
    }
  }
}
