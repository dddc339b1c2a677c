// Whether a plan has come true: the tasks are replayed as they are in the store now.

internal import RedoHistory
internal import RedoObject

extension Repository {
  /// The tasks of a plan that are not in the state that it was to give them: somebody has changed them meanwhile.
  ///
  /// - Parameter plan: what was recorded.
  /// - Returns: the tasks; none when it has come true.
  /// - Throws: the error when a node is missing or corrupt.
  /// - Complexity: that of replaying these tasks.
  func missed(_ plan: RestorePlan) throws -> [TaskID] {
    let done = plan.tasks.filter { !$0.steps.isEmpty }
    guard !done.isEmpty else { return [] }
    let tips = try HistoryLoad.heads(self, tasks: done.map(\.task))
    let log = NodeHistory(try HistoryLoad.nodes(from: tips, objects).nodes)
    let wanted = Set(done.map(\.task))
    let tasks = (0..<log.taskCount).filter { wanted.contains(log.taskID($0)) }
    let whole = Cut(whole: log)
    var replay = Replay(log, whole, TaskNodes(log, whole, only: tasks))
    var states: [TaskID: TaskState] = [:]
    for task in tasks { states[log.taskID(task)] = replay.state(of: task) }
    return done.filter { !$0.isDone(states[$0.task]) }.map(\.task)
  }
}

extension TaskRestoration {
  /// Whether a state is the one after the steps, but for the times at which something was written.
  fileprivate func isDone(_ state: TaskState?) -> Bool {
    (TaskDifference(task, state, after)?.changes ?? []).allSatisfy { change in
      change.todo == nil
        ? change.path.elementsEqual("/lastUpdated".utf8)
        : change.path.elementsEqual("/created".utf8)
    }
  }
}
