// Taking changes back with new changes: the state becomes what it would be if they had never been written.

package import RedoHistory
package import RedoObject

/// Changes that are to be taken back.
package struct Reversal {
  /// Which changes.
  package enum Choice {
    /// One, which is refused as a whole when others have written the same members since.
    case one(ObjectID)
    /// Several; what others have written since is kept.
    case several(Set<ObjectID>)
  }

  /// Which changes.
  package let choice: Choice
  /// Whether members that later changes have written again are restored too.
  package let isForced: Bool
  /// How it is recorded.
  package let recording: CommitWriter.Options

  /// Creates a value with these members.
  package init(_ choice: Choice, isForced: Bool, recording: CommitWriter.Options) {
    (self.choice, self.isForced, self.recording) = (choice, isForced, recording)
  }

  /// What taking changes back does, or would do.
  package struct Outcome {
    /// What becomes of each task, and what cannot be taken back.
    package let plan: RestorePlan
    /// What keeps the value that others have written since.
    package let kept: [Later]
    /// The new nodes, in order; `nil` when one of them breaks a rule, which was reported, and nothing is written.
    package let nodes: [Node]?
    /// Why nothing is written, if nothing is.
    package let refusal: Refusal?
    /// The tasks that are not as the plan says, although its changes were recorded.
    package var missed: [TaskID] = []
  }

  /// Why nothing is written.
  package enum Refusal {
    /// No action takes back anything of what they did.
    case impossible
    /// They have no effect.
    case noEffect(SkipReason)
    /// They changed nothing, or what they changed has been changed back.
    case changedNothing
    /// Later changes have written the same members again.
    case writtenAgain
  }

  /// A member that was written again since.
  package struct Later {
    /// The task.
    package let task: TaskID
    /// The todo that the member belongs to; `nil` for a member of the task itself.
    package let todo: TaskID?
    /// The name as RFC 8785 writes it, without quotes; empty for the task itself.
    package let name: [UInt8]
    /// The last change that wrote it.
    package let id: ObjectID
  }
}

extension Repository {
  /// Takes changes of the history back, all or none.
  ///
  /// - Throws: `CommitFault` when a change is not in the history, or the one change is about no task or a deleted one;
  ///   the error when nodes cannot be recorded.
  package func revert(_ reversal: Reversal, _ effects: Effects) throws -> Reversal.Outcome {
    let ids: Set<ObjectID> =
      switch reversal.choice {
      case .one(let id): [id]
      case .several(let ids): ids
      }
    let source = try RevertSource(ids, self)
    if case .one(let id) = reversal.choice {
      guard source.hasTask else { throw CommitFault.ofNoTask(id) }
    }
    let found = ReversalPlan(source.log, without: source.isGone, isForced: reversal.isForced)
    let kept = (reversal.isForced ? [] : found.kept).map { [source] later in
      Reversal.Later(
        task: later.task, todo: later.todo, name: later.name,
        id: source.log.id(at: later.position))
    }
    let refusal = try Self.refusal(reversal, found)
    guard refusal == nil else {
      return Reversal.Outcome(plan: found.restored, kept: kept, nodes: [], refusal: refusal)
    }
    var recording = reversal.recording
    recording.message = recording.message ?? Self.message(reversal.choice)
    var writer = try CommitWriter(self, recording, effects)
    let nodes = try writer.commit(found.restored.requests, effects)
    let isWritten = nodes != nil && !recording.isDryRun
    return Reversal.Outcome(
      plan: found.restored, kept: kept, nodes: nodes, refusal: nil,
      missed: isWritten ? try missed(found.restored) : [])
  }

  private static func message(_ choice: Reversal.Choice) -> String {
    switch choice {
    case .one(let id): "revert: \(id.text)"
    case .several(let ids): "revert: \(ids.count) change\(ids.count == 1 ? "" : "s")"
    }
  }

  /// Why nothing is written; `nil` when something is.
  private static func refusal(
    _ reversal: Reversal, _ plan: ReversalPlan
  ) throws(CommitFault) -> Reversal.Refusal? {
    if case .one = reversal.choice {
      if let task = plan.deleted { throw .taskIsDeleted(task) }
      if let reason = plan.reason { return .noEffect(reason) }
      if !plan.kept.isEmpty, !reversal.isForced { return .writtenAgain }
    }
    guard plan.restored.isEmpty else { return nil }
    if plan.restored.losesValue { return .impossible }
    if !plan.kept.isEmpty, !reversal.isForced { return .writtenAgain }
    return plan.reason.map { .noEffect($0) } ?? .changedNothing
  }
}

/// Changes of the history, and all that their tasks consist of.
struct RevertSource {
  /// The history of their tasks.
  let log: NodeHistory
  /// For each position whether the change is one of them.
  let isGone: [Bool]
  /// Whether one of them is about a task.
  let hasTask: Bool

  /// Reads the history of the tasks.
  ///
  /// - Throws: `CommitFault` when a change is not in the history; the error when a node is missing or corrupt.
  init(_ ids: Set<ObjectID>, _ opened: Repository) throws {
    var reader = NodeReader()
    var tasks: Set<TaskID> = []
    var without: Set<ObjectID> = []
    for id in ids {
      let object = try HistoryWalk.object(id, opened.objects, &reader)
      if let task = try HistoryLoad.node(object, &reader).0.taskID {
        tasks.insert(task)
      } else {
        without.insert(id)
      }
    }
    hasTask = !tasks.isEmpty
    let tips = tasks.isEmpty ? [] : try HistoryLoad.heads(opened, tasks: tasks.sorted())
    log = NodeHistory(try HistoryLoad.nodes(from: tips, opened.objects).nodes)
    var isGone = [Bool](repeating: false, count: log.count)
    // A change that is about no task has no effect on any.
    for id in ids.subtracting(without).sorted() {
      guard let position = log.position(of: id) else { throw CommitFault.notInHistory(id) }
      isGone[position] = true
    }
    self.isGone = isGone
  }
}
