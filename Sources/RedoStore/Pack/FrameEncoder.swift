// From nodes to the columns of a frame.

internal import RedoCrypto
internal import RedoObject

/// Encodes one frame.
struct FrameEncoder {
  private var shapes = ShapeTable()
  private var shapeIndex: [[UInt8]: Int] = [:]
  private var columns: [ColumnWriter] = []
  private var cutter = NodeCutter()
  private var context = FrameContext()
  private var entryPlace: [ObjectID: Int] = [:]
  private var uuidPlace: [TaskID: Int] = [:]

  private var shapeText: [UInt8] = []
  private var shapeOfNode: [UInt8] = []
  private var raw: [UInt8] = []
  private var isSigned: [UInt8] = []
  private var signatures: [UInt8] = []
  private var ids: [UInt8] = []
  private var uuids: [UInt8] = []

  /// The frame of some nodes, its header included.
  ///
  /// It has been decoded again, and gave these nodes.
  ///
  /// - Parameters:
  ///   - nodes: as many as a frame can hold, parents before children.
  ///   - kind: their kind; unless that is columnar, all bodies are kept as they are.
  ///   - deflaters: compress.
  ///   - inflater: decompresses.
  /// - Returns: its bytes.
  static func frame(
    _ nodes: [StoredObject], _ kind: ObjectKind, _ deflaters: inout PackDeflaters,
    _ inflater: inout Inflater
  ) -> [UInt8] {
    // If a body cannot be restored exactly, all bodies are kept as they are.
    var kept: Set<Int> = kind.isColumnar ? [] : Set(nodes.indices)
    while true {
      let frame = encode(nodes, keeping: kept, &deflaters)
      guard let decoded = (try? FrameDecoder.decode(frame, kind, &inflater))?.all else {
        precondition(kept.count < nodes.count, "BUG: a frame of whole bodies cannot be read")
        kept = Set(nodes.indices)
        continue
      }
      let wrong = nodes.indices.filter { decoded[$0] != nodes[$0] }
      if wrong.isEmpty { return frame }
      precondition(kept.isDisjoint(with: wrong), "BUG: a whole body does not come back")
      kept.formUnion(wrong)
    }
  }

  private static func encode(
    _ nodes: [StoredObject], keeping kept: Set<Int>, _ deflaters: inout PackDeflaters
  ) -> [UInt8] {
    var encoder = FrameEncoder()
    var canonicalBytes = 0
    for (index, node) in nodes.enumerated() {
      canonicalBytes += node.canonical.count
      encoder.add(node, isKept: kept.contains(index))
    }
    let payload = encoder.finish(&deflaters)
    var frame: [UInt8] = []
    frame.reserveCapacity(payload.count + PackFormat.frameHeaderBytes)
    frame.append(littleEndian: UInt64(payload.count), bytes: 4)
    frame.append(littleEndian: UInt64(nodes.count), bytes: 4)
    frame.append(littleEndian: UInt64(canonicalBytes), bytes: 4)
    let sum = FrameHeader.checksum(of: payload.span, after: frame.span)
    frame.append(sum.bytes.span, 0..<PackFormat.checksumBytes)
    return frame + payload
  }

  private mutating func add(_ node: StoredObject, isKept: Bool) {
    isSigned.append(node.signature == nil ? 0 : 1)
    if let signature = node.signature { signatures.append(signature.bytes.span) }
    context.begin()
    if !isKept, let shape = shape(of: node.canonical) {
      shapeOfNode.append(varint: UInt64(shape + 1))
      for leaf in shapes.shapes[shape].order { add(leaf, of: shape, node.canonical.span) }
    } else {
      shapeOfNode.append(varint: 0)
      raw.append(varint: UInt64(node.canonical.count))
      raw += node.canonical
    }
    context.end()
    entryPlace[node.id] = context.entries.count - 1
  }

  /// The index of a body's shape; `nil` when it has none.
  private mutating func shape(of body: [UInt8]) -> Int? {
    guard cutter.cut(body.span), !cutter.shape.isEmpty else { return nil }
    if let known = shapeIndex[cutter.shape] { return known }
    guard shapes.shapes.count < PackFormat.shapeLimit,
      (try? shapes.add(cutter.shape)) != nil
    else { return nil }
    shapeIndex[cutter.shape] = shapes.shapes.count - 1
    shapeText += cutter.shape
    shapeText.append(0x0A)
    while columns.count < shapes.columns.count {
      columns.append(ColumnWriter(shapes.columns[columns.count].kind))
    }
    return shapes.shapes.count - 1
  }

  /// Adds one value to its column.
  private mutating func add(_ number: Int, of shape: Int, _ body: Span<UInt8>) {
    let leaf = shapes.shapes[shape].leaves[number]
    let range = cutter.values[number]
    let text = body.extracting(range)
    let name = shapes.columns[leaf.column].name
    switch leaf.kind {
    case .text, .number: columns[leaf.column].add(text)
    case .integer:
      let value = NodeCutter.integer(body, range) ?? 0
      if ShapeTable.isLamport(name) {
        columns[leaf.column].add(value &- context.expectedLamport)
        context.noteLamport(value)
      } else {
        columns[leaf.column].add(value)
      }
    case .id: addID(text, leaf.column, isParent: ShapeTable.isParents(name))
    case .uuid: addUUID(text, leaf.column)
    case .time:
      let value = WallTime.parse(text)?.time.milliseconds ?? 0
      if ShapeTable.isWall(name) {
        columns[leaf.column].add(difference: value &- context.expectedWall)
        context.noteWall(value)
      } else {
        columns[leaf.column].add(difference: value &- context.ownWall)
      }
    case .hex16, .hex32:
      var bytes: [UInt8] = []
      if let half = Hex.decode16(text) { bytes.append(half.span) }
      if let whole = Hex.decode32(text) { bytes.append(whole.span) }
      columns[leaf.column].add(entry: bytes)
    case .half: break
    }
  }

  private mutating func addID(_ text: Span<UInt8>, _ column: Int, isParent: Bool) {
    guard let id = ObjectID(ascii: text) else { preconditionFailure("BUG: a mark of no id") }
    if let place = entryPlace[id] {
      columns[column].add(reference: context.entries.count - place)
      if isParent { context.noteParent(context.entries[place]) }
    } else {
      columns[column].add(reference: 0)
      id.appendRaw(to: &ids)
      context.add(id)
      entryPlace[id] = context.entries.count - 1
    }
  }

  private mutating func addUUID(_ text: Span<UInt8>, _ column: Int) {
    guard let uuid = TaskID(text) else { preconditionFailure("BUG: a mark of no UUID") }
    if let place = uuidPlace[uuid] {
      columns[column].add(reference: context.uuids.count - place)
    } else {
      columns[column].add(reference: 0)
      uuids.append(uuid.bytes.span)
      uuidPlace[uuid] = context.uuids.count
      context.uuids.append(uuid)
    }
  }

  /// All streams, one after another.
  private mutating func finish(_ deflaters: inout PackDeflaters) -> [UInt8] {
    var output: [UInt8] = []
    deflaters.append(shapeText, to: &output)
    deflaters.append(shapeOfNode, to: &output)
    deflaters.append(raw, to: &output)
    // No stream at all says that every node is signed.
    deflaters.append(isSigned.contains(0) ? isSigned : [], to: &output)
    for noise in [signatures, ids, uuids] { deflaters.appendStored(noise, to: &output) }
    for column in columns {
      for stream in column.streams { deflaters.append(stream, to: &output) }
    }
    return output
  }
}
