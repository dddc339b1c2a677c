// redo index sql, redo index query and redo search: questions to the index, and their answers as rows.

internal import CanonicalJSON
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo index sql [--no-update] [--json] [-z] <select>`.
enum IndexSQL: Command {
  static let name = "sql"
  static let summary = "run one statement that reads"
  static var usage: [String] { ["redo-index sql [--no-update] [--json] [-z] <select>"] }
  static var options: [OptionSpec] { [IndexCommand.noUpdate, .json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count == 1 else {
      throw CommandError.usage(
        "one statement is needed, as one argument: 'select count(*) from tasks'")
    }
    return try IndexAnswer.write(.sql(options.arguments[0]), options, &context)
  }
}

/// `redo index query [<options>] <name> [<argument>]`.
enum IndexQuery: Command {
  static let name = "query"
  static let summary = "ask one of the queries that have a name"
  static var usage: [String] {
    let options = "[--limit=<n>] [--literal] [--no-update] [--json] [-z]"
    return [
      "redo-index query \(options)\n             (timeline | feed | strains)",
      "redo-index query [--fts] \(options)\n             search <words>...",
      "redo-index query \(options)\n             map <lat>,<lon>,<lat>,<lon>",
      "redo-index query \(options)\n             recent <ms>",
    ]
  }
  static let limit = OptionSpec("limit", .required("n"), help: "at most <n> rows")
  static let literal = OptionSpec(
    "literal", help: "ask as the app's database document writes it")
  static let syntax = OptionSpec("fts", help: "words are in the syntax of FTS5")
  static var options: [OptionSpec] {
    [limit, literal, syntax, IndexCommand.noUpdate, .json, .nul]
  }
  private static let names = SQLIndexQuery.Name.allCases.filter { $0 != .tasks }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let words = names.map(\.rawValue)
    guard let word = options.arguments.first else {
      throw CommandError.usage("a query is needed: one of \(words.joined(separator: ", "))")
    }
    guard let name = names.first(where: { $0.rawValue == word }) else {
      throw CommandError.usage(
        "'\(word)' is no query; there are \(words.joined(separator: ", "))",
        hints: Suggestion.hints(for: word, among: words))
    }
    var query = SQLIndexQuery(name)
    query.limit = try options.integer(limit)
    query.isLiteral = options.has(literal)
    query.isSyntax = options.has(syntax)
    guard name == .search || !query.isSyntax else {
      throw CommandError.usage("'--fts' goes with 'search' alone")
    }
    try take(Array(options.arguments.dropFirst()), &query)
    return try IndexAnswer.write(.query(query), options, &context)
  }

  private static func take(_ arguments: [String], _ query: inout SQLIndexQuery) throws {
    switch query.name {
    case .timeline, .feed, .strains, .tasks:
      if let word = arguments.first {
        throw CommandError.usage("'\(word)': '\(query.name.rawValue)' takes no arguments")
      }
    case .search:
      guard !arguments.isEmpty else { throw CommandError.usage("'search' needs words") }
      query.words = arguments.joined(separator: " ")
    case .map:
      guard arguments.count == 1 else {
        throw CommandError.usage("'map' needs one box: 37.7,-122.5,37.8,-122.4")
      }
      query.box = try box(arguments[0])
    case .recent:
      guard arguments.count == 1, let since = ParsedOptions.decimal(arguments[0]) else {
        throw CommandError.usage("'recent' needs a time, in milliseconds since 1970")
      }
      query.since = Int64(since)
    }
  }

  /// Two latitudes and longitudes, the south-western corner first.
  private static func box(_ text: String) throws -> [Double] {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      part.utf8.allSatisfy({ "0123456789.-".utf8.contains($0) }) ? Double(part) : nil
    }
    let found = numbers.compactMap { $0 }
    guard numbers.count == 4, found.count == 4 else {
      throw CommandError.usage(
        "'\(text)' is no box: it has a latitude, a longitude, a latitude and a longitude")
    }
    guard -90...90 ~= found[0], -90...90 ~= found[2], -180...180 ~= found[1],
      -180...180 ~= found[3]
    else {
      throw CommandError.usage(
        "'\(text)' is no box: latitudes are from -90 to 90, longitudes from -180 to 180")
    }
    guard found[0] <= found[2] else {
      throw CommandError.usage("'\(text)' is no box: its southern corner comes first")
    }
    return found
  }
}

/// `redo search [--tasks] [--fts] [<options>] <words>...`.
enum SearchCommand: Command {
  static let name = "search"
  static let summary = "find receipts or tasks by the words in them"
  static var usage: [String] {
    [
      "redo-search [--tasks] [--fts] [--no-update] [--limit=<n>] [--json] [-z]\n"
        + "             <words>..."
    ]
  }
  private static let tasks = OptionSpec("tasks", help: "find tasks; otherwise receipts")
  static var options: [OptionSpec] {
    [tasks, IndexQuery.syntax, IndexQuery.limit, IndexCommand.noUpdate, .json, .nul]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.arguments.isEmpty else { throw CommandError.usage("words are needed") }
    var query = SQLIndexQuery(options.has(tasks) ? .tasks : .search)
    query.words = options.arguments.joined(separator: " ")
    query.limit = try options.integer(IndexQuery.limit)
    query.isSyntax = options.has(IndexQuery.syntax)
    return try IndexAnswer.write(.query(query), options, &context)
  }
}

/// The rows of an answer, whose columns are not known before.
enum IndexAnswer {
  /// Asks, and writes what is answered.
  static func write(
    _ question: SQLIndexQuestion, _ options: ParsedOptions, _ context: inout Context
  ) throws -> Exit {
    let isJSON = options.has(.json)
    let end = options.rowEnd
    var names: [(name: String, order: MemberName)] = []
    var order: [Int] = []
    try IndexCommand.open(context).ask(question, updates: IndexCommand.updates(options)) {
      columns throws in
      guard isJSON else { return }
      if let twice = columns.indices.first(where: { columns[..<$0].contains(columns[$0]) }) {
        throw CommandError(
          .refused, "two columns have the name '\(columns[twice])', which an object cannot have",
          hints: ["'as' gives a column another name"])
      }
      names = columns.map { name in
        var text: [UInt8] = []
        JSONWriter.appendString(name, to: &text)
        return (name, MemberName(escaped: Array(text.dropFirst().dropLast())))
      }
      order = names.indices.sorted { names[$0].order < names[$1].order }
    } _: { values throws in
      try context.output.append { output in
        if isJSON {
          JSONWriter.append(to: &output) { json in
            json.object { json in
              for place in order {
                json.name(text: names[place].name)
                write(values[place], to: &json)
              }
            }
          }
        } else {
          for (place, value) in values.enumerated() {
            if place > 0 { output.append(UInt8(ascii: "\t")) }
            append(value, isRaw: end == 0, to: &output)
          }
        }
        output.append(end)
      }
    }
    return .ok
  }

  private static func append(
    _ value: SQLIndexValue, isRaw: Bool, to output: inout [UInt8]
  ) {
    switch value {
    case .null: output.append(UInt8(ascii: "-"))
    case .number(let text), .blob(let text): output += text.utf8
    case .text(let text):
      output += (isRaw && !text.utf8.contains(0) ? text : Escape.text(text)).utf8
    }
  }

  private static func write(_ value: SQLIndexValue, to json: inout JSONWriter) {
    switch value {
    case .null: json.null()
    case .text(let text): json.value(text)
    case .blob(let text): json.value(text)
    case .number(let text):
      // JSON has no infinite numbers, and RFC 8785 writes whole ones without a point.
      if let integer = Int64(text) {
        json.value(integer)
      } else if let number = Double(text), number.isFinite {
        json.value(number)
      } else {
        json.value(text)
      }
    }
  }
}
