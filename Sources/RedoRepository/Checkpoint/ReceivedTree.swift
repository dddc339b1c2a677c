// The received log as the leaves of a Merkle tree, streamed: a million of them need no memory.

package import RedoCrypto
package import RedoObject
package import RedoStore

/// The tree of what a store has received, of whichever kind, at one moment.
package struct ReceivedTree {
  private let opened: Repository
  /// The number of bytes of the received log that count.
  private let end: Int

  /// The number of leaves between two checks for cancellation.
  private static let stride = 4096

  package init(_ opened: Repository, _ snapshot: borrowing RefsSnapshot) {
    self.opened = opened
    end = snapshot.receivedBytes
  }

  /// Roots of prefixes of the leaves, and the number of all leaves.
  package struct Roots {
    /// The number of leaves.
    package var count = 0
    /// The root of all leaves.
    package var root = MerkleTree.emptyRoot
    /// The roots of some prefixes, by their number of leaves.
    package var first: [Int: Digest] = [:]
  }

  /// Computes roots.
  ///
  /// - Parameters:
  ///   - sizes: the numbers of leaves of the prefixes.
  ///   - effects: says whether the work is cancelled.
  /// - Returns: the roots; none for a prefix longer than the log.
  /// - Throws: `RefsError` when the log cannot be read.
  package func roots(
    at sizes: Set<Int>, _ effects: Effects
  ) throws -> Roots {
    var roots = Roots()
    var edge = MerkleEdge()
    if sizes.contains(0) { roots.first[0] = edge.root }
    let wanted = sizes.sorted()
    var next = wanted.firstIndex { $0 > 0 } ?? wanted.count
    try forEachLeaf(effects) { id, milliseconds in
      edge.append(Checkpoint.leaf(id, received: milliseconds))
      if next < wanted.count, wanted[next] == edge.count {
        roots.first[edge.count] = edge.root
        next += 1
      }
      return true
    }
    roots.count = edge.count
    roots.root = edge.root
    return roots
  }

  /// Finds an object.
  ///
  /// - Returns: its place, from 0, and when it was received; `nil` when it is not there.
  /// - Throws: `RefsError` when the log cannot be read.
  package func place(
    of wanted: ObjectID, _ effects: Effects
  ) throws -> (index: Int, received: Int64)? {
    var index = 0
    var found: (index: Int, received: Int64)?
    try forEachLeaf(effects) { id, milliseconds in
      if id == wanted {
        found = (index, milliseconds)
        return false
      }
      index += 1
      return true
    }
    return found
  }

  /// Makes a proof, and computes the roots that it refers to.
  ///
  /// - Parameters:
  ///   - prover: what is proven.
  ///   - sizes: the numbers of leaves of the prefixes.
  ///   - effects: says whether the work is cancelled.
  /// - Returns: the hashes, and the roots that exist.
  /// - Throws: `RefsError` when the log cannot be read.
  package func prove(
    _ prover: MerkleProver, rootsAt sizes: Set<Int>, _ effects: Effects
  ) throws -> (path: [Digest]?, roots: [Int: Digest]) {
    var prover = prover
    var edge = MerkleEdge()
    var roots: [Int: Digest] = sizes.contains(0) ? [0: edge.root] : [:]
    let last = sizes.max() ?? 0
    if last > 0 {
      try forEachLeaf(effects) { id, milliseconds in
        let leaf = Checkpoint.leaf(id, received: milliseconds)
        prover.append(leaf)
        edge.append(leaf)
        if sizes.contains(edge.count) { roots[edge.count] = edge.root }
        return edge.count < last
      }
    }
    return (prover.proof, roots)
  }

  private func forEachLeaf(
    _ effects: Effects, _ visit: (ObjectID, Int64) -> Bool
  ) throws {
    let cancellation = effects.cancellation
    var left = Self.stride
    try opened.store.received.forEachEntry(to: end) { id, milliseconds in
      left -= 1
      if left == 0 {
        guard cancellation.signal == 0 else { return false }
        left = Self.stride
      }
      return visit(id, milliseconds)
    }
    try effects.checkInterrupt()
  }
}
