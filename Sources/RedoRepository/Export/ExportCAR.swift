// CARv1 (ipld.io, "Content Addressable aRchives"): a header, then blocks, each behind its CID.
//
//   varint, {"roots": [heads], "version": 1} as DAG-CBOR
//   for each node: varint, CID, canonical body          the CID's digest is the node's id
//     for a signed one: varint, CID, {"id":"sha256:…","signature":"…"}
//   for each schema the same
//   for each receipt: varint, CID, preimage              the CID is the receipt's
//     for a signed one: varint, CID, {"cid":"…","signature":"…"}
//
// CIDs are of version 1, SHA-256, codec raw (0x55), and of receipts dag-cbor (0x71). The signature is outside the id, so it has
// a block of its own.

internal import DAGCBOR
internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// The block of a signature: one object of canonical JSON.
struct CARSignature {
  /// What it begins with: the name of what is signed, as its kind is named.
  let start: [UInt8]
  private let kind: ObjectKind

  init(of id: ObjectID, _ kind: ObjectKind) {
    let member = kind != .receipt ? "\"id\":\"\(id.text)\"" : "\"cid\":\"\(id.cidText(as: kind))\""
    start = Array("{\(member),\"signature\":\"".utf8)
    self.kind = kind
  }

  init(of object: StoredObject) { self.init(of: object.id, object.kind) }

  /// The block.
  func text(_ signature: Signature) -> [UInt8] {
    var text = start
    kind.append(signature, to: &text)
    text += "\"}".utf8
    return text
  }
}

/// Writes CAR files.
enum ExportCAR {
  /// Hands on the bytes of a file, piece by piece.
  ///
  /// - Parameters:
  ///   - ids: the nodes, or receipts, parents before children.
  ///   - kind: their kind.
  ///   - store: where they are.
  ///   - progress: receives how many nodes are written.
  ///   - write: receives the pieces.
  /// - Throws: `ExportFault` for a node that cannot be read.
  static func write(
    _ ids: [ObjectID], of kind: ObjectKind, _ store: ObjectStore, _ progress: Progress?,
    _ write: ([UInt8]) throws -> Void
  ) throws {
    try write(header(roots: try heads(ids, of: kind, store), of: kind))
    try HistoryWalk.forEach(
      ids, store, of: kind, progress: progress
    ) { object, _ throws in
      blocks(object)
    } _: { bytes throws in
      try write(bytes)
    }
  }

  private static func heads(
    _ ids: [ObjectID], of kind: ObjectKind, _ store: ObjectStore
  ) throws -> [ObjectID] {
    var tally = HeadTally()
    try HistoryWalk.forEach(
      ids, store, of: kind
    ) { object, reader throws -> (ObjectID, [ObjectID]) in
      guard let place = reader.places.place(of: object) else {
        throw HistoryFault.invalid(object)
      }
      return (object.id, place.parents)
    } _: { node throws in
      tally.add(node.0, parents: node.1)
    }
    return tally.sorted
  }

  /// The header: a map of two members.
  static func header(roots: [ObjectID], of kind: ObjectKind = .node) -> [UInt8] {
    var map = CBORWriter()
    map.map(["roots", "version"]) { key, map in
      guard key == "roots" else { return map.value(1 as Int64) }
      map.array(roots) { root, map in map.value(root.cid(kind.codec)) }
    }
    var bytes: [UInt8] = []
    Varint.append(UInt64(map.bytes.count), to: &bytes)
    return bytes + map.bytes
  }

  /// The block of a node, and that of its signature.
  private static func blocks(_ object: StoredObject) -> [UInt8] {
    var bytes: [UInt8] = []
    append(object.canonical, object.id.cid(object.kind.codec), to: &bytes)
    if let signature = object.signature {
      let text = CARSignature(of: object).text(signature)
      append(text, ObjectID(digest: SHA256.digest(of: text.span)).cid(.raw), to: &bytes)
    }
    return bytes
  }

  private static func append(_ data: [UInt8], _ cid: CID, to bytes: inout [UInt8]) {
    Varint.append(UInt64(CID.byteCount + data.count), to: &bytes)
    bytes += cid.bytes
    bytes += data
  }
}
