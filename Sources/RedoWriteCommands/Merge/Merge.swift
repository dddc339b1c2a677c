// redo merge: joins the branches of each diverged task in one node.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo merge [--check] (--task=<task>... | --all) [--strategy=<strategy>] [--resolve=<name>=<text>]...`.
enum Merge: Command {
  static let name = "merge"
  static let summary = "bring the branches of diverged tasks together"
  static var usage: [String] {
    [
      "redo-merge [<options>] (--task=<task>... | --all)",
      "redo-merge [<options>] --strategy=<strategy> (--task=<task>... | --all)",
      "redo-merge [<options>] --strategy=(ours | theirs) --ours=<revision> --task=<task>",
      "redo-merge [<options>] [--resolve=<name>=<text>]... [--resolve-json=<name>=<json>]...\n"
        + "           [--strategy=<strategy>] --task=<task>",
      "redo-merge --check [-z] [--task=<task>... | --all]",
    ]
  }

  private static let check = OptionSpec(
    "check", help: "write nothing; list diverged tasks as JSON, and exit with 1 if there are any")
  private static let task = OptionSpec(
    "task", letter: "t", .required("task"), help: "merge this task, by its id or its beginning")
  private static let all = OptionSpec("all", help: "merge every diverged task")
  private static let strategy = OptionSpec(
    "strategy", letter: "s", .required("strategy"),
    help: "decide what several sides wrote: lww, ours, theirs, union, max or min")
  private static let ours = OptionSpec(
    "ours", .required("revision"), help: "the head that '--strategy=ours' and 'theirs' are about")
  private static let resolve = OptionSpec(
    "resolve", .required("name=text"), help: "decide a member of the task: a text")
  private static let resolveJSON = OptionSpec(
    "resolve-json", .required("name=json"), help: "decide a member of the task: any JSON value")
  static var options: [OptionSpec] {
    [
      check, task, all, .heading("what is decided"), strategy, ours, resolve, resolveJSON,
      .heading("how it is recorded"),
    ] + CommitOptions.recording + CommitOptions.printing
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage(
        "tasks are named by '--task' or '--all', not by '\(options.arguments[0])'")
    }
    let scope = try options.only(oneOf: [task, all])
    let isCheck = options.has(check)
    guard scope != nil || isCheck else {
      throw CommandError.usage("one of '--task' and '--all' must be given")
    }
    let style = try NewNodeStyle(options)
    let writing = try CommitOptions.writing(options, context)
    let decision = try MergeDecider(
      rule: options.choice(strategy, as: MergeRule.self), values: values(options).object)
    try refuse(options, decision)

    let opened = try context.effects.openRepository()
    let merge = TaskMerge(
      tasks: options.values(task), decider: decision, own: options.value(ours))
    if isCheck { return try list(opened.diverged(merge, context.effects), options, &context) }
    let outcome = try opened.merge(merge, writing, context.effects)
    guard let nodes = outcome.nodes else { return .no }
    for node in nodes { try style.show(node, &context) }
    if !writing.isQuiet { say(outcome.found, &context) }
    return .ok
  }

  /// The members that the command line decides.
  private static func values(_ options: ParsedOptions) throws -> ChangeContent {
    var content = ChangeContent()
    try content.fill(texts: resolve, values: resolveJSON, options)
    return content
  }

  private static func refuse(
    _ options: ParsedOptions, _ decision: MergeDecider
  ) throws {
    if options.has(check), decision.isManual {
      throw CommandError.usage(
        "'--check' decides nothing: '--strategy' and '--resolve' cannot stand with it")
    }
    let needsSide = decision.rule == .ours || decision.rule == .theirs
    guard !options.has(ours) || needsSide else {
      throw CommandError.usage("'--ours' is about '--strategy=ours' and '--strategy=theirs'")
    }
    if options.has(ours), options.has(all) || options.values(task).count > 1 {
      throw CommandError.usage("'--ours' is about the heads of one task")
    }
    guard decision.hasValues, options.has(all) || options.values(task).count > 1 else { return }
    throw CommandError.usage("'--resolve' is about the members of one task")
  }

  private static func list(
    _ found: [MergeTasks.Found], _ options: ParsedOptions, _ context: inout Context
  ) throws -> Exit {
    for each in found {
      try context.output.append { output throws in
        MergeRow.append(each.plan, to: &output)
        output.append(options.rowEnd)
      }
    }
    return found.isEmpty ? .ok : .no
  }

  /// Says what remains to be done.
  private static func say(_ found: [MergeTasks.Found], _ context: inout Context) {
    for each in found {
      let task = each.plan.task.text
      if each.headCount > each.plan.parents.count {
        context.warning(
          "task '\(task)' has \(each.headCount) heads; the newest \(each.plan.parents.count) were "
            + "merged, and the same command goes on")
      }
      let todos = Set(each.plan.fields.filter { $0.todo != nil && $0.isConflict }.map(\.todo))
      if each.isManual, !todos.isEmpty {
        context.warning(
          "what several sides wrote to \(todos.count == 1 ? "a todo" : "\(todos.count) todos") "
            + "of task '\(task)' stays with the last of the writes")
      }
    }
  }
}
