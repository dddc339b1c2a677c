// The digests of runs of nodes without a salt, so that they can be kept from one exchange to the next (redo-wire(5)).
//
//   piece   neighbours up to one whose id ends with a byte 0, on average 256: SHA-256 of "redo-piece-1" and their
//           node fingerprints in order
//   run     any neighbours: SHA-256 of "redo-run-1", their number (8 bytes) and the digests of their pieces; the first
//           and the last may be parts of pieces
//
// Where a piece ends follows from the node alone, so a new node changes the digest of one piece, and two sides that have
// the same nodes have the same pieces.

package import RedoCrypto
internal import RedoObject

/// The digests of the nodes of a source: of all, of the parts that a comparison begins with, and of each piece.
package struct RangeTree: Equatable, Sendable {
  /// A run of neighbours.
  package struct Run: Equatable, Sendable {
    /// Where it ends: the place after all nodes for the last one.
    package let bound: RangeBound
    /// The number of nodes before that, in this run and in those before it.
    package let end: Int
    /// The digest of a piece, or of a run.
    package let digest: Digest

    /// A run with its digest.
    package init(bound: RangeBound, end: Int, digest: Digest) {
      self.bound = bound
      self.end = end
      self.digest = digest
    }
  }

  /// What a comparison begins with.
  package struct Top: Equatable, Sendable {
    /// The digest of all nodes as one run.
    package let root: Digest
    /// The runs that the side that asks begins with.
    package let opening: [Run]

    /// The top of a tree; `nil` when its runs do not follow each other up to the end.
    ///
    /// - Parameters:
    ///   - root: the digest of all nodes.
    ///   - opening: the runs to begin with.
    package init?(root: Digest, opening: [Run]) {
      guard RangeTree.isAscending(opening) else { return nil }
      self.root = root
      self.opening = opening
    }

    /// The number of nodes.
    package var count: Int { opening.last?.end ?? 0 }
  }

  /// All nodes, and what a comparison begins with.
  package let top: Top
  /// The pieces.
  package let pieces: [Run]

  /// A tree that was kept; `nil` when its pieces are those of another number of nodes.
  ///
  /// - Parameters:
  ///   - top: the digests of the larger runs.
  ///   - pieces: all pieces.
  package init?(top: Top, pieces: [Run]) {
    guard Self.isAscending(pieces), pieces.last?.end == top.count else { return nil }
    self.top = top
    self.pieces = pieces
  }

  /// The tree of a source; `nil` when there are so few nodes that they are listed at once.
  ///
  /// - Parameter source: its nodes.
  /// - Complexity: O(*n*)
  package init?(of source: some RangeSource) {
    guard source.count > RangeDivision.listed else { return nil }
    var pieces: [Run] = []
    var start = 0
    while start < source.count {
      let end = source.pieceEnd(from: start, to: source.count)
      pieces.append(
        Run(
          bound: source.bound(before: end), end: end,
          digest: source.pieceDigest(of: start..<end)))
      start = end
    }
    self.pieces = pieces
    let whole = RangePiece(start: .start, end: .end, positions: 0..<source.count)
    let opening = RangeDivision.divide(whole, in: source).map { part in
      Run(
        bound: part.end, end: part.positions.upperBound,
        digest: source.runDigest(of: part.positions, pieces))
    }
    guard let top = Top(root: source.runDigest(of: 0..<source.count, pieces), opening: opening)
    else { preconditionFailure("BUG: a division that does not ascend") }
    self.top = top
  }

  /// The beginning of the digest of a run, and of a piece.
  fileprivate static let runHash = hash("redo-run-1")
  fileprivate static let pieceHash = hash("redo-piece-1")

  private static func hash(_ text: String) -> SHA256 {
    var hash = SHA256()
    hash.update(Array(text.utf8).span)
    return hash
  }

  private static func isAscending(_ runs: [Run]) -> Bool {
    guard let last = runs.last, last.bound == .end else { return false }
    var bound = RangeBound.start
    var end = 0
    for run in runs {
      guard bound < run.bound, end < run.end else { return false }
      bound = run.bound
      end = run.end
    }
    return true
  }
}

