// From the columns of a frame to its nodes. What is read may be anything: no byte of it is believed
// before it was checked, and the ids are computed from the bodies.

internal import RedoCrypto
internal import RedoObject

/// What stands before the columns of a frame.
struct FrameHeader: Equatable {
  let payloadBytes: Int
  let nodes: Int
  let canonicalBytes: Int

  /// Reads the header of a frame.
  ///
  /// - Parameter bytes: `PackFormat.frameHeaderBytes` bytes or more.
  /// - Throws: when the sizes are not those of a frame.
  init(_ bytes: [UInt8]) throws(PackFault) {
    guard bytes.count >= PackFormat.frameHeaderBytes else {
      throw PackFault("a frame ends in its header")
    }
    payloadBytes = Int(bytes.littleEndian(at: 0, bytes: 4))
    nodes = Int(bytes.littleEndian(at: 4, bytes: 4))
    canonicalBytes = Int(bytes.littleEndian(at: 8, bytes: 4))
    guard payloadBytes > 0,
      payloadBytes <= PackFormat.frameFileLimit - PackFormat.frameHeaderBytes, nodes > 0,
      nodes <= PackFormat.frameNodeLimit, canonicalBytes <= PackFormat.frameCanonicalLimit
    else { throw PackFault("a frame of sizes that no frame has") }
  }

  /// The checksum of a frame, of which the first bytes are kept.
  ///
  /// - Parameters:
  ///   - payload: its columns.
  ///   - sizes: the 12 bytes before the checksum.
  /// - Returns: the hash of both.
  static func checksum(of payload: Span<UInt8>, after sizes: Span<UInt8>) -> Digest {
    var hash = SHA256()
    hash.update(sizes)
    hash.update(payload)
    return hash.finalize()
  }
}

/// Decodes one frame.
struct FrameDecoder: ~Copyable {
  private var shapes = ShapeTable()
  private var columns: [ColumnReader] = []
  private var context = FrameContext()
  private var ids = PackStream([])
  private var uuids = PackStream([])
  /// The values of the node at hand, as text, and where each of them stands.
  private var scratch: [UInt8] = []
  private var values: [Range<Int>] = []

  /// The nodes of a frame.
  ///
  /// - Parameters:
  ///   - frame: its bytes, header included, no more and no fewer.
  ///   - inflater: decompresses.
  /// - Returns: the nodes in their order.
  /// - Throws: when they are not those of a frame.
  static func decode(
    _ frame: [UInt8], _ inflater: inout Inflater
  ) throws(PackFault) -> [StoredObject] {
    let header = try FrameHeader(frame)
    let columns = PackFormat.frameHeaderBytes
    guard frame.count == columns + header.payloadBytes else {
      throw PackFault("a frame of another size than it says")
    }
    let sum = FrameHeader.checksum(
      of: frame.span.extracting(columns...), after: frame.span.extracting(0..<12))
    for place in 0..<PackFormat.checksumBytes where frame[12 + place] != sum.bytes[place] {
      throw PackFault("the bytes of a frame are not those of its checksum")
    }
    var decoder = FrameDecoder()
    return try decoder.decode(PackStreams(Array(frame[columns...])), header, &inflater)
  }

  private mutating func decode(
    _ given: consuming PackStreams, _ header: FrameHeader, _ inflater: inout Inflater
  ) throws(PackFault) -> [StoredObject] {
    var streams = given
    var shapeText = try streams.next(&inflater)
    var shapeOfNode = try streams.next(&inflater)
    var raw = try streams.next(&inflater)
    let isSigned = try streams.next(&inflater).bytes
    var signatures = try streams.next(&inflater)
    ids = try streams.next(&inflater)
    uuids = try streams.next(&inflater)
    guard isSigned.isEmpty || isSigned.count == header.nodes, isSigned.allSatisfy({ $0 <= 1 })
    else { throw PackFault("it is not told which nodes are signed") }
    while !shapeText.isAtEnd {
      guard shapes.shapes.count < PackFormat.shapeLimit else {
        throw PackFault("a frame has too many shapes")
      }
      try shapes.add(Array(shapeText.bytes[try shapeText.line()]))
    }
    for column in shapes.columns {
      columns.append(try ColumnReader(column.kind, &streams, &inflater))
    }
    guard streams.isAtEnd else { throw PackFault("something follows the columns of a frame") }

    var nodes: [StoredObject] = []
    nodes.reserveCapacity(header.nodes)
    var room = header.canonicalBytes
    for index in 0..<header.nodes {
      context.begin()
      let shape = try shapeOfNode.number(below: shapes.shapes.count + 1)
      var body: [UInt8]
      if shape > 0 {
        body = try fill(shape - 1, room)
      } else {
        let count = try raw.number(below: room + 1)
        body = Array(raw.bytes[try raw.take(count)])
      }
      room -= body.count
      let id = ObjectID(digest: SHA256.digest(of: body.span))
      context.end(id)
      var signature: Signature?
      if isSigned.isEmpty || isSigned[index] == 1 {
        let range = try signatures.take(64)
        signature = Signature(bytes: InlineArray { signatures.bytes[range.lowerBound + $0] })
      }
      nodes.append(StoredObject(id: id, kind: .node, canonical: body, signature: signature))
    }
    guard room == 0, shapeOfNode.isAtEnd, raw.isAtEnd, signatures.isAtEnd, ids.isAtEnd,
      uuids.isAtEnd, columns.allSatisfy({ $0.isAtEnd })
    else { throw PackFault("something of a frame belongs to no node") }
    return nodes
  }

