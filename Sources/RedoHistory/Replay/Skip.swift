// What has no effect, and why: counted and explained (protocol, section 3).

package import RedoObject

/// Why a node, or a todo of it, has no effect.
package enum SkipReason: String, CaseIterable, Sendable {
  /// The action is not known.
  case actionUnknown = "action-unknown"
  /// The node descends from a DELETE of its task.
  case afterDelete = "after-delete"
  /// The node should not have been accepted, or descends from one of its task that should not.
  case brokenBranch = "broken-branch"
  /// The task has been made by an earlier CREATE.
  case createDuplicate = "create-duplicate"
  /// A todo without deadline is to be moved by days.
  case deadlineMissing = "deadline-missing"
  /// A deadline is to be moved beyond the year 9999.
  case deadlineRange = "deadline-range"
  /// All branches that the node is in end with a DELETE.
  case notLiving = "not-living"
  /// A known action without a task.
  case taskIDMissing = "task-id-missing"
  /// The task's CREATE has not come.
  case taskMissing = "task-missing"
  /// There is a todo of this id.
  case todoDuplicate = "todo-duplicate"
  /// There is no todo with this id.
  case todoMissing = "todo-missing"

  /// Whether this is the usual consequence of deleting, and not a problem.
  package var isUsual: Bool { self == .afterDelete || self == .notLiving }

  /// The name that the protocol's documents give to it.
  package var code: String? {
    switch self {
    case .taskIDMissing: "RECONSTRUCT_001"
    case .actionUnknown: "RECONSTRUCT_002"
    case .brokenBranch: "RECONSTRUCT_003"
    default: nil
    }
  }
}

/// Something without effect.
package struct Skip: Sendable {
  /// The node.
  package let position: Int
  /// Why.
  package let reason: SkipReason
  /// The todo that it would have been about, for reasons about todos.
  package let todo: TaskID?

  init(_ position: Int, _ reason: SkipReason, todo: TaskID? = nil) {
    self.position = position
    self.reason = reason
    self.todo = todo
  }
}
