// redo archive create: nodes of the history in one file.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// `redo archive create [-n] [--remove] [--before=<date> | --older-than=<age> | <revision>...] -o <file>`.
enum ArchiveCreate: Command {
  static let name = "create"
  static let summary = "write nodes of the history into an archive"
  static var usage: [String] {
    [
      "redo-archive create [-q] [--json] [-f] [--remove] -o <file>\n"
        + "             [(--before=<date> | --older-than=<age>) [--clock=<clock>] | <revision>...]",
      "redo-archive create -n [-q] [--json] [--remove] [-o <file>]\n"
        + "             [--before=<date> | --older-than=<age> | <revision>...]",
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
  private static let dryRun = OptionSpec(
    "dry-run", letter: "n", help: "say what the archive would be, and write none")
  private static let force = OptionSpec("force", letter: "f", help: "replace the file")
  private static let remove = OptionSpec(
    "remove", help: "register the archive, and take its nodes out of the store")
  private static let quiet = OptionSpec("quiet", letter: "q", help: "say nothing but errors")
  static var options: [OptionSpec] {
    [
      output, before, olderThan, clock, remove, dryRun, force, quiet, HistoryGraph.cache,
      ArchiveWords.json,
    ] + ArchiveSeal.options + ManifestMaker.options
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
    let removes = options.has(remove)
    guard !removes || path != "-" else {
      throw .usage("'-o -' and '--remove' cannot be used together: a store reads a file")
    }
    let limit = try limit(options, now: context.clock())
    let opened = try context.openRepository()
    context.holdSignals()
    let seal = try ArchiveSeal(options, opened, &context)
    guard !removes || seal.lock == nil else {
      throw .usage("'--remove' cannot be used with encryption: a store reads single nodes")
    }
    let maker = try ManifestMaker(options, opened, &context)
    let isQuiet = options.has(quiet)
    var held: HeldArchives?
    if removes, !isDryRun {
      var taken = try HeldArchives(opened, &context)
      try ArchiveRemoval.complete(&taken, isQuiet: isQuiet, &context)
      held = consume taken
    }
    var set = try set(limit, opened, options, now: context.clock())
    if removes || limit != nil { try leaveArchived(&set, opened, isOwn: removes) }
    let ids = set.ids
    if !isQuiet {
      if let limit {
        context.note(
          "before \(WallTime(milliseconds: limit).text): \(ids.count) of \(set.historyCount) nodes"
            + Self.archived(set))
      }
      set.sayLeft(all: isDryRun, &context)
    }
    guard !ids.isEmpty else {
      guard set.archivedCount == 0 else {
        throw .fatal("all \(set.archivedCount) nodes are in registered archives, not in the store")
      }
      guard let limit else { throw .fatal("there is no node to archive") }
      throw .fatal("no node of the history is from before \(WallTime(milliseconds: limit).text)")
    }

    let isStream = path == "-" && !isDryRun
    if isStream, maker.isWanted { throw .usage("'--manifest' needs the name of a file") }
    var target: ArchiveTarget?
    var beside: ManifestTarget?
    if let path, !isStream, !isDryRun {
      try ArchiveRegistered.check(path, opened, context)
      let syncs = removes ? true : try opened.refsOptions().sync != .none
      let isForced = options.has(force)
      target = try ArchiveTarget(path, isForced: isForced, syncs: syncs, context)
      beside = try maker.target(path, isForced: isForced, syncs: syncs, context)
    }
    var pass = seal.pass()
    let directory = try pack(ids, opened.objects) { bytes throws(CommandError) in
      try context.checkInterrupt()
      let bytes = pass.add(bytes)
      if isStream { try context.output.write(bytes) } else { try target?.write(bytes) }
    }
    let last = pass.finish()
    if isStream { try context.output.write(last) } else { try target?.write(last) }
    if beside != nil {
      let manifest = ArchiveManifest(
        directory: directory, fileBytes: pass.fileBytes, fileDigest: pass.digest(),
        isSealed: pass.isSealed, heads: set.heads)
      try beside?.prepare(manifest, maker)
    }
    try target?.commit()
    try beside?.commit()
    guard !isStream else { return .ok }
    let row = ArchiveRow(
      directory: directory, fileBytes: pass.fileBytes, path: path ?? "-", isSealed: pass.isSealed)
    try row.write(isJSON: options.has(ArchiveWords.json), end: UInt8(ascii: "\n"), &context)
    guard removes else { return .ok }
    if var held, let path {
      let proof = try ArchiveProving.prove(path, &context)
      guard proof.directory == directory else {
        throw .fatal("'\(path)' is not what was written into it; nothing was removed")
      }
      try ArchiveRegisterFile.register(proof, path, .removing, &held, context)
      var removal = ArchiveRemoval(opened, proof)
      try removal.finish(&held, &context)
      if !isQuiet { context.note(removal.summary) }
    } else if !isQuiet {
      context.note(try ArchiveRemoval.plan(Set(ids), opened))
    }
    return .ok
  }

  private static func archived(_ set: ArchiveSet) -> String {
    guard set.archivedCount > 0 else { return "" }
    return ", \(set.archivedCount) more are not in the store itself"
  }

  /// Leaves out of a set what the store itself does not have any more.
  private static func leaveArchived(
    _ set: inout ArchiveSet, _ opened: OpenRepository, isOwn: Bool
  ) throws(CommandError) {
    do throws(StoreError) {
      let archives = try opened.objects.archives?.all() ?? []
      guard isOwn || !archives.isEmpty else { return }
      set.keep(only: try opened.objects.listHere(withAlternates: !isOwn))
    } catch {
      throw .fatal(error)
    }
  }

  /// Makes a pack of nodes.
  ///
  /// - Parameters:
  ///   - ids: the nodes in the order of a pack.
  ///   - store: where they are.
  ///   - write: receives the bytes, piece by piece.
  /// - Returns: the directory of the pack.
  /// - Throws: `fatal` for a node that cannot be read, or what the closure throws.
  private static func pack(
    _ ids: [ObjectID], _ store: ObjectStore, _ write: ([UInt8]) throws(CommandError) -> Void
  ) throws(CommandError) -> PackDirectory {
    var writer = PackWriter()
    try HistoryWalk.forEach(
      ids, store
    ) { object, reader throws(CommandError) in
      try packNode(object, &reader)
    } _: { node throws(CommandError) in
      writer.add(node)
      let bytes = writer.take()
      if !bytes.isEmpty { try write(bytes) }
    }
    let directory = writer.finish()
    try write(writer.take())
    return directory
  }

  private static func packNode(
    _ object: StoredObject, _ reader: inout NodeReader
  ) throws(CommandError) -> PackNode {
    guard object.canonical.count <= PackFormat.nodeLimit else {
      throw .fatal("object '\(object.id.text)' is larger than a node may be")
    }
    if let node = reader.decode(object) { return PackNode(object, node) }
    // A node that breaks a rule has its place in the history all the same.
    guard let broken = reader.decoder.decodeBroken(object) else {
      throw .fatal("object '\(object.id.text)' is no valid node")
    }
    return PackNode(object, broken)
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
    let clock = try options.choice(clock, as: ArchiveSet.Clock.self)
    if let limit {
      return try ArchiveSet(opened, before: limit, by: clock ?? .wall, usesCache: usesCache)
    }
    guard clock == nil else {
      throw .usage("'--clock' is about '--before' and '--older-than'")
    }
    guard options.arguments.isEmpty else {
      return try ArchiveSet(
        opened, revisions: options.arguments, now: now, usesCache: usesCache)
    }
    return try ArchiveSet(opened, usesCache: usesCache)
  }
}
