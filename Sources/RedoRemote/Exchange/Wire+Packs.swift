// Packs and rows as frames, the same in both directions.

/// Reads the frames of packs and gives their bytes to a taker.
struct PackReceiver {
  /// The bytes of the pack that is coming; 0 between two packs.
  private var byteCount = 0
  /// The packs that have come.
  private(set) var packCount = 0

  /// Whether a pack has begun that has not ended.
  var isInside: Bool { byteCount > 0 }

  /// Takes a frame `pack`.
  mutating func take(_ bytes: [UInt8], _ taker: any PackTaker) throws(RemoteError) {
    guard !bytes.isEmpty else {
      throw .malformed(offset: 0, reason: "a part of a pack without bytes")
    }
    guard byteCount + bytes.count <= PackPiece.packLimit else {
      throw .limit("a pack of more than \(PackPiece.packLimit) bytes")
    }
    byteCount += bytes.count
    try taker.take(.bytes(bytes))
  }

  /// Takes a frame `packEnd`.
  mutating func end(_ payload: [UInt8], _ taker: any PackTaker) throws(RemoteError) {
    var reader = WireReader(payload)
    let count = try reader.number()
    try reader.end()
    guard isInside, count == UInt64(byteCount) else {
      throw .malformed(offset: 0, reason: "a pack of \(byteCount) bytes that has \(count)")
    }
    byteCount = 0
    packCount += 1
    try taker.take(.end)
  }
}

extension WireFrame {
  /// The frames of a whole pack.
  static func frames(ofPack bytes: [UInt8]) -> [(kind: Kind, payload: [UInt8])] {
    var frames: [(kind: Kind, payload: [UInt8])] = []
    for start in stride(from: 0, to: bytes.count, by: byteLimit) {
      frames.append((.pack, Array(bytes[start..<min(start + byteLimit, bytes.count)])))
    }
    var payload: [UInt8] = []
    payload.append(littleEndian: UInt64(bytes.count))
    frames.append((.packEnd, payload))
    return frames
  }
}

extension FrameWriter {
  /// Writes packs of some nodes.
  mutating func write(
    packsOf positions: [Range<Int>], _ maker: any PackMaker
  ) throws(RemoteError) {
    var count = 0
    try maker.makePacks(of: positions) { (piece) throws(RemoteError) in
      switch piece {
      case .bytes(let bytes):
        for start in stride(from: 0, to: bytes.count, by: WireFrame.byteLimit) {
          let end = min(start + WireFrame.byteLimit, bytes.count)
          try write(.pack, Array(bytes[start..<end]))
        }
        count += bytes.count
      case .end:
        var payload: [UInt8] = []
        payload.append(littleEndian: UInt64(count))
        try write(.packEnd, payload)
        count = 0
      }
    }
    precondition(count == 0, "BUG: a pack that does not end")
  }

  /// Writes what became of nodes.
  mutating func write(_ admitted: Admitted) throws(RemoteError) {
    try write(.refused, rows: admitted.refused)
    var payload: [UInt8] = []
    payload.append(varint: admitted.taken)
    try write(.taken, payload)
  }

  /// Writes access lists, in as many frames as it takes; none for no rows.
  mutating func write(_ lists: [AccessRow]) throws(RemoteError) {
    var rows: [UInt8] = []
    for row in lists {
      row.append(to: &rows)
      guard rows.count >= 65_536 else { continue }
      try write(.access, rows)
      rows = []
    }
    if !rows.isEmpty { try write(.access, rows) }
  }

  /// Writes rows of nodes, in as many frames as it takes; none for no rows.
  mutating func write(_ kind: WireFrame.Kind, rows nodes: [RefusedNode]) throws(RemoteError) {
    var rows: [UInt8] = []
    for row in nodes {
      row.append(to: &rows)
      guard rows.count > 65_536 - RefusedNode.byteLimit else { continue }
      try write(kind, rows)
      rows = []
    }
    if !rows.isEmpty { try write(kind, rows) }
  }
}
