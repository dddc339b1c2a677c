// CARv1 (ipld.io, "Content Addressable aRchives"): a header, then blocks, each behind its CID.
//
//   varint, {"roots": [heads], "version": 1} as DAG-CBOR
//   for each node: varint, CID, canonical body          the CID's digest is the node's id
//     for a signed one: varint, CID, {"id":"sha256:…","signature":"…"}
//
// CIDs are of version 1, codec raw (0x55), SHA-256. The signature is outside a node's id, so it has a block
// of its own.

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
  ///   - write: receives the pieces.
  /// - Throws: `ExportFault` for a node that cannot be read.
  static func write(
    _ ids: [ObjectID], _ store: ObjectStore, _ write: ([UInt8]) throws -> Void
  ) throws {
    try write(header(roots: try heads(ids, store)))
    try HistoryWalk.forEach(
      ids, store
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

  /// The header: a map of two members in the order of DAG-CBOR, links with tag 42.
  static func header(roots: [ObjectID]) -> [UInt8] {
    var map: [UInt8] = [0xA2, 0x65] + Array("roots".utf8)
    append(cborArray: roots.count, to: &map)
    for root in roots {
      map += [0xD8, 0x2A, 0x58, 0x25, 0x00]
      append(cid: root.digest, to: &map)
    }
    map += [0x67] + Array("version".utf8) + [0x01]
    var bytes: [UInt8] = []
    append(varint: map.count, to: &bytes)
    return bytes + map
  }

  /// The block of a node, and that of its signature.
  private static func blocks(_ object: StoredObject) -> [UInt8] {
    var bytes: [UInt8] = []
    append(object.canonical, object.id.digest, to: &bytes)
    if let signature = object.signature {
      var text = Array("{\"id\":\"".utf8)
      object.id.append(to: &text)
      text += "\",\"signature\":\"".utf8
      Hex.append(signature.bytes.span, to: &text)
      text += "\"}".utf8
      append(text, SHA256.digest(of: text.span), to: &bytes)
    }
    return bytes
  }

  private static func append(_ data: [UInt8], _ digest: Digest, to bytes: inout [UInt8]) {
    append(varint: cidBytes + data.count, to: &bytes)
    append(cid: digest, to: &bytes)
    bytes += data
  }

  private static let cidBytes = 36

  private static func append(cid digest: Digest, to bytes: inout [UInt8]) {
    bytes += [0x01, 0x55, 0x12, 0x20]
    for index in 0..<Digest.byteCount { bytes.append(digest.bytes[index]) }
  }

  private static func append(varint value: Int, to bytes: inout [UInt8]) {
    var rest = value
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Appends the head of an array in its shortest form.
  private static func append(cborArray count: Int, to bytes: inout [UInt8]) {
    switch count {
    case ..<24: bytes.append(0x80 | UInt8(count))
    case ..<0x100: bytes += [0x98, UInt8(count)]
    case ..<0x1_0000: bytes += [0x99, UInt8(count >> 8), UInt8(count & 0xFF)]
    default:
      bytes.append(0x9A)
      for shift in [24, 16, 8, 0] { bytes.append(UInt8(count >> shift & 0xFF)) }
    }
  }
}
