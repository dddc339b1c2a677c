// redo import: other forms of a log into the store and its history.

internal import RedoObject
internal import RedoStore

/// `redo import [-q] [-n] [--salvage] [--profile=<profile>] [<file> | <dir>]...`.
enum Import: Command {
  static let name = "import"
  static let summary = "take a log from another form into the store"
  static var usage: [String] {
    [
      "redo-import [-q] [-n] [--salvage] [--profile=<profile>] [--[no-]progress]\n"
        + "            [<file> | <dir>]..."
    ]
  }

  private static let quiet = OptionSpec("quiet", letter: "q", help: "print only the number")
  private static let dryRun = OptionSpec(
    "dry-run", letter: "n", help: "judge everything, write nothing")
  private static let salvage = OptionSpec(
    "salvage", help: "take what is good of a damaged input, and list the rest")
  private static let profile = OptionSpec(
    "profile", .required("profile"), help: "the rules for nodes: v1 (default), sync or genesis")
  private static let progress = OptionSpec(
    "progress", help: "say how far it has come; the default on a terminal")
  static var options: [OptionSpec] { [quiet, dryRun, salvage, profile, progress] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws(CommandError) -> Exit {
    let profile = try options.choice(profile, as: Profile.self) ?? .v1
    let isDryRun = options.has(dryRun)
    let opened = try context.openRepository()
    if !isDryRun { context.holdSignals() }
    var transaction = try NodeTransaction(
      NodeTransaction.Options(
        profile: profile, envelope: .strip, identity: .required, writes: !isDryRun,
        updatesHeads: true,
        salvages: options.has(salvage), isQuiet: options.has(quiet),
        message: "import"),
      opened)
    var reader = ImportReader(
      salvages: options.has(salvage),
      progress: Progress(
        "importing changes", wanted: options.has(quiet) ? false : options.flag(progress),
        context))
    if options.arguments.isEmpty {
      try reader.read(
        context.input, InputFile.standardInputName, into: &transaction, &context)
    }
    for path in options.arguments {
      try reader.read(path: path, into: &transaction, &context)
    }
    reader.progress.finish(reader.count, &context)
    guard let summary = try transaction.finish(&context) else { return .no }
    try context.output.writeLine("\(summary.new)")
    if !options.has(quiet) { say(summary, isDryRun, &context) }
    return summary.refused > 0 ? .no : .ok
  }

  private static func say(
    _ summary: NodeTransaction.Summary, _ isDryRun: Bool, _ context: inout Context
  ) {
    var text = isDryRun ? "would import" : "imported"
    text += " \(summary.new) new change\(summary.new == 1 ? "" : "s")"
    for (count, word) in [
      (summary.known, "known"), (summary.upgraded, "upgraded"), (summary.healed, "healed"),
      (summary.refused, "refused"),
    ] where count > 0 {
      text += ", \(count) \(word)"
    }
    context.note(text)
  }
}
