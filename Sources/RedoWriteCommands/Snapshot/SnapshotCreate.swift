// redo snapshot create: saves the state of the present history, or of a closed part of it.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo snapshot create [--as-of=<point>] [--policy=closed|received] [-q]`.
enum SnapshotCreate: Command {
  static let name = "create"
  static let summary = "keep the state of the history, now or at a point in time; print its name"
  static var usage: [String] {
    ["redo-snapshot create [--as-of=<point> [--policy=<policy>]] [-q]"]
  }
  private static let pointOptions = HistoryPoint.Options(
    point: .asOf, policy: .closedPolicy, allowEmpty: nil, empty: nil)
  static var options: [OptionSpec] { [.asOf, .closedPolicy, .quiet] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage(
        "a snapshot is of the whole history: '\(options.arguments[0])' is too much")
    }
    let point = try HistoryPoint(options, pointOptions, now: context.clock())
    guard point.isClosed else {
      throw CommandError.usage(
        "a snapshot is of nodes with all their ancestors, which 'wall' does not take")
    }
    let opened = try context.effects.openRepository()
    guard opened.usesCache else {
      throw CommandError.fatal(
        "nothing is kept in the cache of '\(opened.store.path)', which is not known as your store",
        hints: [OpenEvent.acceptingHint(opened.store.path, isOther: false)])
    }
    context.holdSignals()
    // Nothing that a wipe removes in the meantime may be saved here.
    let hold = try opened.holdObjects()
    defer { extendLifetime(hold) }
    let shelf = try SnapshotShelf(opened)
    let request = StateSource.Request()
    if let (log, source) = try StateSource.indexed(request, in: opened, context.effects) {
      return try create(log, source, point, shelf, opened, options, &context)
    }
    let (log, source) = try StateSource.load(
      request, needsReceived: point.isInstant, context.effects)
    return try create(log, source, point, shelf, opened, options, &context)
  }

  private static func create<Log: HistoryLog & Sendable>(
    _ log: Log, _ source: StateSource, _ point: HistoryPoint, _ shelf: SnapshotShelf,
    _ opened: Repository, _ options: ParsedOptions, _ context: inout Context
  ) throws -> Exit {
    guard source.brokenCount == 0 else {
      throw CommandError.fatal("a history with a node that breaks a rule is replayed each time")
    }
    let members = try point.members(of: log, opened)
    let cut = members.map { Cut(of: log, members: $0) } ?? Cut(whole: log)
    if !options.has(.quiet), let members {
      point.say(members, log, hasReceived: true, context.effects)
    }
    let name = SnapshotShelf.digest(StateSnapshot.nameText(cut.heads(in: log)))
    if !(shelf.snapshot(name).map(SnapshotShelf.isSound) ?? false) {
      let basis = shelf.basis(in: log, cut)
      let regions = context.trace
      let bytes = try regions.measure("replay") {
        try SnapshotMaker.bytes(log, cut, basis, context.effects)
      }
      try shelf.write(bytes, name)
    }
    if members == nil { shelf.noteCurrent(name) }
    try context.output.writeLine(name.hex)
    return .ok
  }
}
