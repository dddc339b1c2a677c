// The results of repairs, as rows.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

extension RepairRow {
  /// `<result> <id|-> <path|-> <reason>`, and in JSON where the damaged file is kept.
  static var columns: [RowColumn<RepairRow>] {
    [
      .word("result") { $0.result.rawValue },
      .word("id") { $0.id?.text },
      .text("path") { $0.path.isEmpty ? nil : $0.path },
      .text("reason") { $0.reason },
      .text("kept", in: .json) { $0.kept },
    ]
  }
}
