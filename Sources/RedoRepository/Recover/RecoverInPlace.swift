// The state of a point in time, brought back by new changes in the same history: they travel, and survive every sync.

package import RedoHistory
package import RedoObject

/// A recovery in the history itself.
package struct RecoverInPlace {
  /// Whether tasks that did not exist at the point are deleted.
  package let isExact: Bool
  /// How the changes are recorded.
  package let recording: CommitWriter.Options

  /// Creates a value with these members.
  package init(isExact: Bool, recording: CommitWriter.Options) {
    self.isExact = isExact
    self.recording = recording
  }

  /// What a recovery does, or would do.
  package struct Outcome {
    /// What becomes of each task, and what cannot be brought back.
    package let plan: RestorePlan
    /// The new nodes, in order; `nil` when one of them breaks a rule, which was reported, and nothing is written.
    package let nodes: [Node]?
    /// The tasks that are not as the plan says, although its changes were recorded.
    package var missed: [TaskID] = []
  }

  /// Compares the history with the point, and writes what brings the point back: all of it or nothing.
  ///
  /// - Throws: `CommitFault.movedMeanwhile` when a task was changed since the history was read; the error when nodes
  ///   cannot be recorded.
  func run(
    _ log: some HistoryLog, _ members: [Bool], _ tasks: Set<TaskID>?, isDryRun: Bool,
    _ message: String, _ opened: Repository, _ effects: Effects
  ) throws -> Outcome {
    let plan = effects.trace.measure("plan") {
      RestorePlan(log, to: members, tasks: tasks, isExact: isExact)
    }
    guard !isDryRun, !plan.isEmpty else { return Outcome(plan: plan, nodes: []) }
    var recording = recording
    recording.message = recording.message ?? message
    var writer = try CommitWriter(opened, recording, effects)
    let nodes = try writer.commit(plan.requests, effects)
    return Outcome(
      plan: plan, nodes: nodes, missed: nodes == nil ? [] : try opened.missed(plan))
  }
}

extension RestorePlan {
  /// The changes to record, task by task.
  var requests: [ChangeRequest] {
    tasks.flatMap { task in
      task.steps.enumerated().map { place, step in
        var request = ChangeRequest(action: step.action.rawValue)
        request.task = task.task
        request.content = step.content
        // Each later one follows the one before.
        if place == 0 { request.parents = task.parents }
        if place < task.revived.count { request.revives = task.revived[place] }
        return request
      }
    }
  }
}
