// redo revert: undoes a change by a new one, which restores the values before it.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo revert [--force] [-n] <revision>`.
enum Revert: Command {
  static let name = "revert"
  static let summary = "undo a change by a new one that restores the values before it"
  static var usage: [String] { ["redo-revert [<options>] [--force] <revision>"] }

  private static let force = OptionSpec(
    "force", letter: "f", help: "also restore what later changes have written again")
  static var options: [OptionSpec] {
    [force, .heading("how it is recorded")] + CommitOptions.recording + CommitOptions.printing
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count == 1 else {
      throw CommandError.usage(
        options.arguments.isEmpty ? "no change is named" : "only one change can be named")
    }
    let style = try NewNodeStyle(options)
    var writing = try CommitOptions.writing(options, context)
    let opened = try context.effects.openRepository()
    let id = try Revisions(opened, now: context.clock()).one(options.arguments[0])
    let source = try RevertSource(id, opened)
    guard let requests = try requests(source, isForced: options.has(force), &context) else {
      return .no
    }
    writing.message = writing.message ?? "revert: \(id.text)"
    var writer = try CommitOptions.writer(opened, writing, options, &context)
    if !writing.isDryRun { context.holdSignals() }
    guard let nodes = try writer.commit(requests, &context) else { return .no }
    for node in nodes { try style.show(node, &context) }
    return .ok
  }

  /// The changes that undo the one that is named.
  ///
  /// - Returns: `nil` when it is refused, and why has been said.
  private static func requests(
    _ source: RevertSource, isForced: Bool, _ context: inout Context
  ) throws -> [CommitRequest]? {
    let (plan, id) = (source.plan, source.id)
    guard plan.obstacles.isEmpty else {
      context.error(
        "revert-impossible: no action takes back \(plan.obstacles.joined(separator: ", nor "))")
      return nil
    }
    guard source.isLiving else { throw CommandError.fatal("task '\(source.task.text)' is deleted") }
    if let reason = plan.reason {
      context.error("'\(id.text)' has no effect, so there is nothing to revert: \(reason.rawValue)")
      return nil
    }
    guard !plan.steps.isEmpty else {
      context.error(
        "'\(id.text)' changed nothing, so there is nothing to revert")
      return nil
    }
    guard isForced || plan.later.isEmpty else {
      for later in plan.later {
        let name = Escape.text(later.name)
        let what = later.todo.map { "'\(name)' of todo '\($0.text)'" } ?? "'\(name)'"
        context.error(
          (later.name.isEmpty ? "the task" : what) + " was changed again by "
            + "'\(source.log.id(at: later.position).text)'")
      }
      context.hint("'--force' restores the values before the change all the same")
      return nil
    }
    return plan.steps.enumerated().map { place, step in
      var request = CommitRequest(action: step.action.rawValue)
      request.task = source.task
      request.content = step.content
      // What comes after the first follows that.
      if place == 0 { request.parents = source.heads }
      return request
    }
  }
}

/// A change of the history, and what would undo it.
struct RevertSource {
  let id: ObjectID
  let task: TaskID
  let log: NodeHistory
  let plan: RevertPlan
  /// The living heads of the task that a new node follows, sorted by id.
  let heads: [ObjectID]

  /// Whether the task is there.
  var isLiving: Bool { !heads.isEmpty }

  /// Reads the history of a change's task.
  ///
  /// - Throws: `fatal` when the change is not in the history, is of no task, or a node is missing or
  ///   corrupt.
  init(_ id: ObjectID, _ opened: Repository) throws {
    var reader = NodeReader()
    let object = try HistoryWalk.object(id, opened.objects, &reader)
    guard let task = try HistoryLoad.node(object, &reader).0.taskID else {
      throw CommandError.fatal("'\(id.text)' is about no task")
    }
    let tips = try HistoryLoad.heads(opened, tasks: [task])
    log = NodeHistory(try HistoryLoad.nodes(from: tips, opened.objects).nodes)
    guard let position = log.position(of: id) else {
      throw CommandError.fatal("'\(id.text)' is not in the history")
    }
    self.id = id
    self.task = task
    let cut = Cut(whole: log)
    var replay = Replay(log, cut, TaskNodes(log, cut))
    plan = replay.revertPlan(of: position, in: log.task(at: position))
    let log = self.log
    heads = replay.livingHeads(of: log.task(at: position)).suffix(Node.parentLimit)
      .map { log.id(at: Int($0)) }.sorted()
  }
}
