// From the columns of a frame to its nodes. What is read may be anything: no byte of it is believed
// before it was checked, and the ids are computed from the bodies.

internal import RedoCrypto
internal import RedoObject

/// What precedes the columns of a frame.
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
  /// The values of the current node, as text without quotes, and the place of each.
  private var scratch: [UInt8] = []
  private var values: [Range<Int>] = []
  /// The place of the last 64 hex digits.
  private var key: Int?

  /// The nodes of a frame.
  ///
  /// - Parameters:
  ///   - frame: its bytes, header included, no more and no fewer.
  ///   - kind: the kind of its objects.
  ///   - last: the place of the last node that is needed; `nil` for all of them, and for whether what the frame
  ///     has is used up.
  ///   - inflater: decompresses.
  /// - Returns: the nodes in their order.
  /// - Throws: when they are not those of a frame.
  static func decode(
    _ frame: [UInt8], _ kind: ObjectKind, upTo last: Int? = nil, _ inflater: inout Inflater
  ) throws(PackFault) -> FrameNodes {
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
    return try decoder.decode(
      PackStreams(frame, from: columns), header, kind, upTo: last, &inflater)
  }

  private mutating func decode(
    _ given: consuming PackStreams, _ header: FrameHeader, _ kind: ObjectKind,
    upTo last: Int?, _ inflater: inout Inflater
  ) throws(PackFault) -> FrameNodes {
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
    guard kind.isColumnar || shapeText.bytes.isEmpty && ids.bytes.isEmpty && uuids.bytes.isEmpty
    else { throw PackFault("a frame of a kind without columns has some") }
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

    var nodes = FrameNodes(header, kind)
    var room = header.canonicalBytes
    for index in 0..<min((last ?? header.nodes) + 1, header.nodes) {
      context.begin()
      let shape = try shapeOfNode.number(below: shapes.shapes.count + 1)
      let start = nodes.bodies.count
      if shape > 0 {
        try fill(shape - 1, room, &nodes)
      } else {
        let count = try raw.number(below: room + 1)
        let body = try raw.take(count)
        nodes.bodies.append(raw.bytes.span, body)
      }
      let body = start..<nodes.bodies.count
      room -= body.count
      // Of those that merely stand before the one that is needed, the ids are computed where something names them.
      let id =
        last == nil
        ? ObjectID(digest: SHA256.digest(of: nodes.bodies.span.extracting(body))) : nil
      context.end()
      var signature: Signature?
      if isSigned.isEmpty || isSigned[index] == 1 {
        let place = try signatures.take(64).lowerBound
        // SAFETY: the load is bounds-checked, and every pattern of bits is a signature.
        let bytes = unsafe signatures.bytes.span.bytes.unsafeLoadUnaligned(
          fromByteOffset: place, as: InlineArray<64, UInt8>.self)
        signature = Signature(bytes: bytes)
      }
      nodes.add(id, body, signature)
    }
    guard nodes.isWhole else { return nodes }
    guard room == 0, shapeOfNode.isAtEnd, raw.isAtEnd, signatures.isAtEnd, ids.isAtEnd,
      uuids.isAtEnd, columns.allSatisfy({ $0.isAtEnd })
    else { throw PackFault("something of a frame belongs to no node") }
    return nodes
  }

  /// Appends a body of a shape, with the next values of its columns.
  ///
  /// - Throws: when it would be longer than there is room for.
  private mutating func fill(
    _ number: Int, _ room: Int, _ nodes: inout FrameNodes
  ) throws(PackFault) {
    let shape = shapes.shapes[number]
    scratch.removeAll(keepingCapacity: true)
    key = nil
    while values.count < shape.leaves.count { values.append(0..<0) }
    guard shape.text.count <= room else { throw Self.tooLarge }
    for index in shape.order {
      let start = scratch.count
      try appendValue(shape.leaves[index], &nodes)
      values[index] = start..<scratch.count
      guard shape.text.count + scratch.count <= room else { throw Self.tooLarge }
    }
    nodes.bodies.append(addingCapacity: shape.text.count + scratch.count) { output in
      // SAFETY: there is room for the text and the values, and each piece of them is copied once.
      unsafe output.withUnsafeMutableBufferPointer { buffer, filled in
        guard let target = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
        func put(_ bytes: Span<UInt8>, _ range: Range<Int>) {
          unsafe bytes.extracting(range).withUnsafeBytes { piece in
            guard let source = piece.baseAddress else { return }
            unsafe (target + filled).copyMemory(from: source, byteCount: piece.count)
          }
          filled += range.count
        }
        var done = 0
        for index in shape.leaves.indices {
          let place = shape.leaves[index].place
          put(shape.text.span, done..<place)
          put(scratch.span, values[index])
          done = place
        }
        put(shape.text.span, done..<shape.text.count)
      }
    }
  }

  private static let tooLarge = PackFault("the nodes of a frame are larger than it says")

  private mutating func appendValue(
    _ leaf: Leaf, _ nodes: inout FrameNodes
  ) throws(PackFault) {
    switch leaf.kind {
    case .text, .number, .hex16: try columns[leaf.column].appendText(to: &scratch)
    case .integer:
      var value = try columns[leaf.column].integer()
      if leaf.isClock {
        value &+= context.expectedLamport
        context.noteLamport(value)
      }
      scratch.append(decimal: value)
    case .id: try appendID(leaf, &nodes)
    case .uuid: try appendUUID(leaf.column)
    case .time:
      var value = try columns[leaf.column].difference()
      value &+= leaf.isClock ? context.expectedWall : context.ownWall
      guard value >= Self.firstWall, value <= WallTime.latest.milliseconds else {
        throw PackFault("a time of no year from 1 to 9999")
      }
      if leaf.isClock { context.noteWall(value) }
      WallTime(milliseconds: value).append(to: &scratch)
    case .hex32:
      key = scratch.count
      try columns[leaf.column].appendText(to: &scratch)
    case .half:
      guard let key else { throw PackFault("a half of nothing") }
      for place in key..<key + 32 { scratch.append(scratch[place]) }
    }
  }

  /// 0001-01-01T00:00:00.000Z.
  private static let firstWall: Int64 = -62_135_596_800_000

  private mutating func appendID(
    _ leaf: Leaf, _ nodes: inout FrameNodes
  ) throws(PackFault) {
    let back = try columns[leaf.column].reference(below: context.entries.count + 1)
    guard back == 0 else {
      let entry = context.entries[context.entries.count - back]
      switch entry.named {
      case .id(let id): id.append(to: &scratch)
      case .node(let place): nodes.keepID(at: place).append(to: &scratch)
      }
      if leaf.isClock { context.noteParent(entry) }
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
