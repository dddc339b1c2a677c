// What happens on the way to archives, and to the nodes that they hold.

package import RedoObject
package import RedoStore

/// Something that happened to an archive, or to nodes that are archived.
package enum ArchiveEvent: Sendable {
  /// A node is not archived, because of an ancestor.
  case nodeStays(Staying)
  /// So many more nodes are not archived, and are not named.
  case moreStay(Int)
  /// What is good of a damaged list of archives was taken: what is wrong with it, the name under which its bytes
  /// are kept, and how many archives are left.
  case listSalvaged(ArchiveRegister.Failure, keptAs: String?, archives: Int)
  /// A pack was not written anew without archived nodes, because it is damaged.
  case packStays(path: String, PackError)
  /// So many nodes stay in the store, because its copies are not those of the archive.
  case copiesStay(Int)
  /// A removal that was interrupted cannot be finished, because the archive cannot be read.
  case removalFailed(path: String, any Error)
  /// A removal that was interrupted cannot be finished, because the file is another one.
  case removalReplaced(path: String)
  /// A removal that was interrupted is finished.
  case removalFinished(path: String)
  /// Nodes were taken out of the store.
  case removed(FreedNodes)
  /// Nodes would be taken out of the store.
  case wouldRemove(FreedNodes)

  /// A node whose time is out of line with that of an ancestor.
  package struct Staying: Sendable {
    /// The node.
    package let id: ObjectID
    /// Its time; `nil` when that is not known.
    package let time: WallTime?
    /// The ancestor.
    package let ancestor: ObjectID
    /// The time of the ancestor; `nil` when that is not known.
    package let ancestorTime: WallTime?
  }
}

/// How much is freed where nodes are taken out of a store.
package struct FreedNodes: Sendable {
  /// How many nodes.
  package let count: Int
  /// About how many bytes of files.
  package let bytes: Int
}
