// What keeps a wipe from starting or finishing.

package import RedoObject
package import RedoStore

/// The errors of a wipe.
package enum WipeFault: Fault {
  /// The history is incomplete: a node that must be followed is missing, or is not a node.
  case brokenHistory(ObjectID, Hole)
  /// A ref of notes names something that this release cannot read as notes.
  case unreadableNotes(ref: String)
  /// The changes have left the history, but something is left to remove.
  case unfinished(RefsError)

  /// What was found in place of a node.
  package enum Hole: Sendable {
    /// Nothing.
    case missing
    /// A blob.
    case blob
    /// Bytes that do not match their ID.
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
