// What is known of an archive whose file was read from its first byte to its last: every byte has the
// hash of the file, every id is that of its body, the order and the directory are those of the nodes.

package import RedoCrypto
package import RedoObject

/// An archive that was read as a whole.
package struct ArchiveProof: Sendable {
  /// What it says about itself, and was found to be.
  package let directory: PackDirectory
  /// The bytes of its file.
  package let fileBytes: Int
  /// The hash at the end of its file, SHA-256 of all before it.
  package let hash: Digest
  /// Its ids, in the order of the archive.
  package let ids: [ObjectID]
  /// For each place in the ascending order of ids the node's place in the archive.
  private let order: [UInt32]
  /// For each node in the order of the archive what tells its signature from others.
  private let signatures: [SignatureTag]

  fileprivate init(
    _ directory: PackDirectory, fileBytes: Int, hash: Digest, ids: [ObjectID],
    signatures: [SignatureTag]
  ) {
    self.directory = directory
    self.fileBytes = fileBytes
    self.hash = hash
    self.ids = ids
    self.signatures = signatures
    order = (0..<UInt32(ids.count)).sorted { ids[Int($0)] < ids[Int($1)] }
  }

  /// The archive as a line of the list.
  ///
  /// - Parameters:
  ///   - path: where its file is, from the root on.
  ///   - state: whether its nodes are on their way out of the store.
  /// - Returns: the line.
  package func registered(
    at path: String, _ state: RegisteredArchive.State
  ) -> RegisteredArchive {
    RegisteredArchive(
      name: directory.name, nodes: directory.nodes, bytes: fileBytes, hash: hash, state: state,
      path: path)
  }

  /// The first place in the ascending order of ids whose id is not before another.
  private func lowerBound(_ isBefore: (ObjectID) -> Bool) -> Int {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(ids[Int(order[middle])]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func place(of id: ObjectID) -> Int? {
    let found = lowerBound { $0 < id }
    guard found < order.count, ids[Int(order[found])] == id else { return nil }
    return Int(order[found])
  }

  /// Whether a node is in it.
  package func contains(_ id: ObjectID) -> Bool { place(of: id) != nil }

  /// Whether this very node, with this very signature, is in it.
  ///
  /// - Parameter object: an object whose bytes have its id.
  /// - Returns: whether the archive has the same bytes.
  package func holds(_ object: StoredObject) -> Bool {
    guard object.kind.hasHistory, let place = place(of: object.id) else { return false }
    return signatures[place] == SignatureTag(object.signature)
  }

  /// The ids that begin with a byte, ascending.
  package func ids(inShard byte: UInt8) -> [ObjectID] {
    let start = lowerBound { $0[0] < byte }
    var found: [ObjectID] = []
    for index in start..<order.count {
      let id = ids[Int(order[index])]
      guard id[0] == byte else { break }
      found.append(id)
    }
    return found
  }
}

/// 16 bytes that tell a signature from every other, and from none.
private struct SignatureTag: Equatable, Sendable {
  private let first: UInt64
  private let second: UInt64

  init(_ signature: Signature?) {
    guard let signature else {
      first = 0
      second = 0
      return
    }
    let digest = SHA256.digest(of: signature.bytes.span)
    var words: (UInt64, UInt64) = (0, 0)
    for place in 0..<8 {
      words.0 = words.0 << 8 | UInt64(digest.bytes[place])
      words.1 = words.1 << 8 | UInt64(digest.bytes[8 + place])
    }
    (first, second) = words
  }
}

/// Reads an archive as a whole, frame by frame.
package struct ArchiveProver: ~Copyable {
  private var reader: PackReader
  private let hash: Digest
  private var tally: PackTally
  private var decoder: PlaceDecoder
  private var inflater: FrameInflater
  private var ids: [ObjectID] = []
  private var signatures: [SignatureTag] = []
  private var next = 0

  /// Opens an archive, and compares its bytes with the hash at its end.
  ///
  /// - Parameters:
  ///   - source: where its bytes are.
  ///   - kinds: the kinds of objects that are wanted.
  /// - Throws: as `PackReader`.
  package init(
    _ source: consuming PackSource, of kinds: [ObjectKind] = ObjectKind.packed
  ) throws(PackError) {
    let reader = try PackReader(source, of: kinds)
    hash = try reader.checkBytes()
    // What a pack states costs it nothing.
    let expected = min(reader.directory.nodes, reader.fileBytes)
    ids.reserveCapacity(expected)
    signatures.reserveCapacity(expected)
    tally = PackTally(reader.directory.kind)
    self.reader = reader
    decoder = PlaceDecoder()
    inflater = FrameInflater()
  }

  /// What the archive says about itself.
  package var directory: PackDirectory { reader.directory }

  /// Reads the next frame.
  ///
  /// - Returns: its nodes; `nil` when there is no further frame.
  /// - Throws: `corrupt` when it is not what the archive says, or its nodes are out of order.
  package mutating func step() throws(PackError) -> [StoredObject]? {
    guard next < reader.directory.frames.count else { return nil }
    let frame = reader.directory.frames[next]
    let nodes = try reader.nodes(ofFrame: next, &inflater)
    next += 1
    var packed: [PackEntry] = []
    packed.reserveCapacity(nodes.count)
    for node in nodes {
      guard let entry = PackEntry(node, &decoder) else {
        throw .corrupt(
          offset: frame.offset,
          reason: "an object that is no \(node.kind.name): '\(node.id.text)'")
      }
      packed.append(entry)
      ids.append(node.id)
      signatures.append(SignatureTag(node.signature))
    }
    if let fault = tally.add(packed, fileBytes: frame.fileBytes) {
      throw .corrupt(offset: frame.offset, reason: fault.rawValue)
    }
    return nodes
  }

  /// Compares what was found with what the archive says about itself.
  ///
  /// - Returns: what is known now.
  /// - Throws: `corrupt` when they differ.
  package consuming func finish() throws(PackError) -> ArchiveProof {
    precondition(next == reader.directory.frames.count, "BUG: an archive was not read to its end")
    var found = PackTally(reader.directory.kind)
    swap(&found, &tally)
    guard found.finish() == reader.directory else {
      throw .corrupt(
        offset: reader.fileBytes, reason: "its directory is not that of its nodes")
    }
    return ArchiveProof(
      reader.directory, fileBytes: reader.fileBytes, hash: hash, ids: ids, signatures: signatures)
  }
}
