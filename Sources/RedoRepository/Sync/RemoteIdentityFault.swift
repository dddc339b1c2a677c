// What keeps a remote from being known as the one that it was.

package import RedoObject

/// Why a remote is not known again.
package enum RemoteIdentityFault: Fault {
  /// It states a checkpoint that is none.
  case malformedCheckpoint(remote: String, NoteError)
  /// It states a checkpoint of another store.
  case foreignCheckpoint(remote: String, StoreID)
  /// The checkpoint that is remembered of it is damaged.
  case damagedCheckpoint(remote: String, NoteError)
  /// The id that is remembered of it is damaged.
  case damagedID(path: String)
  /// It is not the one that it was.
  case changed(remote: String, Change)

  /// How a remote differs from what is remembered of it.
  package enum Change: Sendable {
    /// It is another store than the one that was met first; its id, if it states one.
    case otherStore(StoreID?, known: StoreID)
    /// It states no checkpoint any more.
    case noCheckpoint
    /// Its checkpoint counts fewer changes than one before.
    case shrunk(count: Int, before: Int)
    /// Its history is not that of the checkpoint of this time.
    case otherHistory(WallTime)
    /// It does not show that its checkpoint continues the one of this time.
    case unproven(WallTime)
    /// Its refs are not those of the checkpoint of this time.
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
