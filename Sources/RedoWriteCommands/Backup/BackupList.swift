// redo backup list: the points of a backup.

internal import RedoRepository
internal import RedoShell

/// `redo backup list [-q] [--json] [-z] [<keys>] <directory>`.
enum BackupList: Command {
  static let name = "list"
  static let summary = "say from when there are backups, and what each needs"
  static var usage: [String] { ["redo-backup list [-q] [--json] [-z] [<keys>] <directory>"] }
  static var options: [OptionSpec] { [.quiet, .json, .nul] + SealKeys.options }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let path = try Backup.directory(options)
    var isClean = true
    let shelf = try BackupShelf(path, .reading, try SealKeys(options), context.effects)
    let points = try shelf.points { error throws in
      isClean = false
      context.error(CommandError(error).message)
    }
    for fault in points.compactMap({ shelf.fault(of: $0) }) {
      isClean = false
      context.error(CommandError(fault).message)
    }
    if !options.has(.quiet) {
      try RowWriter(BackupShelf.Point.columns, options).write(points, &context)
    }
    return isClean ? .ok : .no
  }
}
