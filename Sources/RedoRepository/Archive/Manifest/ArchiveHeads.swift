// The heads of a set of nodes: those that no other node of it names as a parent.

internal import RedoHistory
package import RedoObject

/// Collects heads from nodes that are added parents before children.
package struct HeadTally {
  private var heads: Set<ObjectID> = []

  /// Creates an empty tally.
  package init() {}

  /// Notes a node.
  package mutating func add(_ id: ObjectID, parents: [ObjectID]) {
    for parent in parents { heads.remove(parent) }
    heads.insert(id)
  }

  /// The heads in ascending order.
  package var sorted: [ObjectID] { heads.sorted() }
}

extension ArchiveSet {
  /// The heads of the set, in ascending order.
  package var heads: [ObjectID] {
    var isParent = [Bool](repeating: false, count: graph.count)
    for position in 0..<graph.count where members[position] {
      graph.forEachParent(at: position) { if $0 >= 0 { isParent[$0] = true } }
    }
    return (0..<graph.count).filter { members[$0] && !isParent[$0] }
      .map { graph.id(at: $0) }.sorted()
  }
}
