// redo archive create: writes nodes of the history to one file, or to one file for each month or year.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo archive create [-n] [--remove] [--split=<length>] [--before=<date> | <revision>...] -o <file>`.
enum ArchiveCreate: Command {
  static let name = "create"
  static let summary = "write nodes of the history into an archive"
  static var usage: [String] {
    [
      "redo-archive create [-q] [--json] [-f] [--remove] [--split=<length>] [--clock=<clock>] -o <file>\n"
        + "             [--before=<date> | --older-than=<age> | <revision>...]",
      "redo-archive create -n [-q] [--json] [--remove] [--split=<length>] [--clock=<clock>] [-o <file>]\n"
        + "             [--before=<date> | --older-than=<age> | <revision>...]",
      "redo-archive create [-q] [--json] [-f] [--manifest] -o <file> --since=<archive>...",
      "redo-archive create [-q] [--json] [-f] [--manifest] -o <file> --remote[=<remote>]",
      "redo-archive create --kind=receipt [--include-precise] [--include-received] ... [<id>...]",
      "redo-archive create --kind=schema ... [<id>...]",
    ]
  }

  private static let kind = OptionSpec(
    "kind", .required("kind"), help: "what is archived: node (default), receipt or schema")
  private static let output = OptionSpec(
    "output", letter: "o", .required("file"), help: "write <file>, or standard output for '-'")
  private static let before = OptionSpec(
    "before", .required("date"), help: "nodes from before a date, with all their ancestors")
  private static let olderThan = OptionSpec(
    "older-than", .required("age"), help: "the same, the date being so long ago, as in 1y or 90d")
  private static let since = OptionSpec(
    "since", .required("archive"), help: "only what is not in <archive>, and what that builds on")
  private static let clock = OptionSpec(
    "clock", .required("clock"),
    help: "what these dates are about: wall (default), or when this store received a node")
  private static let split = OptionSpec(
    "split", .required("length"), help: "an archive for each month or year that has nodes")
  private static let force = OptionSpec("force", letter: "f", help: "replace the file")
  private static let remove = OptionSpec(
    "remove", help: "register the archive, and take its nodes out of the store")
  private static let manifest = OptionSpec(
    "manifest", help: "write <file>.manifest, and its signature where there is a key")
  static var options: [OptionSpec] {
    [
      output, before, olderThan, since, clock, split, remove, ArchiveRemote.option, .dryRun, force,
      .quiet, .progress,
      HistoryGraph.cache,
      .json,
      kind, .includePrecise, .includeReceived,
      SealRecipients.option, SealPassphrase.file, SealPassphrase.asked, PassphraseRule.option,
      manifest,
      PassphraseSource.descriptorOption,
    ]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    try run(&context, options, revisions: options.arguments, isIncrement: false)
  }

  /// Makes archives.
  ///
  /// - Parameters:
  ///   - context: where everything is printed.
  ///   - options: the command line.
  ///   - revisions: revisions and ranges; none for the whole history.
  ///   - isIncrement: whether it is no error when there is nothing to write.
  /// - Returns: `.no` when something is left behind.
  /// - Throws: `usage`, `fatal`.
  static func run(
    _ context: inout Context, _ options: ParsedOptions, revisions: [String], isIncrement: Bool
  ) throws -> Exit {
    let isDryRun = options.has(.dryRun)
    let path = options.value(output)
    guard isDryRun || path != nil else {
      throw CommandError.usage("'-o <file>' says where the archive is written")
    }
    if let path, path.isEmpty { throw CommandError.usage("'-o' needs the name of a file") }
    let removes = options.has(remove)
    guard !removes || path != "-" else {
      throw CommandError.usage(
        "'-o -' and '--remove' cannot be used together: a store reads a file")
    }
    let length = try options.choice(split, as: HistoryPeriod.Length.self)
    if length != nil {
      guard path != "-" else {
        throw CommandError.usage(
          "'-o -' and '--split' cannot be used together: they are several files")
      }
      try ArchiveSplit.check(path)
    }
    let kind = try kind(options)
    let limit = try limit(options, now: context.clock())
    let isQuiet = options.has(.quiet)
    let opened = try context.effects.openRepository()
    context.holdSignals()
    let remote = try ArchiveRemote.named(options, opened, isQuiet: isQuiet, context)
    var request = ArchiveMaking.Request(
      limit.map { .before($0) }
        ?? (revisions.isEmpty ? .all : .revisions(revisions))
    )
    var isWhole = true
    if let remote {
      guard let path, path != "-" else {
        throw CommandError.usage("'--remote' needs the name of a file: more is written beside it")
      }
      try ArchiveTarget.check(path, isForced: options.has(force), context.effects)
      try remote.check(path, isForced: options.has(force), context)
      let fetched = try remote.fetch(opened, &context)
      request.choice = .revisions(fetched.heads)
      isWhole = fetched.isWhole
      request.isOfRemote = true
    }
    request.kind = kind
    request.leaving.includesPrecise = options.has(.includePrecise)
    request.leaving.includesReceived = options.has(.includeReceived)
    request.path = path
    request.split = length
    request.clock = try clock(options, isOld: limit != nil)
    request.isDryRun = isDryRun
    request.isForced = options.has(force)
    request.removes = removes
    request.isQuiet = isQuiet
    request.recipients = options.values(SealRecipients.option)
    request.passphrase = try SealPassphrase(options)
    request.manifestKey = options.has(manifest) ? try PassphraseSource(options) : nil
    request.since = options.values(since)
    request.isIncrement = isIncrement || !request.since.isEmpty
    request.usesCache = options.flag(HistoryGraph.cache) ?? true

    let made = try ArchiveMaking.run(request, opened, context.effects) { bytes throws in
      try context.output.write(bytes)
    } tell: { step throws in
      if case .away = step { isWhole = false }
      try say(step, limit, request, isJSON: options.has(.json), &context)
    }
    if let remote, let made, let path {
      try remote.describe(path, made, opened, isForced: request.isForced, &context)
    }
    return isWhole ? .ok : .no
  }

