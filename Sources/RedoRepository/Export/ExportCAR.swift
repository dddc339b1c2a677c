// CARv1 (ipld.io, "Content Addressable aRchives"): a header, then blocks, each behind its CID.
//
//   varint, {"roots": [heads], "version": 1} as DAG-CBOR
//   for each node: varint, CID, canonical body          the CID's digest is the node's id
//     for a signed one: varint, CID, {"id":"sha256:…","signature":"…"}
//
// CIDs are of version 1, codec raw (0x55), SHA-256. The signature is outside a node's id, so it has a block
// of its own.

internal import DAGCBOR
internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// Writes CAR files.
enum ExportCAR {
  /// Hands on the bytes of a file, piece by piece.
  ///
  /// - Parameters:
  ///   - ids: the nodes, parents before children.
  ///   - store: where they are.
  ///   - progress: receives how many nodes are written.
  ///   - write: receives the pieces.
  /// - Throws: `ExportFault` for a node that cannot be read.
  static func write(
    _ ids: [ObjectID], _ store: ObjectStore, _ progress: Progress?,
    _ write: ([UInt8]) throws -> Void
  ) throws {
    try write(header(roots: try heads(ids, store)))
    try HistoryWalk.forEach(
      ids, store, progress: progress
    ) { object, _ throws in
      blocks(object)
    } _: { bytes throws in
      try write(bytes)
    }
  }

  private static func heads(
    _ ids: [ObjectID], _ store: ObjectStore
  ) throws -> [ObjectID] {
    var tally = HeadTally()
    try HistoryWalk.forEach(
      ids, store
    ) { object, reader throws -> (ObjectID, [ObjectID]) in
      guard let node = reader.decode(object) else {
        throw ExportFault.notANode(object.id)
      }
      return (node.id, node.parents)
    } _: { node throws in
      tally.add(node.0, parents: node.1)
    }
    return tally.sorted
  }

  /// The header: a map of two members.
  static func header(roots: [ObjectID]) -> [UInt8] {
    var map = CBORWriter()
    map.map(["roots", "version"]) { key, map in
      guard key == "roots" else { return map.value(1 as Int64) }
      map.array(roots) { root, map in map.value(root.cid(.raw)) }
    }
    var bytes: [UInt8] = []
    Varint.append(UInt64(map.bytes.count), to: &bytes)
    return bytes + map.bytes
  }

  /// The block of a node, and that of its signature.
  private static func blocks(_ object: StoredObject) -> [UInt8] {
    var bytes: [UInt8] = []
    append(object.canonical, object.id, to: &bytes)
    if let signature = object.signature {
      var text = Array("{\"id\":\"".utf8)
      object.id.append(to: &text)
      text += "\",\"signature\":\"".utf8
      Hex.append(signature.bytes.span, to: &text)
      text += "\"}".utf8
      append(text, ObjectID(digest: SHA256.digest(of: text.span)), to: &bytes)
    }
    return bytes
  }

  private static func append(_ data: [UInt8], _ id: ObjectID, to bytes: inout [UInt8]) {
    Varint.append(UInt64(CID.byteCount + data.count), to: &bytes)
    bytes += id.cid(.raw).bytes
    bytes += data
  }
}
