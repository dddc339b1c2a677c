// redo commit: records changes as new, signed nodes.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo commit --action=<action> ...`, `redo commit <everyday action> ...`, `redo commit --stdin`.
enum Commit: Command {
  static let name = "commit"
  static let summary = "record changes as signed nodes"
  static var usage: [String] {
    [
      "redo-commit [<options>] --action=<action> [--task=<task>] [--payload]\n"
        + "            [--field <name>=<text>]... [--field-json <name>=<json>]...",
      "redo-commit [<options>] (create | update) [--task=<task>] [--title=<text>]\n"
        + "            [--description=<text>] [--priority=<n>] [--story-points=<n>]\n"
        + "            [--frequency-days=<n>] [--[no-]private]",
      "redo-commit [<options>] create-todo --task=<task> [--title=<text>] [--deadline=<time>]\n"
        + "            [--notes=<text>]",
      "redo-commit [<options>] complete-todo --task=<task> --todo=<uuid> [--completed=<time>]\n"
        + "            [--notes=<text>] [--next]",
      "redo-commit [<options>] snooze --task=<task> --todo=<uuid> (--days=<n> | --deadline=<time>)\n"
        + "            [--notes=<text>]",
      "redo-commit [<options>] (archive | unarchive | delete) --task=<task>",
      "redo-commit [<options>] --stdin",
    ]
  }

  private static let action = OptionSpec(
    "action", .required("action"), help: "the action, as it stands in the node")
  private static let task = OptionSpec(
    "task", letter: "t", .required("task"), help: "the task: a UUID or its unique beginning")
  private static let field = OptionSpec(
    "field", .required("name=text"), help: "a member of the content, a text")
  private static let fieldJSON = OptionSpec(
    "field-json", .required("name=json"), help: "a member of the content, any JSON value")
  private static let payload = OptionSpec(
    "payload", help: "write the content as payload, not as fields")
  private static let stdin = OptionSpec(
    "stdin", help: "read changes from standard input, a JSON object a line, all or none")
  private static let allHeads = OptionSpec(
    "all-heads", help: "follow the heads of all tasks, not only of this one")
  private static let force = OptionSpec(
    "force", letter: "f", help: "record a number outside of its usual range, too")
  static var options: [OptionSpec] {
    [
      action, task, field, fieldJSON, payload, stdin,
      .heading("the content of everyday actions"),
    ] + OptionSpec.typed + [.heading("how it is recorded"), allHeads, force]
      + CommitOptions.recording
      + CommitOptions.printing
  }

  /// The largest input of `--stdin`, in bytes: all of it is one transaction.
  private static var inputLimit: Int { 1 << 30 }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let style = try NewNodeStyle(options)
    var writing = try CommitOptions.writing(options, context)
    writing.takesAllHeads = options.has(allHeads)
    writing.keepsRanges = !options.has(force)
    writing.checksRecords = true
    let everyday = try everydayAction(options)
    var requests: [ChangeRequest] = []
    if !options.has(stdin) { requests = [try request(everyday, options, context)] }

    let opened = try context.effects.openRepository()
    var writer = try CommitWriter(opened, writing, context.effects)
    if options.has(stdin) {
      requests = try read(&context)
    } else {
      requests[0].task = try taskID(options, requests[0], opened, context)
      if options.has(.next) {
        let now = writing.wall ?? WallTime(milliseconds: context.clock())
        let completion = try RecurringCompletion(of: requests[0], now: now, opened)
        requests = completion.requests
        if requests.count == 1, !writing.isQuiet {
          context.note("the next todo '\(completion.next.text)' is there already")
        }
      }
    }
    guard let nodes = try writer.commit(requests, context.effects) else { return .no }
    for node in nodes { try style.show(node, &context) }
    if !writing.isQuiet { say(nodes, &context) }
    return .ok
  }

  // MARK: What is asked for

  private static func everydayAction(
    _ options: ParsedOptions
  ) throws -> EverydayAction? {
    guard let word = options.arguments.first else {
      guard options.has(action) != options.has(stdin) else {
        throw CommandError.usage(
          options.has(stdin)
            ? "options '--action' and '--stdin' cannot be used together"
            : "an action is needed: a word, '--action' or '--stdin'")
      }
      return nil
    }
    guard options.arguments.count == 1 else {
      throw CommandError.usage("only one action can be named")
    }
    guard !options.has(action), !options.has(stdin) else {
      let other = options.has(stdin) ? stdin : action
      throw CommandError.usage("'\(word)' and '\(other.spelling)' cannot be used together")
    }
    guard let everyday = EverydayAction(rawValue: word) else {
      throw CommandError.usage(
        "'\(word)' is not an everyday action",
        hints: Suggestion.hints(for: word, among: EverydayAction.allCases.map(\.rawValue)))
    }
    return everyday
  }

  private static func request(
    _ everyday: EverydayAction?, _ options: ParsedOptions, _ context: borrowing Context
  ) throws -> ChangeRequest {
    var content = ChangeContent()
    try content.fill(texts: field, values: fieldJSON, options)
    if let everyday {
      try everyday.fill(&content, options, context)
    } else if let typed = options.given.first(where: { given in
      OptionSpec.typed.contains { $0 ~= given }
    }) {
      throw CommandError.usage(
        "option '\(typed.spec.spelling)' belongs to an everyday action",
        hints: ["with '--action', use '--field' and '--field-json'"])
    }
    var request = ChangeRequest(
      action: everyday?.action.rawValue ?? options.value(action) ?? "")
    request.content = content.object
    if options.has(payload) { request.form = .payload }
    return request
  }

  /// The task of a request: a UUID, or the unique prefix of an existing task's UUID.
  private static func taskID(
    _ options: ParsedOptions, _ request: ChangeRequest, _ opened: Repository,
    _ context: borrowing Context
  ) throws -> TaskID? {
    guard let text = options.value(task) else {
      let needsTask = Action(rawValue: request.action) != nil && !request.isCreate
      guard !needsTask else {
        throw CommandError.usage("action '\(request.action)' needs '--task'")
      }
      return nil
    }
    if let id = TaskID(Array(text.utf8).span) { return id }
    return try TaskName.one(text, opened)
  }

  private static func read(_ context: inout Context) throws -> [ChangeRequest] {
    var requests: [ChangeRequest] = []
    var reader = LineReader(descriptor: context.input, limitBytes: Node.byteLimit)
    while let record = try reader.next() {
      let subject = "\(InputFile.standardInputName)', line '\(record.number)"
      guard record.state != .tooLong else {
        throw CommandError(
          .refused, "'\(subject)': a request is longer than \(Node.byteLimit) bytes")
      }
      let line = reader.bytes.span.extracting(record.range)
      requests.append(try ChangeRequest(line: line, subject))
    }
    return requests
  }

  // MARK: Messages

  /// Says which tasks were made.
  private static func say(_ nodes: [Node], _ context: inout Context) {
    let limit = 20
    let created = nodes.filter { $0.action == .create }
    for node in created.prefix(limit) {
      if let task = node.taskID { context.note("created task '\(task.text)'") }
    }
    if created.count > limit { context.note("created \(created.count - limit) more tasks") }
  }
}
