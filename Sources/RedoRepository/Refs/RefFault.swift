// What keeps refs from being changed.

package import RedoObject
package import RedoStore

/// The errors of changing refs.
package enum RefFault: Fault {
  /// Only one id can stand under a name that several are to stand under.
  case singleValued(RefChange)
  /// A new value that must be something is nothing.
  case zeroNew(RefChange)
  /// An old value that must be something is nothing.
  case zeroOld(RefChange)
  /// A ref is to be changed twice at once.
  case twice(RefName)
  /// A value of a change stands for nothing, or for several.
  case value(of: RefChange, cause: any Error)
  /// What stands above a head is missing, or is no node.
  case unreadable(ObjectID)
  /// There is no such entry in the reflog; `nil` where there is none at all.
  case noEntry(Int?)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .singleValued, .zeroNew, .zeroOld, .twice: .invalid
    case .value(_, let cause): RedoError(cause).code
    case .unreadable, .noEntry: .missing
    }
  }

  /// The ref, the object or the number of the entry.
  package var subject: String? {
    switch self {
    case .singleValued(let change), .zeroNew(let change), .zeroOld(let change),
      .value(let change, _):
      change.name.text
    case .twice(let name): name.text
    case .unreadable(let id): id.text
    case .noEntry(let number): number.map { "\($0)" }
    }
  }
}

/// Why an object may not stand under a name.
package enum RefRefusal: Equatable, Sendable {
  /// The object is not in the store.
  case notInStore(ObjectID)
  /// The name is of heads, and ends in no task's id.
  case nameOfNoTask
  /// The object is not a node.
  case notANode(ObjectID)
  /// The node is about another task; `nil` for about none.
  case otherTask(ObjectID, TaskID?)
  /// The node, or one that it follows, cannot enter the history.
  case cannotEnter(ObjectID, Finding)
  /// The node is an ancestor of another head.
  case ancestor(ObjectID)
}
