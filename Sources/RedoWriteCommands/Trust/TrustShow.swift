// redo trust list: who may sign at present.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo trust list [--json] [-z]`.
enum TrustShow: Command {
  static let name = "list"
  static let summary = "list who may sign"
  static var usage: [String] { ["redo-trust list [--json] [-z]"] }
  static var options: [OptionSpec] { [.json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else { throw CommandError.usage("there is nothing to name") }
    let opened = try context.effects.openRepositoryIfPresent()
    guard let list = try context.effects.trustList(opened) else {
      if opened == nil { throw CommandError.fatal(StoreDirectoryError.notFound(from: "")) }
      return .ok
    }
    let writer = RowWriter(TrustRow.columns, options)
    var isProved = true
    for row in TrustRow.rows(list, now: WallTime(milliseconds: context.clock())) {
      if row.isProved == false {
        isProved = false
        context.error(
          "the proof on line \(row.entry.line) that '\(row.entry.signer.text)' is the same person "
            + "does not hold")
      }
      try writer.write(row, &context)
    }
    return isProved ? .ok : .no
  }
}

extension TrustRow {
  /// `<state> <role> <signer> <valid-after> <valid-before> <person>[ <comment>]`, and in JSON what else the file
  /// says.
  static var columns: [RowColumn<TrustRow>] {
    [
      .word("state") { $0.state.rawValue },
      .word("role") { $0.entry.role.rawValue },
      .word("signer") { $0.entry.signer.text },
      .word("validAfter") { $0.entry.validAfter?.text },
      .word("validBefore") { $0.entry.validBefore?.text },
      .number("person") { $0.person },
      // Only the text form preserves bytes that are not UTF-8.
      .word("comment", in: .text, absent: .leftOut) { $0.entry.comment.map { Escape.text($0) } },
      .text("comment", in: .json) { $0.entry.comment.map { String(decoding: $0, as: UTF8.self) } },
      .number("line", in: .json) { $0.entry.line },
      .word("proof", in: .json) { $0.isProved.map { $0 ? "good" : "bad" } },
      .number("revokedLine", in: .json) { $0.entry.revokedLine },
      .word("sameAs", in: .json) { $0.entry.sameAs?.text },
      .word("userId", in: .json) { $0.entry.signer.userID.text },
      .list("validThrough", in: .json) {
        $0.entry.isRevoked ? $0.entry.validThrough.map(\.text) : nil
      } text: { _ in
        nil
      },
    ]
  }
}
