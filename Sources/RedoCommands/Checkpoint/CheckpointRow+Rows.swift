// Checkpoints and what is said of them, as rows.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

extension CheckpointRow {
  private static let pastDetail = "of an earlier log of this store"

  /// Appends `<letter> <id> <entries> <rule> [<detail>]`, without what ends a row.
  func append(to output: inout [UInt8]) {
    let size = found.signed.map { "\($0.checkpoint.size)" } ?? "-"
    output += "\(verdict.letter) \(found.id?.text ?? "-") \(size)".utf8
    switch verdict {
    case .holds: output += " -".utf8
    case .past: output += " - \(Self.pastDetail)".utf8
    case .broken(let flaw): output += " \(flaw.rule.id) \(Escape.text(flaw.detail))".utf8
    }
    if let path = found.path { output += " (\(Escape.text(path)))".utf8 }
  }

  /// Appends the members in RFC 8785 order.
  func appendJSON(to output: inout [UInt8]) {
    var row = JSONRow()
    if let id = found.id { row.add("checkpoint", id.text) }
    switch verdict {
    case .holds: break
    case .past: row.add("detail", Self.pastDetail)
    case .broken(let flaw): if !flaw.detail.isEmpty { row.add("detail", flaw.detail) }
    }
    if let path = found.path { row.add("file", path) }
    if let signed = found.signed { row.add("key", Hex.text(signed.signer.bytes.span)) }
    row.add("letter", verdict.letter)
    if let signed = found.signed { row.add("origin", signed.checkpoint.origin) }
    if case .broken(let flaw) = verdict { row.add("rule", flaw.rule.id) }
    if let signed = found.signed {
      row.add("size", signed.checkpoint.size)
      row.add("time", signed.checkpoint.time.text)
    }
    row.append(to: &output)
  }
}
