// Which nodes of a task are above which, by whatever path: through nodes of other tasks, too, but never
// through nodes outside of the set at hand. Walks are loops over a stack, and end at the place of the
// task's first node, above which the task has none.

/// Walks towards ancestors, keeping its memory.
struct Ancestry<Log: HistoryLog>: ~Copyable {
  private let log: Log
  private let cut: Cut
  /// The number of the walk that last saw a node, for each position of the log.
  private var marks: [Int32] = []
  private var walk: Int32 = 0
  private var stack: [Int32] = []

  init(_ log: Log, _ cut: Cut) {
    self.log = log
    self.cut = cut
  }

  private mutating func begin() {
    if marks.isEmpty { marks = [Int32](repeating: 0, count: log.count) }
    walk += 1
    stack.removeAll(keepingCapacity: true)
  }

  /// Sees a node once in a walk.
  private mutating func visit(_ position: Int, notBefore floor: Int) {
    guard position >= 0, cut.place(of: position) >= floor, marks[position] != walk else { return }
    marks[position] = walk
    stack.append(Int32(position))
  }

  /// The nodes of a task among some nodes and their ancestors, in total order.
  ///
  /// - Complexity: O(*k* log *k*) in the ancestors down to `floor`.
  mutating func closure(
    of tips: [Int], task: Int, notBefore floor: Int
  ) -> [Int32] {
    begin()
    for tip in tips { visit(tip, notBefore: floor) }
    var found: [Int32] = []
    while let position = stack.popLast() {
      if log.task(at: Int(position)) == task { found.append(position) }
      parents(of: Int(position), notBefore: floor)
    }
    return found.sorted { cut.places[Int($0)] < cut.places[Int($1)] }
  }

  /// The nearest ancestors of a node that are of its task: usually its parents.
  mutating func nearest(to position: Int, task: Int, notBefore floor: Int) -> [Int32] {
    begin()
    parents(of: position, notBefore: floor)
    var found: [Int32] = []
    while let position = stack.popLast() {
      if log.task(at: Int(position)) == task {
        found.append(position)
      } else {
        parents(of: Int(position), notBefore: floor)
      }
    }
    return found
  }

  private mutating func parents(of position: Int, notBefore floor: Int) {
    let log = log
    var parents: [Int32] = []
    log.forEachParent(at: position) { parents.append(Int32($0)) }
    for parent in parents { visit(Int(parent), notBefore: floor) }
  }
}
