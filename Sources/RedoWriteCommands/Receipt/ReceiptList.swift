// redo receipt list: the receipts of the history, one a row.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo receipt list [--root=<cid>] [--type=<type>] [--did=<did>] [--order=<order>] [--show-deleted] [--svg | --json | -z]`.
enum ReceiptList: Command {
  static let name = "list"
  static let summary = "list the receipts of the history"
  static var usage: [String] {
    [
      "redo-receipt list [--root=<cid>] [--type=<type>] [--did=<did>] [--show-deleted]\n"
        + "             [--order=(causal | received | claimed)] [--svg | [--json] [-z]]"
    ]
  }

  private static let root = OptionSpec(
    "root", .required("cid"), help: "only the chain of this receipt")
  private static let type = OptionSpec(
    "type", .required("type"), help: "only receipts of this type")
  private static let did = OptionSpec("did", .required("did"), help: "only receipts of this author")
  private static let order = OptionSpec(
    "order", .required("order"),
    help: "causal (default): what is followed first, then received; received; or claimed")
  private static let showDeleted = OptionSpec(
    "show-deleted", help: "also chains that were deleted, or put away here")
  private static let svg = OptionSpec("svg", help: "draw them as a timeline")
  static var options: [OptionSpec] { [root, type, did, showDeleted, order, svg, .json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage("'\(options.arguments[0])': 'list' takes no names")
    }
    if options.has(svg), let other = [OptionSpec.json, .nul].first(where: options.has) {
      throw CommandError.usage("options '--svg' and '\(other.spelling)' cannot be used together")
    }
    let order = try options.choice(order, as: ReceiptHistory.Order.self) ?? .causal
    let opened = try context.effects.openRepository()
    var filter = ReceiptHistory.Filter()
    filter.type = options.value(type)
    filter.did = options.value(did)
    filter.showsDeleted = options.has(showDeleted)
    if !filter.showsDeleted || options.has(svg) { filter.putAway = try opened.chainsPutAway() }
    filter.root = try options.value(root).map { try ObjectName.one($0, in: opened.objects) }
    let history = try ReceiptHistory(opened, context.effects)
    if let root = filter.root {
      // Any receipt of a chain names it.
      guard let row = history.row(of: root) else {
        throw CommandError.fatal("'\(options.value(self.root) ?? "")' is no receipt of the history")
      }
      filter.root = row.root
    }
    guard !options.has(svg) else {
      let entries = history.list(filter, order).map { row in
        ReceiptTimeline.Entry(
          cid: row.cid, type: row.type, did: row.did,
          time: order == .claimed ? row.claimed : row.received,
          isDeleted: history.isDeleted(row, filter))
      }
      let clock = order == .claimed ? "claimed time" : "time of receipt"
      try context.output.append { ReceiptTimeline(entries, clock: clock).append(to: &$0) }
      return .ok
    }
    try RowWriter(columns, separator: "\t", options).write(history.list(filter, order), &context)
    return .ok
  }

  /// `cid type received claimed did`.
  private static var columns: [RowColumn<ReceiptHistory.Row>] {
    [
      .word("cid") { $0.cid },
      .text("type", .field) { $0.type },
      .word("received", in: .text) { $0.received.map { WallTime(milliseconds: $0).text } },
      .word("claimed", in: .text) { row in row.claimed.map { text(ofClaimed: $0) } },
      .text("did", .field) { $0.did },
      .number("received", in: .json) { $0.received.map { Int($0) } },
      .number("claimed", in: .json) { $0.claimed.map { Int($0) } },
      .word("id", in: .json) { $0.id.text },
      .word("letter", in: .json) { "\($0.letter)" },
      .word("parent", in: .json) { $0.parent?.cidText(as: .receipt) },
      .word("root", in: .json) { $0.root.cidText(as: .receipt) },
    ]
  }

  /// A claimed time; one of no year from 1 to 9999 is the number that it is.
  private static func text(ofClaimed time: Int64) -> String {
    WallTime.earliest.milliseconds...WallTime.latest.milliseconds ~= time
      ? WallTime(milliseconds: time).text : "\(time)"
  }
}
