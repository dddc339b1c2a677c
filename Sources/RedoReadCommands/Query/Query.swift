// redo query: questions about tasks, todos and their completions. Each subcommand is a command of its own.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo query [tasks | todos | rate | ...]`.
enum Query: CommandGroup {
  static let name = "query"
  static let readsArchives = true
  static let summary = "ask about tasks, todos and their completions"
  static var usage: [String] {
    ["redo-query [<options of tasks>]"] + subcommands.flatMap { $0.usage }
  }
  static var options: [OptionSpec] { QueryTasks.options }
  static var standard: (any Command.Type)? { QueryTasks.self }
  static var subcommands: [any Command.Type] {
    [
      QueryTasks.self, QueryTodos.self, QueryRate.self, QueryAverageCompletion.self,
      QueryStreak.self, QueryRateByPriority.self, QueryProductiveHour.self, QueryVelocity.self,
      QueryBurndown.self,
    ]
  }
}

/// Parts shared by the subcommands.
enum QueryWords {
  static let zone = OptionSpec(
    "tz", .required("zone"), help: "where days begin: UTC (default), +hh:mm, -hh:mm or Area/City")
  static let literal = OptionSpec(
    "literal", help: "count as the formula of the source document does")
  static let plot = OptionSpec("plot", help: "draw bars on the terminal")
  static let svg = OptionSpec("svg", help: "draw a picture")
  static let condition = OptionSpec(
    "where", .required("expression"), help: "only rows for which this holds")
  static let match = OptionSpec(
    "match", .required("text"), help: "only rows with this text, whatever the case")
  static let sort = OptionSpec(
    "sort", .required("key"), help: "sort by properties, descending with '-' before one")

  /// The point in time, and how rows are written.
  static let common =
    [.task] + State.pointOptions.specs + [
      zone, .json, HistoryGraph.cache, .quiet, .nul,
    ]
}

/// What a question needs apart from the history.
struct QueryFrame {
  let point: HistoryPoint
  /// The moment for which overdue, urgency and rank are computed.
  let moment: WallTime
  let zone: CivilZone
  /// The zone as given.
  let zoneName: String
  let end: UInt8

  /// Reads the options that all questions have.
  ///
  /// - Throws: `usage` for arguments; `fatal` for an invalid point or zone.
  init(_ options: ParsedOptions, _ context: borrowing Context) throws {
    if let argument = options.arguments.first {
      throw CommandError.usage("'\(argument)' has no meaning here: a question takes options only")
    }
    point = try HistoryPoint(options, State.pointOptions, now: context.clock())
    moment = point.moment(or: context.clock())
    zoneName = options.value(QueryWords.zone) ?? "UTC"
    zone = try QueryZone.named(zoneName, context)
    end = options.rowEnd
  }

  /// The instants that a text stands for: a whole day in the zone, or a single instant.
  func times(_ text: String) -> ClosedRange<WallTime>? {
    if let day = day(text) {
      let (start, next) = (zone.start(ofDay: day), zone.start(ofDay: day + 1))
      // Changes of a zone's offset may skip a day.
      guard start < next else { return nil }
      return start...WallTime(milliseconds: next.milliseconds - 1)
    }
    guard let moment = Moment(text, .start, now: moment.milliseconds) else { return nil }
    let time = WallTime(milliseconds: moment.milliseconds)
    return time...time
  }

  /// The day of a text that is only a date, in days since 1970.
  func day(_ text: String) -> Int? {
    guard text.utf8.count == 10 else { return nil }
    return WallTime.parse(Array("\(text)T00:00:00Z".utf8).span).map {
      Int(CivilDay(milliseconds: $0.time.milliseconds).number)
    }
  }

  /// What a question asks of a task: its state, and the fields of a record that are asked about.
  typealias Transform<Row> = @Sendable (TaskState, [ByteText: QueryValue]) -> [Row]

  /// Replays the nodes that the options name, and collects a row from each task.
  ///
  /// - Throws: `fatal` for a name of several fields of records, or of none.
  func replay<Row: Sendable>(
    _ options: ParsedOptions, asking names: [ByteText] = [], _ context: inout Context,
    _ transform: @escaping Transform<Row>
  ) throws -> [Row] {
    let questions = try names.isEmpty ? nil : questions(names, context)
    let request = StateSource.Request(options)
    if let (log, source) = try StateSource.indexed(request, context.effects) {
      return try replay(log, source, questions, options, &context, transform)
    }
    let (log, source) = try StateSource.load(
      request, needsReceived: point.isInstant, context.effects)
    return try replay(log, source, questions, options, &context, transform)
  }

  private func questions(
    _ names: [ByteText], _ context: borrowing Context
  ) throws -> RecordQuestions {
    let schemas = try context.effects.openRepository().recordSchemas()
    do throws(RecordQuestions.Flaw) { return try RecordQuestions(names, schemas) } catch {
      switch error {
      case .ambiguous(let name, let schema, let ids):
        throw CommandError.fatal(
          "several fields of '\(Escape.text(schema.text))' are called '\(Escape.text(name.text))'",
          hints: Candidates.hints(ids) { "record.\"\($0)\"" })
      case .unknown(let name):
        throw CommandError.fatal("no schema has a field '\(Escape.text(name.text))'")
      }
    }
  }

  private func replay<Log: HistoryLog & Sendable, Row: Sendable>(
    _ log: Log, _ source: StateSource, _ questions: RecordQuestions?, _ options: ParsedOptions,
    _ context: inout Context, _ transform: @escaping Transform<Row>
  ) throws -> [Row] {
    let members = try point.members(of: log, source.opened)
    let cut = members.map { Cut(of: log, members: $0) } ?? Cut(whole: log)
    let nodes = TaskNodes(log, cut)
    let tasks =
      source.tasks.isEmpty
      ? nodes.tasks : nodes.tasks.filter { source.tasks.contains(log.taskID($0)) }
    if !options.has(.quiet), let members {
      point.say(members, log, hasReceived: source.hasReceived, context.effects)
    }
    let run = ReplayRun(log, cut, nodes)
    let trace = context.trace
    var rows: [Row] = []
    let skipped = try trace.measure("replay") {
      guard let questions else {
        return try run.replay(tasks, { transform($0, [:]) }) { found throws in
          for part in found { rows += part }
        }
      }
      return try run.replayAsking(tasks) { state, order, _ in
        transform(state, questions.values(of: state, order))
      } body: { part throws in
        rows += part
      }
    }
    if !options.has(.quiet) { SkipRow.warn(run.sorted(skipped), log, &context) }
    return rows
  }
}
