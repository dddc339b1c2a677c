// From a history to what brings its tasks back to an earlier point.

package import RedoObject

/// What brings the tasks of a history back to an earlier point.
package struct RestorePlan: Sendable {
  /// The tasks that get new nodes, or of which something cannot be brought back, by id.
  package internal(set) var tasks: [TaskRestoration] = []
  /// The tasks that exist now and did not then, and are kept, by id.
  package internal(set) var kept: [TaskID] = []

  /// Whether nothing is to be written.
  package var isEmpty: Bool { tasks.allSatisfy(\.steps.isEmpty) }
  /// Whether a value cannot be brought back.
  package var losesValue: Bool { tasks.contains { $0.lost.contains(where: \.isValue) } }

  init() {}

  /// Compares the present with an earlier point.
  ///
  /// - Parameters:
  ///   - log: the whole history.
  ///   - members: for each position whether the node counts at the point: a set that is closed.
  ///   - wanted: the tasks to bring back; all when `nil`.
  ///   - isExact: whether tasks that did not exist then are deleted.
  /// - Complexity: that of replaying the tasks that may differ.
  package init(
    _ log: some HistoryLog, to members: [Bool], tasks wanted: Set<TaskID>? = nil, isExact: Bool
  ) {
    let all = [Bool](repeating: true, count: log.count)
    let touched = (TouchedTasks.between(log, members, all) ?? Array(0..<log.taskCount))
      .filter { wanted?.contains(log.taskID($0)) ?? true }
    let (whole, then) = (Cut(whole: log), Cut(of: log, members: members))
    var present = Replay(log, whole, TaskNodes(log, whole, only: touched))
    var past = Replay(log, then, TaskNodes(log, then, only: touched))
    for task in touched.sorted(by: { log.taskID($0) < log.taskID($1) }) {
      let target = past.state(of: task)
      if target == nil, !isExact {
        if present.state(of: task) != nil { kept.append(log.taskID(task)) }
        continue
      }
      add(
        present.restoration(of: task, to: target, standing: past.taken(of: task), members))
    }
  }

  /// Adds a task, if there is anything to say of it.
  mutating func add(_ task: TaskRestoration) {
    if !task.steps.isEmpty || !task.lost.isEmpty { tasks.append(task) }
  }
}

extension Replay {
  /// What brings a task to a state.
  ///
  /// - Parameters:
  ///   - task: its index in the log.
  ///   - target: the state; `nil` for none.
  ///   - standing: the nodes that make it up; what a DELETE has ended of them since is brought back.
  ///   - members: for each position whether the node belongs to the history of that state.
  /// - Returns: the steps, and what they cannot bring back.
  mutating func restoration(
    of task: Int, to target: TaskState?, standing: [Int32], _ members: [Bool]
  ) -> TaskRestoration {
    let before = state(of: task)
    let living = livingHeads(of: task)
    let ended = target == nil ? [] : endedHeads(of: task, standing: standing, members)
    let present = ended.isEmpty ? before : state(of: task, with: ended)
    let log = log
    return TaskRestoration(
      of: log.taskID(task), before, from: present, to: target,
      living: living.map { log.id(at: Int($0)) }, ended: ended.map { log.id(at: Int($0)) })
  }
}
