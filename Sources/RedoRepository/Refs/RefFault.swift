// What keeps refs from being changed.

package import RedoObject
package import RedoStore

/// The errors of changing refs.
package enum RefFault: Fault {
  /// The change needs a name that can have several values, and this one has a single value.
  case singleValued(RefChange)
  /// A new value that must not be empty is empty.
  case zeroNew(RefChange)
  /// An old value that must not be empty is empty.
  case zeroOld(RefChange)
  /// A ref is to be changed twice in one transaction.
  case twice(RefName)
  /// A value of a change resolves to nothing, or to several objects.
  case value(of: RefChange, cause: any Error)
  /// An ancestor of a head is missing, or is not a node.
  case unreadable(ObjectID)
  /// There is no such entry in the reflog; `nil` when there are no entries at all.
  case noEntry(Int?)
  /// No entry of the reflog is as old as a date.
  case noEntryYet

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .singleValued, .zeroNew, .zeroOld, .twice: .invalid
    case .value(_, let cause): RedoError(cause).code
    case .unreadable, .noEntry, .noEntryYet: .missing
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
    case .noEntryYet: nil
    }
  }
}

/// Why an object may not be a value of a ref.
package enum RefRefusal: Equatable, Sendable {
  /// The object is not in the store.
  case notInStore(ObjectID)
  /// The name is one for heads, but does not end in the ID of a task.
  case nameOfNoTask
  /// The object is not a node.
  case notANode(ObjectID)
  /// The object is of another kind than the heads of the name.
  case otherKind(ObjectID, wanted: ObjectKind)
  /// The object is of another group than the heads of the name.
  case otherGroup(ObjectID, HistoryPlace.Group)
  /// The node is about another task; `nil` when it is about none.
  case otherTask(ObjectID, TaskID?)
  /// The node, or one that it follows, cannot enter the history.
  case cannotEnter(ObjectID, Finding)
  /// The node is an ancestor of another head.
  case ancestor(ObjectID)
}
