// What keeps diverged tasks from being merged.

package import RedoObject

/// The errors of a merge.
package enum MergeFault: Fault {
  /// There is no task of this id.
  case noTask(TaskID)
  /// The node chosen as ours is not a living head of a task.
  case noHead(ObjectID, of: TaskID, heads: [ObjectID])
  /// A task has several other heads, and it is unclear which one is theirs.
  case severalTheirs(TaskID, headCount: Int)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .noTask, .noHead: .missing
    case .severalTheirs: .refused
    }
  }

  /// The task or the node.
  package var subject: String? {
    switch self {
    case .noTask(let task), .severalTheirs(let task, _): task.text
    case .noHead(let id, _, _): id.text
    }
  }
}
