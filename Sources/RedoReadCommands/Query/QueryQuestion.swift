// Questions whose answer is one number or a few, and possibly a chart.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// A question about completions: a subcommand.
protocol QueryQuestion: Command {
  /// The options that only this question has.
  static var ownOptions: [OptionSpec] { get }
  /// The options of which only one may be given.
  static var exclusiveOptions: [OptionSpec] { get }
  /// Whether the answer can be drawn as a chart.
  static var hasChart: Bool { get }
  /// The answer.
  static func answer(_ facts: [CompletionFacts], _ asked: QueryAsked) -> QueryReply
}

/// How a question was asked.
struct QueryAsked {
  let options: ParsedOptions
  let now: WallTime
  let zone: CivilZone
  let zoneName: String

  var isLiteral: Bool { options.has(QueryWords.literal) }
}

/// An answer.
struct QueryReply {
  let rows: [AnswerRow]
  var chart: QueryChart?
}

extension QueryQuestion {
  static var ownOptions: [OptionSpec] { [] }
  static var exclusiveOptions: [OptionSpec] { [] }
  static var hasChart: Bool { false }

  static var options: [OptionSpec] {
    ownOptions + (hasChart ? [QueryWords.plot, QueryWords.svg, LogStyle.asciiOption] : [])
      + QueryWords.common
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let mode = try options.only(oneOf: [.json, QueryWords.plot, QueryWords.svg])
    _ = try options.only(oneOf: exclusiveOptions)
    let isPlot = mode?.isSame(as: QueryWords.plot) ?? false
    let isPicture = mode?.isSame(as: QueryWords.svg) ?? false
    if isPlot || isPicture, options.has(.nul) {
      throw CommandError.usage("options '\(mode?.spelling ?? "")' and '-z' cannot be used together")
    }
    let frame = try QueryFrame(options, context)
    let facts = try frame.replay(options, &context) { state, _ in [CompletionFacts(state)] }
    let reply = answer(
      facts,
      QueryAsked(
        options: options, now: frame.moment, zone: frame.zone, zoneName: frame.zoneName))
    if isPicture {
      var bytes: [UInt8] = []
      reply.chart?.appendSVG(to: &bytes)
      try context.output.write(bytes)
      return .ok
    }
    var lines: [[UInt8]]
    if isPlot {
      let isUnicode = LocaleEncoding.isUTF8 { context.environment($0) }
      let isASCII = options.flag(LogStyle.asciiOption) ?? !isUnicode
      lines = (reply.chart?.lines(isASCII: isASCII) ?? []).map { Array($0.utf8) }
    } else if options.has(.json) {
      lines = reply.rows.map { row in
        var line: [UInt8] = []
        row.appendJSON(to: &line)
        return line
      }
    } else {
      lines = AnswerRow.lines(reply.rows).map { Array($0.utf8) }
    }
    for line in lines {
      try context.output.write(line)
      try context.output.write(byte: frame.end)
    }
    return .ok
  }
}
