// What is to be told of a wipe besides what goes.

package import RedoObject
package import RedoStore

/// Something that a wipe leaves, or takes along.
package enum WipeRemark: Sendable {
  /// Alternates have so many of the objects, and keep them.
  case alternates(Int)
  /// A registered archive belongs to the store no longer.
  case archive(path: String)
  /// The times at which remotes first had nodes are lost from where their file was damaged.
  case createdLost(RefsError)
  /// A file of the store stays, because nobody can tell whose changes it has.
  case copy(name: String)
  /// So many checkpoints count what is wiped.
  case checkpoints(Int)
}

/// Something that a wipe should take away, and cannot.
package enum WipeFailure: Sendable {
  /// A pack whose nodes are not known, and why not.
  case unknownPack(path: String, reason: String)
  /// An object whose author is not known, and why not.
  case unknownObject(ObjectID, reason: String)
  /// So many of the objects in a registered archive, which is only read.
  case archived(Int, path: String)
  /// A damaged pack.
  case damagedPack(PackError, path: String)
}
