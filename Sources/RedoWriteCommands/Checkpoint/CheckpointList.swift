// redo checkpoint list: the checkpoints of the store, newest first.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo checkpoint list [--json] [-z]`.
enum CheckpointList: Command {
  static let name = "list"
  static let summary = "list the checkpoints of the store, the last one first"
  static var usage: [String] { ["redo-checkpoint list [--json] [-z]"] }
  static var options: [OptionSpec] { [.json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else { throw CommandError.usage("there is nothing to name") }
    let opened = try context.effects.openRepository()
    var snapshot = try opened.snapshot()
    let writer = RowWriter(columns, options)
    var exit = Exit.ok
    for found in try CheckpointShelf(opened).chain(&snapshot) {
      let signed: SignedCheckpoint
      switch found.result {
      case .success(let checkpoint): signed = checkpoint
      case .failure(let fault):
        context.error("checkpoint '\(found.name)': \(fault.detail)")
        exit = .no
        continue
      }
      try writer.write(signed, &context)
    }
    return exit
  }

  /// `<id> <entries> <change> <time> <origin> <key>`, and more in JSON.
  private static var columns: [RowColumn<SignedCheckpoint>] {
    [
      .word("checkpoint") { $0.id.text },
      .number("size") { $0.checkpoint.size },
      .number("entry") { $0.checkpoint.entry },
      .word("time") { $0.checkpoint.time.text },
      .word("origin") { $0.checkpoint.origin },
      .word("key") { Hex.text($0.signer.bytes.span) },
      .word("chain", in: .json) { Hex.text($0.checkpoint.chain.bytes.span) },
      .word("previous", in: .json) { $0.checkpoint.previous?.text },
      .number("refs", in: .json) { $0.checkpoint.refCount },
      .word("refsHash", in: .json) { Hex.text($0.checkpoint.refsDigest.bytes.span) },
      .json("statements") { $0.checkpoint.statements.json },
      .word("root", in: .json) { Hex.text($0.checkpoint.root.bytes.span) },
    ]
  }
}

extension [HistoryStatement] {
  /// An array of objects; `nil` when nothing is stated.
  fileprivate var json: [UInt8]? {
    guard !isEmpty else { return nil }
    let rows = map { statement in
      "{\"heads\":\(statement.headCount),\"headsHash\":\"\(Hex.text(statement.headsDigest.bytes.span))\","
        + "\"ids\":\(statement.count),\"idsHash\":\"\(Hex.text(statement.digest.bytes.span))\","
        + "\"kind\":\"\(statement.kind)\"}"
    }
    return [UInt8]("[\(rows.joined(separator: ","))]".utf8)
  }
}