  /// A body of a shape, with the next values of its columns.
  ///
  /// - Throws: when it would be longer than there is room for.
  private mutating func fill(_ number: Int, _ room: Int) throws(PackFault) -> [UInt8] {
    let shape = shapes.shapes[number]
    scratch.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    values.append(contentsOf: repeatElement(0..<0, count: shape.leaves.count))
    let least = shape.text.count - shape.leaves.count
    for (place, index) in shape.order.enumerated() {
      let start = scratch.count
      let leaf = shape.leaves[index]
      if leaf.kind.isQuoted { scratch.append(UInt8(ascii: "\"")) }
      try appendValue(
        leaf, isParent: place < shape.parentCount,
        isLamport: place >= shape.parentCount && place < shape.parentCount + shape.lamportCount,
        isWall: place >= shape.parentCount + shape.lamportCount
          && place < shape.parentCount + shape.lamportCount + shape.wallCount)
      if leaf.kind.isQuoted { scratch.append(UInt8(ascii: "\"")) }
      values[index] = start..<scratch.count
      guard least + scratch.count <= room else {
        throw PackFault("the nodes of a frame are larger than it says")
      }
    }
    guard least <= room else { throw PackFault("the nodes of a frame are larger than it says") }
    var body: [UInt8] = []
    body.reserveCapacity(least + scratch.count)
    var done = 0
    for (leaf, value) in zip(shape.leaves, values) {
      body.append(shape.text.span, done..<leaf.place)
      body.append(scratch.span, value)
      done = leaf.place + 1
    }
    body.append(shape.text.span, done..<shape.text.count)
    return body
  }

  private mutating func appendValue(
    _ leaf: Leaf, isParent: Bool, isLamport: Bool, isWall: Bool
  ) throws(PackFault) {
    switch leaf.kind {
    case .text, .number: try columns[leaf.column].appendText(to: &scratch)
    case .integer:
      var value = try columns[leaf.column].integer()
      if isLamport {
        value &+= context.expectedLamport
        context.noteLamport(value)
      }
      scratch += "\(value)".utf8
    case .id: try appendID(leaf.column, isParent: isParent)
    case .uuid: try appendUUID(leaf.column)
    case .time:
      var value = try columns[leaf.column].difference()
      value &+= isWall ? context.expectedWall : context.ownWall
      guard value >= Self.firstWall, value <= WallTime.latest.milliseconds else {
        throw PackFault("a time of no year from 1 to 9999")
      }
      if isWall { context.noteWall(value) }
      WallTime(milliseconds: value).append(to: &scratch)
    case .hex16, .hex32:
      let bytes = try columns[leaf.column].entry()
      Hex.append(bytes.span, to: &scratch)
      if leaf.kind == .hex32 { context.key = bytes }
    case .half:
      guard let key = context.key else { throw PackFault("a half of nothing") }
      Hex.append(key.span.extracting(0..<16), to: &scratch)
    }
  }

  /// 0001-01-01T00:00:00.000Z.
  private static let firstWall: Int64 = -62_135_596_800_000

  private mutating func appendID(_ column: Int, isParent: Bool) throws(PackFault) {
    let back = try columns[column].reference(below: context.entries.count + 1)
    guard back == 0 else {
      let entry = context.entries[context.entries.count - back]
      entry.id.append(to: &scratch)
      if isParent { context.noteParent(entry) }
      return
    }
    let range = try ids.take(Digest.byteCount)
    guard let digest = Digest(raw: ids.bytes.span.extracting(range)) else {
      throw PackFault("an id of another size")
    }
    let id = ObjectID(digest: digest)
    context.add(id)
    id.append(to: &scratch)
  }

  private mutating func appendUUID(_ column: Int) throws(PackFault) {
    let back = try columns[column].reference(below: context.uuids.count + 1)
    guard back == 0 else {
      context.uuids[context.uuids.count - back].append(to: &scratch)
      return
    }
    let range = try uuids.take(16)
    let uuid = TaskID(bytes: InlineArray { uuids.bytes[range.lowerBound + $0] })
    context.uuids.append(uuid)
    uuid.append(to: &scratch)
  }
}
