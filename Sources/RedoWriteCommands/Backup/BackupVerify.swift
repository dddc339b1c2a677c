// redo backup check: reads all points of a backup.

internal import RedoRepository
internal import RedoShell

/// `redo backup check [-q] [--json] [-z] [<keys>] <directory>`.
enum BackupVerify: Command {
  static let name = "check"
  static let summary = "read every byte of all backups, and whether each has what it needs"
  static var usage: [String] { ["redo-backup check [-q] [--json] [-z] [<keys>] <directory>"] }
  static var options: [OptionSpec] { [.quiet, .json, .nul] + SealKeys.options }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    var count = 0
    let points = try BackupCheck.run(
      try Backup.directory(options), try SealKeys(options), context.effects
    ) { error throws in
      let error = CommandError(error)
      if case .signal = error.kind { throw error }
      count += 1
      context.report(
        CommandError(.refused, error.message), asJSON: options.has(.json))
    }
    guard count == 0 else { return .no }
    if !options.has(.quiet) {
      context.note(
        "checked \(points.count) point\(points.count == 1 ? "" : "s"): all can be restored")
    }
    return .ok
  }
}
