// The ids of what the other side lacks, for one that wants to know them and not to have the nodes: they come where
// nodes are named that cannot be sent (redo-wire(5), `names-only`).

package import RedoObject

/// Names nodes instead of packing them.
///
/// A class, as `PackMaker` requires.
package final class NamedNodes: PackMaker {
  private let id: (Int) -> ObjectID
  package private(set) var unsent: [RefusedNode] = []

  /// Names nodes.
  ///
  /// - Parameter id: the id of the node at a position of the source.
  package init(_ id: @escaping (Int) -> ObjectID) { self.id = id }

  /// Whether a client asks for names alone.
  ///
  /// - Parameter words: the words of its greeting.
  /// - Returns: whether it does, and can be given them.
  package static func areAsked(_ words: Set<String>) -> Bool {
    words.isSuperset(of: [WireCapabilities.namesWord, WireCapabilities.unsentWord])
  }

  package func makePacks(
    of positions: [Range<Int>], _ send: (PackPiece) throws(RemoteError) -> Void
  ) throws(RemoteError) {
    for position in positions.joined() {
      if let row = RefusedNode(id: id(position), rule: RefusedNode.named, detail: "") {
        unsent.append(row)
      }
    }
  }
}
