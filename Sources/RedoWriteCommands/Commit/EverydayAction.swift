// The eight everyday actions and the options that fill their content (protocol, section 3).

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// An action that has a word of its own, as in `redo commit complete-todo`.
enum EverydayAction: String, CaseIterable {
  case create
  case update
  case createTodo = "create-todo"
  case completeTodo = "complete-todo"
  case snooze
  case archive
  case unarchive
  case delete

  /// The action as written in a node.
  var action: Action {
    switch self {
    case .create: .create
    case .update: .update
    case .createTodo: .createTodo
    case .completeTodo: .completeTodo
    case .snooze: .snooze
    case .archive: .archive
    case .unarchive: .unarchive
    case .delete: .delete
    }
  }

  /// The options that it takes.
  var options: [OptionSpec] {
    switch self {
    case .create, .update:
      [.title, .description, .priority, .storyPoints, .frequencyDays, .private]
    case .createTodo: [.todo, .title, .deadline, .notes]
    case .completeTodo: [.todo, .completed, .notes, .next]
    case .snooze: [.todo, .days, .deadline, .notes]
    case .archive, .unarchive, .delete: []
    }
  }

  /// Sets the members that the options ask for.
  ///
  /// - Parameters:
  ///   - content: receives the members.
  ///   - options: the command line.
  ///   - context: provides the clock and random numbers.
  /// - Throws: `usage` for an option of another action, or a value of the wrong kind.
  func fill(
    _ content: inout ChangeContent, _ options: ParsedOptions, _ context: borrowing Context
  ) throws {
    for given in options.given where OptionSpec.typed.contains(where: { $0 ~= given }) {
      guard self.options.contains(where: { $0 ~= given }) else {
        throw CommandError.usage(
          "option '\(given.spec.spelling)' makes no sense with '\(rawValue)'")
      }
    }
    for (spec, name) in [
      (OptionSpec.title, "title"), (.description, "description"), (.notes, "notes"),
    ] {
      if let text = options.value(spec) { try content.set(name, text: text) }
    }
    if let number = try options.integer(.priority, in: Int.min...Int.max) {
      try content.set("priority", json: "\(number)", from: .priority)
    }
    if let days = try options.integer(.frequencyDays) {
      try content.set("frequencyDays", json: "\(days)", from: .frequencyDays)
    }
    if let points = options.value(.storyPoints) {
      try content.set("storyPoints", json: points, from: .storyPoints)
    }
    if let isPrivate = options.flag(.private) {
      try content.set("privacy", json: "\(isPrivate)", from: .private)
    }
    try fillTodo(&content, options, context)
  }

  private func fillTodo(
    _ content: inout ChangeContent, _ options: ParsedOptions, _ context: borrowing Context
  ) throws {
    if let todo = options.value(.todo) {
      guard let id = TaskID(Array(todo.utf8).span) else {
        throw CommandError.usage("option '--todo' expects a UUID, not '\(todo)'")
      }
      try content.set("todoTaskId", text: id.text)
    } else if self == .createTodo, !content.has("todoTaskId") {
      try content.set("todoTaskId", text: TaskID.random(context.effects.random).text)
    }
    if let time = try options.time(.deadline, context) {
      try content.set(self == .snooze ? "newDeadline" : "deadline", text: time.text)
    }
    if let time = try options.time(.completed, context) {
      try content.set("completed", text: time.text)
    } else if self == .completeTodo, !content.has("completed") {
      try content.set("completed", text: WallTime(milliseconds: context.clock()).text)
    }
    if let days = try options.integer(.days) {
      try content.set("daysToExtend", json: "\(days)", from: .days)
    }
  }
}

extension OptionSpec {
  static let title = OptionSpec("title", .required("text"), help: "the title of a task or todo")
  static let description = OptionSpec(
    "description", .required("text"), help: "the description of a task")
  static let priority = OptionSpec("priority", .required("n"), help: "1 to 5")
  static let storyPoints = OptionSpec(
    "story-points", .required("n"), help: "the weight of a task, a number from 0")
  static let frequencyDays = OptionSpec(
    "frequency-days", .required("n"), help: "how often a task returns; 0 for once")
  static let `private` = OptionSpec("private", help: "whether a task is private")
  static let todo = OptionSpec("todo", .required("uuid"), help: "the todo")
  static let deadline = OptionSpec("deadline", .required("time"), help: "when a todo is due")
  static let completed = OptionSpec(
    "completed", .required("time"), help: "when a todo was completed; now unless given")
  static let days = OptionSpec("days", .required("n"), help: "how far a deadline is moved")
  static let next = OptionSpec("next", help: "also make the next todo of a task that comes again")
  static let notes = OptionSpec("notes", .required("text"), help: "notes on a todo")

  /// The options of everyday actions.
  static var typed: [OptionSpec] {
    [
      title, description, priority, storyPoints, frequencyDays, `private`, todo, deadline,
      completed, days, notes, next,
    ]
  }
}

extension ParsedOptions {
  /// The last value of an option as an instant, which a day alone is not.
  ///
  /// - Throws: `usage` when it is neither.
  func time(
    _ spec: OptionSpec, _ context: borrowing Context
  ) throws -> WallTime? {
    guard let text = value(spec) else { return nil }
    guard let moment = Moment(instant: text, now: context.clock()) else {
      throw CommandError.usage(
        "option '\(spec.spelling)' expects a time such as 2025-01-15T10:30:00.000Z or now, "
          + "not '\(text)'")
    }
    return WallTime(milliseconds: moment.milliseconds)
  }
}
