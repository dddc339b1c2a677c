// What keeps a history, or a point in it, from being read.

package import RedoObject

/// What is wrong with an object that a history names, or with what is kept of them.
package enum HistoryFault: Fault {
  /// It is not in the store.
  case missing(ObjectID)
  /// It has another kind.
  case kind(ObjectID, ObjectKind, wanted: ObjectKind = .node)
  /// It claims to be of a kind, but breaks a rule of it: the first one.
  case invalid(ObjectID, ObjectKind, Finding?)
  /// The index of the history, which has the hashes that it states, says what no nodes say.
  case falseIndex

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .missing: .missing
    case .kind, .invalid: .invalid
    case .falseIndex: .corrupt
    }
  }

  /// The object.
  package var subject: String? {
    switch self {
    case .missing(let id), .kind(let id, _, _), .invalid(let id, _, _): id.text
    case .falseIndex: nil
    }
  }

  /// What is wrong with an object that is not a valid one of its kind.
  package static func invalid(_ object: StoredObject) -> HistoryFault {
    var decoder = PlaceDecoder()
    _ = decoder.place(of: object)
    let finding = decoder.findings(of: object.kind).first {
      Profile.v1.severity(of: $0) == .error
    }
    return .invalid(object.id, object.kind, finding)
  }
}

/// What is wrong with a point in time.
package enum PointFault: Fault {
  /// The text is not a point.
  case malformed(String)
  /// The text names a logical time that does not exist.
  case lamport(String)
  /// Without a store a node must be named by its whole ID.
  case abbreviated(String)
  /// The node is not in the history.
  case outside(String)
  /// No node precedes the point; what it could be taken for, if that can be requested.
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
