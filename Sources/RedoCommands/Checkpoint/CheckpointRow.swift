// What is said of one checkpoint: `<letter> <id> <entries> <rule> [<detail>]`.

internal import RedoCrypto
internal import RedoObject
internal import RedoStore

/// The answer to one checkpoint.
struct CheckpointRow {
  /// Whether the history continues a checkpoint.
  enum Verdict {
    /// It does.
    case holds
    /// The checkpoint is of an earlier log of the store, which a later one that holds has ended.
    case past
    /// It does not, or cannot.
    case broken(Rule, String)

    /// G, P or B.
    var letter: String {
      switch self {
      case .holds: "G"
      case .past: "P"
      case .broken: "B"
      }
    }
  }

  let found: FoundCheckpoint
  var verdict: Verdict

  /// Whether nothing is wrong.
  var isGood: Bool { if case .broken = verdict { false } else { true } }

  /// Appends `<letter> <id> <entries> <rule> [<detail>]`, without what ends a row.
  func append(to output: inout [UInt8]) {
    let size = found.signed.map { "\($0.checkpoint.size)" } ?? "-"
    output += "\(verdict.letter) \(found.id?.text ?? "-") \(size)".utf8
    switch verdict {
    case .holds: output += " -".utf8
    case .past: output += " - \(Self.pastDetail)".utf8
    case .broken(let rule, let detail): output += " \(rule.id) \(Escape.text(detail))".utf8
    }
    if let path = found.path { output += " (\(Escape.text(path)))".utf8 }
  }

  private static let pastDetail = "of an earlier log of this store"

  /// Appends the members in RFC 8785 order.
  func appendJSON(to output: inout [UInt8]) {
    var row = JSONRow()
    if let id = found.id { row.add("checkpoint", id.text) }
    switch verdict {
    case .holds: break
    case .past: row.add("detail", Self.pastDetail)
    case .broken(_, let detail): if !detail.isEmpty { row.add("detail", detail) }
    }
    if let path = found.path { row.add("file", path) }
    if let signed = found.signed { row.add("key", Hex.text(signed.signer.bytes.span)) }
    row.add("letter", verdict.letter)
    if let signed = found.signed { row.add("origin", signed.checkpoint.origin) }
    if case .broken(let rule, _) = verdict { row.add("rule", rule.id) }
    if let signed = found.signed {
      row.add("size", signed.checkpoint.size)
      row.add("time", signed.checkpoint.time.text)
    }
    row.append(to: &output)
  }

  /// The same as a finding about the store.
  var finding: StoreFinding? {
    guard case .broken(let rule, let detail) = verdict else { return nil }
    let repair =
      rule == .checkpointDiverged
      ? "put the newest copy of the store back; if a wipe or an older copy is wanted, "
        + "'redo checkpoint create --new-log'"
      : "'redo verify --repair-from' a copy of the store that has it"
    return StoreFinding(
      rule, id: found.id,
      detail: found.path.map { "\(detail) (\($0))" } ?? detail, repair: repair)
  }
}
