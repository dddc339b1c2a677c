// A walk over the changes of a set, in one of the orders in which a log shows them. It computes no more than what is
// asked for where that can be: by wall time, the first changes of a whole history come at once.

internal import RedoHistory
internal import RedoObject

/// An order in which a log shows changes, the newest first.
package enum LogOrder: String, CaseIterable, Sendable {
  /// By wall time, children before parents.
  case wall
  /// The total order of the protocol, backwards.
  case order
  /// By the time this store first accepted them; where that is unknown, they come last.
  case received
  /// By lamport, then wall time, then id.
  case lamport
}

/// A walk over positions in a graph.
package struct LogWalk {
  /// A walk by wall time over the whole graph, or over some of its nodes.
  private var whole: WholeWallWalk?
  private var some: GraphWallWalk?
  /// What is left of a list, whose last position comes next.
  private var list: [Int32] = []
  /// What is left of the places of a set.
  private var places: Range<Int>
  private let set: LogSet
  private let isUpward: Bool
  private var isBroken = false

  /// Whether the graph was found to be damaged; then what the walk has shown is worth nothing.
  package var isDamaged: Bool {
    isBroken || whole?.isDamaged ?? false || some?.isDamaged ?? false
  }

  /// Starts a walk in the total order.
  ///
  /// - Parameters:
  ///   - set: the changes.
  ///   - places: between which places of the set.
  ///   - isUpward: whether the oldest comes first.
  package init(_ set: LogSet, places: Range<Int>, isUpward: Bool) {
    self.set = set
    self.places = places
    self.isUpward = isUpward
  }

  /// Starts a walk over a whole set.
  ///
  /// - Parameters:
  ///   - set: the changes.
  ///   - order: their order.
  ///   - isUpward: whether the walk goes the other way, the oldest first.
  package init(_ set: LogSet, by order: LogOrder, isUpward: Bool = false) {
    self.init(set, places: order == .order ? 0..<set.count : 0..<0, isUpward: isUpward)
    let graph = set.graph
    switch order {
    case .order: return
    case .wall:
      if let members = set.members {
        guard graph.check(.parents, of: 0..<graph.count),
          graph.check(.clocks, at: set.positions)
        else {
          isBroken = true
          return
        }
        some = GraphWallWalk(graph, members: members)
      } else {
        whole = WholeWallWalk(graph)
      }
      guard isUpward else { return }
      var positions: [Int32] = []
      positions.reserveCapacity(set.count)
      while let position = next() { positions.append(Int32(position)) }
      isBroken = isDamaged
      (whole, some, list) = (nil, nil, positions)
    case .received, .lamport:
      guard graph.check([.clocks, .ids], at: set.positions) else {
        isBroken = true
        return
      }
      list = order == .received ? Self.byReceipt(set) : Self.byLamport(set)
      if isUpward { list.reverse() }
    }
  }

  private static func byReceipt(_ set: LogSet) -> [Int32] {
    var entries: [(time: Int64, place: Int)] = []
    for place in 0..<set.count {
      entries.append((set.graph.received(at: set[place]) ?? Int64.min, place))
    }
    // The place in the total order decides between changes that were accepted together.
    entries.sort { left, right in
      left.time == right.time ? left.place < right.place : left.time < right.time
    }
    return entries.map { Int32(set[$0.place]) }
  }

  private static func byLamport(_ set: LogSet) -> [Int32] {
    set.positions.sorted { set.graph.precedes($0, $1) }.map { Int32($0) }
  }

  /// The next position; `nil` after the last, and where the graph is damaged.
  package mutating func next() -> Int? {
    if !list.isEmpty { return Int(list.removeLast()) }
    if !places.isEmpty { return set[isUpward ? places.removeFirst() : places.removeLast()] }
    if let position = whole?.next() { return position }
    return some?.next()
  }
}
