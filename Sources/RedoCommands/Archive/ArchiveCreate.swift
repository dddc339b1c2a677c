// redo archive create: nodes of the history in one file, or in one for each month or year.

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
      "redo-archive create [-q] [--json] [-f] [--manifest] -o <file> --remote[=<remote>]",
    ]
  }

  private static let output = OptionSpec(
    "output", letter: "o", .required("file"), help: "write <file>, or standard output for '-'")
  private static let before = OptionSpec(
    "before", .required("date"), help: "nodes from before a date, with all their ancestors")
  private static let olderThan = OptionSpec(
    "older-than", .required("age"), help: "the same, the date being so long ago, as in 1y or 90d")
  private static let clock = OptionSpec(
    "clock", .required("clock"),
    help: "what these dates are about: wall (default), or when this store received a node")
  private static let split = OptionSpec(
    "split", .required("length"), help: "an archive for each month or year that has nodes")
  private static let force = OptionSpec("force", letter: "f", help: "replace the file")
  private static let remove = OptionSpec(
    "remove", help: "register the archive, and take its nodes out of the store")
  static var options: [OptionSpec] {
    [
      output, before, olderThan, clock, split, remove, ArchiveRemote.option, .dryRun, force, .quiet,
      HistoryGraph.cache,
      .json,
    ] + ArchiveSeal.options + ManifestMaker.options
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
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
    if length != nil { try ArchiveSplit.check(path) }
    let limit = try limit(options, now: context.clock())
    let opened = try context.effects.openRepository()
    context.holdSignals()
    let remote = try ArchiveRemote.named(
      options, opened, isQuiet: options.has(.quiet), context)
    var options = options
    if let remote {
      guard let path, path != "-" else {
        throw CommandError.usage("'--remote' needs the name of a file: more is written beside it")
      }
      try ArchiveTarget.check(path, isForced: options.has(force), context)
      try remote.check(path, isForced: options.has(force), context)
      options.arguments = try remote.fetch(opened, &context)
    }
    let making = try ArchiveMaking(
      options, opened, isDryRun: isDryRun, isForced: options.has(force), removes: removes,
      isQuiet: options.has(.quiet), &context)
    var held: HeldArchives?
    if removes, !isDryRun {
      var taken = try HeldArchives(opened, context.effects)
      try ArchiveRemoval.complete(&taken, isQuiet: making.isQuiet, context.effects)
      held = consume taken
    }
    var set = try set(limit, opened, options, now: context.clock())
    if removes || limit != nil { try leaveArchived(&set, opened, isOwn: removes) }
    try say(of: set, limit, making, &context)
    guard let length else {
      let part = ArchivePart(path: path, ids: set.ids, heads: making.describes ? set.heads : [])
      let directory = try making.make(part, &held, &context)
      if let remote, let directory, let path {
        try remote.describe(
          path, directory, part.ids, isForced: making.isForced, syncs: making.syncs, &context)
      }
      return .ok
    }
    let plan = try ArchiveSplit(set, by: length, path)
    // Nothing is written before all names are known to be free.
    try making.check(plan.paths, context)
    if !making.isQuiet { plan.sayRaised(&context) }
    for index in plan.paths.indices {
      _ = try making.make(plan.part(index, heads: making.describes), &held, &context)
    }
    return .ok
  }

  /// Says what is archived and what stays.
  ///
  /// - Throws: `fatal` when there is nothing to archive.
  private static func say(
    of set: ArchiveSet, _ limit: Int64?, _ making: borrowing ArchiveMaking,
    _ context: inout Context
  ) throws {
    let count = set.count
    if !making.isQuiet {
      if let limit {
        context.note(
          "before \(WallTime(milliseconds: limit).text): \(count) of \(set.historyCount) nodes"
            + Self.archived(set))
      }
      set.sayLeft(all: making.isDryRun, context.effects)
    }
    guard count == 0 else { return }
    guard set.archivedCount == 0 else {
      throw CommandError.fatal(
        "all \(set.archivedCount) nodes are in registered archives, not in the store")
    }
    guard let limit else { throw CommandError.fatal("there is no node to archive") }
    throw CommandError.fatal(
      "no node of the history is from before \(WallTime(milliseconds: limit).text)")
  }

  private static func archived(_ set: ArchiveSet) -> String {
    guard set.archivedCount > 0 else { return "" }
    return ", \(set.archivedCount) more are not in the store itself"
  }

  /// Leaves out of a set what the store itself does not have any more.
  private static func leaveArchived(
    _ set: inout ArchiveSet, _ opened: Repository, isOwn: Bool
  ) throws {
    let archives = try opened.objects.archives?.all() ?? []
    guard isOwn || !archives.isEmpty else { return }
    set.keep(only: try opened.objects.listHere(withAlternates: !isOwn))
  }

  /// The instant before which nodes are old; `nil` when none is given.
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
    guard let moment = Moment("now-\(text)", .start, now: now) else {
      throw CommandError.fatal(
        "not a valid age '\(text)'",
        hints: ["an age is a number and one of s, m, h, d, w and y, as in 1y or 90d"])
    }
    return moment.milliseconds
  }

  private static func set(
    _ limit: Int64?, _ opened: Repository, _ options: ParsedOptions, now: Int64
  ) throws -> ArchiveSet {
    let usesCache = options.flag(HistoryGraph.cache) ?? true
    let clock = try options.choice(clock, as: ArchiveSet.Clock.self)
    if let limit {
      return try ArchiveSet(opened, before: limit, by: clock ?? .wall, usesCache: usesCache)
    }
    guard clock == nil || options.has(split) else {
      throw CommandError.usage("'--clock' is about '--before', '--older-than' and '--split'")
    }
    var set =
      options.arguments.isEmpty
      ? try ArchiveSet(opened, usesCache: usesCache)
      : try ArchiveSet(opened, revisions: options.arguments, now: now, usesCache: usesCache)
    set.clock = clock ?? .wall
    return set
  }
}
