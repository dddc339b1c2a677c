// The modes of redo verify that repair: objects from another copy, refs from their own history.

internal import RedoObject
internal import RedoStore

/// The mode of `redo verify` that repairs a store.
struct VerifyRepair {
  /// Where good copies are; `nil` when objects are not repaired.
  let source: String?
  /// Whether refs, their history and the received log are repaired.
  let repairsRefs: Bool
  let isDryRun: Bool
  let isJSON: Bool
  let end: UInt8

  func run(_ context: inout Context) throws(CommandError) -> Exit {
    let opened = try context.openRepository()
    var hold: LockFile?
    if !isDryRun {
      context.holdSignals()
      // What is put in place must not be wiped before the end.
      hold = try opened.holdObjects()
    }
    defer { extendLifetime(hold) }
    var tally: [RepairRow.Result: Int] = [:]
    var hasKept = false
    func write(_ row: RepairRow, _ context: inout Context) throws(CommandError) {
      tally[row.result, default: 0] += 1
      if row.kept != nil { hasKept = true }
      try context.output.append { output throws(CommandError) in
        row.append(isJSON: isJSON, end: end, to: &output)
      }
      try context.output.flush()
    }
    if let source {
      let source = try RepairSource(source, for: opened, context)
      var objects = RepairObjects(
        opened, from: source, isDryRun: isDryRun, isThorough: repairsRefs,
        now: context.clock())
      try objects.run(&context, write)
    }
    if repairsRefs {
      let refs = RepairRefs(opened, isDryRun: isDryRun, leavesMissing: source != nil)
      for row in try refs.run(&context) { try write(row, &context) }
    }
    if hasKept {
      context.note("what stood there is kept in '\(opened.repository.path)/\(Layout.lostFound)'")
    }
    return tally[.unrepaired, default: 0] == 0 ? .ok : .no
  }
}
