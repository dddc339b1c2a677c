// What keeps a remote from being recognised.

package import RedoObject

/// Why a remote is not recognised.
package enum RemoteIdentityFault: Fault {
  /// It states a malformed checkpoint.
  case malformedCheckpoint(remote: String, NoteError)
  /// It states a checkpoint of another store.
  case foreignCheckpoint(remote: String, StoreID)
  /// The remembered checkpoint is damaged.
  case damagedCheckpoint(remote: String, NoteError)
  /// The remembered ID is damaged.
  case damagedID(path: String)
  /// It is not the same as before.
  case changed(remote: String, Change)

  /// How a remote differs from what is remembered about it.
  package enum Change: Sendable {
    /// It is another store than the one seen first; its ID, if it states one.
    case otherStore(StoreID?, known: StoreID)
    /// It no longer states a checkpoint.
    case noCheckpoint
    /// Its checkpoint counts fewer changes than an earlier one.
    case shrunk(count: Int, before: Int)
    /// Its history differs from the checkpoint of this time.
    case otherHistory(WallTime)
    /// It does not show that its checkpoint continues the one of this time.
    case unproven(WallTime)
    /// Its refs differ from the checkpoint of this time.
    case otherRefs(WallTime)
  }

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .malformedCheckpoint: .malformed
    case .foreignCheckpoint: .invalid
    case .damagedCheckpoint, .damagedID: .corrupt
    case .changed: .identity
    }
  }

  /// The remote, or the file that remembers it.
  package var subject: String? {
    switch self {
    case .malformedCheckpoint(let remote, _), .foreignCheckpoint(let remote, _),
      .damagedCheckpoint(let remote, _), .changed(let remote, _):
      remote
    case .damagedID(let path): path
    }
  }
}
