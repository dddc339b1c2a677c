// The fingerprints of nodes and of sets of them when two stores compare what they have (redo-wire(5)).
//
//   node fingerprint    one node as it is kept, see NodeFingerprint
//   short fingerprint   the first 8 bytes of SHA-256 of "redo-item-1", the salt and the node fingerprint
//   range fingerprint   the first 16 bytes of SHA-256 of "redo-range-2", the salt and the digest of the
//                       run (RangeTree), which does not depend on the salt and can be kept;
//                       in version 1, of "redo-range-1", the salt, the count (8 bytes) and the node
//                       fingerprints in order
//
// The salt is 16 random bytes that the client draws for each exchange, so nobody can prepare two sets
// or two nodes that look the same. Two short fingerprints that are equal by chance hide a node in this
// exchange only: the next one has another salt.

internal import RedoCrypto
package import RedoObject

/// 16 random bytes of one exchange.
package struct RangeSalt: Hashable, Sendable {
  /// The number of bytes.
  package static let byteCount = 16

  /// The bytes, as two numbers with the lowest byte first.
  let words: (UInt64, UInt64)

  /// A salt.
  ///
  /// - Parameter random: gives 64 random bits.
  package init(_ random: () -> UInt64) { words = (random(), random()) }

  init(words: (UInt64, UInt64)) { self.words = words }

  package static func == (left: RangeSalt, right: RangeSalt) -> Bool { left.words == right.words }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}

/// The fingerprint of a set of nodes.
package struct RangeFingerprint: Hashable, Sendable {
  /// The number of bytes.
  package static let byteCount = 16

  /// The bytes, as two numbers with the lowest byte first.
  let low: UInt64
  let high: UInt64
}

/// The fingerprint of one node in a list.
package struct ShortFingerprint: Hashable, Sendable {
  /// The number of bytes.
  package static let byteCount = 8

  /// The bytes, as a number with the lowest byte first.
  let value: UInt64
}

/// Makes range fingerprints and short fingerprints with one salt.
package struct RangeDigests: Sendable {
  /// The salt.
  package let salt: RangeSalt
  /// The version of the wire.
  package let version: UInt8
  private let ranges: SHA256
  private let items: SHA256

  /// The digests of one exchange.
  ///
  /// - Parameters:
  ///   - salt: drawn by the client.
  ///   - version: that of the wire that both sides speak.
  package init(salt: RangeSalt, version: UInt8 = Wire.newest) {
    self.salt = salt
    self.version = version
    var bytes: [UInt8] = []
    bytes.append(littleEndian: salt.words.0)
    bytes.append(littleEndian: salt.words.1)
    ranges = Self.hash(Array("redo-range-\(version)".utf8) + bytes)
    items = Self.hash(Array("redo-item-1".utf8) + bytes)
  }

  private static func hash(_ bytes: [UInt8]) -> SHA256 {
    var hash = SHA256()
    hash.update(bytes.span)
    return hash
  }

  /// The fingerprint of a run of neighbours.
  ///
  /// - Parameters:
  ///   - positions: which ones.
  ///   - source: the nodes.
  /// - Returns: the fingerprint.
  /// - Complexity: O(*n*); in the pieces, where the source has kept their digests.
  package func fingerprint(
    of positions: Range<Int>, in source: some RangeSource
  ) -> RangeFingerprint {
    guard version == 1 else {
      return fingerprint(ofRun: source.runDigest(of: positions, source.tree?.pieces ?? []))
    }
    var hash = ranges
    var count: [UInt8] = []
    count.append(littleEndian: UInt64(positions.count))
    hash.update(count.span)
    source.hashFingerprints(of: positions, into: &hash)
    return Self.fingerprint(hash.finalize())
  }

  /// The fingerprint of a run whose digest is known; from version 2 on.
  func fingerprint(ofRun digest: Digest) -> RangeFingerprint {
    var hash = ranges
    hash.update(digest.bytes.span)
    return Self.fingerprint(hash.finalize())
  }

  private static func fingerprint(_ digest: Digest) -> RangeFingerprint {
    RangeFingerprint(low: number(digest, at: 0), high: number(digest, at: 8))
  }

  /// The fingerprint of a node in a list.
  package func short(_ fingerprint: NodeFingerprint) -> ShortFingerprint {
    var hash = items
    hash.update(fingerprint.digest.bytes.span)
    return ShortFingerprint(value: Self.number(hash.finalize(), at: 0))
  }

  /// The short fingerprints of some neighbours, in their order.
  func list(_ positions: Range<Int>, in source: some RangeSource) -> [ShortFingerprint] {
    positions.map { short(source.fingerprint(at: $0)) }
  }

  private static func number(_ digest: Digest, at start: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(digest.bytes[start + $1]) << UInt64(8 * $1) }
  }
}
