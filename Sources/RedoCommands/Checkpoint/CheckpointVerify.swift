// redo checkpoint verify: whether the history continues what was signed of it.

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
    let trust = try CheckpointTrust(opened, pinned: pinned, context.effects)
    var rows: [CheckpointRow]
    if files.isEmpty {
      rows = try CheckpointAudit.all(opened, trust, context.effects)
    } else {
      var snapshot = try opened.snapshot()
      // Those of the store tell which earlier logs have been ended, and narrow down a difference.
      let chain = try CheckpointShelf(opened).chain(&snapshot)
      var audit = try CheckpointAudit(opened, &snapshot, trust)
      rows = try audit.rows(chain, files, snapshot, context.effects)
      rows.removeFirst(chain.count)
    }
    try RowWriter(CheckpointRow.columns, options).write(rows, &context)
    return rows.allSatisfy(\.isGood) ? .ok : .no
  }
}