extension RangeSource {
  /// The digest of some neighbours.
  ///
  /// - Parameters:
  ///   - positions: which ones.
  ///   - pieces: the pieces of the source whose digests are known; may be none.
  /// - Returns: the digest.
  /// - Complexity: O(*n*) in the nodes outside of known pieces.
  func runDigest(of positions: Range<Int>, _ pieces: [RangeTree.Run]) -> Digest {
    var hash = RangeTree.runHash
    var number: [UInt8] = []
    number.append(littleEndian: UInt64(positions.count))
    hash.update(number.span)
    var next = pieces.firstIndex(endingAfter: positions.lowerBound)
    var start = positions.lowerBound
    while start < positions.upperBound {
      var end: Int
      var known: Digest?
      if next < pieces.count {
        end = pieces[next].end
        let isFromItsStart = start == (next == 0 ? 0 : pieces[next - 1].end)
        if isFromItsStart, end <= positions.upperBound { known = pieces[next].digest }
        end = min(end, positions.upperBound)
        next += 1
      } else {
        end = pieceEnd(from: start, to: positions.upperBound)
      }
      let digest = known ?? pieceDigest(of: start..<end)
      hash.update(digest.bytes.span)
      start = end
    }
    return hash.finalize()
  }

  /// The digest of a piece, or of a part of one.
  fileprivate func pieceDigest(of positions: Range<Int>) -> Digest {
    var hash = RangeTree.pieceHash
    hashFingerprints(of: positions, into: &hash)
    return hash.finalize()
  }

  /// Where a piece ends.
  fileprivate func pieceEnd(from start: Int, to limit: Int) -> Int {
    var end = start + 1
    while end < limit, !endsPiece(at: end - 1) { end += 1 }
    return end
  }

  fileprivate func bound(before position: Int) -> RangeBound {
    position < count
      ? RangeBound(between: place(at: position - 1), and: place(at: position)) : .end
  }
}

extension [RangeTree.Run] {
  /// The first run that ends after a position.
  fileprivate func firstIndex(endingAfter position: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].end <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

// MARK: Bytes

extension RangeTree {
  /// No fewer bytes than the top of a tree has.
  package static let topLimit =
    Digest.byteCount + 10 + RangeDivision.parts * (RangeBound.byteLimit + 10 + Digest.byteCount)

  /// The tree as bytes, its top first.
  ///
  /// These are the root, and twice a varint, the number of runs, and the runs. A run is the bound where it ends
  /// (redo-wire(5)), a varint, the number of its nodes, and its digest.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    output.append(top.root.bytes.span)
    Self.append(top.opening, to: &output)
    Self.append(pieces, to: &output)
    return output
  }

  private static func append(_ runs: [Run], to output: inout [UInt8]) {
    output.append(varint: UInt64(runs.count))
    var bound = RangeBound.start
    var end = 0
    for run in runs {
      run.bound.append(to: &output, after: bound)
      output.append(varint: UInt64(run.end - end))
      output.append(run.digest.bytes.span)
      bound = run.bound
      end = run.end
    }
  }

  /// Reads a tree.
  ///
  /// - Parameter bytes: all its bytes.
  /// - Throws: `malformed`.
  package init(decoding bytes: [UInt8]) throws(RemoteError) {
    var reader = WireReader(bytes)
    let top = try Top(from: &reader)
    let pieces = try Self.runs(&reader)
    try reader.end()
    guard let tree = RangeTree(top: top, pieces: pieces) else {
      throw reader.malformed("the pieces of another number of nodes")
    }
    self = tree
  }

  fileprivate static func runs(_ reader: inout WireReader) throws(RemoteError) -> [Run] {
    let count = try reader.count(limit: .max, bytesEach: Digest.byteCount)
    var runs: [Run] = []
    runs.reserveCapacity(count)
    var bound = RangeBound.start
    var end = 0
    for _ in 0..<count {
      bound = try RangeBound(from: &reader, after: bound)
      let added = try reader.varint()
      guard added <= UInt64(Int.max - end) else { throw reader.malformed("too many nodes") }
      end += Int(added)
      let digest = try reader.digest()
      runs.append(Run(bound: bound, end: end, digest: digest))
    }
    return runs
  }
}

extension RangeTree.Top {
  fileprivate init(from reader: inout WireReader) throws(RemoteError) {
    let root = try reader.digest()
    guard let top = RangeTree.Top(root: root, opening: try RangeTree.runs(&reader)) else {
      throw reader.malformed("runs that do not end where the nodes end")
    }
    self = top
  }

  /// Reads the top of a tree.
  ///
  /// - Parameter bytes: the first bytes of the tree, `topLimit` of them or all.
  /// - Throws: `malformed`.
  package init(beginning bytes: [UInt8]) throws(RemoteError) {
    var reader = WireReader(bytes)
    self = try RangeTree.Top(from: &reader)
  }
}

extension WireReader {
  fileprivate mutating func digest() throws(RemoteError) -> Digest {
    let bytes = try take(Digest.byteCount)
    return Digest(bytes: InlineArray { bytes[$0] })
  }
}
