// Undoing a change with new changes that restore the values before it.

package import RedoHistory
package import RedoObject

/// A change that is to be undone.
package struct Reversal {
  /// The change.
  package let id: ObjectID
  /// Whether members that later changes have written again are restored too.
  package let isForced: Bool
  /// How it is recorded.
  package let recording: CommitWriter.Options

  /// Creates a value with these members.
  package init(of id: ObjectID, isForced: Bool, recording: CommitWriter.Options) {
    (self.id, self.isForced, self.recording) = (id, isForced, recording)
  }

  /// The result of an undo.
  package enum Outcome {
    /// The new nodes, in order.
    case recorded([Node])
    /// One of them breaks a rule, which was reported; nothing was written.
    case invalid
    /// There is nothing to undo, or it cannot be undone.
    case refused(Refusal)
  }

  /// Why nothing is undone.
  package enum Refusal {
    /// No action takes back what it did: the obstacles.
    case impossible([String])
    /// It has no effect.
    case noEffect(SkipReason)
    /// It changed nothing.
    case changedNothing
    /// Later changes have written the same members again.
    case writtenAgain([Later])
  }

  /// A member that was written again since.
  package struct Later {
    /// The todo that the member belongs to; `nil` for a member of the task itself.
    package let todo: TaskID?
    /// The name as RFC 8785 writes it, without quotes; empty for the task itself.
    package let name: [UInt8]
    /// The last change that wrote it.
    package let id: ObjectID
  }
}

extension Repository {
  /// Undoes a change of the history.
  ///
  /// - Throws: `CommitFault` when the change is not in the history, or is about no task or a deleted one; the error
  ///   when nodes cannot be recorded.
  package func revert(_ reversal: Reversal, _ effects: Effects) throws -> Reversal.Outcome {
    let source = try RevertSource(reversal.id, self)
    if let refusal = try source.refusal(isForced: reversal.isForced) { return .refused(refusal) }
    var recording = reversal.recording
    recording.message = recording.message ?? "revert: \(reversal.id.text)"
    var writer = try CommitWriter(self, recording, effects)
    return try writer.commit(source.requests, effects).map { .recorded($0) } ?? .invalid
  }
}

/// A change of the history, and what would undo it.
struct RevertSource {
  private let id: ObjectID
  private let task: TaskID
  private let log: NodeHistory
  private let plan: RevertPlan
  /// The living heads of the task that a new node follows, sorted by id.
  private let heads: [ObjectID]

  /// Reads the history of a change's task.
  ///
  /// - Throws: `CommitFault` when the change is not in the history or is not about a task; the error when a node is
  ///   missing or corrupt.
  init(_ id: ObjectID, _ opened: Repository) throws {
    var reader = NodeReader()
    let object = try HistoryWalk.object(id, opened.objects, &reader)
    guard let task = try HistoryLoad.node(object, &reader).0.taskID else {
      throw CommitFault.ofNoTask(id)
    }
    let tips = try HistoryLoad.heads(opened, tasks: [task])
    log = NodeHistory(try HistoryLoad.nodes(from: tips, opened.objects).nodes)
    guard let position = log.position(of: id) else { throw CommitFault.notInHistory(id) }
    self.id = id
    self.task = task
    let cut = Cut(whole: log)
    var replay = Replay(log, cut, TaskNodes(log, cut))
    plan = replay.revertPlan(of: position, in: log.task(at: position))
    let log = self.log
    heads = replay.livingHeads(of: log.task(at: position)).suffix(Node.parentLimit)
      .map { log.id(at: Int($0)) }.sorted()
  }

  /// Why the change is not undone; `nil` when it can be.
  ///
  /// - Throws: `taskIsDeleted`.
  func refusal(isForced: Bool) throws(CommitFault) -> Reversal.Refusal? {
    guard plan.obstacles.isEmpty else { return .impossible(plan.obstacles) }
    guard !heads.isEmpty else { throw .taskIsDeleted(task) }
    if let reason = plan.reason { return .noEffect(reason) }
    guard !plan.steps.isEmpty else { return .changedNothing }
    guard isForced || plan.later.isEmpty else {
      return .writtenAgain(
        plan.later.map {
          Reversal.Later(todo: $0.todo, name: $0.name, id: log.id(at: $0.position))
        })
    }
    return nil
  }

  /// The changes that undo it.
  var requests: [ChangeRequest] {
    plan.steps.enumerated().map { place, step in
      var request = ChangeRequest(action: step.action.rawValue)
      request.task = task
      request.content = step.content
      // Each later one follows the one before.
      if place == 0 { request.parents = heads }
      return request
    }
  }
}
