// redo import: takes other forms of a log into the store and its history.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo import [-q] [-n] [--salvage] [--profile=<profile>] [<file> | <dir>]...`.
enum Import: Command {
  static let name = "import"
  static let summary = "take a log from another form into the store"
  static var usage: [String] {
    [
      "redo-import [-q] [-n] [--from=(v0 | v1)] [--salvage] [--profile=<profile>] [--json] [-z]\n"
        + "            [--[no-]progress] [<file> | <dir>]..."
    ]
  }

  private static let from = OptionSpec(
    "from", .required("version"), help: "v0: convert a log of before version 1; v1 (default)")
  private static let salvage = OptionSpec(
    "salvage", help: "take what is good of a damaged input, and list the rest")
  static var options: [OptionSpec] {
    [.quiet, .dryRun, from, salvage, .profile, .json, .nul, .progress] + SealKeys.options
  }

  /// The form of the log.
  private enum Version: String, CaseIterable { case v0, v1 }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let profile = try options.choice(.profile, as: Profile.self) ?? .v1
    let isOld = try options.choice(from, as: Version.self) == .v0
    let isDryRun = options.has(.dryRun)
    let sign = InputFile.standardInputSign
    let paths = options.arguments.isEmpty ? [sign] : options.arguments
    let keys = try SealKeys(options, reading: paths)
    let opened = try context.effects.openRepository()
    if !isDryRun { context.holdSignals() }
    var settings = NodeTransaction.Options(
      profile: profile, envelope: .strip, identity: isOld ? .optional : .required,
      writes: !isDryRun,
      updatesHeads: true,
      salvages: options.has(salvage), isQuiet: options.has(.quiet),
      message: "import")
    settings.origin = .input
    let transaction = try NodeTransaction(settings, opened, context.effects)
    var intake = HistoryIntake(transaction, opened, context.effects)
    var reader = ImportReader(
      options.has(salvage) ? .salvaging : .whole, old: isOld ? V0Import(profile) : nil,
      keys: keys, progress: Progress(.importing, context.effects))
    for path in paths {
      if path == sign {
        try reader.read(
          context.input, InputFile.standardInputName, into: &intake, context.effects)
      } else {
        try reader.read(path: path, into: &intake, context.effects)
      }
    }
    reader.progress.finish(reader.count)
    let old = try reader.convert(into: &intake.nodes, context.effects)
    let needs = reader.needs
    guard let summary = try intake.finish() else {
      try sayNeeds(needs, opened.objects, &context)
      return .no
    }
    if summary.nodes.refused > 0 { try sayNeeds(needs, opened.objects, &context) }
    let report = ImportReport(
      summary: summary.nodes, receipts: summary.receipts, schemas: summary.schemas,
      databases: summary.databases, rows: summary.rows, old: old, notes: intake.nodes.notesID,
      isDryRun: isDryRun)
    let new = summary.nodes.new + (summary.receipts?.new ?? 0) + (summary.schemas?.new ?? 0)
    let row = options.has(.json) ? report.json : "\(new)"
    try context.output.write(Array(row.utf8) + [options.rowEnd])
    if !options.has(.quiet) { report.say(&context) }
    let held = summary.nodes.held + (summary.receipts?.held ?? 0) + (summary.schemas?.held ?? 0)
    return summary.nodes.refused > 0 || held > 0 ? .no : .ok
  }

  /// Says which nodes bundles still need, after some of their nodes were refused.
  private static func sayNeeds(
    _ needs: [(path: String, ids: [ObjectID])], _ store: ObjectStore, _ context: inout Context
  ) throws {
    for (path, ids) in needs {
      let missing = try ArchiveNeeds.missing(ids, in: store)
      guard !missing.isEmpty else { continue }
      let many = missing.count != 1
      context.error(
        "'\(path)' needs \(missing.count) change\(many ? "s" : "") that "
          + "\(many ? "are" : "is") not here")
      for id in missing.prefix(10) { context.hint(id.text) }
    }
  }
}
