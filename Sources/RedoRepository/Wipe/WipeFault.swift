// What keeps a wipe from beginning, or from coming to its end.

package import RedoObject
package import RedoStore

/// The errors of a wipe.
package enum WipeFault: Fault {
  /// The history is not whole: a node that must be followed is not there, or is not one.
  case brokenHistory(ObjectID, Hole)
  /// A ref of notes names something that this release cannot read as notes.
  case unreadableNotes(ref: String)
  /// The changes have left the history, but something is left to remove.
  case unfinished(RefsError)

  /// What stands where a node should.
  package enum Hole: Sendable {
    /// Nothing.
    case missing
    /// A blob.
    case blob
    /// Bytes that are not those of their ID.
    case damaged
  }

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .brokenHistory(_, .missing): .missing
    case .brokenHistory(_, .blob): .invalid
    case .brokenHistory(_, .damaged): .corrupt
    case .unreadableNotes: .unsupported
    case .unfinished: .unavailable
    }
  }

  /// The node or the ref that it is about.
  package var subject: String? {
    switch self {
    case .brokenHistory(let id, _): id.text
    case .unreadableNotes(let ref): ref
    case .unfinished: nil
    }
  }
}
