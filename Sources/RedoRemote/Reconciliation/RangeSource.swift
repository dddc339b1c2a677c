// What is compared: nodes in the total order, by their positions. It must not change while it is compared.
//
// Only nodes that pass the profile `sync` with all their ancestors belong here. Their lamports exceed
// those of all their parents, so the total order is simply that of (lamport, wall, id), and parents come
// before their children.

package import RedoCrypto

package import RedoObject

/// Nodes in ascending order of their places.
package protocol RangeSource {
  /// The number of nodes.
  var count: Int { get }

  /// The place of a node.
  ///
  /// - Parameter position: 0 to below the count.
  /// - Returns: lamport, wall and id.
  func place(at position: Int) -> RangeBound

  /// The fingerprint of a node.
  ///
  /// - Parameter position: 0 to below the count.
  /// - Returns: the fingerprint.
  func fingerprint(at position: Int) -> NodeFingerprint

  /// Hashes the fingerprints of some neighbours, 32 bytes each, in their order.
  ///
  /// - Parameters:
  ///   - positions: which ones.
  ///   - hash: takes the bytes.
  func hashFingerprints(of positions: Range<Int>, into hash: inout SHA256)

  /// Digests of runs that were kept, if there are any; their runs fit (`RangeTree.fits`).
  var tree: RangeTree? { get }

  /// Whether a piece ends with a node, because its id ends with a byte 0.
  ///
  /// - Parameter position: 0 to below the count.
  /// - Returns: whether it does.
  func endsPiece(at position: Int) -> Bool

  /// The number of nodes before a bound.
  ///
  /// - Parameters:
  ///   - bound: the bound.
  ///   - start: a position not after the answer.
  /// - Returns: the position of the first node that is not before it.
  func position(of bound: RangeBound, from start: Int) -> Int
}

/// The objects of a history that are compared, by their positions.
package protocol ComparedSource: RangeSource, Sendable {
  /// The id of an object.
  ///
  /// - Parameter position: 0 to below the count.
  /// - Returns: its id.
  func id(at position: Int) -> ObjectID

  /// The position of an object; `nil` when it is not compared.
  func position(of id: ObjectID) -> Int?

  /// Whether the history has an object, compared or not.
  func contains(_ id: ObjectID) -> Bool
}

extension RangeSource {
  package var tree: RangeTree? { nil }

  package func endsPiece(at position: Int) -> Bool { place(at: position).id.endsPiece }

  package func hashFingerprints(of positions: Range<Int>, into hash: inout SHA256) {
    for position in positions { hash.update(fingerprint(at: position).digest.bytes.span) }
  }

  package func position(of bound: RangeBound, from start: Int) -> Int {
    guard bound != .end else { return count }
    var low = start
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if place(at: middle) < bound { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Nodes whose places and fingerprints are held in memory.
package struct MemoryRangeSource: RangeSource, Sendable {
  private var places: [RangeBound] = []
  /// Digests of runs, if they are known.
  package var tree: RangeTree?
  private var fingerprints: [UInt8] = []

  /// Nothing.
  package init() {}

  /// Some nodes.
  ///
  /// - Parameter nodes: places and fingerprints, in any order, each place once.
  package init(_ nodes: some Sequence<(place: RangeBound, fingerprint: NodeFingerprint)>) {
    for node in nodes.sorted(by: { $0.place < $1.place }) { append(node.place, node.fingerprint) }
  }

  /// Adds a node after all others.
  ///
  /// - Parameters:
  ///   - place: after the last one.
  ///   - fingerprint: its fingerprint.
  package mutating func append(_ place: RangeBound, _ fingerprint: NodeFingerprint) {
    precondition(places.last.map { $0 < place } ?? true, "BUG: places that do not ascend")
    places.append(place)
    fingerprints.append(fingerprint.digest.bytes.span)
  }

  package var count: Int { places.count }

  package func place(at position: Int) -> RangeBound { places[position] }

  package func fingerprint(at position: Int) -> NodeFingerprint {
    NodeFingerprint(
      digest: Digest(bytes: InlineArray { fingerprints[Digest.byteCount * position + $0] }))
  }

  package func hashFingerprints(of positions: Range<Int>, into hash: inout SHA256) {
    let size = Digest.byteCount
    hash.update(
      fingerprints.span.extracting(size * positions.lowerBound..<size * positions.upperBound))
  }
}

extension ObjectID {
  /// Whether a piece ends with the node of this id.
  package var endsPiece: Bool { self[Digest.byteCount - 1] == 0 }
}
