// What a repair has done, would do, or could not do: a row each.

package import RedoObject

/// A row of a repair.
package struct RepairRow {
  /// What became of it.
  package enum Result: String {
    case repaired
    case wouldRepair = "would-repair"
    case unrepaired
  }

  package let result: Result
  package let id: ObjectID?
  /// The file that it is about, below `.redo`.
  package let path: String
  /// What was wrong, and what is done about it.
  package let reason: String
  /// Where what stood there is kept, below `.redo`.
  package var kept: String?
}
