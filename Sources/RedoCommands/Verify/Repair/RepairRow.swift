// What a repair has done, would do, or could not do: a row each.

internal import RedoObject

/// A row of a repair.
struct RepairRow {
  /// What became of it.
  enum Result: String {
    case repaired
    case wouldRepair = "would-repair"
    case unrepaired
  }

  let result: Result
  let id: ObjectID?
  /// The file that it is about, below `.redo`.
  let path: String
  /// What was wrong, and what is done about it.
  let reason: String
  /// Where what stood there is kept, below `.redo`.
  var kept: String?
}
