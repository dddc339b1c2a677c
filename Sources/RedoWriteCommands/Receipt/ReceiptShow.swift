// redo receipt show: one receipt, and what its chain comes to.

internal import CanonicalJSON
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo receipt show [--json] [-z] <cid>...`.
enum ReceiptShow: Command {
  static let name = "show"
  static let summary = "show receipts, and what their chains come to"
  static var usage: [String] { ["redo-receipt show [--json] [-z] <cid>..."] }
  static var options: [OptionSpec] { [.json, .nul] }

  /// A receipt with what is known of it.
  private struct Row {
    let receipt: Receipt
    let chain: ChainView.Chain?
    let effect: Finding?
    let known: ReceiptHistory.Row?
    let letter: Unicode.Scalar
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.arguments.isEmpty else { throw CommandError.usage("no receipt is named") }
    let opened = try context.effects.openRepository()
    let history = try ReceiptHistory(opened, context.effects)
    var reader = NodeReader()
    for (place, name) in options.arguments.enumerated() {
      if place > 0, !options.has(.json) { try context.output.write([options.rowEnd]) }
      let id = try ObjectName.one(name, in: opened.objects)
      let object = try HistoryWalk.object(id, opened.objects, of: .receipt, &reader)
      guard let receipt = reader.receipt(object) else {
        throw HistoryFault.invalid(object)
      }
      let known = history.row(of: id)
      let row = Row(
        receipt: receipt, chain: history.view.chains[receipt.root],
        effect: history.view.findings.first { $0.id == id }?.finding, known: known,
        letter: known?.letter ?? "-")
      try RowWriter(columns, separator: "\n", options).write(row, &context)
    }
    return .ok
  }

  private static func cid(_ id: ObjectID) -> String { id.cidText(as: .receipt) }

  /// Lines of a name and a value; in JSON the envelope, and what is known of the receipt and its chain.
  private static var columns: [RowColumn<Row>] {
    func line(_ name: String, _ value: @escaping (Row) -> String?) -> RowColumn<Row> {
      .text("line", .escaped, in: .text, absent: .leftOut) { row in
        value(row).map { "\(name):".padding(to: 12) + $0 }
      }
    }
    return [
      line("receipt") { cid($0.receipt.id) },
      line("Type") { $0.receipt.type },
      line("Author") { $0.receipt.did.text },
      line("Device") { $0.receipt.deviceID },
      line("Claimed") { $0.receipt.wall?.text },
      line("Received") { $0.known?.received.map { WallTime(milliseconds: $0).text } },
      line("Signature") { "\($0.letter)" },
      line("Root") { $0.receipt.parent == nil ? nil : cid($0.receipt.root) },
      line("Parent") { $0.receipt.parent.map(cid) },
      line("Heads") { $0.chain?.heads.map(cid).joined(separator: " ") },
      line("Shown") { $0.chain.map { cid($0.shown) } },
      line("Deleted by") { $0.chain?.tombstone.map(cid) },
      line("No effect") { $0.effect.map(\.rule.id) },
      line("Payload") { String(decoding: payload($0), as: UTF8.self) },
      .word("cid", in: .json) { cid($0.receipt.id) },
      .word("deletedBy", in: .json) { $0.chain?.tombstone.map(cid) },
      .text("deviceId", in: .json) { $0.receipt.deviceID },
      .text("did", in: .json) { $0.receipt.did.text },
      .word("form", in: .json) { $0.receipt.form.rawValue },
      .list("heads", in: .json) {
        $0.chain?.heads.map(cid)
      } text: { _ in
        nil
      },
      .word("id", in: .json) { $0.receipt.id.text },
      .word("letter", in: .json) { "\($0.letter)" },
      .word("noEffect", in: .json) { $0.effect?.rule.id },
      .word("parentCID", in: .json) { $0.receipt.parent.map(cid) },
      .json("payload") { payload($0) },
      .text("receiptType", in: .json) { $0.receipt.type },
      .number("received", in: .json) { $0.known?.received.map { Int($0) } },
      .word("rootCID", in: .json) { cid($0.receipt.root) },
      .word("shown", in: .json) { $0.chain.map { cid($0.shown) } },
      .word("signature", in: .json) { row in
        row.receipt.signature.map { signature in
          var text: [UInt8] = []
          ObjectKind.receipt.append(signature, to: &text)
          return String(decoding: text, as: UTF8.self)
        }
      },
    ]
  }

  /// The payload as RFC 8785 JSON; with integers that JSON does not carry, in the order of its bytes.
  private static func payload(_ row: Row) -> [UInt8] {
    let text = row.receipt.payloadJSON
    var scanner = Scanner()
    do throws(JSONError) { try scanner.scan(text.span) } catch { return text }
    var canonical: [UInt8] = []
    scanner.appendCanonical(text.span, to: &canonical)
    return canonical
  }
}

extension String {
  fileprivate func padding(to count: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, count - self.count))
  }
}
