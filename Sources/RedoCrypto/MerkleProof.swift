// Proofs about a Merkle tree: made from the leaves as they pass by (RFC 6962, sections 2.1.1 and
// 2.1.2), and verified without them (RFC 9162, sections 2.1.3.2 and 2.1.4.2).

/// Makes a proof from leaves in their order, keeping no more than its hashes.
package struct MerkleProver: Sendable {
  /// The leaves under each hash of the proof, in the order of the proof.
  private let ranges: [Range<Int>]
  /// The places of the ranges, by where they begin; they do not overlap.
  private let order: [Int]
  private var hashes: [Digest]
  private var next = 0
  private var position = 0
  private var edge = MerkleEdge()

  private init(_ ranges: [Range<Int>]) {
    self.ranges = ranges
    order = ranges.indices.sorted { ranges[$0].lowerBound < ranges[$1].lowerBound }
    hashes = [Digest](repeating: Digest(bytes: InlineArray(repeating: 0)), count: ranges.count)
  }

  /// A proof that a leaf is in a tree.
  ///
  /// - Parameters:
  ///   - index: the leaf, from 0.
  ///   - size: the leaves of the tree; more than the index.
  /// - Returns: what is to see the leaves.
  package static func inclusion(of index: Int, in size: Int) -> MerkleProver {
    precondition((0..<size).contains(index), "BUG: a leaf outside of its tree")
    var ranges: [Range<Int>] = []
    var tree = 0..<size
    // From the root down; the proof goes from the leaf up.
    while tree.count > 1 {
      let middle = tree.lowerBound + MerkleTree.split(tree.count)
      if index < middle {
        ranges.append(middle..<tree.upperBound)
        tree = tree.lowerBound..<middle
      } else {
        ranges.append(tree.lowerBound..<middle)
        tree = middle..<tree.upperBound
      }
    }
    return MerkleProver(ranges.reversed())
  }

  /// A proof that a tree continues an earlier one.
  ///
  /// - Parameters:
  ///   - old: the leaves of the earlier tree.
  ///   - new: the leaves of the tree; not fewer.
  /// - Returns: what is to see the leaves.
  package static func consistency(from old: Int, to new: Int) -> MerkleProver {
    precondition((0...new).contains(old), "BUG: a tree is to continue a larger one")
    guard old > 0, old < new else { return MerkleProver([]) }
    var ranges: [Range<Int>] = []
    var tree = 0..<new
    while tree.upperBound > old {
      let middle = tree.lowerBound + MerkleTree.split(tree.count)
      if old <= middle {
        ranges.append(middle..<tree.upperBound)
        tree = tree.lowerBound..<middle
      } else {
        ranges.append(tree.lowerBound..<middle)
        tree = middle..<tree.upperBound
      }
    }
    // The verifier has the hash of the whole earlier tree.
    if tree.lowerBound > 0 { ranges.append(tree) }
    return MerkleProver(ranges.reversed())
  }

  /// Takes the next leaf, from the first one on.
  ///
  /// - Parameter leaf: its hash.
  package mutating func append(_ leaf: Digest) {
    defer { position += 1 }
    guard next < order.count, ranges[order[next]].contains(position) else { return }
    edge.append(leaf)
    guard position + 1 == ranges[order[next]].upperBound else { return }
    hashes[order[next]] = edge.root
    edge = MerkleEdge()
    next += 1
  }

  /// The hashes of the proof; `nil` while leaves are lacking.
  package var proof: [Digest]? { next == order.count ? hashes : nil }
}

extension MerkleTree {
  /// The most hashes of a proof about a tree whose size is a number of 63 bits: two paths.
  package static let proofLimit = 128

  /// Verifies that a leaf is in a tree (RFC 9162, section 2.1.3.2).
  ///
  /// - Parameters:
  ///   - leaf: the hash of the leaf.
  ///   - index: its place, from 0.
  ///   - size: the leaves of the tree.
  ///   - root: the root of the tree.
  ///   - path: the hashes of the proof.
  /// - Returns: whether the proof holds.
  package static func isIncluded(
    _ leaf: Digest, at index: Int, of size: Int, root: Digest, path: [Digest]
  ) -> Bool {
    // Steps 1 to 3.
    guard index >= 0, index < size else { return false }
    var (fn, sn) = (index, size - 1)
    var hash = leaf
    // Step 4.
    for sibling in path {
      if sn == 0 { return false }
      if fn & 1 == 1 || fn == sn {
        hash = nodeHash(sibling, hash)
        while fn & 1 == 0, fn != 0 {
          fn >>= 1
          sn >>= 1
        }
      } else {
        hash = nodeHash(hash, sibling)
      }
      fn >>= 1
      sn >>= 1
    }
    // Step 5.
    return sn == 0 && hash == root
  }

  /// Verifies that a tree continues an earlier one (RFC 9162, section 2.1.4.2).
  ///
  /// Trees of one size are the same or not, and every tree continues the one without leaves; their
  /// proofs are empty.
  ///
  /// - Parameters:
  ///   - old: the leaves of the earlier tree.
  ///   - oldRoot: its root.
  ///   - new: the leaves of the later tree.
  ///   - newRoot: its root.
  ///   - path: the hashes of the proof.
  /// - Returns: whether the proof holds.
  package static func isConsistent(
    _ old: Int, _ oldRoot: Digest, _ new: Int, _ newRoot: Digest, path: [Digest]
  ) -> Bool {
    guard old >= 0, old <= new else { return false }
    if old == new { return path.isEmpty && oldRoot == newRoot && (old > 0 || oldRoot == emptyRoot) }
    if old == 0 { return path.isEmpty && oldRoot == emptyRoot }
    // Steps 1 and 2.
    var path = path[...]
    if path.isEmpty { return false }
    if old & (old - 1) == 0 { path = [oldRoot] + path }
    // Steps 3 to 5.
    var (fn, sn) = (old - 1, new - 1)
    while fn & 1 == 1 {
      fn >>= 1
      sn >>= 1
    }
    guard let first = path.popFirst() else { return false }
    var (oldHash, newHash) = (first, first)
    // Step 6.
    for hash in path {
      if sn == 0 { return false }
      if fn & 1 == 1 || fn == sn {
        oldHash = nodeHash(hash, oldHash)
        newHash = nodeHash(hash, newHash)
        while fn & 1 == 0, fn != 0 {
          fn >>= 1
          sn >>= 1
        }
      } else {
        newHash = nodeHash(newHash, hash)
      }
      fn >>= 1
      sn >>= 1
    }
    // Step 7.
    return sn == 0 && oldHash == oldRoot && newHash == newRoot
  }
}
