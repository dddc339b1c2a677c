// What keeps a history, or a point in it, from being read.

package import RedoObject

/// What is wrong with an object that a history names.
package enum HistoryFault: Fault {
  /// It is not in the store.
  case missing(ObjectID)
  /// It is of another kind.
  case kind(ObjectID, ObjectKind)
  /// It says that it is a node, and is no valid one.
  case invalidNode(ObjectID)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .missing: .missing
    case .kind, .invalidNode: .invalid
    }
  }

  /// The object.
  package var subject: String? {
    switch self {
    case .missing(let id), .kind(let id, _), .invalidNode(let id): id.text
    }
  }
}

/// What is wrong with a point in time.
package enum PointFault: Fault {
  /// The text is no point.
  case malformed(String)
  /// The text names a logical time that there is not.
  case lamport(String)
  /// Without a store a node is named by its whole id.
  case abbreviated(String)
  /// The node is not in the history.
  case outside(String)
  /// No node precedes the point; what it could be taken for, where that may be asked for.
  case empty(String, HistoryPoint.Empty?)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .malformed, .lamport, .abbreviated: .malformed
    case .outside, .empty: .missing
    }
  }

  /// The point or the node, as it was written.
  package var subject: String? {
    switch self {
    case .malformed(let text), .lamport(let text), .abbreviated(let text), .outside(let text),
      .empty(let text, _):
      text
    }
  }
}
