// Archives as rows.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

extension ArchiveRow {
  /// `<name> <nodes> <bytes> <first> <last> <file>`, and more in JSON.
  static var columns: [RowColumn<ArchiveRow>] {
    [
      .word("name") { hex($0.directory) },
      .number("nodes") { $0.directory.nodes },
      .number("bytes") { $0.fileBytes },
      .word("first") { wall($0.directory.walls?.lowerBound) },
      .word("last") { wall($0.directory.walls?.upperBound) },
      .text("file") { $0.path },
      .number("canonicalBytes", in: .json) { $0.directory.canonicalBytes },
      .truth("encrypted") { $0.isSealed ? true : nil },
      .word("kind", in: .json) { $0.directory.kind == .node ? nil : "\($0.directory.kind.name)" },
      .number("frames", in: .json) { $0.directory.frames.count },
      .json("lamports") { row in
        row.directory.lamports.map { Array("[\($0.lowerBound),\($0.upperBound)]".utf8) }
      },
      .list("prerequisites", in: .json) {
        $0.directory.prerequisites.map(\.text)
      } text: { _ in
        nil
      },
    ]
  }

  /// Writes the row.
  func write(isJSON: Bool, end: UInt8, _ context: inout Context) throws {
    try RowWriter(Self.columns, isJSON: isJSON, end: end).write(self, &context)
  }
}
