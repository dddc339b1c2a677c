// redo quarantine list: which changes are waiting, and for what.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo quarantine list [--json] [-z]`.
enum QuarantineList: Command {
  static let name = "list"
  static let summary = "list the changes that wait, and what they wait for"
  static var usage: [String] { ["redo-quarantine list [--json] [-z]"] }
  static var options: [OptionSpec] { [.json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else { throw CommandError.usage("there is nothing to name") }
    let shelf = try QuarantineShelf(try context.effects.openRepository())
    let rows = try shelf.rows(of: shelf.ids(), context.effects)
    let writer = RowWriter(QuarantineRow.columns, options)
    try writer.write(rows + shelf.documentIDs().map { QuarantineRow(document: $0) }, &context)
    try context.output.flush()
    let count = try shelf.packCount()
    guard count > 0 else { return .ok }
    context.hint(
      "\(count) pack\(count == 1 ? " that has" : "s that have") come "
        + "\(count == 1 ? "is" : "are") not taken in yet; 'redo quarantine promote' does so")
    return .ok
  }
}

extension QuarantineRow {
  private var status: String {
    if isDocument { return "document" }
    guard place != nil else { return "corrupt" }
    // What follows one that the trust file keeps waits for that one.
    if let untrusted, untrusted.ancestor == nil {
      switch untrusted.answer.standing.reason {
      case .expired: return "expired"
      case .revoked: return "revoked"
      case .untrusted, .trusted, .stays: return "untrusted"
      }
    }
    return isReady ? "ready" : "waits"
  }

  /// The kind of an object with a place that is no node.
  private var kindName: String? { place?.group.map { "\($0.kind)" } }

  /// `<id> <status> <missing> <lamport> <task> <action>`, and the wall time in JSON; other objects have neither lamport nor task, and
  /// their kind for an action.
  static var columns: [RowColumn<QuarantineRow>] {
    [
      .word("id") { $0.id.text },
      .word("status") { $0.status },
      .list("missing") {
        $0.missing.map(\.text)
      } text: {
        $0.first
      },
      .number("lamport") { $0.node.map { Int(clamping: $0.lamport.value) } },
      .word("task") { $0.node?.taskID?.text },
      .word("action") { $0.node.map { $0.action?.rawValue } ?? $0.kindName },
      .word("key", in: .json) { $0.untrusted?.answer.signer.text },
      .word("follows", in: .json) { $0.untrusted?.ancestor?.text },
      .word("wall", in: .json) { $0.place?.wall.text },
    ]
  }
}
