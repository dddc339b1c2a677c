// redo wipe: removes changes and receipts, and everything that descends from them, from the history and the store for good.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo wipe [-n] [--yes] [-q] [--json | -z] (--author=(<userId> | <did>)... | --all)`.
enum Wipe: Command {
  static let name = "wipe"
  static let summary = "remove changes for good, by author or all"
  static var usage: [String] {
    [
      "redo-wipe (-n | --yes) [-q] [--json] [-z] --author=<user>...",
      "redo-wipe (-n | --yes) [-q] [--json] [-z] --all",
    ]
  }

  private static let yes = OptionSpec("yes", help: "do it; there is no way back")
  private static let author = OptionSpec(
    "author", .required("user"), help: "the changes of <user>, and what descends from them")
  private static let all = OptionSpec("all", help: "everything but settings and keys")
  static var options: [OptionSpec] { [.dryRun, yes, author, all, .quiet, .json, .nul] }

  /// How often a wipe is planned again because other processes changed the same refs.
  private static var attemptLimit: Int { 100 }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage(
        "changes are named by '--author' or '--all', not by '\(options.arguments[0])'")
    }
    guard try options.only(oneOf: [author, all]) != nil else {
      throw CommandError.usage("one of '--author' and '--all' must be given")
    }
    var scope = WipeScope.all
    if !options.has(all) { scope = try .authors(authors(options.values(author))) }
    let isDryRun = options.has(.dryRun)
    guard isDryRun || options.has(yes) else {
      throw CommandError(
        .refused, "nothing is wiped without '--yes'", hints: ["'-n' lists what would go"])
    }
    let opened = try context.effects.openRepository()
    guard context.effects.surroundings.usual.objectDirectory == nil else {
      throw CommandError.fatal(
        "REDO_OBJECT_DIRECTORY is set: only the objects in the store itself can be wiped")
    }
    var plan: WipePlan
    if isDryRun {
      plan = try WipePlan(scope, opened)
    } else {
      context.holdSignals()
      plan = try wipe(scope, opened, &context)
    }
    if !options.has(.quiet) {
      try RowWriter(WipeRow.columns, options).write(plan.rows, &context)
      try context.output.flush()
      context.note(plan.summary(isDryRun: isDryRun))
      for remark in plan.warnings { context.warning(remark.words) }
    }
    for failure in plan.errors { context.error(failure.words) }
    return plan.errors.isEmpty ? .ok : .no
  }

  private static func authors(_ texts: [String]) throws -> Set<String> {
    for text in texts {
      let bytes = Array(text.utf8)
      guard UserID(hex: bytes.span) == nil, DID(bytes[...]) == nil else { continue }
      throw CommandError.usage(
        "'\(text)' is no user id: 32 lower-case hex digits, and no did",
        hints: [EncodingHint.text(for: bytes.span)].compactMap(\.self))
    }
    return Set(texts)
  }

  private static func wipe(
    _ scope: WipeScope, _ opened: Repository, _ context: inout Context
  ) throws -> WipePlan {
    // Nobody else can write objects from here on, so exactly what is found is removed.
    let hold = try opened.holdObjects(.alone)
    defer { extendLifetime(hold) }
    for _ in 0..<attemptLimit {
      var plan = try WipePlan(scope, opened)
      try context.checkInterrupt()
      if try plan.carryOut(context.effects) { return plan }
    }
    throw CommandError(.temporary, "other writers kept changing the same refs")
  }
}
