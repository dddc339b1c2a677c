// The nodes of a set, task by task: replay works on one task at a time, because no node has an effect
// on another task than its own.

internal import RedoObject

/// The nodes of each task of a cut, in total order.
package struct TaskNodes: Sendable {
  /// What some node of a task calls for.
  struct Marks: OptionSet, Sendable {
    let rawValue: UInt8
    /// A DELETE or a broken node: not all nodes count.
    static let cut = Marks(rawValue: 1)
    /// A MERGE.
    static let merge = Marks(rawValue: 2)
  }

  private let starts: [Int32]
  private let marks: [Marks]
  private let positions: [Int32]
  /// The nodes without a task, in total order.
  package let withoutTask: [Int32]
  /// The tasks that have nodes in the cut, by index, sorted by id.
  package let tasks: [Int]

  /// Sorts the nodes of a cut by task.
  ///
  /// - Parameters:
  ///   - log: the log.
  ///   - cut: the cut.
  ///   - wanted: the tasks that are going to be asked for, by their indices; all when `nil`.
  /// - Complexity: O(*n*) in nodes, O(*m* log *m*) in tasks.
  package init(_ log: some HistoryLog, _ cut: Cut, only wanted: [Int]? = nil) {
    var isWanted = [Bool](repeating: wanted == nil, count: log.taskCount)
    for task in wanted ?? [] { isWanted[task] = true }
    var own: [Int32] = []
    if wanted == nil { own.reserveCapacity(cut.count) }
    var starts = [Int32](repeating: 0, count: log.taskCount + 1)
    var marks = [Marks](repeating: [], count: log.taskCount)
    var withoutTask: [Int32] = []
    for position in cut.order {
      let task = log.task(at: Int(position))
      guard task >= 0 else {
        withoutTask.append(position)
        continue
      }
      guard isWanted[task] else { continue }
      own.append(position)
      starts[task + 1] += 1
      let action = log.action(at: Int(position))
      if action == .merge { marks[task].insert(.merge) }
      if action == .delete || log.isBroken(at: Int(position)) { marks[task].insert(.cut) }
    }
    let present = (0..<log.taskCount).filter { starts[$0 + 1] > 0 }
    for task in 0..<log.taskCount { starts[task + 1] += starts[task] }
    var next = starts
    var positions = [Int32](repeating: 0, count: own.count)
    for position in own {
      let task = log.task(at: Int(position))
      positions[Int(next[task])] = position
      next[task] += 1
    }
    self.starts = starts
    self.marks = marks
    self.positions = positions
    self.withoutTask = withoutTask
    tasks = present.map { ($0, log.taskID($0)) }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// What the nodes of a task call for.
  func marks(of task: Int) -> Marks { marks[task] }

  /// The bytes that the nodes of a task say.
  ///
  /// - Parameters:
  ///   - task: the task.
  ///   - log: the log.
  /// - Returns: the sum over its nodes.
  package func byteCount(of task: Int, in log: some HistoryLog) -> Int {
    nodes(of: task).reduce(0) { $0 + log.dataCount(at: Int($1)) }
  }

  /// The positions of a task's nodes, in total order.
  package func nodes(of task: Int) -> ArraySlice<Int32> {
    positions[Int(starts[task])..<Int(starts[task + 1])]
  }
}
