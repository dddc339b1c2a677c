// redo verify: who signed what, and whether every byte is what its name says. First form: nodes.

internal import RedoObject
internal import RedoStore

/// `redo verify [--profile=<profile>] [--json] [-z] (--all | --stdin | --ndjson | <id>...)`.
enum Verify: Command {
  static let name = "verify"
  static let summary = "check ids, rules and signatures of nodes"
  static var usage: [String] {
    [
      "redo-verify [--sample=<n>/<t>] [--max-duration=<time>] [--resume=<token>]\n"
        + "            [--profile=<profile>] [--json] [-z] [--[no-]progress]",
      "redo-verify [--profile=<profile>] [--json] [-z] <revision>...",
      "redo-verify [--profile=<profile>] [--json] [-z] (--all | --stdin | --ndjson)",
    ]
  }

  private static let all = OptionSpec("all", help: "check all nodes of the store")
  private static let stdin = OptionSpec("stdin", help: "read ids from standard input")
  private static let ndjson = OptionSpec(
    "ndjson", help: "read nodes from standard input, a line each, from wherever they come")
  private static let profile = OptionSpec(
    "profile", .required("profile"), help: "the rules for nodes: v1 (default), sync or genesis")
  private static let json = OptionSpec("json", help: "a JSON object a line")
  private static let nul = OptionSpec(letter: "z", help: "rows, and ids of --stdin, end in NUL")
  static var options: [OptionSpec] {
    [all, stdin, ndjson, profile, json, nul] + StoreAudit.options
  }

  /// The longest line with an id.
  private static let nameLimit = 65_536

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws(CommandError) -> Exit {
    let source = try options.only(oneOf: [all, stdin, ndjson])
    guard source == nil || options.arguments.isEmpty else {
      throw .usage("'\(source?.spelling ?? "")' takes no ids as arguments")
    }
    let end: UInt8 = options.has(nul) ? 0 : UInt8(ascii: "\n")
    let rules = try options.choice(profile, as: Profile.self) ?? .v1
    if source == nil, options.arguments.isEmpty {
      return try StoreAudit.run(&context, options, rules, isJSON: options.has(json), end: end)
    }
    if let stranger = StoreAudit.options.first(where: { options.has($0) }) {
      throw .usage("option '\(stranger.spelling)' is for the store as a whole, without ids")
    }
    var output = VerifyOutput(profile: rules, isJSON: options.has(json), end: end)

    if let source, source.isSame(as: ndjson) {
      var nodes = try VerifyInput(output.profile, try context.openRepositoryIfPresent())
      var reader = HashLines.reader(context, patience: .untilInputPauses)
      while let batch = try reader.next() {
        for row in try nodes.judge(batch) { try output.write(row, &context) }
        try context.output.flush()
      }
      return output.finish(&context)
    }

    let opened = try context.openRepository()
    var nodes = VerifyStored(output.profile, opened, saysKeys: output.isJSON)
    if let source, source.isSame(as: stdin) {
      var reader = BatchReader(
        LineReader(descriptor: context.input, separator: end, limitBytes: nameLimit),
        recordLimit: HashLines.batchCount, patience: .untilInputPauses)
      while let batch = try reader.next() {
        let names = batch.records.map { batch.bytes[$0.range] }
        for row in try nodes.judge(names) { try output.write(row, &context) }
        try context.output.flush()
      }
    } else if source != nil {
      try nodes.judgeAll { rows throws(CommandError) in
        for row in rows { try output.write(row, &context) }
      }
    } else {
      let names = names(options.arguments, Revisions(opened, now: context.clock()))
      for row in try nodes.judge(names) { try output.write(row, &context) }
    }
    return output.finish(&context)
  }

  /// The names of what revisions stand for; what stands for nothing keeps its name, and gets its row.
  private static func names(_ texts: [String], _ revisions: Revisions) -> [ArraySlice<UInt8>] {
    texts.flatMap { text -> [ArraySlice<UInt8>] in
      guard let ids = try? revisions.all(text) else { return [Array(text.utf8)[...]] }
      return ids.map { Array($0.text.utf8)[...] }
    }
  }
}

/// Writes rows, and remembers whether all were good.
struct VerifyOutput {
  let profile: Profile
  let isJSON: Bool
  let end: UInt8
  private var isGood = true
  private var warnings = WarningTally()

  init(profile: Profile, isJSON: Bool, end: UInt8) {
    self.profile = profile
    self.isJSON = isJSON
    self.end = end
  }

  /// Says which warnings there were, and ends: 0 when every row was good.
  func finish(_ context: inout Context) -> Exit {
    warnings.report(&context)
    return isGood ? .ok : .no
  }

  mutating func write(_ row: VerifyStored.Row, _ context: inout Context) throws(CommandError) {
    switch row {
    case .other(let row): try write(row, &context)
    case .good(let id, let form):
      try context.output.append { output throws(CommandError) in
        VerdictRow.appendGood(id, form, to: &output, end: end)
      }
    }
  }

  mutating func write(_ row: VerdictRow, _ context: inout Context) throws(CommandError) {
    if !row.isGood { isGood = false }
    if !isJSON { warnings.note(row.findings, profile) { row.name } }
    try context.output.append { output throws(CommandError) in
      if isJSON { row.appendJSON(to: &output, end: end) } else { row.append(to: &output, end: end) }
    }
  }
}
