// The proof that a node, a receipt or a schema was received before a checkpoint was made, in the form of c2sp.org/tlog-proof:
//
//   c2sp.org/tlog-proof@v1
//   extra <base64 of the object, and the rest of the leaf's data>
//   index <its place, from 0>
//   <base64 of a hash>             the sibling of the leaf first, as many as there are
//                                  an empty line
//   <the checkpoint, byte for byte>
//
// `extra` is canonical JSON, `{"key":"<hex>","node":{...},"received":<milliseconds since 1970>}` or, for a receipt,
// `{"key":"<hex>","receipt":{"cbor":"<base64>","signature":"<base64>"},"received":...}`, or, for a schema,
// `{"received":...,"schema":{...}}`. A node's key is given only when the node does not carry it, a receipt's when it is signed;
// neither is when it is not known. A schema carries its key.

package import RedoCrypto

/// The subject of a proof: a node, a receipt or a schema, and when it was received.
package struct ProvenObject: Equatable, Sendable {
  /// What was received.
  package enum Subject: Equatable, Sendable {
    /// A node's canonical JSON, with id and signature.
    case node([UInt8])
    /// The bytes of a receipt, and its signature.
    case receipt([UInt8], Signature?)
    /// A schema's canonical JSON, with id and signature.
    case schema([UInt8])
  }

  /// What was received.
  package let subject: Subject
  /// When it was received, in milliseconds since 1970.
  package let received: Int64
  /// The key of the author or device, if the subject does not carry it and it is known.
  package let key: PublicKey?

  /// An object and what else its leaf and its signature need.
  package init(_ subject: Subject, received: Int64, key: PublicKey?) {
    self.subject = subject
    self.received = received
    self.key = key
  }

  private static let keyStart = Array("\"key\":\"".utf8)
  private static let keyEnd = Array("\",".utf8)
  private static let nodeStart = Array("\"node\":".utf8)
  private static let receiptStart = Array("\"receipt\":{\"cbor\":\"".utf8)
  private static let signatureStart = Array(",\"signature\":\"".utf8)
  private static let receivedStart = Array(",\"received\":".utf8)
  private static let schemaStart = Array(",\"schema\":".utf8)

  /// The canonical JSON.
  var bytes: [UInt8] {
    var bytes = [UInt8(ascii: "{")]
    if case .schema(let schema) = subject {
      bytes += Self.receivedStart.dropFirst() + Array("\(received)".utf8) + Self.schemaStart
      return bytes + schema + [UInt8(ascii: "}")]
    }
    if let key { bytes += Self.keyStart + Array(Hex.text(key.bytes.span).utf8) + Self.keyEnd }
    switch subject {
    case .node(let node): bytes += Self.nodeStart + node
    case .receipt(let preimage, let signature):
      bytes += Self.receiptStart
      Base64.append(preimage.span, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
      if let signature {
        bytes += Self.signatureStart
        Base64.append(signature.bytes.span, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
      }
      bytes.append(UInt8(ascii: "}"))
    case .schema: break
    }
    return bytes + Self.receivedStart + Array("\(received)}".utf8)
  }

  /// Reads the canonical JSON; whether the part that should be an object is one is decided by the decoder of its kind.
  init?(decoding bytes: [UInt8]) {
    var rest = bytes[...]
    guard rest.popFirst() == UInt8(ascii: "{"), rest.popLast() == UInt8(ascii: "}") else {
      return nil
    }
    if Self.take(Self.receivedStart.dropFirst(), from: &rest) {
      let digits = rest.prefix { $0 != UInt8(ascii: ",") }
      rest = rest.dropFirst(digits.count)
      guard let received = NoteWords.decimal(digits), Self.take(Self.schemaStart[...], from: &rest)
      else { return nil }
      self.init(.schema(Array(rest)), received: Int64(received), key: nil)
      return
    }
    guard let comma = rest.lastIndex(of: UInt8(ascii: ",")),
      rest[comma...].starts(with: Self.receivedStart),
      let received = NoteWords.decimal(rest[(comma + Self.receivedStart.count)...])
    else { return nil }
    rest = rest[..<comma]
    var key: PublicKey?
    if Self.take(Self.keyStart, from: &rest) {
      let digits = Array(rest.prefix(64))
      guard let bytes = Hex.decode32(digits.span) else { return nil }
      key = PublicKey(bytes: bytes)
      rest = rest.dropFirst(64)
      guard Self.take(Self.keyEnd, from: &rest) else { return nil }
    }
    if Self.take(Self.nodeStart, from: &rest) {
      self.init(.node(Array(rest)), received: Int64(received), key: key)
    } else {
      guard let receipt = Self.receipt(&rest) else { return nil }
      self.init(receipt, received: Int64(received), key: key)
    }
  }

  /// Reads a receipt, up to the end of the bytes.
  private static func receipt(_ rest: inout ArraySlice<UInt8>) -> Subject? {
    guard take(receiptStart, from: &rest), let preimage = base64(&rest) else { return nil }
    var signature: Signature?
    if take(signatureStart, from: &rest) {
      let text = Array(rest.prefix { $0 != UInt8(ascii: "\"") })
      signature = Signature(base64: text.span)
      guard signature != nil, base64(&rest) != nil else { return nil }
    }
    return rest.elementsEqual([UInt8(ascii: "}")]) ? .receipt(preimage, signature) : nil
  }

  /// Takes Base64 and the quote that ends it.
  private static func base64(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    let text = Array(rest[..<end])
    rest = rest[(end + 1)...]
    return Base64.decode(text.span)
  }

  private static func take(_ start: some Collection<UInt8>, from rest: inout ArraySlice<UInt8>)
    -> Bool
  {
    guard rest.starts(with: start) else { return false }
    rest = rest.dropFirst(start.count)
    return true
  }
}

/// A proof that a node, a receipt or a schema was received before a checkpoint was made.
package struct InclusionProof: Equatable, Sendable {
  /// The first line.
  package static let firstLine = "c2sp.org/tlog-proof@v1"
  /// The most bytes: a node of the largest size in Base64, a note, and room for the path.
  package static let byteLimit = (Node.byteLimit + 1024) * 4 / 3 + SignedNote.byteLimit + 16_384

  /// What was received.
  package let object: ProvenObject
  /// Its place among the entries, from 0.
  package let index: Int
  /// The hashes from the leaf's sibling up to the child of the root.
  package let path: [Digest]
  /// The checkpoint.
  package let checkpoint: SignedCheckpoint

  /// A proof made of its parts, which may be false.
  package init(
    _ object: ProvenObject, index: Int, path: [Digest], checkpoint: SignedCheckpoint
  ) {
    self.object = object
    self.index = index
    self.path = path
    self.checkpoint = checkpoint
  }

  /// Whether the tree of the checkpoint has this object at its place.
  ///
  /// - Parameter id: the hash of the object's canonical bytes, computed anew.
  /// - Returns: whether the path leads from its leaf to the root.
  package func holds(for id: ObjectID) -> Bool {
    MerkleTree.isIncluded(
      Checkpoint.leaf(id, received: object.received), at: index, of: checkpoint.checkpoint.size,
      root: checkpoint.checkpoint.root, path: path)
  }

  /// The text.
  package var bytes: [UInt8] {
    var bytes = Array("\(Self.firstLine)\nextra ".utf8)
    Base64.append(object.bytes.span, to: &bytes)
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
      throw NoteError(parts.number, "not 'extra' and Base64, which tells what was received")
    }
    guard let extra = Base64.decode(text.span) else {
      throw NoteError(parts.number - 1, "not 'extra' and Base64, which tells what was received")
    }
    guard let object = ProvenObject(decoding: extra) else {
      throw NoteError(
        parts.number - 1,
        "the extra data are not canonical JSON of a node, receipt or schema and when it was received"
      )
    }
    guard let text = parts.take("index "), let index = NoteWords.decimal(text[...]) else {
      throw NoteError(3, "not 'index' and a number without leading zeros")
    }
    let path = try parts.path()
    let checkpoint = try parts.note(from: parts.position, to: bytes.count)
    self.init(object, index: index, path: path, checkpoint: checkpoint)
  }
}
