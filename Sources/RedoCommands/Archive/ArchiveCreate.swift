// redo archive create: nodes of the history in one file.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// `redo archive create [-n] [--before=<date> | --older-than=<age> | <revision>...] -o <file>`.
enum ArchiveCreate: Command {
  static let name = "create"
  static let summary = "write nodes of the history into an archive"
  static var usage: [String] {
    [
      "redo-archive create [-q] [--json] [-f] -o <file>\n"
        + "             [--before=<date> | --older-than=<age> | <revision>...]",
      "redo-archive create -n [-q] [--json] [-o <file>]\n"
        + "             [--before=<date> | --older-than=<age> | <revision>...]",
    ]
  }

  private static let output = OptionSpec(
    "output", letter: "o", .required("file"), help: "write <file>, or standard output for '-'")
  private static let before = OptionSpec(
    "before", .required("date"), help: "nodes from before a date, with all their ancestors")
  private static let olderThan = OptionSpec(
    "older-than", .required("age"), help: "the same, the date being so long ago, as in 1y or 90d")
  private static let dryRun = OptionSpec(
    "dry-run", letter: "n", help: "say what the archive would be, and write none")
  private static let force = OptionSpec("force", letter: "f", help: "replace the file")
  private static let quiet = OptionSpec("quiet", letter: "q", help: "say nothing but errors")
  static var options: [OptionSpec] {
    [
      output, before, olderThan, dryRun, force, quiet, HistoryGraph.cache, ArchiveWords.json,
    ]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws(CommandError) -> Exit {
    let isDryRun = options.has(dryRun)
    let path = options.value(output)
    guard isDryRun || path != nil else {
      throw .usage("'-o <file>' says where the archive is written")
    }
    if let path, path.isEmpty { throw .usage("'-o' needs the name of a file") }
    let limit = try limit(options, now: context.clock())
    let opened = try context.openRepository()
    context.holdSignals()
    let set = try set(limit, opened, options, now: context.clock())
    let ids = set.ids
    let isQuiet = options.has(quiet)
    if !isQuiet {
      if let limit {
        context.note(
          "before \(WallTime(milliseconds: limit).text): \(ids.count) of \(set.historyCount) nodes")
      }
      set.sayLeft(all: isDryRun, &context)
    }
    guard !ids.isEmpty else {
      guard let limit else { throw .fatal("there is no node to archive") }
      throw .fatal("no node of the history is from before \(WallTime(milliseconds: limit).text)")
    }

    let syncs = try opened.refsOptions().sync != .none
    var target: ArchiveTarget?
    if let path, path != "-", !isDryRun {
      target = try ArchiveTarget(path, isForced: options.has(force), syncs: syncs, context)
    }
    let isStream = path == "-" && !isDryRun
    var writer = PackWriter()
    var bytes = 0
    func take(
      _ made: [UInt8], _ target: inout ArchiveTarget?, _ context: inout Context
    ) throws(CommandError) {
      bytes += made.count
      try context.checkInterrupt()
      if isStream { try context.output.write(made) } else { try target?.write(made) }
    }
    try HistoryWalk.forEach(
      ids, opened.objects
    ) { object, reader throws(CommandError) in
      guard object.canonical.count <= PackFormat.nodeLimit else {
        throw .fatal("object '\(object.id.text)' is larger than a node may be")
      }
      if let node = reader.decode(object) { return PackNode(object, node) }
      guard let broken = reader.decoder.decodeBroken(object) else {
        throw .fatal("object '\(object.id.text)' is no valid node")
      }
      return PackNode(object, broken)
    } _: { node throws(CommandError) in
      writer.add(node)
      let made = writer.take()
      if !made.isEmpty { try take(made, &target, &context) }
    }
    let directory = writer.finish()
    try take(writer.take(), &target, &context)
    try target?.commit()
    if !isStream {
      let row = ArchiveRow(directory: directory, fileBytes: bytes, path: path ?? "-")
      try row.write(
        isJSON: options.has(ArchiveWords.json), end: UInt8(ascii: "\n"), &context)
    }
    return .ok
  }

  /// The instant before which nodes are old; `nil` when none is given.
  private static func limit(
    _ options: ParsedOptions, now: Int64
  ) throws(CommandError) -> Int64? {
    guard let given = try options.only(oneOf: [before, olderThan]) else { return nil }
    guard options.arguments.isEmpty else {
      throw .usage("'\(given.spelling)' takes no revisions")
    }
    let text = options.value(given) ?? ""
    if given.isSame(as: before) {
      guard let moment = Moment(text, .start, now: now) else {
        throw .fatal("not a valid date '\(text)'", hints: [Moment.forms])
      }
      return moment.milliseconds
    }
    guard let moment = Moment("now-\(text)", .start, now: now) else {
      throw .fatal(
        "not a valid age '\(text)'",
        hints: ["an age is a number and one of s, m, h, d, w and y, as in 1y or 90d"])
    }
    return moment.milliseconds
  }

  private static func set(
    _ limit: Int64?, _ opened: OpenRepository, _ options: ParsedOptions, now: Int64
  ) throws(CommandError) -> ArchiveSet {
    let usesCache = options.flag(HistoryGraph.cache) ?? true
    if let limit { return try ArchiveSet(opened, before: limit, usesCache: usesCache) }
    guard options.arguments.isEmpty else {
      return try ArchiveSet(
        opened, revisions: options.arguments, now: now, usesCache: usesCache)
    }
    return try ArchiveSet(opened, usesCache: usesCache)
  }
}
