// What to report about a wipe in addition to what it removes.

package import RedoObject
package import RedoStore

/// Something that a wipe leaves, or affects as well.
package enum WipeRemark: Sendable {
  /// Alternates have this many of the objects, and keep them.
  case alternates(Int)
  /// A registered archive no longer belongs to the store.
  case archive(path: String)
  /// The times at which remotes first had nodes are lost after the place where their file was damaged.
  case createdLost(RefsError)
  /// Access lists are lost after the place where their file was damaged.
  case accessLost(RefsError)
  /// This many rows that somebody noted name what is wiped, and go as well.
  case localRows(Int)
  /// What was noted is lost after the place where its file was damaged.
  case localLost(RefsError)
  /// A file of the store stays, because nobody can tell whose changes it contains.
  case copy(name: String)
  /// This many checkpoints count what is wiped.
  case checkpoints(Int)
}

/// Something that a wipe should remove but cannot.
package enum WipeFailure: Sendable {
  /// A pack whose nodes are unknown, and why.
  case unknownPack(path: String, reason: String)
  /// An object whose author is unknown, and why.
  case unknownObject(ObjectID, reason: String)
  /// This many of the objects are in a registered archive, which is only read.
  case archived(Int, path: String)
  /// A damaged pack.
  case damagedPack(PackError, path: String)
}
