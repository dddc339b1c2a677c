// redo backup restore: makes a store of a point.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo backup restore [--to=<date>] [-q] [--json] [-z] [<keys>] -o <store> <directory>`.
enum BackupRestore: Command {
  static let name = "restore"
  static let summary = "make a store of the newest backup, or of the last one of a time"
  static var usage: [String] {
    ["redo-backup restore [--to=<date>] [-q] [--json] [-z] [<keys>] -o <dir> <directory>"]
  }

  private static let to = OptionSpec(
    "to", .required("date"), help: "the newest backup from then or before")
  private static let output = OptionSpec(
    "output", letter: "o", .required("dir"),
    help: "make a store in <dir>, which is empty or not there")
  static var options: [OptionSpec] { [to, output, .quiet, .json, .nul] + SealKeys.options }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let path = try Backup.directory(options)
    guard let target = options.value(output), !target.isEmpty else {
      throw CommandError.usage("'-o <dir>' says where the store is made")
    }
    var limit: Int64?
    if let text = options.value(to) {
      guard let moment = Moment(text, .end, now: context.clock()) else {
        throw CommandError.fatal("not a valid date '\(text)'", hints: [Moment.forms])
      }
      limit = moment.milliseconds
    }
    context.holdSignals()
    var isClean = true
    let request = BackupRestoring.Request(
      path: path, limit: limit, target: target, keys: try SealKeys(options))
    let outcome = try BackupRestoring.run(request, context.effects) { error throws in
      isClean = false
      context.error(CommandError(error).message)
    }
    if !options.has(.quiet) {
      try RowWriter(BackupShelf.Point.columns, options).write(outcome.point, &context)
      let manifest = outcome.point.manifest
      context.note(
        "restored \(SyncReport.changes(manifest.history.count)) from \(outcome.files) file"
          + "\(outcome.files == 1 ? "" : "s") in '\(target)'")
      for (kind, count) in manifest.left.sorted(by: { $0.key < $1.key }) where count > 0 {
        context.note("the backup has them not: \(kind.words(count))")
      }
    }
    if outcome.isStranger {
      context.warning("its settings and hooks that can act are not in force")
      context.hint("'redo config trust-store' accepts the store as your own")
    }
    return isClean && (outcome.point.manifest.left[.unreadable] ?? 0) == 0 ? .ok : .no
  }
}