  /// Says what is archived and what stays, and prints a row for each archive written.
  private static func say(
    _ step: ArchiveMaking.Step, _ limit: Int64?, _ request: ArchiveMaking.Request, isJSON: Bool,
    _ context: inout Context
  ) throws {
    if case .made(let row) = step {
      try row.write(isJSON: isJSON, end: UInt8(ascii: "\n"), &context)
      return
    }
    if case .away(let path, let count) = step {
      context.warning(
        "\(SyncReport.changes(count)) \(count == 1 ? "is" : "are") left out, because only "
          + "'\(Escape.text(path))' has \(count == 1 ? "it" : "them"), which cannot be read")
      return
    }
    guard !request.isQuiet else { return }
    switch step {
    case .chosen(let set):
      context.reportLeftOut(precise: set.preciseCount, shared: set.sharedCount, "archives")
      context.reportLeftOut(chains: set.chainCount, schemas: set.schemaCount, "archives")
      if let limit {
        context.note(
          "before \(WallTime(milliseconds: limit).text): \(set.count) of \(set.historyCount) \(set.kind.name)s"
            + archived(set))
      }
      set.reportLeft(all: request.isDryRun, context.effects)
    case .raised(let count):
      context.note(
        "\(request.kind.name)s in a later archive than by their own time, because of an ancestor: \(count)"
      )
    case .builds(on: let paths):
      if !paths.isEmpty {
        context.note("needs \(paths.map { "'\(Escape.text($0))'" }.joined(separator: ", "))")
      }
    case .nothingNew: context.note("nothing is new, and nothing is written")
    case .made, .away: break
    }
  }

  private static func archived(_ set: ArchiveSet) -> String {
    guard set.archivedCount > 0 else { return "" }
    return ", \(set.archivedCount) more are not in the store itself"
  }

  /// The instant before which nodes count as old; `nil` when none is given.
  private static func limit(
    _ options: ParsedOptions, now: Int64
  ) throws -> Int64? {
    guard let given = try options.only(oneOf: [before, olderThan]) else { return nil }
    guard options.arguments.isEmpty else {
      throw CommandError.usage("'\(given.spelling)' takes no revisions")
    }
    let text = options.value(given) ?? ""
    if given.isSame(as: before) {
      guard let moment = Moment(text, .start, now: now) else {
        throw CommandError.fatal("not a valid date '\(text)'", hints: [Moment.forms])
      }
      return moment.milliseconds
    }
    return now - (try ParsedOptions.age(text))
  }

  /// The kind of objects that are archived.
  private static func kind(_ options: ParsedOptions) throws -> ObjectKind {
    let found = try options.kind(kind) ?? .node
    guard found == .node || !options.has(ArchiveRemote.option) else {
      throw CommandError.usage("'--remote' archives nodes, not \(found)s")
    }
    return found
  }

  private static func clock(_ options: ParsedOptions, isOld: Bool) throws -> ArchiveSet.Clock {
    let clock = try options.choice(clock, as: ArchiveSet.Clock.self)
    guard clock == nil || isOld || options.has(split) else {
      throw CommandError.usage("'--clock' is about '--before', '--older-than' and '--split'")
    }
    return clock ?? .wall
  }
}
