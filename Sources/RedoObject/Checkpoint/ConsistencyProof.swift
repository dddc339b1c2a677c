// The proof that the entries of one checkpoint are the first entries of a later one. C2SP has no form
// for it; this one follows that of inclusion:
//
//   redo-consistency-proof@v1
//   <base64 of a hash>             as RFC 6962, section 2.1.2, orders them, as many as there are
//                                  an empty line
//   <the earlier checkpoint, byte for byte>
//                                  an empty line
//   <the later checkpoint, byte for byte>

package import RedoCrypto

/// A proof that a checkpoint continues an earlier one.
package struct ConsistencyProof: Equatable, Sendable {
  /// The first line.
  package static let firstLine = "redo-consistency-proof@v1"
  /// The most bytes: two notes, and room for the path.
  package static let byteLimit = 2 * SignedNote.byteLimit + 16_384

  /// The earlier checkpoint.
  package let old: SignedCheckpoint
  /// The later checkpoint.
  package let new: SignedCheckpoint
  /// The hashes.
  package let path: [Digest]

  /// A proof made of its parts, which may be false.
  package init(old: SignedCheckpoint, new: SignedCheckpoint, path: [Digest]) {
    self.old = old
    self.new = new
    self.path = path
  }

  /// Whether the entries of the earlier checkpoint are the first ones of the later.
  package var holds: Bool {
    MerkleTree.isConsistent(
      old.checkpoint.size, old.checkpoint.root, new.checkpoint.size, new.checkpoint.root,
      path: path)
  }

  /// The text.
  package var bytes: [UInt8] {
    var bytes = Array("\(Self.firstLine)\n".utf8)
    for hash in path {
      Base64.append(hash.bytes.span, to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    }
    let lineFeed = [UInt8(ascii: "\n")]
    return bytes + lineFeed + old.note.bytes + lineFeed + new.note.bytes
  }

  /// Reads a proof, without checking it.
  ///
  /// - Parameter bytes: the whole text.
  /// - Throws: the first fault.
  package init(decoding bytes: [UInt8]) throws(NoteError) {
    var parts = try ProofParts(bytes, Self.firstLine, limit: Self.byteLimit)
    let path = try parts.path()
    // Neither text has an empty line in it: the second one from here ends the first note.
    let start = parts.position
    guard parts.skipToEmpty(), parts.skipToEmpty() else {
      throw NoteError(parts.number, "no empty line separates two checkpoints")
    }
    let middle = parts.position
    let old = try parts.note(from: start, to: middle - 1)
    let new = try parts.note(from: middle, to: bytes.count)
    self.init(old: old, new: new, path: path)
  }
}

/// The parts of a proof, front to back.
struct ProofParts {
  private let bytes: [UInt8]
  private let lines: NoteLines
  private var next = 1

  /// Checks the first line.
  init(_ bytes: [UInt8], _ firstLine: String, limit: Int) throws(NoteError) {
    self.bytes = bytes
    lines = try NoteLines(bytes, limit: limit)
    guard bytes[lines.ranges[0]].elementsEqual(firstLine.utf8) else {
      throw NoteError(1, "the first line is not '\(firstLine)'")
    }
  }

  /// The number of the next line, from 1.
  var number: Int { next + 1 }
  /// Where the next line begins.
  var position: Int { next < lines.ranges.count ? lines.ranges[next].lowerBound : bytes.count }

  /// Takes a line that begins so; what follows.
  mutating func take(_ prefix: String) -> [UInt8]? {
    guard next < lines.ranges.count else { return nil }
    let line = bytes[lines.ranges[next]]
    guard line.starts(with: prefix.utf8) else { return nil }
    next += 1
    return Array(line.dropFirst(prefix.utf8.count))
  }

  /// Takes the hashes, and the empty line after them.
  mutating func path() throws(NoteError) -> [Digest] {
    var path: [Digest] = []
    while next < lines.ranges.count {
      let line = bytes[lines.ranges[next]]
      next += 1
      if line.isEmpty { return path }
      guard path.count < MerkleTree.proofLimit else {
        throw NoteError(next, "more hashes than a proof can have")
      }
      guard let hash = NoteWords.hash(line) else {
        throw NoteError(next, "a hash is not the Base64 of 32 bytes")
      }
      path.append(hash)
    }
    throw NoteError(lines.ranges.count, "no empty line ends the hashes")
  }

  /// Passes over the next empty line.
  mutating func skipToEmpty() -> Bool {
    while next < lines.ranges.count {
      next += 1
      if lines.ranges[next - 1].isEmpty { return true }
    }
    return false
  }

  /// Reads the note between two places.
  func note(from start: Int, to end: Int) throws(NoteError) -> SignedCheckpoint {
    let before = lines.ranges.prefix { $0.lowerBound < start }.count
    do throws(NoteError) {
      return try SignedCheckpoint(decoding: Array(bytes[start..<end]))
    } catch {
      throw error.offset(by: before)
    }
  }
}
