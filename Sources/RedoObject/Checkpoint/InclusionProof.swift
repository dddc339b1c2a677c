// The proof that a node was received before a checkpoint was made, in the form of c2sp.org/tlog-proof:
//
//   c2sp.org/tlog-proof@v1
//   extra <base64 of the node and the rest of the leaf's data>
//   index <place of the node, from 0>
//   <base64 of a hash>             the sibling of the leaf first, as many as there are
//                                  an empty line
//   <the checkpoint, byte for byte>
//
// `extra` is canonical JSON: `{"key":"<hex>","node":{...},"received":<milliseconds since 1970>}`, where
// the key is given only for a node that does not carry it.

package import RedoCrypto

/// The subject of a proof: a node, and when it was received.
package struct ProvenNode: Equatable, Sendable {
  /// The node's canonical JSON, with id and signature.
  package let node: [UInt8]
  /// When it was received, in milliseconds since 1970.
  package let received: Int64
  /// The author's public key, if the node does not carry it and it is known.
  package let key: PublicKey?

  /// A node and what else its leaf and its signature need.
  package init(node: [UInt8], received: Int64, key: PublicKey?) {
    self.node = node
    self.received = received
    self.key = key
  }

  private static let keyStart = Array("{\"key\":\"".utf8)
  private static let keyEnd = Array("\",\"node\":".utf8)
  private static let nodeStart = Array("{\"node\":".utf8)
  private static let nodeEnd = Array(",\"received\":".utf8)

  /// The canonical JSON.
  var bytes: [UInt8] {
    var bytes = Self.nodeStart
    if let key { bytes = Self.keyStart + Array(Hex.text(key.bytes.span).utf8) + Self.keyEnd }
    return bytes + node + Self.nodeEnd + Array("\(received)}".utf8)
  }

  /// Reads the canonical JSON; whether the part that should be a node is one is decided by the decoder
  /// of nodes.
  init?(decoding bytes: [UInt8]) {
    var rest = bytes[...]
    var key: PublicKey?
    if rest.starts(with: Self.keyStart) {
      rest = rest.dropFirst(Self.keyStart.count)
      let digits = Array(rest.prefix(64))
      guard let bytes = Hex.decode32(digits.span) else { return nil }
      key = PublicKey(bytes: bytes)
      rest = rest.dropFirst(64)
      guard rest.starts(with: Self.keyEnd) else { return nil }
      rest = rest.dropFirst(Self.keyEnd.count)
    } else {
      guard rest.starts(with: Self.nodeStart) else { return nil }
      rest = rest.dropFirst(Self.nodeStart.count)
    }
    guard rest.popLast() == UInt8(ascii: "}"),
      let comma = rest.lastIndex(of: UInt8(ascii: ",")),
      rest[comma...].starts(with: Self.nodeEnd),
      let received = NoteWords.decimal(rest[(comma + Self.nodeEnd.count)...])
    else { return nil }
    self.init(node: Array(rest[..<comma]), received: Int64(received), key: key)
  }
}

/// A proof that a node was received before a checkpoint was made.
package struct InclusionProof: Equatable, Sendable {
  /// The first line.
  package static let firstLine = "c2sp.org/tlog-proof@v1"
  /// The most bytes: a node of the largest size in Base64, a note, and room for the path.
  package static let byteLimit = (Node.byteLimit + 1024) * 4 / 3 + SignedNote.byteLimit + 16_384

  /// The node.
  package let node: ProvenNode
  /// Its place among the entries, from 0.
  package let index: Int
  /// The hashes from the leaf's sibling up to the child of the root.
  package let path: [Digest]
  /// The checkpoint.
  package let checkpoint: SignedCheckpoint

  /// A proof made of its parts, which may be false.
  package init(node: ProvenNode, index: Int, path: [Digest], checkpoint: SignedCheckpoint) {
    self.node = node
    self.index = index
    self.path = path
    self.checkpoint = checkpoint
  }

  /// Whether the tree of the checkpoint has a node at the place of this one.
  ///
  /// - Parameter id: the hash of the node's body, computed anew.
  /// - Returns: whether the path leads from its leaf to the root.
  package func holds(for id: ObjectID) -> Bool {
    MerkleTree.isIncluded(
      Checkpoint.leaf(id, received: node.received), at: index, of: checkpoint.checkpoint.size,
      root: checkpoint.checkpoint.root, path: path)
  }

  /// The text.
  package var bytes: [UInt8] {
    var bytes = Array("\(Self.firstLine)\nextra ".utf8)
    Base64.append(node.bytes.span, to: &bytes)
    bytes += "\nindex \(index)\n".utf8
    for hash in path {
      Base64.append(hash.bytes.span, to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes + checkpoint.note.bytes
  }

  /// Reads a proof, without checking it.
  ///
  /// - Parameter bytes: the whole text.
  /// - Throws: the first fault.
  package init(decoding bytes: [UInt8]) throws(NoteError) {
    var parts = try ProofParts(bytes, Self.firstLine, limit: Self.byteLimit)
    guard let text = parts.take("extra ") else {
      throw NoteError(parts.number, "not 'extra' and Base64, which tells the node")
    }
    guard let extra = Base64.decode(text.span) else {
      throw NoteError(parts.number - 1, "not 'extra' and Base64, which tells the node")
    }
    guard let node = ProvenNode(decoding: extra) else {
      throw NoteError(
        parts.number - 1, "the extra data are not canonical JSON of a node and when it was received"
      )
    }
    guard let text = parts.take("index "), let index = NoteWords.decimal(text[...]) else {
      throw NoteError(3, "not 'index' and a number without leading zeros")
    }
    let path = try parts.path()
    let checkpoint = try parts.note(from: parts.position, to: bytes.count)
    self.init(node: node, index: index, path: path, checkpoint: checkpoint)
  }
}
