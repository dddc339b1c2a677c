// What is done to tidy a store up, step by step.

package import RedoCrypto
package import RedoObject

/// One thing that is done.
package enum TidyStep {
  /// An unfinished file goes.
  case unfinished(path: String)
  /// An index without a pack goes.
  case index(path: String)
  /// A pack gets an index.
  case indexed(Digest, nodes: Int)
  /// A node that nothing knows of is moved to an archive.
  case expired(ObjectID)
  /// So many directories go in which nothing is.
  case empty(directories: Int)
  /// A pack is made; its bytes are not known before.
  case packed(Digest, nodes: Int, bytes: Int?)
  /// A pack becomes part of it.
  case united(Digest, nodes: Int)
  /// So many loose nodes go, because packs have them.
  case loose(nodes: Int)
  /// Something is left as it is, because it is damaged; the text says what and why.
  case damaged(String)
  /// A node is missing that another one names.
  case missing(ObjectID)
  /// An object cannot be read.
  case unreadable(any Error)
  /// No node is moved, because something is damaged or missing.
  case nothingExpired
}
