// Packs of what others lack: bodies that were read in this run are at hand, the others are read by their ids.

internal import RedoRepository
package import RedoObject
package import RedoRemote
package import RedoStore

/// Makes packs of nodes of a collection.
///
/// A class, as `PackMaker` requires; it belongs to the thread of one exchange.
package final class MirrorPacks: PackMaker {
  /// How many nodes are looked for together.
  private static let windowCount = 300

  private let source: MirrorSource
  private let mirror: Mirror
  private let collection: NodeCollection
  private let reading: DocumentReading
  private let listing: CollectionListing
  /// Nodes that have just been read.
  private let ready: [ObjectID: PackEntry]
  /// Whether nodes were asked for.
  private(set) var isUsed = false

  /// Makes packs of nodes.
  ///
  /// - Parameters:
  ///   - source: the source to which the positions belong.
  ///   - mirror: what is known, and the bodies at hand.
  ///   - collection: where other bodies are read.
  ///   - reading: takes documents in.
  ///   - listing: looks at everything again when one is gone.
  ///   - ready: nodes that have just been read.
  package init(
    _ source: MirrorSource, _ mirror: Mirror, _ collection: NodeCollection,
    _ reading: DocumentReading, _ listing: CollectionListing, ready: [ObjectID: PackEntry] = [:]
  ) {
    self.ready = ready
    self.source = source
    self.mirror = mirror
    self.collection = collection
    self.reading = reading
    self.listing = listing
  }

  package func makePacks(
    of positions: [Range<Int>], _ send: (PackPiece) throws(RemoteError) -> Void
  ) throws(RemoteError) {
    isUsed = true
    var packs = WirePacks()
    for range in positions {
      for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.windowCount) {
        let ids = (start..<min(start + Self.windowCount, range.upperBound)).map(source.id)
        for node in try nodes(ids) { try packs.add(node, send) }
      }
    }
    try packs.end(send)
  }

  /// Nodes in the order of their ids.
  private func nodes(_ ids: [ObjectID]) throws(RemoteError) -> [PackEntry] {
    var found: [ObjectID: PackEntry] = [:]
    var lacking: [String] = []
    var decoder = NodeDecoder()
    for id in ids {
      if let node = ready[id] {
        found[id] = node
        continue
      }
      var object: StoredObject?
      try DocumentReading.keeping { () throws(SystemError) in object = try mirror.bodies.node(id) }
      if let object, let node = decoder.decode(object) {
        found[id] = PackEntry(object, node)
      } else {
        lacking.append(id.text)
      }
    }
    try collection.documents(lacking) { documents throws(RemoteError) in
      for node in try reading.take(documents) { found[node.object.id] = node }
    }
    var nodes: [PackEntry] = []
    for id in ids {
      guard let node = found[id] else { throw try gone(id) }
      nodes.append(node)
    }
    return nodes
  }

  /// The report when a known node can no longer be read.
  private func gone(_ id: ObjectID) throws(RemoteError) -> RemoteError {
    try listing.checkAll()
    return .refused(
      PeerFault(.unavailable, "FIREBASE_002: the document '\(id.text)' cannot be read now"))
  }
}
