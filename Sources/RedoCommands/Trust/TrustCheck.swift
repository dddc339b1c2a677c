// redo trust check: which line of the trust file decides for a node, and why.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo trust check [--json] [-z] (--all | --stdin | <revision>...)`.
enum TrustCheck: Command {
  static let name = "check"
  static let summary = "say which line of the trust file decides for nodes, and why"
  static var usage: [String] {
    ["redo-trust check [--json] [-z] (--all | --stdin | <revision>...)"]
  }
  private static let all = OptionSpec("all", help: "check all nodes of the store")
  private static let stdin = OptionSpec("stdin", help: "read ids from standard input")
  static var options: [OptionSpec] { [all, stdin, TrustWords.json, TrustWords.nul] }

  /// The longest line with an id.
  private static let nameLimit = 65_536
  /// How many ids are judged together.
  private static let batchCount = 1024

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let source = try options.only(oneOf: [all, stdin])
    guard (source == nil) == !options.arguments.isEmpty else {
      throw CommandError.usage(
        source == nil
          ? "no revision is named; '--all' checks all nodes"
          : "'\(source?.spelling ?? "")' takes no revisions as arguments")
    }
    let opened = try context.effects.openRepository()
    let trust = try context.effects.nodeTrust(opened)
    var nodes = VerifyStored(.v1, opened, trust, saysKeys: true)
    var output = Rows(
      hasFile: trust != nil, isJSON: options.has(TrustWords.json), end: TrustWords.end(options))
    if let source, source.isSame(as: stdin) {
      var reader = BatchReader(
        LineReader(
          descriptor: context.input, separator: output.end, limitBytes: nameLimit),
        recordLimit: batchCount, patience: .untilInputPauses)
      while let batch = try reader.next() {
        try output.write(
          try nodes.judge(batch.records.map { batch.bytes[$0.range] }), &context)
        try context.output.flush()
      }
    } else if source != nil {
      try nodes.judgeAll { rows throws in try output.write(rows, &context) }
    } else {
      let names = VerifyNodes.plainNames(options.arguments, Revisions(opened, now: context.clock()))
      try output.write(try nodes.judge(names), &context)
    }
    return output.isGood ? .ok : .no
  }

  /// Writes rows, and remembers whether all were good.
  private struct Rows {
    let hasFile: Bool
    let isJSON: Bool
    let end: UInt8
    var isGood = true

    init(hasFile: Bool, isJSON: Bool, end: UInt8) {
      self.hasFile = hasFile
      self.isJSON = isJSON
      self.end = end
    }

    mutating func write(
      _ rows: [VerifyStored.Row], _ context: inout Context
    ) throws {
      for case .other(let row) in rows {
        if !row.isGood { isGood = false }
        try context.output.append { output throws in
          if isJSON { appendJSON(row, to: &output) } else { append(row, to: &output) }
          output.append(end)
        }
      }
    }

    /// What decides: the trust file, or what is wrong with the node itself.
    private func reason(_ row: VerdictRow) -> String {
      if let standing = row.standing, row.finding == nil { return standing.reason.rawValue }
      return row.letter == "G" && !hasFile ? "no-trust-file" : row.reason
    }

    /// Appends `<letter> <id> <key> <line> <reason>`.
    private func append(_ row: VerdictRow, to output: inout [UInt8]) {
      let key = row.key.map { Hex.text($0.bytes.span) } ?? "-"
      let line = row.standing?.line.map { "\($0)" } ?? "-"
      output += "\(row.letter) \(row.name) \(key) \(line) \(Escape.text(reason(row)))".utf8
    }

    private func appendJSON(_ row: VerdictRow, to output: inout [UInt8]) {
      var members = JSONRow()
      members.add("id", row.name)
      if let key = row.key { members.add("key", Hex.text(key.bytes.span)) }
      members.add("letter", String(row.letter))
      if let line = row.standing?.line { members.add("line", line) }
      members.add("reason", reason(row))
      if let role = row.standing?.role { members.add("role", role.rawValue) }
      members.append(to: &output)
    }
  }
}
