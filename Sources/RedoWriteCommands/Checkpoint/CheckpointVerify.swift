// redo checkpoint verify: whether the history continues the checkpoints that were signed, or whether a copy has all that one
// of them states.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo checkpoint verify [--key=<hex>] [--json] [-z] [<file>... | --of=<copy> [--ids=<file>] <file>]`.
enum CheckpointVerify: Command {
  static let name = "verify"
  static let summary = "find out whether the history continues its checkpoints, or those in files"
  static var usage: [String] {
    [
      "redo-checkpoint verify [--key=<hex>] [--json] [-z] [<file>...]",
      "redo-checkpoint verify --of=(<store> | <file> | <remote>) [--ids=<file>] [--key=<hex>] [--json] [-z]\n"
        + "            [<keys>] (<file> | <id>)",
    ]
  }
  private static let copy = OptionSpec(
    "of", .required("copy"), help: "find out whether a store, file or remote has all that is stated"
  )
  static var options: [OptionSpec] {
    [copy, CheckpointWords.ids, CheckpointWords.key, .json, .nul] + SealKeys.options
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let pinned = try CheckpointWords.pinned(options)
    if let copy = options.value(copy) {
      return try CheckpointCompleteness.run(copy, pinned, options, &context)
    }
    if let other = ([CheckpointWords.ids] + SealKeys.options).first(where: { options.has($0) }) {
      throw CommandError.usage("'\(other.spelling)' is about '--of', which is not given")
    }
    var files: [FoundCheckpoint] = []
    for path in options.arguments { files.append(try CheckpointShelf.file(path, context.effects)) }
    let opened = try context.effects.openRepository()
    let rows = try CheckpointAudit.verify(files, pinned: pinned, opened, context.effects)
    try RowWriter(CheckpointRow.columns, options).write(rows, &context)
    return rows.allSatisfy(\.isGood) ? .ok : .no
  }
}
