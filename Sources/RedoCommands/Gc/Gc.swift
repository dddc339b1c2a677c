// redo gc: what interrupted commands left goes, nodes that nothing knows of go if they are asked to, and
// what is loose is packed.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo gc [-n] [-q] [--json] [--grace=<age>] [--expire-to=<file>]`.
enum Gc: Command {
  static let name = "gc"
  static let summary = "tidy a store up"
  static var usage: [String] {
    ["redo-gc [-n] [-q] [--json] [--grace=<age>] [--expire-to=<file>]"]
  }

  private static let grace = OptionSpec(
    "grace", .required("age"),
    help: "how old unfinished files and unknown nodes must be (default 2w)")
  private static let expireTo = OptionSpec(
    "expire-to", .required("file"), help: "move nodes that nothing knows of into <file>")
  static var options: [OptionSpec] {
    [grace, expireTo, .dryRun, .quiet, .json]
  }

  private static let usualGrace = "2w"

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage("'\(options.arguments[0])': a whole store is tidied up")
    }
    let limit = try limit(options.value(grace) ?? usualGrace, now: context.clock())
    let target = options.value(expireTo)
    if let target, target.isEmpty {
      throw CommandError.usage("'--expire-to' needs the name of a file")
    }
    let opened = try context.effects.openRepository()
    context.holdSignals()
    let isDryRun = options.has(.dryRun)
    var output = TidyOutput(options)
    if !isDryRun {
      try ArchiveRemoval.complete(opened, isQuiet: options.has(.quiet), context.effects)
    }
    let leftovers = GcLeftovers(opened, isDryRun: isDryRun)
    do {
      // Nobody writes objects meanwhile, so nobody is at work on what seems to be left over.
      let objects = try opened.holdObjects(isDryRun ? .shared : .alone)
      defer { extendLifetime(objects) }
      let packs = isDryRun ? nil : try opened.holdPacks()
      defer { extendLifetime(packs) }
      try leftovers.removeFiles(before: limit, &output, &context)
      if let target {
        var expiry = GcExpiry(opened, before: limit, to: target, isDryRun: isDryRun)
        try expiry.run(&output, &context)
      }
    }
    do {
      let objects = try opened.holdObjects()
      defer { extendLifetime(objects) }
      let packs = isDryRun ? nil : try opened.holdPacks()
      defer { extendLifetime(packs) }
      var run = RepackRun(
        opened, .geometric(PackGeometry.usualFactor), isDryRun: isDryRun, context.effects)
      try run.run({ try output.write($0, &context) }, context.effects)
    }
    try leftovers.removeDirectories(&output, &context)
    return output.isClean ? .ok : .no
  }

  /// The instant before which something is old, in milliseconds since 1970.
  private static func limit(_ age: String, now: Int64) throws -> Int64 {
    guard let moment = Moment("now-\(age)", .start, now: now) else {
      throw CommandError.fatal(
        "not a valid age '\(age)'",
        hints: ["an age is a number and one of s, m, h, d, w and y, as in 2w or 12h"])
    }
    return moment.milliseconds
  }
}

/// The removal of what interrupted commands left.
struct GcLeftovers {
  private let opened: Repository
  private let isDryRun: Bool

  init(_ opened: Repository, isDryRun: Bool) {
    self.opened = opened
    self.isDryRun = isDryRun
  }

  /// Removes unfinished files and indexes without packs; the caller has objects and packs alone.
  ///
  /// - Parameters:
  ///   - limit: the instant before which unfinished files must have been written to last, in
  ///     milliseconds since 1970.
  ///   - output: receives a row for each file.
  ///   - context: tells of signals.
  /// - Throws: `fatal` when something cannot be read or removed; `signal`.
  func removeFiles(
    before limit: Int64, _ output: inout TidyOutput, _ context: inout Context
  ) throws {
    let leftovers = Leftovers(in: opened.store.directory, opened.objects.primary)
    let (nanoseconds, isOver) = limit.multipliedReportingOverflow(by: 1_000_000)
    let unfinished = try Self.wrapping { () throws(SystemError) in
      try leftovers.unfinished(before: isOver ? .min : nanoseconds)
    }
    for path in unfinished {
      guard try remove(path, leftovers, &context) else { continue }
      try output.write(.unfinished(path: path), &context)
    }
    let indexes = try Self.wrapping { () throws(SystemError) in try leftovers.strayIndexes() }
    for path in indexes {
      guard try remove(path, leftovers, &context) else { continue }
      try output.write(.index(path: path), &context)
    }
  }

  private func remove(
    _ path: String, _ leftovers: borrowing Leftovers, _ context: inout Context
  ) throws -> Bool {
    try context.checkInterrupt()
    guard !isDryRun else { return true }
    return try Self.wrapping { () throws(SystemError) in try leftovers.remove(file: path) }
  }

  /// Removes directories of objects in which nothing is, unless somebody writes just now: then the next
  /// time will do.
  func removeDirectories(
    _ output: inout TidyOutput, _ context: inout Context
  ) throws {
    var options = try opened.refsOptions()
    options.lockTimeoutMilliseconds = 0
    var hold: LockFile?
    do throws(RefsError) {
      hold = try opened.store.refs.holdObjects(isDryRun ? .shared : .alone, options)
    } catch {
      guard case .locked = error else { throw CommandError.fatal(error) }
      return
    }
    defer { extendLifetime(hold) }
    let leftovers = Leftovers(in: opened.store.directory, opened.objects.primary)
    let paths = try Self.wrapping { () throws(SystemError) in try leftovers.emptyShards() }
    var count = 0
    for path in paths {
      try context.checkInterrupt()
      let isGone = try Self.wrapping { () throws(SystemError) in
        try isDryRun ? true : leftovers.remove(directory: path)
      }
      if isGone { count += 1 }
    }
    if count > 0 { try output.write(.empty(directories: count), &context) }
  }

  private static func wrapping<Value>(
    _ calls: () throws(SystemError) -> Value
  ) throws -> Value {
    return try calls()
  }
}
