// The nodes of a decoded frame. Their bodies lie one after another in one piece of memory: a frame has
// hundreds of them, and most are never asked for.

internal import RedoCrypto
internal import RedoObject

/// The nodes of a frame in their order.
struct FrameNodes: Sendable {
  private struct Entry {
    let id: ObjectID
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
  ///   - id: its id.
  ///   - body: the place of its body.
  ///   - signature: its signature, if it has one.
  mutating func add(_ id: ObjectID, _ body: Range<Int>, _ signature: Signature?) {
    entries.append(Entry(id: id, body: body, signature: signature))
  }

  /// Whether all nodes of the frame are there.
  var isWhole: Bool { entries.count == allCount }

  /// Whether a place is among those that are there, or there are no more.
  func reaches(_ place: Int) -> Bool { place < entries.count || isWhole }

  /// The node at a place, if it is the one wanted.
  func node(_ id: ObjectID, at place: Int) -> StoredObject? {
    guard entries.indices.contains(place), entries[place].id == id else { return nil }
    return node(at: place)
  }

  /// The nodes that are wanted.
  ///
  /// - Parameter isWanted: says so of an id, once for each.
  /// - Returns: these, in their order.
  func chosen(_ isWanted: (ObjectID) -> Bool) -> [StoredObject] {
    entries.indices.filter { isWanted(entries[$0].id) }.map { node(at: $0) }
  }

  /// All nodes.
  var all: [StoredObject] { entries.indices.map { node(at: $0) } }

  private func node(at place: Int) -> StoredObject {
    StoredObject(
      id: entries[place].id, kind: kind, canonical: Array(bodies[entries[place].body]),
      signature: entries[place].signature)
  }
}
