// redo query todos: one row per todo (questions 41 to 47 and 50).

internal import CanonicalJSON
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo query todos [<condition>...] [--sort=<key>...] [-n <n>]`.
enum QueryTodos: Command {
  static let name = "todos"
  static let summary = "list todos, the earliest deadline first"
  static var usage: [String] {
    [
      "redo-query todos [--pending | --completed] [--completed-since=<time>]\n"
        + "         [--due=(today | <date>)] [--due-within=<n><unit> [--literal]] [--overdue]\n"
        + "         [--notes] [--match=<text>] [--where=<expression>] [--sort=<key>,...] [-n <n>]\n"
        + "         [<options>]"
    ]
  }

  private static let pending = OptionSpec("pending", help: "only todos that are not completed")
  private static let completed = OptionSpec("completed", help: "only todos that are completed")
  private static let completedSince = OptionSpec(
    "completed-since", .required("time"), help: "only todos completed at this time or later")
  private static let due = OptionSpec(
    "due", .required("day"), help: "only pending todos due on this day: today, or a date")
  private static let dueWithin = OptionSpec(
    "due-within", .required("span"), help: "only pending todos due from now on within, say, 7d")
  private static let overdue = OptionSpec("overdue", help: "only pending todos due before now")
  private static let notes = OptionSpec("notes", help: "only todos with notes")
  static var options: [OptionSpec] {
    [
      pending, completed, completedSince, due, dueWithin, overdue, notes, QueryWords.match,
      QueryWords.condition, QueryWords.sort, .maxCount, QueryWords.literal,
    ] + QueryWords.common
  }

  /// Which todos are listed.
  private struct Choice: Sendable {
    let isPending: Bool?
    let completedSince: WallTime?
    /// The times at which a pending todo is due, one range for each option.
    let due: [ClosedRange<WallTime>]
    let isOverdue: Bool
    let hasNotes: Bool
    let search: QuerySearch?
    let conditions: QueryConditions

    func takes(_ item: QueryItem, _ todo: TodoState) -> Bool {
      isPending ?? todo.isPending == todo.isPending
        && completedSince.map { since in todo.completion.map { $0 >= since } ?? false } ?? true
        && due.allSatisfy { range in
          todo.isPending && todo.due.map { range.contains($0) } ?? false
        }
        && (!isOverdue || todo.isOverdue(at: item.moment))
        && (!hasNotes || !todo.notes.isEmpty)
        && search?.matches(todo) ?? true && conditions.hold(for: item)
    }
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let frame = try QueryFrame(options, context)
    let list = try QueryList(
      options, frame, try QueryOrder(options, of: .todos, or: "deadline"))
    let choice = try choice(options, frame)
    let moment = frame.moment
    let names = list.recordNames + choice.conditions.recordNames
    let rows = try frame.replay(options, asking: names, &context) { state, record in
      state.todos.items.compactMap { todo -> QueryListRow? in
        let item = QueryItem(todo, of: state, at: moment, record: record)
        guard choice.takes(item, todo) else { return nil }
        guard list.isJSON else {
          return list.row(of: item, .cells(cells(of: item, todo, isRaw: list.isRaw)))
        }
        var line: [UInt8] = []
        row(of: item, todo).appendJSON(to: &line)
        return list.row(of: item, .json(line))
      }
    }
    try list.write(rows, heading: heading, &context)
    return .ok
  }

  private static func choice(
    _ options: ParsedOptions, _ frame: QueryFrame
  ) throws -> Choice {
    var since: WallTime?
    if let text = options.value(completedSince) {
      guard let times = frame.times(text) else {
        throw CommandError.fatal("not a time: '\(text)'", hints: [Moment.forms])
      }
      since = times.lowerBound
    }
    var ranges: [ClosedRange<WallTime>] = []
    if let text = options.value(due) { ranges.append(try dayRange(text, frame)) }
    if let text = options.value(dueWithin) {
      let last = try end(of: text, frame)
      // Taken literally, an overdue todo is due within any span.
      let first = options.has(QueryWords.literal) ? WallTime(milliseconds: .min) : frame.moment
      ranges.append(first...last)
    } else if options.has(QueryWords.literal) {
      throw CommandError.usage("'--literal' is about '--due-within', which is not given")
    }
    return Choice(
      isPending: try options.only(oneOf: [pending, completed]).map { $0.isSame(as: pending) },
      completedSince: since, due: ranges, isOverdue: options.has(overdue),
      hasNotes: options.has(notes),
      search: options.value(QueryWords.match).map { QuerySearch($0) },
      conditions: try QueryConditions(options, of: .todos, frame))
  }

  private static func dayRange(
    _ text: String, _ frame: QueryFrame
  ) throws -> ClosedRange<WallTime> {
    let today = frame.zone.local(frame.moment).day
    guard let day = text == "today" ? today : frame.day(text),
      case let start = frame.zone.start(ofDay: day),
      case let next = frame.zone.start(ofDay: day + 1), start < next
    else {
      throw CommandError.fatal("not a day: '\(text)'", hints: ["a day is 'today' or '2024-05-01'"])
    }
    return start...WallTime(milliseconds: next.milliseconds - 1)
  }

  /// The end of a span that begins at the moment.
  private static func end(
    of text: String, _ frame: QueryFrame
  ) throws -> WallTime {
    // Counted back from the last possible instant, so that every valid span can be counted.
    let last = WallTime.latest.milliseconds
    guard let before = Moment("now-\(text)", .start, now: last) else {
      throw CommandError.fatal(
        "not a span of time: '\(text)'",
        hints: ["a span is a number and one of the units s, m, h, d, w and y, as in '7d'"])
    }
    return min(
      WallTime(milliseconds: frame.moment.milliseconds + (last - before.milliseconds)),
      WallTime.latest)
  }

  // MARK: Rows

  private static let heading = [
    "RANK", "LEVEL", "STATE", "DEADLINE", "COMPLETED", "TODO", "TASK", "TITLE",
  ]

  private static func cells(
    of item: QueryItem, _ todo: TodoState, isRaw: Bool
  ) -> [String] {
    func text(_ property: QueryProperty) -> String? {
      guard case .text(let bytes) = item.value(of: property) else { return nil }
      return Escape.field(bytes, isRaw: isRaw)
    }
    var rank = 0.0
    if case .number(let number) = item.value(of: .todo(.rank)) { rank = number }
    return [
      Urgency.text(rank), todo.urgency(at: item.moment).level.rawValue,
      !todo.isPending ? "completed" : todo.isOverdue(at: item.moment) ? "overdue" : "pending",
      todo.due?.text ?? "-", todo.completion?.text ?? "-", todo.id.text, item.task.id.text,
      text(.todo(.title)) ?? text(.task(.title)) ?? "",
    ]
  }

  /// The members of the state, and values derived from them.
  private static func row(of item: QueryItem, _ todo: TodoState) -> AnswerRow {
    var members: [(name: String, value: AnswerValue)] = []
    for property in TodoProperty.allCases where property != .title {
      if property == .guid {
        members.append(("fields", QueryFields.value(todo.otherMembers)))
      }
      if property == .urgency {
        members.append(("taskTitle", item.answer(.task(.title))))
      }
      let value = item.answer(.todo(property))
      if case .missing = value, property != .urgency { continue }
      members.append((property.rawValue, value))
    }
    return AnswerRow(members)
  }
}
