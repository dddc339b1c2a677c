// A whole graph in the order in which people read it (WallWalk), from the orders that its parts keep: what is
// computed is only what the small part changes about the order of the large one.

internal import RedoObject

/// A walk over all nodes of a graph by their wall times, newest first.
///
/// The nodes of the small part come in the order that it keeps, since all their children are in it. So do those of
/// the large part, except that a node waits for each child that is still to come: one in the small part, or one that
/// waits itself.
package struct WholeWallWalk {
  private let graph: Graph
  private let base: GraphSegment
  private let tail: GraphSegment?
  /// The next place in the order of each part.
  private var basePlace = 0
  private var tailPlace = 0
  /// For nodes of the large part: how many children they wait for.
  private var waiting: [Int: Int] = [:]
  /// Nodes of the large part whose turn came while they waited, and those of them that wait no longer.
  private var isPutOff: Set<Int> = []
  private var free = Heap()
  /// Whether all that is compared in the large part has been checked.
  private var isChecked = false
  private var comparedCount = 0
  /// Whether the graph was found to be damaged; then the walk is worth nothing.
  package private(set) var isDamaged = false

  /// What is read of a node of the large part that is compared.
  private static let columns: GraphSegment.Columns = [.ids, .clocks, .parents]
  /// When so many nodes have been compared, all of the large part is checked at once.
  private static let checkedCount = 1024

  /// Starts a walk.
  ///
  /// - Parameter graph: the graph; nothing of it has to be checked.
  /// - Complexity: O(*n*) in the nodes of the small part.
  package init(_ graph: Graph) {
    self.graph = graph
    base = graph.base
    tail = graph.tail
    guard let tail else { return }
    for index in 0..<tail.count {
      tail.forEachParentBelow(index) { waiting[$0, default: 0] += 1 }
    }
  }

  /// The position of the next node; `nil` after the last, and where the graph is damaged.
  package mutating func next() -> Int? {
    let isSimple = waiting.isEmpty && free.top == nil && tailPlace == tail?.count ?? 0
    guard !isDamaged, let own = nextOfBase() else { return nil }
    if isSimple {
      guard own >= 0 else { return nil }
      basePlace += 1
      return graph.position(ofBase: own)
    }
    var best = own
    if let other = free.top, best < 0 || isLater(other, of: base, than: best) { best = other }
    if let tail, tailPlace < tail.count {
      let index = tail.wallOrder(tailPlace)
      if best < 0 || isLater(index, of: tail, than: best) {
        tailPlace += 1
        tail.forEachParentBelow(index) { show(childOf: $0) }
        return isDamaged ? nil : graph.position(ofTail: index)
      }
    }
    guard best >= 0, !isDamaged else { return nil }
    if best == own {
      basePlace += 1
    } else {
      let base = base
      _ = free.pop { base.isLater($0, base, $1) }
      isPutOff.remove(best)
      for place in base.parentRange(best) { show(childOf: Int(base.parent(place))) }
    }
    return graph.position(ofBase: best)
  }

  /// The first node in the order of the large part that waits for nothing; those before it are put off.
  ///
  /// - Returns: -1 at the end; `nil` when the graph is damaged.
  private mutating func nextOfBase() -> Int? {
    while basePlace < base.count {
      guard base.checkWallOrder(basePlace..<basePlace + 1) else { return fail() }
      let index = base.wallOrder(basePlace)
      if waiting[index] == nil { return index }
      guard check(index) else { return fail() }
      isPutOff.insert(index)
      for place in base.parentRange(index) { waiting[Int(base.parent(place)), default: 0] += 1 }
      basePlace += 1
    }
    return -1
  }

  private mutating func fail() -> Int? {
    isDamaged = true
    return nil
  }

  /// Checks what is compared of a node of the large part.
  private mutating func check(_ index: Int) -> Bool {
    isChecked || base.check(Self.columns, of: index..<index + 1)
  }

  /// Whether a node, all of which has been checked, comes before one of the large part.
  private mutating func isLater(_ index: Int, of part: GraphSegment, than other: Int) -> Bool {
    if !isChecked {
      comparedCount += 1
      if comparedCount == Self.checkedCount {
        isChecked = base.check(Self.columns, of: 0..<base.count)
        isDamaged = !isChecked
      }
      guard !isDamaged, base.checkTimes(other) else {
        isDamaged = true
        return false
      }
    }
    let (wall, otherWall) = (part.wall(index), base.wall(other))
    if wall != otherWall { return wall > otherWall }
    guard check(other) else {
      isDamaged = true
      return false
    }
    return part.isLater(index, base, other)
  }

  /// Notes that one of the children has been shown that a node waits for.
  private mutating func show(childOf index: Int) {
    guard let count = waiting[index] else { return }
    guard count == 1 else {
      waiting[index] = count - 1
      return
    }
    waiting[index] = nil
    let base = base
    // A node that was put off has been checked.
    if isPutOff.contains(index) { free.push(index) { base.isLater($0, base, $1) } }
  }
}

extension GraphSegment {
  /// Hands on the parents of a node that lie in the part below.
  @inline(__always)
  fileprivate func forEachParentBelow(_ index: Int, _ body: (Int) -> Void) {
    for place in parentRange(index) {
      let parent = parent(place)
      if parent & Self.belowMark != 0 { body(Int(parent & ~Self.belowMark)) }
    }
  }

  /// Whether a node comes before one of a part in a walk by wall time, if they are not related.
  func isLater(_ index: Int, _ other: GraphSegment, _ otherIndex: Int) -> Bool {
    let (wall, otherWall) = (wall(index), other.wall(otherIndex))
    if wall != otherWall { return wall > otherWall }
    let (lamport, otherLamport) = (lamport(index), other.lamport(otherIndex))
    if lamport != otherLamport { return lamport > otherLamport }
    return id(index) > other.id(otherIndex)
  }

  /// The nodes of this part in a walk by wall time: those that are to be kept as its order.
  ///
  /// All columns have been checked.
  func computedWallOrder() -> [Int] {
    WallWalk.order(
      count: count, isLater: { isLater($0, self, $1) },
      forEachParent: { index, body in
        for place in parentRange(index) {
          let parent = parent(place)
          if parent & Self.belowMark == 0 { body(Int(parent)) }
        }
      })
  }
}
