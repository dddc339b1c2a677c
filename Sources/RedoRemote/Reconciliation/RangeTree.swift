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
  /// A piece.
  package struct Piece: Equatable, Sendable {
    /// The number of nodes in it and in those before it.
    package let end: Int
    /// Its digest.
    package let digest: Digest
  }

  /// A run that a comparison begins with.
  package struct Run: Equatable, Sendable {
    /// Where it ends: the place after all nodes for the last one.
    package let bound: RangeBound
    /// The number of nodes in it and in those before it.
    package let end: Int
    /// Its digest.
    package let digest: Digest
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
      guard opening.last?.bound == .end else { return nil }
      var (bound, end) = (RangeBound.start, 0)
      for run in opening {
        guard bound < run.bound, end < run.end else { return nil }
        (bound, end) = (run.bound, run.end)
      }
      self.root = root
      self.opening = opening
    }

    /// The number of nodes.
    package var count: Int { opening.last?.end ?? 0 }
  }

  /// All nodes, and what a comparison begins with.
  package let top: Top
  /// The pieces.
  package let pieces: [Piece]

  /// A tree that was kept; `nil` when its pieces are those of another number of nodes.
  ///
  /// - Parameters:
  ///   - top: the digests of the larger runs.
  ///   - pieces: all pieces.
  package init?(top: Top, pieces: [Piece]) {
    guard pieces.last?.end == top.count else { return nil }
    var end = 0
    for piece in pieces {
      guard end < piece.end else { return nil }
      end = piece.end
    }
    self.top = top
    self.pieces = pieces
  }

  /// The tree of a source; `nil` when there are so few nodes that they are listed at once.
  ///
  /// - Parameter source: its nodes.
  /// - Complexity: O(*n*)
  package init?(of source: some RangeSource) {
    guard source.count > RangeDivision.listed else { return nil }
    var pieces: [Piece] = []
    var start = 0
    while start < source.count {
      let end = source.pieceEnd(from: start, to: source.count)
      pieces.append(Piece(end: end, digest: source.pieceDigest(of: start..<end)))
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

  /// Whether its runs and pieces are places among as many nodes as a source has, whatever their digests say.
  ///
  /// - Parameter source: the nodes.
  /// - Returns: whether they are; nothing else that was kept may be used for this source.
  /// - Complexity: that of finding the ends of the runs.
  package func fits(_ source: some RangeSource) -> Bool {
    top.count == source.count
      && top.opening.allSatisfy { source.position(of: $0.bound, from: 0) == $0.end }
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
  func runDigest(of positions: Range<Int>, _ pieces: [RangeTree.Piece]) -> Digest {
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
}

extension [RangeTree.Piece] {
  /// The first piece that ends after a position.
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
  /// These are the root; a varint, the number of runs to begin with, and these, each the bound where it ends
  /// (redo-wire(5)), a varint, the number of its nodes, and its digest; a varint, the number of pieces, and these, each a
  /// varint, the number of its nodes, and its digest.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    output.append(top.root.bytes.span)
    output.append(varint: UInt64(top.opening.count))
    var bound = RangeBound.start
    var end = 0
    for run in top.opening {
      run.bound.append(to: &output, after: bound)
      output.append(varint: UInt64(run.end - end))
      output.append(run.digest.bytes.span)
      bound = run.bound
      end = run.end
    }
    output.append(varint: UInt64(pieces.count))
    end = 0
    for piece in pieces {
      output.append(varint: UInt64(piece.end - end))
      output.append(piece.digest.bytes.span)
      end = piece.end
    }
    return output
  }

  /// Reads a tree.
  ///
  /// - Parameter bytes: all its bytes.
  /// - Throws: `malformed`.
  package init(decoding bytes: [UInt8]) throws(RemoteError) {
    var reader = WireReader(bytes)
    let top = try Top(from: &reader)
    var pieces: [Piece] = []
    var end = 0
    for _ in 0..<(try reader.count(limit: .max, bytesEach: 1 + Digest.byteCount)) {
      end = try reader.end(after: end)
      pieces.append(Piece(end: end, digest: try reader.digest()))
    }
    try reader.end()
    guard let tree = RangeTree(top: top, pieces: pieces) else {
      throw reader.malformed("the pieces of another number of nodes")
    }
    self = tree
  }
}

extension RangeTree.Top {
  fileprivate init(from reader: inout WireReader) throws(RemoteError) {
    let root = try reader.digest()
    var runs: [RangeTree.Run] = []
    var bound = RangeBound.start
    var end = 0
    for _ in 0..<(try reader.count(limit: RangeDivision.parts, bytesEach: Digest.byteCount)) {
      bound = try RangeBound(from: &reader, after: bound)
      end = try reader.end(after: end)
      runs.append(RangeTree.Run(bound: bound, end: end, digest: try reader.digest()))
    }
    guard let top = RangeTree.Top(root: root, opening: runs) else {
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
  /// A number of nodes, added to those before them.
  fileprivate mutating func end(after start: Int) throws(RemoteError) -> Int {
    let added = try varint()
    guard added <= UInt64(Int.max - start) else { throw malformed("too many nodes") }
    return start + Int(added)
  }

  fileprivate mutating func digest() throws(RemoteError) -> Digest {
    let bytes = try take(Digest.byteCount)
    return Digest(bytes: InlineArray { bytes[$0] })
  }
}
