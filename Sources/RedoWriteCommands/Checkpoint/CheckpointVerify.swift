// redo checkpoint verify: whether the history continues the checkpoints that were signed.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo checkpoint verify [--key=<hex>] [--json] [-z] [<file>...]`.
enum CheckpointVerify: Command {
  static let name = "verify"
  static let summary = "find out whether the history continues its checkpoints, or those in files"
  static var usage: [String] { ["redo-checkpoint verify [--key=<hex>] [--json] [-z] [<file>...]"] }
  static var options: [OptionSpec] {
    [CheckpointWords.key, .json, .nul]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let pinned = try CheckpointWords.pinned(options)
    var files: [FoundCheckpoint] = []
    for path in options.arguments { files.append(try CheckpointShelf.file(path, context.effects)) }
    let opened = try context.effects.openRepository()
    let rows = try CheckpointAudit.verify(files, pinned: pinned, opened, context.effects)
    try RowWriter(CheckpointRow.columns, options).write(rows, &context)
    return rows.allSatisfy(\.isGood) ? .ok : .no
  }
}
