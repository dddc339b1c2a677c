// What keeps a backup from being made, read or restored.

/// The errors of work on backups.
package enum BackupFault: Fault {
  /// What is wrong with a file.
  package enum Damage: Equatable, Sendable {
    /// It is not a backup at all.
    case noBackup
    /// Its manifest is not one.
    case manifest
    /// It has another name than its manifest calls for.
    case renamed(String)
    /// It ends too early, or goes on after its end.
    case length
    /// The header of a file in it is another one than the manifest calls for.
    case header(String)
    /// A file in it has other bytes than the manifest says.
    case member(String)
    /// Its bytes cannot be decrypted.
    case encryption
    /// The hash at its end is not that of its bytes.
    case end
    /// What its files say together is not what the manifest says of the store.
    case content(Content)
  }

  /// What a manifest says of a store besides the bytes of files.
  package enum Content: Equatable, Sendable {
    /// How far the logs go.
    case logs
    /// The nodes of the history.
    case history
    /// The objects that the points have.
    case objects
    /// The number of nodes in the point.
    case nodes
    /// The refs that the log of refs leads to.
    case refs
    /// The files of the store.
    case files
    /// The name of the store.
    case store
    /// How many increments lead to it.
    case depth
  }

  /// A file cannot be used.
  case damaged(path: String, Damage)
  /// It was made by a later release.
  case unsupported(path: String, version: Int)
  /// A point needs a file that is not there.
  case gap(path: String, missing: String)
  /// A point needs another file than the one that is there.
  case replaced(path: String, other: String)
  /// The directory has the backup of another store.
  case otherStore(path: String, found: String)
  /// A point lacks this many objects, which could not be read when it was made.
  case incomplete(path: String, Int)
  /// No point from before this file is removed, because it cannot be read, or is not there, and may need them.
  case mayNeed(path: String)
  /// The points there are encrypted, and the new one would not be.
  case unsealed(path: String)
  /// This many receipts tell a precise place, and anybody could read them.
  case precise(Int)
  /// This many receipts are what others have shared, and anybody could read them.
  case received(Int)
  /// Nothing here opens what would be encrypted, so that it could not be read back.
  case blind(path: String)
  /// No point can be later than this file.
  case latest(path: String)
  /// There is no point at all.
  case empty(path: String)
  /// There is no point from so early, in milliseconds since 1970.
  case noneBefore(path: String, Int64)
  /// Another process is at work in the directory.
  case locked(path: String)
  /// The store changed in a way that no backup of it can be made now.
  case changing
  /// What was written is not what is read.
  case unwritten(path: String)
  /// The name of a file of the store is too long to be kept.
  case longName(String)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .damaged, .replaced: .corrupt
    case .unsupported: .unsupported
    case .gap, .incomplete, .empty, .noneBefore: .missing
    case .mayNeed, .latest, .otherStore, .longName, .unsealed, .blind, .precise, .received: .refused
    case .locked, .changing: .unavailable
    case .unwritten: .system
    }
  }

  /// The file.
  package var subject: String? {
    switch self {
    case .damaged(let path, _), .unsupported(let path, _), .gap(let path, _),
      .replaced(let path, _), .otherStore(let path, _), .empty(let path), .noneBefore(let path, _),
      .incomplete(let path, _), .mayNeed(let path), .latest(let path), .locked(let path),
      .unwritten(let path), .unsealed(let path), .blind(let path):
      path
    case .longName(let name): name
    case .changing, .precise, .received: nil
    }
  }
}
