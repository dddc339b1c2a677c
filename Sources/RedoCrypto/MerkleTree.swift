// The Merkle tree of a log that only grows (RFC 6962, section 2.1; the same in RFC 9162): leaves are
// hashed with a leading 0 byte, pairs with a leading 1 byte, and the left subtree of n leaves has the
// largest power of two below n.

/// The hashes of a Merkle tree.
package enum MerkleTree {
  /// The root of a tree without leaves: the hash of nothing.
  package static var emptyRoot: Digest {
    var hash = SHA256()
    return hash.finalize()
  }

  /// The hash of a leaf.
  ///
  /// - Parameter data: the data of the leaf.
  /// - Returns: SHA-256 of a 0 byte and the data.
  package static func leafHash(_ data: Span<UInt8>) -> Digest {
    let zero: InlineArray<1, UInt8> = [0]
    var hash = SHA256()
    hash.update(zero.span)
    hash.update(data)
    return hash.finalize()
  }

  /// The hash of two subtrees.
  ///
  /// - Parameters:
  ///   - left: the hash of the left one.
  ///   - right: the hash of the right one.
  /// - Returns: SHA-256 of a 1 byte and both hashes.
  package static func nodeHash(_ left: Digest, _ right: Digest) -> Digest {
    let one: InlineArray<1, UInt8> = [1]
    var hash = SHA256()
    hash.update(one.span)
    hash.update(left.bytes.span)
    hash.update(right.bytes.span)
    return hash.finalize()
  }

  /// The number of leaves in the left subtree of a tree: the largest power of two below the size.
  ///
  /// - Parameter size: at least 2.
  /// - Returns: at least 1.
  static func split(_ size: Int) -> Int {
    precondition(size > 1, "BUG: a tree of one leaf has no subtrees")
    return 1 << (Int.bitWidth - 1 - (size - 1).leadingZeroBitCount)
  }
}

/// A Merkle tree that grows leaf by leaf, of which only the right edge is kept.
package struct MerkleEdge: Sendable {
  /// The number of leaves.
  package private(set) var count = 0
  /// The hashes of full subtrees, the largest first: one for each bit of the count that is set.
  private var subtrees: [Digest] = []

  /// A tree without leaves.
  package init() {}

  /// Adds a leaf.
  ///
  /// - Parameter leaf: its hash.
  /// - Complexity: O(1) hashes on average, O(log n) at most and in memory.
  package mutating func append(_ leaf: Digest) {
    var hash = leaf
    var bits = count
    while bits & 1 == 1, let left = subtrees.popLast() {
      hash = MerkleTree.nodeHash(left, hash)
      bits >>= 1
    }
    subtrees.append(hash)
    count += 1
  }

  /// The current root of the tree.
  ///
  /// - Complexity: O(log n) hashes.
  package var root: Digest {
    guard var hash = subtrees.last else { return MerkleTree.emptyRoot }
    for left in subtrees.dropLast().reversed() { hash = MerkleTree.nodeHash(left, hash) }
    return hash
  }
}
