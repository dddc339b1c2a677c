// What keeps a history from being recovered.

package import RedoObject
package import RedoStore

/// The errors of a recovery.
package enum RecoverFault: Fault {
  /// A node that would be recovered breaks a rule, so its clocks and parents mean nothing.
  case brokenNode(ObjectID, Finding)
  /// A node that would be recovered cannot be decoded.
  case invalidNode(ObjectID)
  /// The signature of a node that would be recovered is bad.
  case badSignature(ObjectID, Finding)
  /// Objects of the kind have no place at a logical time, and do not come back by new changes.
  case unplaced(ObjectKind)
  /// None of the kind counts at the point.
  case nothingOfKind(ObjectKind, String)
  /// No change is about a task.
  case noChange(of: TaskID)
  /// A node that stays in the history follows one that would be taken out of it.
  case heldByTask(ObjectID)
  /// Heads have moved since the history was read.
  case movedMeanwhile
  /// The name is not valid for refs.
  case invalidName(String)
  /// Refs of that name exist.
  case refsExist(prefix: String)
  /// A directory is part of a store.
  case insideStore(path: String)
  /// A directory is not empty.
  case notEmpty(path: String)
  /// Another process has created a store in the directory in the meantime.
  case taken(path: String)
  /// The store is complete, but may not survive a power failure.
  case notSynced(path: String, SystemError)
  /// The directory cannot be used.
  case unusable(path: String, SystemError)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .brokenNode, .invalidNode, .invalidName, .unplaced: .invalid
    case .badSignature: .corrupt
    case .noChange, .nothingOfKind: .missing
    case .refsExist, .insideStore, .notEmpty, .taken, .heldByTask: .refused
    case .movedMeanwhile: .unavailable
    case .notSynced, .unusable: .system
    }
  }

  /// The node, the task, the name or the path.
  package var subject: String? {
    switch self {
    case .brokenNode(let id, _), .invalidNode(let id), .badSignature(let id, _),
      .heldByTask(let id):
      id.text
    case .movedMeanwhile, .unplaced: nil
    case .noChange(let task): task.text
    case .invalidName(let name): name
    case .nothingOfKind(_, let point): point
    case .refsExist(let prefix): prefix
    case .insideStore(let path), .notEmpty(let path), .taken(let path),
      .notSynced(let path, _), .unusable(let path, _):
      path
    }
  }
}
