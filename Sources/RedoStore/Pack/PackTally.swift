// What follows from a pack's nodes: the writer states it, and verifying the pack must give the same.

internal import RedoCrypto
package import RedoObject

/// A node of a pack, and what its directory says about it.
package struct PackNode: Sendable {
  /// The node as a store keeps it.
  package let object: StoredObject
  /// Its parents.
  package let parents: [ObjectID]
  /// Its logical time.
  package let lamport: Lamport
  /// Its wall time.
  package let wall: WallTime

  /// A node of all its parts.
  package init(
    _ object: StoredObject, parents: [ObjectID], lamport: Lamport, wall: WallTime
  ) {
    self.object = object
    self.parents = parents
    self.lamport = lamport
    self.wall = wall
  }

  /// A node that keeps the rules.
  package init(_ object: StoredObject, _ node: Node) {
    self.object = object
    parents = node.parents
    lamport = node.lamport
    wall = node.wall
  }

  /// A node that should not have been accepted, but has a place in its history.
  package init(_ object: StoredObject, _ node: BrokenNode) {
    self.object = object
    parents = node.parents
    lamport = node.lamport
    wall = node.wall
  }
}

/// Counts the nodes of a pack; in an archive parents come before children.
///
/// It takes about 60 bytes a node.
package struct PackTally: Sendable {
  private var hash = SHA256()
  private var lamports: [ObjectID: UInt64] = [:]
  private var outside: Set<ObjectID> = []
  private var directory = PackDirectory(name: Digest(bytes: InlineArray(repeating: 0)))
  private var offset = PackFormat.headerBytes

  /// A tally of nothing.
  package init() {}

  /// Makes room for nodes.
  ///
  /// - Parameter count: how many are to come.
  mutating func reserve(_ count: Int) { lamports.reserveCapacity(count) }

  /// What is wrong with a node at its place.
  package enum Fault: String, Equatable, Sendable {
    /// The node came before.
    case twice = "a node stands in it twice"
    /// A child came before.
    case late = "a node stands behind one of its children"
  }

  /// Notes the nodes of a frame.
  ///
  /// - Parameters:
  ///   - nodes: what is in it, at least one.
  ///   - fileBytes: its bytes in the file.
  /// - Returns: what is wrong with the place of a node, if anything is.
  package mutating func add(_ nodes: [PackNode], fileBytes: Int) -> Fault? {
    var fault: Fault?
    for node in nodes {
      let id = node.object.id
      hash.update(id.digest.bytes.span)
      if outside.contains(id) { fault = fault ?? .late }
      if lamports.updateValue(node.lamport.value, forKey: id) != nil { fault = .twice }
      for parent in node.parents where lamports[parent] == nil { outside.insert(parent) }
    }
    let ranges = (nodes.map(\.lamport.value), nodes.map(\.wall.milliseconds))
    let frame = PackDirectory.Frame(
      offset: offset, fileBytes: fileBytes, nodes: nodes.count,
      canonicalBytes: nodes.reduce(0) { $0 + $1.object.canonical.count },
      lamports: (ranges.0.min() ?? 1)...(ranges.0.max() ?? 1),
      walls: (ranges.1.min() ?? 0)...(ranges.1.max() ?? 0))
    offset += fileBytes
    directory.frames.append(frame)
    directory.nodes += frame.nodes
    directory.canonicalBytes += frame.canonicalBytes
    return fault
  }

  /// The greatest lamport of a node's parents in the pack; `nil` when none of them is in it.
  package func greatestLamport(ofParentsOf node: PackNode) -> UInt64? {
    node.parents.compactMap { lamports[$0] }.max()
  }

  /// Whether a node has been noted.
  package func contains(_ id: ObjectID) -> Bool { lamports[id] != nil }

  /// Where the next frame begins.
  package var nextOffset: Int { offset }

  /// The directory of a pack of these nodes.
  package consuming func finish() -> PackDirectory {
    directory.name = hash.finalize()
    // Where children come before their parents, some of these have come since.
    directory.prerequisites = outside.filter { lamports[$0] == nil }.sorted()
    return directory
  }
}
