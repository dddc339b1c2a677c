// What happens on the way to archives, and to the nodes that they hold.

package import RedoObject
package import RedoStore

/// Something that happened to an archive, or to nodes that are archived.
package enum ArchiveEvent: Sendable {
  /// A node is not archived because of an ancestor.
  case nodeStays(Staying)
  /// This many more nodes, or receipts, are not archived; they are not listed one by one.
  case moreStay(ObjectKind, Int)
  /// The intact part of a damaged list of archives was used: what is wrong with the list, the name under which its
  /// bytes are kept, and how many archives are left.
  case listSalvaged(ArchiveRegister.Failure, keptAs: String?, archives: Int)
  /// A pack was not rewritten without archived nodes, because it is damaged.
  case packStays(path: String, PackError)
  /// This many nodes stay in the store, because its copies differ from those of the archive.
  case copiesStay(Int)
  /// An interrupted removal cannot be finished, because the archive cannot be read.
  case removalFailed(path: String, any Error)
  /// An interrupted removal cannot be finished, because the file is a different one.
  case removalReplaced(path: String)
  /// An interrupted removal was finished.
  case removalFinished(path: String)
  /// Nodes were taken out of the store.
  case removed(FreedNodes)
  /// Archives that make a history lack ancestors: how many nodes are left out, how many ancestors are missing, and the first.
  case incomplete(leftOut: Int, missing: Int, first: ObjectID)
  /// Nodes would be taken out of the store.
  case wouldRemove(FreedNodes)

  /// A node whose time does not fit that of an ancestor.
  package struct Staying: Sendable {
    /// Whether it is a node, or a receipt.
    package let kind: ObjectKind
    /// The node.
    package let id: ObjectID
    /// Its time; `nil` when unknown.
    package let time: WallTime?
    /// The ancestor.
    package let ancestor: ObjectID
    /// The time of the ancestor; `nil` when unknown.
    package let ancestorTime: WallTime?
  }
}

/// How much taking nodes out of a store frees.
package struct FreedNodes: Sendable {
  /// Their kind.
  package let kind: ObjectKind
  /// The number of nodes.
  package let count: Int
  /// The approximate number of bytes of files.
  package let bytes: Int
}
