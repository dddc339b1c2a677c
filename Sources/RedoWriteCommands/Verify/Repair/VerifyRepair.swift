// The modes of redo verify that repair: objects from another copy, and refs from their own history.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// The mode of `redo verify` that repairs a store.
struct VerifyRepair {
  /// The source of good copies; `nil` when objects are not repaired.
  let source: String?
  /// Whether refs, their history and the received log are repaired.
  let repairsRefs: Bool
  let isDryRun: Bool
  /// How a remote is asked.
  private var asking = RepairRemote.Options()
  private let isJSON: Bool
  private let writer: RowWriter<RepairRow>

  private static let repairFrom = OptionSpec(
    "repair-from", .required("source"),
    help: "replace damaged and missing objects by those of a store, a remote or an export")
  private static let repairRefs = OptionSpec(
    "repair-refs", help: "repair refs, their history and the received log")
  static var options: [OptionSpec] {
    [repairFrom, SyncOptions.allowUnsigned, SyncOptions.retry, repairRefs, .dryRun]
  }

  /// The mode that the options ask for.
  ///
  /// - Returns: `nil` when they do not ask for a repair.
  /// - Throws: `usage` when the options make no sense together.
  init?(_ options: ParsedOptions) throws {
    source = options.value(Self.repairFrom)
    repairsRefs = options.has(Self.repairRefs)
    isDryRun = options.has(.dryRun)
    writer = RowWriter(RepairRow.columns, options)
    isJSON = options.has(.json)
    asking.allowsUnsigned = options.has(SyncOptions.allowUnsigned)
    asking.repeats = options.flag(SyncOptions.retry) ?? true
    for option in [SyncOptions.allowUnsigned, SyncOptions.retry]
    where source == nil && options.flag(option) != nil {
      throw CommandError.usage("'\(option.spelling)' is about '--repair-from'")
    }
    if source != nil || repairsRefs { return }
    guard !isDryRun else {
      throw CommandError.usage("'--dry-run' is about '--repair-from' and '--repair-refs'")
    }
    return nil
  }

  func run(_ context: inout Context) throws -> Exit {
    let opened = try context.effects.openRepository()
    var hold: LockFile?
    if !isDryRun {
      context.holdSignals()
      // Restored objects must not be wiped before the end.
      hold = try opened.holdObjects()
    }
    defer { extendLifetime(hold) }
    var tally: [RepairRow.Result: Int] = [:]
    var hasKept = false
    func write(_ row: RepairRow, _ context: inout Context) throws {
      tally[row.result, default: 0] += 1
      if row.kept != nil { hasKept = true }
      try writer.write(row, &context)
      try context.output.flush()
    }
    if let source {
      let source = try RepairSource(source, for: opened, asking, context.effects)
      if let remote = source.remote { SyncOptions.warnOfUnknown(remote.remote, context) }
      var objects = RepairObjects(
        opened, from: source, isDryRun: isDryRun, isThorough: repairsRefs,
        trust: try context.effects.trustList(opened), now: context.clock())
      try objects.run(context.effects) { try write($0, &context) }
      if let remote = source.remote, remote.tally.asked > 0 { try say(remote, &context) }
    }
    if repairsRefs {
      let refs = RepairRefs(opened, isDryRun: isDryRun, leavesMissing: source != nil)
      for row in try refs.run(context.effects) { try write(row, &context) }
    }
    if hasKept {
      context.note("what stood there is kept in '\(opened.store.path)/\(Layout.lostFound)'")
    }
    return tally[.unrepaired, default: 0] == 0 ? .ok : .no
  }

  /// Says what a remote was asked for.
  private func say(_ remote: RepairRemote, _ context: inout Context) throws {
    let (name, tally) = (remote.remote.title, remote.tally)
    guard isJSON else {
      let reads = tally.reads.map { "; \($0) document\($0 == 1 ? "" : "s") read" } ?? ""
      context.note(
        "'\(name)' was asked for \(SyncReport.changes(tally.asked)) and has sent \(tally.came): "
          + "\(tally.roundTrips) round trip\(tally.roundTrips == 1 ? "" : "s"), \(tally.bytesSent) bytes sent, "
          + "\(tally.bytesReceived) received\(reads)")
      return
    }
    var row = JSONRow()
    row.add("asked", tally.asked)
    row.add("bytesReceived", tally.bytesReceived)
    row.add("bytesSent", tally.bytesSent)
    row.add("came", tally.came)
    if let reads = tally.reads { row.add("reads", reads) }
    row.add("remote", name)
    row.add("roundTrips", tally.roundTrips)
    try context.output.append { output throws in
      row.append(to: &output)
      output.append(writer.end)
    }
  }
}
