// redo query tasks: one row per task (questions 31 to 40).

internal import CanonicalJSON
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo query tasks [<condition>...] [--sort=<key>...] [-n <n>]`.
enum QueryTasks: Command {
  static let name = "tasks"
  static let summary = "list tasks, the highest rank first"
  static var usage: [String] {
    [
      "redo-query tasks [--active | --archived] [--pending] [--overdue]\n"
        + "         [--recurring | --one-time] [--urgency=<level>] [--match=<text>]\n"
        + "         [--where=<expression>] [--sort=<key>,...] [-n <n>] [<options>]"
    ]
  }

  private static let active = OptionSpec("active", help: "only tasks that are not archived")
  private static let archived = OptionSpec("archived", help: "only tasks that are archived")
  private static let pending = OptionSpec("pending", help: "only tasks with a pending todo")
  private static let overdue = OptionSpec(
    "overdue", help: "only tasks with a pending todo that was due before")
  private static let recurring = OptionSpec("recurring", help: "only tasks that come again")
  private static let oneTime = OptionSpec("one-time", help: "only tasks that do not")
  private static let urgency = OptionSpec(
    "urgency", .required("level"), help: "only tasks of a level: none, low, medium, high, critical")
  static var options: [OptionSpec] {
    [
      active, archived, pending, overdue, recurring, oneTime, urgency, QueryWords.match,
      QueryWords.condition, QueryWords.sort, .maxCount,
    ] + QueryWords.common
  }

  /// Which tasks are listed.
  private struct Choice: Sendable {
    let isArchived: Bool?
    let isPending: Bool
    let isOverdue: Bool
    let isRecurring: Bool?
    let level: Urgency.Level?
    let search: QuerySearch?
    let conditions: QueryConditions

    func takes(_ item: QueryItem) -> Bool {
      let task = item.task
      return isArchived ?? task.isArchived == task.isArchived
        && isRecurring ?? task.isRecurring == task.isRecurring
        && (!isPending || task.hasPendingTodos)
        && (!isOverdue || task.isOverdue(at: item.moment))
        && level ?? task.urgency(at: item.moment).level == task.urgency(at: item.moment).level
        && search?.matches(task) ?? true && conditions.hold(for: item)
    }
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let frame = try QueryFrame(options, context)
    let list = try QueryList(
      options, frame, try QueryOrder(options, of: .tasks, or: "-rank"))
    let choice = Choice(
      isArchived: try options.only(oneOf: [active, archived]).map { $0.isSame(as: archived) },
      isPending: options.has(pending), isOverdue: options.has(overdue),
      isRecurring: try options.only(oneOf: [recurring, oneTime]).map { $0.isSame(as: recurring) },
      level: try options.choice(urgency),
      search: options.value(QueryWords.match).map { QuerySearch($0) },
      conditions: try QueryConditions(options, of: .tasks, frame))
    let moment = frame.moment
    let names = list.recordNames + choice.conditions.recordNames
    let rows = try frame.replay(options, asking: names, &context) { state, record in
      let item = QueryItem(state, at: moment, record: record)
      guard choice.takes(item) else { return [QueryListRow]() }
      if list.isJSON {
        var line: [UInt8] = []
        row(of: item).appendJSON(to: &line)
        return [list.row(of: item, .json(line))]
      }
      let cells = StateTable.Row(state, at: moment, isRaw: list.isRaw).cells
      return [list.row(of: item, .cells(cells))]
    }
    try list.write(rows, heading: StateTable.heading, &context)
    return .ok
  }

  /// The members of the state, without the todos themselves, and values derived from them.
  private static func row(of item: QueryItem) -> AnswerRow {
    var members: [(name: String, value: AnswerValue)] = []
    for property in TaskProperty.allCases {
      if property == .frequencyDays {
        members.append(("fields", QueryFields.value(item.task.otherMembers)))
      }
      let value = item.answer(.task(property))
      if case .missing = value, property != .urgency { continue }
      members.append((property.rawValue, value))
    }
    return AnswerRow(members)
  }
}

/// Members that the protocol does not define.
enum QueryFields {
  static func value(_ members: [(name: [UInt8], value: [UInt8])]) -> AnswerValue {
    var json: [UInt8] = Array("{".utf8)
    for (place, member) in members.enumerated() {
      json += (place > 0 ? ",\"" : "\"").utf8
      json += member.name
      json += "\":".utf8
      json += member.value
    }
    return .json(json + "}".utf8)
  }
}
