// What keeps two points of a history from being compared.

package import RedoObject

/// The errors of a comparison.
package enum DiffFault: Fault {
  /// A text is not a logical time.
  case noLogicalTime(String)
  /// A snapshot is damaged, or was made by another release.
  case unusableSnapshot(ObjectID)
  /// No node precedes a point.
  case nothingPrecedes(String)
  /// No node at either point is about a task.
  case unusedTask(TaskID)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .noLogicalTime: .malformed
    case .unusableSnapshot: .corrupt
    case .nothingPrecedes, .unusedTask: .missing
    }
  }

  /// The point, the snapshot or the task that it is about.
  package var subject: String? {
    switch self {
    case .noLogicalTime(let text), .nothingPrecedes(let text): text
    case .unusableSnapshot(let name): name.hex
    case .unusedTask(let task): task.text
    }
  }
}
