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
  private let writer: RowWriter<RepairRow>

  private static let repairFrom = OptionSpec(
    "repair-from", .required("source"),
    help: "replace damaged and missing objects by those of a store or an export")
  private static let repairRefs = OptionSpec(
    "repair-refs", help: "repair refs, their history and the received log")
  static var options: [OptionSpec] { [repairFrom, repairRefs, .dryRun] }

  /// The mode that the options ask for.
  ///
  /// - Returns: `nil` when they do not ask for a repair.
  /// - Throws: `usage` when the options make no sense together.
  init?(_ options: ParsedOptions) throws {
    source = options.value(Self.repairFrom)
    repairsRefs = options.has(Self.repairRefs)
    isDryRun = options.has(.dryRun)
    writer = RowWriter(RepairRow.columns, options)
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
      let source = try RepairSource(source, for: opened, context.effects)
      var objects = RepairObjects(
        opened, from: source, isDryRun: isDryRun, isThorough: repairsRefs,
        trust: try context.effects.trustList(opened), now: context.clock())
      try objects.run(context.effects) { try write($0, &context) }
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
}
