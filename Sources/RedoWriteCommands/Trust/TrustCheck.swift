// redo trust check: which line of the trust file decides about a node, and why.

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
  static var options: [OptionSpec] { [.allNodes, .stdinIDs, .json, .nulBoth] }

  /// How many ids are judged together.
  private static let batchCount = 1024

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let source = try options.only(oneOf: [.allNodes, .stdinIDs])
    guard (source == nil) == !options.arguments.isEmpty else {
      throw CommandError.usage(
        source == nil
          ? "no revision is named; '--all' checks all nodes"
          : "'\(source?.spelling ?? "")' takes no revisions as arguments")
    }
    let opened = try context.effects.openRepository()
    let trust = try context.effects.nodeTrust(opened)
    var nodes = VerifyStored(.v1, opened, trust, saysKeys: true)
    var output = Rows(hasFile: trust != nil, options)
    if let source, source.isSame(as: .stdinIDs) {
      var reader = context.nameBatches(of: batchCount, end: output.end)
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
    let end: UInt8
    var isGood = true
    private let writer: RowWriter<VerdictRow>

    init(hasFile: Bool, _ options: ParsedOptions) {
      end = options.rowEnd
      writer = RowWriter(Self.columns(hasFile: hasFile), options)
    }

    mutating func write(
      _ rows: [VerifyStored.Row], _ context: inout Context
    ) throws {
      for case .other(let row) in rows {
        if !row.isGood { isGood = false }
        try writer.write(row, &context)
      }
    }

    /// The reason: from the trust file, or from the node itself if something is wrong with it.
    private static func reason(_ row: VerdictRow, hasFile: Bool) -> String {
      if let standing = row.standing, row.finding == nil { return standing.reason.rawValue }
      return row.letter == "G" && !hasFile ? "no-trust-file" : row.reason
    }

    /// `<letter> <id> <key> <line> <reason>`.
    private static func columns(hasFile: Bool) -> [RowColumn<VerdictRow>] {
      [
        .word("letter") { String($0.letter) },
        .word("id") { $0.name },
        .word("key") { $0.key.map { Hex.text($0.bytes.span) } },
        .number("line") { $0.standing?.line },
        .text("reason") { reason($0, hasFile: hasFile) },
        .word("role", in: .json) { $0.standing?.role?.rawValue },
      ]
    }
  }
}
