// The steps of tidying a store.

package import RedoCrypto
package import RedoObject

/// One step of tidying.
package enum TidyStep {
  /// An unfinished file is removed.
  case unfinished(path: String)
  /// An index without a pack is removed.
  case index(path: String)
  /// A pack gets an index.
  case indexed(Digest, nodes: Int)
  /// An unknown node is moved to an archive.
  case expired(ObjectID)
  /// A blob that nothing names is removed, with so many bytes.
  case blob(ObjectID, bytes: Int)
  /// So many of them are removed, with so many bytes.
  case blobs(count: Int, bytes: Int)
  /// This many empty directories are removed.
  case empty(directories: Int)
  /// A pack is created; its size is unknown before.
  case packed(Digest, nodes: Int, bytes: Int?)
  /// A pack becomes part of it.
  case united(Digest, nodes: Int)
  /// This many loose nodes are removed, because they are in packs.
  case loose(nodes: Int)
  /// This many bytes of rows that hold no more leave the local ones.
  case local(bytes: Int)
  /// Something is left as it is, because it is damaged.
  case damaged(TidyDamage)
}
