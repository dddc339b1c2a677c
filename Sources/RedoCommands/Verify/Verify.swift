// redo verify: who signed what, and whether every byte is what its name says. First form: nodes.

internal import RedoObject
internal import RedoStore

/// `redo verify [--profile=<profile>] [--json] [-z] (--all | --stdin | --ndjson | <id>...)`.
enum Verify: Command {
  static let name = "verify"
  static let summary = "check ids, rules and signatures of nodes"
  static var usage: [String] {
    [
      "redo-verify [--profile=<profile>] [--json] [-z] <revision>...",
      "redo-verify [--profile=<profile>] [--json] [-z] (--all | --stdin | --ndjson)",
      "redo-verify --proof[=<file>] [--key=<hex>] [--json] [-z]",
    ]
  }

  private static let all = OptionSpec("all", help: "check all nodes of the store")
  private static let stdin = OptionSpec("stdin", help: "read ids from standard input")
  private static let ndjson = OptionSpec(
    "ndjson", help: "read nodes from standard input, a line each, from wherever they come")
  private static let proof = OptionSpec(
    "proof", .optional("file"),
    help: "check a proof of redo prove; from standard input without <file>")
  private static let profile = OptionSpec(
    "profile", .required("profile"), help: "the rules for nodes: v1 (default), sync or genesis")
  private static let json = OptionSpec("json", help: "a JSON object a line")
  private static let nul = OptionSpec(letter: "z", help: "rows, and ids of --stdin, end in NUL")
  static var options: [OptionSpec] {
    [all, stdin, ndjson, proof, CheckpointWords.key, profile, json, nul]
  }

  /// The longest line with an id.
  private static let nameLimit = 65_536

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws(CommandError) -> Exit {
    let source = try options.only(oneOf: [all, stdin, ndjson, proof])
    if options.has(proof) { return try checkProof(&context, options) }
    guard !options.has(CheckpointWords.key) else {
      throw .usage("'--key' is about '--proof', which is not given")
    }
    guard (source == nil) == !options.arguments.isEmpty else {
      throw .usage(
        source == nil
          ? "no id is named; '--all' checks all nodes"
          : "'\(source?.spelling ?? "")' takes no ids as arguments")
    }
    let end: UInt8 = options.has(nul) ? 0 : UInt8(ascii: "\n")
    var output = VerifyOutput(
      profile: try options.choice(profile, as: Profile.self) ?? .v1,
      isJSON: options.has(json), end: end)

    if let source, source.isSame(as: ndjson) {
      let opened = try context.openRepositoryIfPresent()
      var nodes = try VerifyInput(output.profile, opened, try context.nodeTrust(opened))
      var reader = HashLines.reader(context, patience: .untilInputPauses)
      while let batch = try reader.next() {
        for row in try nodes.judge(batch) { try output.write(row, &context) }
        try context.output.flush()
      }
      return output.finish(&context)
    }

    let opened = try context.openRepository()
    var nodes = VerifyStored(
      output.profile, opened, try context.nodeTrust(opened), saysKeys: output.isJSON)
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

  private static func checkProof(
    _ context: inout Context, _ options: ParsedOptions
  ) throws(CommandError) -> Exit {
    guard options.arguments.isEmpty, !options.has(profile) else {
      throw .usage("'--proof' takes neither ids nor a profile; a file is named by '--proof=<file>'")
    }
    return try VerifyProof.run(
      options.value(proof), try CheckpointWords.pinned(options), isJSON: options.has(json),
      end: options.has(nul) ? 0 : UInt8(ascii: "\n"), &context)
  }

  /// The names of what revisions stand for; what stands for nothing keeps its name, and gets its row.
  static func names(_ texts: [String], _ revisions: Revisions) -> [ArraySlice<UInt8>] {
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
