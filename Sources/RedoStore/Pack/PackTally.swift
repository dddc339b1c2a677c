// What follows from a pack's nodes: the writer states it, and verifying the pack must give the same.

internal import RedoCrypto
package import RedoObject

/// An object of a pack, and what its directory says about it.
package struct PackEntry: Sendable {
  /// The object as a store keeps it.
  package let object: StoredObject
  /// Its parents.
  package let parents: [ObjectID]
  /// Its logical time.
  package let lamport: Lamport
  /// Its wall time.
  package let wall: WallTime

  /// An object of all its parts.
  package init(
    _ object: StoredObject, parents: [ObjectID], lamport: Lamport, wall: WallTime
  ) {
    self.object = object
    self.parents = parents
    self.lamport = lamport
    self.wall = wall
  }

  /// An object at its place.
  package init(_ object: StoredObject, _ place: HistoryPlace) {
    self.init(object, parents: place.parents, lamport: place.lamport, wall: place.wall)
  }

  /// A node that keeps the rules.
  package init(_ object: StoredObject, _ node: Node) { self.init(object, HistoryPlace(node)) }

  /// An object as a store keeps it; `nil` for one that has no place in the history of its kind.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - decoder: the thread's.
  package init?(_ object: StoredObject, _ decoder: inout PlaceDecoder) {
    guard let place = decoder.place(of: object) else { return nil }
    self.init(object, place)
  }
}

/// Counts the nodes of a pack; in an archive parents come before children.
///
/// It takes about 60 bytes a node.
package struct PackTally: Sendable {
  private var hash = SHA256()
  private var lamports: [ObjectID: UInt64] = [:]
  private var outside: Set<ObjectID> = []
  private var directory: PackDirectory
  private var offset: Int

  /// A tally of nothing.
  ///
  /// - Parameter kind: the kind of the objects that come.
  package init(_ kind: ObjectKind) {
    directory = PackDirectory(name: Digest(bytes: InlineArray(repeating: 0)), kind)
    offset = PackHead(kind).count
  }

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
  package mutating func add(_ nodes: [PackEntry], fileBytes: Int) -> Fault? {
    var fault: Fault?
    for node in nodes {
      let id = node.object.id
      hash.update(id.digest.bytes.span)
      if outside.contains(id) { fault = fault ?? .late }
      if lamports.updateValue(node.lamport.value, forKey: id) != nil { fault = .twice }
      for parent in node.parents where lamports[parent] == nil { outside.insert(parent) }
    }
    // Of other kinds no clocks are stated.
    let hasClocks = directory.kind.isColumnar
    let times = hasClocks ? nodes.map(\.lamport.value) : [0]
    let walls = hasClocks ? nodes.map(\.wall.milliseconds) : [0]
    let frame = PackDirectory.Frame(
      offset: offset, fileBytes: fileBytes, nodes: nodes.count,
      canonicalBytes: nodes.reduce(0) { $0 + $1.object.canonical.count },
      lamports: (times.min() ?? 1)...(times.max() ?? 1),
      walls: (walls.min() ?? 0)...(walls.max() ?? 0))
    offset += fileBytes
    directory.frames.append(frame)
    directory.nodes += frame.nodes
    directory.canonicalBytes += frame.canonicalBytes
    return fault
  }

  /// The greatest lamport of a node's parents in the pack; `nil` when none of them is in it.
  package func greatestLamport(ofParentsOf node: PackEntry) -> UInt64? {
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
