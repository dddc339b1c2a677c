// redo record show, list, check: what records say, and what is wrong with them.

internal import CanonicalJSON
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo record show [--all-fields] [--json] <task>...`.
enum RecordShow: Command {
  static let name = "show"
  static let summary = "show records, by the names of their fields"
  static var usage: [String] {
    [
      "redo-record show [--all-fields] [--as-of=<point>] [--policy=<policy>] [--json] [-z] <task>..."
    ]
  }
  static var options: [OptionSpec] {
    [.allFields] + RecordWords.point.specs + [.json, .nul]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.arguments.isEmpty else { throw CommandError.usage("a task is needed") }
    let point = try HistoryPoint(options, RecordWords.point, now: context.clock())
    let opened = try context.effects.openRepository()
    let tasks = try options.arguments.map { text throws in try TaskName.known(text, opened) }
    let reading = try RecordReading(opened, at: point)
    let schemas = reading.schemas
    var found: [TaskID: Record] = [:]
    try reading.forEach(tasks: tasks.map(\.text), context.effects) { state, order, _ in
      schemas.record(of: state, order)
    } _: {
      found[$0.task] = $0
    }
    for (place, task) in tasks.enumerated() {
      guard let record = found[task] else {
        throw CommandError(.absent, "task '\(task.text)' is no record, or is not there")
      }
      try context.output.append { output in
        if options.has(.json) {
          record.appendJSON(to: &output)
        } else {
          if place > 0, options.rowEnd != 0 { output.append(UInt8(ascii: "\n")) }
          RecordText(
            record, name: schemas.displayName(record.schemaID, person: record.person),
            showsAll: options.has(.allFields)
          ).append(to: &output)
        }
        output.append(options.rowEnd)
      }
    }
    return .ok
  }
}

/// `redo record list [--json] [<schema>...]`.
enum RecordList: Command {
  static let name = "list"
  static let summary = "list records"
  static var usage: [String] {
    [
      "redo-record list [--task=<task>]... [--as-of=<point>] [--policy=<policy>] [--json] [-z] [<schema>...]"
    ]
  }
  static var options: [OptionSpec] { [.task] + RecordWords.point.specs + [.json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let rows = RowWriter(columns, separator: "\t", options)
    try RecordRows.forEach(options, &context) { record, context throws in
      try rows.write(record, &context)
    }
    return .ok
  }

  /// `task schema problems title`.
  private static var columns: [RowColumn<Record>] {
    [
      .word("guid") { $0.task.text },
      .text("schemaId", .field) { $0.schemaID.text },
      .number("problems") { $0.problems.count },
      .text("title", .field) { $0.titleText },
      .word("schema", in: .json) { $0.schema?.text },
      .word("personId", in: .json) { $0.person?.text },
    ]
  }
}

/// `redo record check [--json] [<schema>...]`.
enum RecordCheckCommand: Command {
  static let name = "check"
  static let summary = "say what does not fit the schemas of records"
  static var usage: [String] {
    [
      "redo-record check [--task=<task>]... [--as-of=<point>] [--policy=<policy>] [--json] [-z] [<schema>...]"
    ]
  }
  static var options: [OptionSpec] { [.task] + RecordWords.point.specs + [.json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    try RecordRows.check(options, &context) ? .no : .ok
  }
}

/// Rows about records.
enum RecordRows {
  /// What is wrong with a record.
  private struct Row {
    let record: Record
    let problem: RecordProblem

    /// What the field is called for people.
    var name: String? {
      record.fields.first { $0.id == problem.field }.map {
        String(
          decoding: StringEscape.unescape($0.name.span.extracting(1..<$0.name.count - 1)),
          as: UTF8.self)
      }
    }
  }

  /// `rule task field key name detail`.
  private static var columns: [RowColumn<Row>] {
    [
      .word("rule") { $0.problem.rule.id },
      .word("guid") { $0.record.task.text },
      .word("field") { $0.problem.field?.text },
      .text("key", .field) { row in
        row.problem.key.map { String(decoding: StringEscape.unescape($0.span), as: UTF8.self) }
      },
      .text("name", .field) { $0.name },
      .text("detail", .field) { $0.problem.detail.isEmpty ? nil : $0.problem.detail },
    ]
  }

  /// Writes a row for each problem of the records that the options name.
  ///
  /// - Returns: whether there is any.
  static func check(_ options: ParsedOptions, _ context: inout Context) throws -> Bool {
    let rows = RowWriter(columns, separator: "\t", options)
    var isAny = false
    try forEach(options, &context) { record, context throws in
      for problem in record.problems {
        isAny = true
        try rows.write(Row(record: record, problem: problem), &context)
      }
    }
    return isAny
  }

  /// Hands on the records that the options name.
  static func forEach(
    _ options: ParsedOptions, _ context: inout Context,
    _ body: (Record, inout Context) throws -> Void
  ) throws {
    let point = try HistoryPoint(options, RecordWords.point, now: context.clock())
    let opened = try context.effects.openRepository()
    let choice = try RecordChoice(options.arguments, opened)
    let reading = try RecordReading(opened, at: point)
    let schemas = reading.schemas
    let effects = context.effects
    try reading.forEach(tasks: options.values(.task), effects) { state, order, _ -> Record? in
      schemas.record(of: state, order).flatMap { choice.takes($0) ? $0 : nil }
    } _: { record throws in
      try body(record, &context)
    }
  }
}
