// The nodes of a decoded frame. Their bodies lie one after another in one piece of memory: a frame has
// hundreds of them, and most are never asked for.

internal import RedoCrypto
internal import RedoObject

/// The nodes of a frame in their order.
struct FrameNodes: Sendable {
  private struct Entry {
    /// Its id; `nil` until somebody asks for it.
    var id: ObjectID?
    let body: Range<Int>
    let signature: Signature?
  }

  /// All bodies, one after another.
  var bodies: [UInt8] = []
  private var entries: [Entry] = []
  /// How many the frame has.
  private let allCount: Int
  private let kind: ObjectKind

  /// No nodes yet, with room for those of a frame.
  init(_ header: FrameHeader, _ kind: ObjectKind) {
    self.kind = kind
    bodies.reserveCapacity(header.canonicalBytes)
    entries.reserveCapacity(header.nodes)
    allCount = header.nodes
  }

  /// Adds a node.
  ///
  /// - Parameters:
  ///   - id: its id; `nil` when it is computed where somebody asks for it.
  ///   - body: the place of its body.
  ///   - signature: its signature, if it has one.
  mutating func add(_ id: ObjectID?, _ body: Range<Int>, _ signature: Signature?) {
    entries.append(Entry(id: id, body: body, signature: signature))
  }

  /// Whether all nodes of the frame are there.
  var isWhole: Bool { entries.count == allCount }

  /// Whether a place is among those that are there, or there are no more.
  func reaches(_ place: Int) -> Bool { place < entries.count || isWhole }

  /// The id of the node at a place, which is computed from its body once.
  mutating func keepID(at place: Int) -> ObjectID {
    let id = id(at: place)
    entries[place].id = id
    return id
  }

  private func id(at place: Int) -> ObjectID {
    entries[place].id
      ?? ObjectID(digest: SHA256.digest(of: bodies.span.extracting(entries[place].body)))
  }

  /// The node at a place, if it is the one wanted.
  func node(_ id: ObjectID, at place: Int) -> StoredObject? {
    guard entries.indices.contains(place), self.id(at: place) == id else { return nil }
    return node(id, entries[place])
  }

  /// The nodes that are wanted.
  ///
  /// - Parameter isWanted: says so of an id, once for each.
  /// - Returns: these, in their order.
  func chosen(_ isWanted: (ObjectID) -> Bool) -> [StoredObject] {
    entries.indices.compactMap { place in
      let id = id(at: place)
      return isWanted(id) ? node(id, entries[place]) : nil
    }
  }

  /// All nodes.
  var all: [StoredObject] { entries.indices.map { node(id(at: $0), entries[$0]) } }

  private func node(_ id: ObjectID, _ entry: Entry) -> StoredObject {
    StoredObject(
      id: id, kind: kind, canonical: Array(bodies[entry.body]), signature: entry.signature)
  }
}
