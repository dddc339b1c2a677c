// Problems in the manifest beside an archive, as rows.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell

extension ManifestFinding {
  /// The rule that is broken, or the problem in one word.
  private var reason: String {
    switch defect {
    case .manifestMissing: "manifest-missing"
    case .manifestDiffers: "manifest-differs"
    case .documentsDiffer: "documents-differ"
    case .rule(let rule): rule.id
    }
  }

  /// `<letter> <file> <reason>[ at <pointer>]`.
  static var columns: [RowColumn<ManifestFinding>] {
    [
      .word("letter") { String($0.letter) },
      .text("file") { $0.path },
      .word("rule") { $0.reason },
      .word("pointer", in: .text, absent: .leftOut) { finding in
        finding.pointer.map { $0.isEmpty ? "at its end" : "at \($0)" }
      },
      .text("pointer", in: .json) { $0.pointer },
      .word("key", in: .json) { $0.key.map { Hex.text($0.bytes.span) } },
      .number("line", in: .json) { $0.standing?.line },
    ]
  }
}
