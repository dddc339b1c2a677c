// redo verify --missing: what is named and is not there, as git fsck lists it.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Lists the nodes and receipts that others name and that are nowhere.
enum VerifyMissing {
  /// Lists what a store lacks, or what some files lack.
  ///
  /// - Parameters:
  ///   - files: the files, `-` being standard input; without any, the store is meant.
  ///   - keys: what opens encrypted archives.
  ///   - isJSON: whether rows are JSON.
  ///   - end: the byte that ends a row.
  ///   - context: receives the output.
  /// - Returns: `ok` when nothing is missing, and everything could be read.
  /// - Throws: `fatal` when there is no store, or a file cannot be read.
  static func run(
    _ files: [String], _ keys: SealKeys, isJSON: Bool, end: UInt8, _ context: inout Context
  ) throws -> Exit {
    var copy = HistoryCopy()
    if files.isEmpty {
      try copy.read(try context.effects.openRepository(), .everything, context.effects)
    } else {
      try copy.read(files: files, keys, context.effects)
    }
    let missing = copy.missing()
    try RowWriter(columns, isJSON: isJSON, end: end).write(missing, &context)
    try context.output.flush()
    let unread = copy.unread(files.isEmpty ? "the store" : files.joined(separator: "', '"))
    for line in unread?.lines ?? [] { context.error(line) }
    return missing.isEmpty && unread == nil ? .ok : .no
  }

  /// `missing <kind> <id> <whatever names it>...`.
  private static var columns: [RowColumn<HistoryCopy.Missing>] {
    [
      .word("result", in: .text) { _ in "missing" },
      .word("kind") { $0.kind?.name.description ?? "object" },
      .word("id") { $0.id.text },
      .list("by") {
        $0.namers
      } text: {
        $0.joined(separator: " ")
      },
    ]
  }
}

extension HistoryCopy.Missing {
  /// What names it: nodes or receipts, then the refs.
  fileprivate var namers: [String] { children.map(\.text) + names }
}
