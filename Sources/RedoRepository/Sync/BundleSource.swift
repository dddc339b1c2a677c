// A bundle, or any other archive, as a read-only remote: its nodes in the order of the wire, and packs of them. Nothing
// in it is trusted: the fetching side checks each node.

package import RedoCrypto
package import RedoObject
package import RedoRemote
package import RedoStore

/// The nodes of a pack.
package struct BundleSource: RangeSource {
  private let nodes: MemoryRangeSource
  /// What each position stands for.
  private let places: [BundlePlace]
  /// The nodes that are not compared, and why.
  package let unfit: [RefusedNode]

  /// Reads a bundle.
  ///
  /// - Parameters:
  ///   - bundle: the open file.
  ///   - allowsUnsigned: whether nodes without a signature count.
  /// - Throws: `stopped` when it is damaged.
  package init(
    _ bundle: Bundle, allowsUnsigned: Bool
  ) throws(RemoteError) {
    typealias Found = (
      place: RangeBound, fingerprint: NodeFingerprint, parents: [ObjectID], isSigned: Bool,
      at: BundlePlace
    )
    var found: [Found] = []
    for frame in 0..<bundle.frameCount {
      for (row, node) in try bundle.nodes(ofFrame: frame).enumerated() {
        guard let node else { continue }
        let place = RangeBound(lamport: node.lamport, wall: node.wall, id: node.object.id)
        let fingerprint = NodeFingerprint(id: node.object.id, signature: node.object.signature)
        found.append(
          (
            place, fingerprint, node.parents, node.object.signature != nil,
            BundlePlace(frame: frame, row: row)
          ))
      }
    }
    found.sort { $0.place < $1.place }
    var nodes = MemoryRangeSource()
    var places: [BundlePlace] = []
    var last: RangeBound?
    var held: [ObjectID: ObjectID] = [:]
    var unfit: [RefusedNode] = []
    // A pack that was made by hand may contain a node twice.
    for node in found where node.place != last {
      let id = node.place.id
      let cause = node.parents.lazy.compactMap { held[$0] }.first
      if !allowsUnsigned, !node.isSigned || cause != nil {
        let rule = Rule.signatureMissing.id
        let isOwn = !node.isSigned
        held[id] = isOwn ? id : cause
        unfit.append(
          cause.flatMap { isOwn ? nil : RefusedNode(id, rule: rule, following: $0) }
            ?? RefusedNode(id, rule: rule, ""))
        last = node.place
        continue
      }
      nodes.append(node.place, node.fingerprint)
      places.append(node.at)
      last = node.place
    }
    self.nodes = nodes
    self.places = places
    self.unfit = unfit
  }

  package var count: Int { nodes.count }
  package func place(at position: Int) -> RangeBound { nodes.place(at: position) }
  package func fingerprint(at position: Int) -> NodeFingerprint { nodes.fingerprint(at: position) }
  package func hashFingerprints(of positions: Range<Int>, into hash: inout SHA256) {
    nodes.hashFingerprints(of: positions, into: &hash)
  }
  /// The place of the node at a position.
  package func origin(at position: Int) -> BundlePlace { places[position] }
}

/// The place of a node in a pack.
package struct BundlePlace {
  package let frame: Int
  package let row: Int
}

/// An open bundle.
///
/// A class, because the thread that serves it owns it.
package final class Bundle: Sendable {
  /// Its name in messages.
  package let path: String
  private let reader: PackReader
  private let describe: @Sendable (any Error) -> String

  /// Opens a bundle and checks all its bytes against its hash.
  ///
  /// - Parameters:
  ///   - path: the file, for messages.
  ///   - resolved: the path for the file system.
  ///   - effects: describes errors for the other end of the exchange.
  /// - Throws: `SealFault` when no key of the keyring opens it; the error when it cannot be read as a pack.
  package init(_ path: String, at resolved: String, _ effects: Effects) throws {
    self.path = path
    describe = effects.describe
    let source = try ArchiveFile.source(path, at: resolved)
    let start: [UInt8]
    do throws(PackError) { start = try source.start(ForeignFile.startBytes) } catch {
      throw ArchiveFile.failure(error, path)
    }
    let pack: PackSource =
      AgeSource.isOne(start)
      ? .age(try AgeSource.open(source, path, .ofSettings, effects)) : source
    do throws(PackError) {
      reader = try PackReader(pack)
      try reader.checkBytes()
    } catch {
      throw ArchiveFile.failure(error, path)
    }
  }

  /// The error that ends an exchange when the bytes have changed.
  fileprivate var changed: RemoteError {
    .stopped(describe(SyncFault.changedBundle(path: path)))
  }

  /// The number of its frames.
  package var frameCount: Int { reader.directory.frames.count }

  /// The nodes of a frame; `nil` for an object that is not a valid node.
  ///
  /// - Throws: `stopped` when the frame is damaged.
  package func nodes(ofFrame frame: Int) throws(RemoteError) -> [PackEntry?] {
    var inflater = FrameInflater()
    var decoder = NodeDecoder()
    do throws(PackError) {
      return try reader.nodes(ofFrame: frame, &inflater).map { object in
        decoder.decode(object).map { PackEntry(object, $0) }
      }
    } catch {
      throw .stopped(describe(ArchiveFile.failure(error, path)))
    }
  }
}

/// Makes packs of a bundle's nodes.
///
/// A class, as `PackMaker` requires; it belongs to the thread of one exchange.
package final class BundlePacks: PackMaker {
  /// The number of frames that are cached: a bundle in the order of the wire needs one.
  private static let keptFrames = 8

  private let bundle: Bundle
  private let source: BundleSource
  private var frames: [(number: Int, nodes: [PackEntry?])] = []

  /// Makes packs of nodes of a bundle.
  package init(_ bundle: Bundle, _ source: BundleSource) {
    self.bundle = bundle
    self.source = source
  }

  package func makePacks(
    of positions: [Range<Int>], _ send: (PackPiece) throws(RemoteError) -> Void
  ) throws(RemoteError) {
    var packs = WirePacks()
    for range in positions {
      for position in range {
        let origin = source.origin(at: position)
        guard let node = try frame(origin.frame)[origin.row] else {
          throw bundle.changed
        }
        try packs.add(node, send)
      }
    }
    try packs.end(send)
  }

  private func frame(_ number: Int) throws(RemoteError) -> [PackEntry?] {
    if let kept = frames.first(where: { $0.number == number }) { return kept.nodes }
    let nodes = try bundle.nodes(ofFrame: number)
    if frames.count == Self.keptFrames { frames.removeFirst() }
    frames.append((number, nodes))
    return nodes
  }
}
