// The received log as the leaves of a Merkle tree, streamed: a million of them need no memory.

package import RedoCrypto
package import RedoObject
package import RedoStore

/// The tree of a store's received nodes at one moment.
package struct ReceivedTree {
  private let opened: Repository
  /// The bytes of the received log that count.
  private let end: Int

  /// How many leaves are taken between two looks at the signals.
  private static let stride = 4096

  package init(_ opened: Repository, _ snapshot: borrowing RefsSnapshot) {
    self.opened = opened
    end = snapshot.receivedBytes
  }

  /// Roots of the first so many leaves, and the number of all.
  package struct Roots {
    /// The number of leaves.
    package var count = 0
    /// The root of all.
    package var root = MerkleTree.emptyRoot
    /// The roots of some of the first, by their number.
    package var first: [Int: Digest] = [:]
  }

  /// Works out roots.
  ///
  /// - Parameters:
  ///   - sizes: how many of the first leaves each of them is about.
  ///   - effects: tells of signals.
  /// - Returns: the roots; none for more leaves than there are.
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

  /// Finds a node.
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

  /// Makes a proof, and works out the roots of what it is about.
  ///
  /// - Parameters:
  ///   - prover: what is proven.
  ///   - sizes: how many of the first leaves each of the roots is about.
  ///   - effects: tells of signals.
  /// - Returns: the hashes, and the roots that there are.
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
