// Frames: everything on the wire is in them (redo-wire(5)).
//
//   4 bytes   the bytes of the payload, the lowest first
//   1 byte    the type
//   payload
//
// The sides take turns. A turn ends with a frame of type 0 without payload.

/// One frame.
package struct WireFrame: Equatable, Sendable {
  /// What frames there are.
  package enum Kind: UInt8, Sendable {
    /// The end of a turn.
    case end = 0
    /// Who is speaking, in the first turn of each side.
    case hello = 1
    /// What differs, a `RangeMessage`.
    case ranges = 2
    /// A request, a `RangeMessage`.
    case want = 3
    /// The next bytes of a pack.
    case pack = 4
    /// The end of a pack, with the number of its bytes.
    case packEnd = 5
    /// Nodes that were sent and are not taken.
    case refused = 6
    /// How many were.
    case taken = 7
    /// Why a side cannot go on; its last frame.
    case fault = 8
    /// Nodes that the server has and does not offer, before its first ranges.
    case unfit = 9
    /// Access lists of nodes, before the first ranges of a server, or before what a client sends.
    case access = 10
    /// What the exchange has cost behind a helper: its last frame, after the client's end.
    case cost = 11
  }

  /// The most bytes of a payload: 1 MiB and 64 KiB.
  package static let byteLimit = 1_048_576 + 65_536
  /// The bytes before the payload.
  static let headerBytes = 5

  /// What it is.
  package let kind: Kind
  /// Its payload.
  package let payload: [UInt8]

  /// What it is, for people.
  var name: String { "a frame '\(kind)'" }
}

/// Reads frames.
package struct FrameReader<Stream: ByteStream> {
  /// How much is read at a time.
  private static var step: Int { 65_536 }

  private let stream: Stream
  private var bytes: [UInt8] = []
  private var place = 0
  /// The bytes of all frames so far.
  package private(set) var byteCount = 0

  /// A reader of frames.
  package init(_ stream: Stream) { self.stream = stream }

  /// Reads until this many bytes are there.
  ///
  /// - Returns: `false` when the stream ends before.
  private mutating func fill(_ count: Int) throws(RemoteError) -> Bool {
    guard bytes.count - place < count else { return true }
    bytes.removeFirst(place)
    place = 0
    while bytes.count < count {
      // Memory is allocated for what has come, not for what was announced.
      let more = try stream.read(atMost: Self.step)
      guard !more.isEmpty else { return false }
      bytes += more
    }
    return true
  }

  /// The next frame.
  ///
  /// - Returns: the frame; `nil` when the stream ends before it.
  /// - Throws: `closed` in the middle of one, `limit` for one too large, `malformed` for one of no known
  ///   type, `peer` for a fault.
  package mutating func next() throws(RemoteError) -> WireFrame? {
    guard try fill(WireFrame.headerBytes) else {
      guard bytes.isEmpty else { throw .closed }
      return nil
    }
    let count = (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    guard let kind = WireFrame.Kind(rawValue: bytes[place + 4]) else {
      throw .malformed(offset: 4, reason: "a frame of type \(bytes[place + 4])")
    }
    guard count <= WireFrame.byteLimit else {
      throw .limit("a frame of \(count) bytes, at most \(WireFrame.byteLimit)")
    }
    guard kind != .end || count == 0 else {
      throw .malformed(offset: 0, reason: "an end of a turn with \(count) bytes")
    }
    guard try fill(WireFrame.headerBytes + count) else { throw .closed }
    let start = place + WireFrame.headerBytes
    place = start + count
    byteCount += WireFrame.headerBytes + count
    let frame = WireFrame(kind: kind, payload: Array(bytes[start..<place]))
    if kind == .fault { throw .peer(try PeerFault(decoding: frame.payload)) }
    return frame
  }
}

/// Writes frames: what is small is gathered, a turn is written out at its end.
package struct FrameWriter<Stream: ByteStream> {
  /// How much is gathered.
  private static var step: Int { 65_536 }

  private let stream: Stream
  private var bytes: [UInt8] = []
  /// The bytes of all frames so far.
  package private(set) var byteCount = 0

  /// A writer of frames.
  package init(_ stream: Stream) { self.stream = stream }

  /// Writes a frame.
  ///
  /// - Parameters:
  ///   - kind: what it is.
  ///   - payload: at most `WireFrame.byteLimit` bytes.
  /// - Throws: `closed` or `stream`.
  package mutating func write(_ kind: WireFrame.Kind, _ payload: [UInt8] = []) throws(RemoteError) {
    precondition(payload.count <= WireFrame.byteLimit, "BUG: a frame beyond the limit")
    bytes.append(littleEndian: UInt32(payload.count))
    bytes.append(kind.rawValue)
    bytes += payload
    byteCount += WireFrame.headerBytes + payload.count
    if kind == .end || kind == .fault || kind == .cost || bytes.count >= Self.step { try flush() }
  }

  private mutating func flush() throws(RemoteError) {
    let ready = bytes
    bytes.removeAll(keepingCapacity: true)
    try stream.write(ready)
  }
}
