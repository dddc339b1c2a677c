// The results of checking checkpoints, as rows.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

extension CheckpointRow {
  private static let pastDetail = "of an earlier log of this store"

  /// `<letter> <id> <entries> <rule> [<detail>] [(<file>)]`.
  static var columns: [RowColumn<CheckpointRow>] {
    [
      .word("letter") { $0.verdict.letter },
      .word("checkpoint") { $0.found.id?.text },
      .number("size") { $0.found.signed?.checkpoint.size },
      .word("rule") { $0.rule?.id },
      .text("detail", absent: .leftOut) { $0.detail },
      .word("file", in: .text, absent: .leftOut) { $0.found.path.map { "(\(Escape.text($0)))" } },
      .text("file", in: .json) { $0.found.path },
      .word("key", in: .json) { $0.found.signed.map { Hex.text($0.signer.bytes.span) } },
      .text("origin", in: .json) { $0.found.signed?.checkpoint.origin },
      .word("time", in: .json) { $0.found.signed?.checkpoint.time.text },
    ]
  }

  private var rule: Rule? {
    if case .broken(let flaw) = verdict { flaw.rule } else { nil }
  }

  private var detail: String? {
    switch verdict {
    case .holds: nil
    case .past: Self.pastDetail
    case .broken(let flaw): flaw.detail.isEmpty ? nil : flaw.detail
    }
  }
}
