// What a side says about its nodes, range by range (redo-wire(5)).
//
// A range begins where the one before it ends, the first one before every node, and ends below its
// bound. What follows the last range is settled. Two settled ranges in a row are one.

internal import RedoObject

/// Ranges in ascending order, and what the sender says about each.
package struct RangeMessage: Hashable, Sendable {
  /// The most bytes of a message.
  package static let byteLimit = 1_048_576
  /// The most short fingerprints of a list.
  static let listLimit = 1024

  /// What is said about a range.
  package enum Content: Hashable, Sendable {
    /// Nothing more needs to be said: the sides are equal there, or the difference is known.
    case settled
    /// These nodes, as one fingerprint.
    case fingerprint(RangeFingerprint)
    /// These nodes, one by one; at least one.
    case list([ShortFingerprint])
    /// The answer to a list: which nodes of it the sender lacks, and the sender's that are not in it.
    case difference(lacks: [Bool], new: [ShortFingerprint])
    /// The sender has no node here.
    case nothing
    /// All that the sender has here is new to the other side, and vice versa; in a request: everything here.
    case everything
    /// The message is full: to be asked again.
    case later
  }

  /// A range and what is said about it.
  package struct Part: Hashable, Sendable {
    /// Where the range ends.
    package let end: RangeBound
    /// What is said about it.
    package let content: Content
  }

  /// The ranges.
  package private(set) var parts: [Part] = []
  /// No fewer bytes than the encoded message has.
  private(set) var byteBound = 0

  /// A message that says nothing: everything is settled.
  package init() {}

  /// Whether everything is settled.
  package var isEmpty: Bool { parts.isEmpty }

  /// Whether this many more bytes may be appended.
  func hasRoom(for bytes: Int) -> Bool { byteBound + bytes <= Self.byteLimit }

  /// Adds a range; one that is settled leaves no trace, and neither does a gap before it.
  ///
  /// - Parameters:
  ///   - content: what is said about it.
  ///   - start: where it begins, not before the end of the last one.
  ///   - end: where it ends.
  mutating func append(_ content: Content, from start: RangeBound, to end: RangeBound) {
    let last = parts.last?.end ?? .start
    precondition(last <= start && start < end, "BUG: ranges that do not ascend")
    guard content != .settled else { return }
    if last < start { add(.settled, start) }
    add(content, end)
  }

  private mutating func add(_ content: Content, _ end: RangeBound) {
    parts.append(Part(end: end, content: content))
    byteBound += RangeBound.byteLimit + content.byteBound
  }
}

extension RangeMessage.Content {
  fileprivate var mode: UInt8 {
    switch self {
    case .settled: 0
    case .fingerprint: 1
    case .list: 2
    case .difference: 3
    case .nothing: 4
    case .everything: 5
    case .later: 6
    }
  }

  /// No fewer bytes than it has when it is encoded.
  var byteBound: Int {
    switch self {
    case .settled, .nothing, .everything, .later: 1
    case .fingerprint: 1 + RangeFingerprint.byteCount
    case .list(let fingerprints): 4 + ShortFingerprint.byteCount * fingerprints.count
    case .difference(let lacks, let new):
      8 + lacks.count / 8 + ShortFingerprint.byteCount * new.count
    }
  }
}

// MARK: Bytes

extension RangeMessage {
  /// The message as bytes.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    var last = RangeBound.start
    for part in parts {
      output.append(part.content.mode)
      part.end.append(to: &output, after: last)
      last = part.end
      switch part.content {
      case .settled, .nothing, .everything, .later: break
      case .fingerprint(let fingerprint):
        output.append(littleEndian: fingerprint.low)
        output.append(littleEndian: fingerprint.high)
      case .list(let fingerprints): Self.append(fingerprints, to: &output)
      case .difference(let lacks, let new):
        output.append(varint: UInt64(lacks.count))
        for start in stride(from: 0, to: lacks.count, by: 8) {
          output.append(
            (start..<min(start + 8, lacks.count)).reduce(0) {
              $0 | (lacks[$1] ? 1 << UInt8($1 - start) : 0)
            })
        }
        Self.append(new, to: &output)
      }
    }
    return output
  }

  private static func append(_ fingerprints: [ShortFingerprint], to output: inout [UInt8]) {
    output.append(varint: UInt64(fingerprints.count))
    for fingerprint in fingerprints { output.append(littleEndian: fingerprint.value) }
  }

  /// Reads a message.
  ///
  /// - Parameter bytes: the whole message.
  /// - Throws: `malformed`, or `limit` when there are too many.
  package init(decoding bytes: [UInt8]) throws(RemoteError) {
    guard bytes.count <= Self.byteLimit else {
      throw .limit("ranges of \(bytes.count) bytes, at most \(Self.byteLimit)")
    }
    var reader = WireReader(bytes)
    var last = RangeBound.start
    while !reader.isAtEnd {
      let mode = try reader.byte()
      let end = try RangeBound(from: &reader, after: last)
      let content = try Self.content(mode, &reader)
      // One form only.
      guard content != .settled || parts.last?.content != .settled else {
        throw reader.malformed("two ranges that are one")
      }
      guard content != .later || (end == .end && reader.isAtEnd) else {
        throw reader.malformed("ranges behind those that are left for later")
      }
      add(content, end)
      last = end
    }
    guard parts.last?.content != .settled else {
      throw reader.malformed("a settled range at the end")
    }
  }

  private static func content(
    _ mode: UInt8, _ reader: inout WireReader
  ) throws(RemoteError) -> Content {
    switch mode {
    case 0: return .settled
    case 1:
      return .fingerprint(
        RangeFingerprint(low: try reader.number(), high: try reader.number()))
    case 2:
      let fingerprints = try list(&reader)
      guard !fingerprints.isEmpty else { throw reader.malformed("an empty list") }
      return .list(fingerprints)
    case 3: return .difference(lacks: try lacks(&reader), new: try list(&reader))
    case 4: return .nothing
    case 5: return .everything
    case 6: return .later
    default: throw reader.malformed("a range of mode \(mode)")
    }
  }

  private static func list(_ reader: inout WireReader) throws(RemoteError) -> [ShortFingerprint] {
    let count = try reader.count(limit: listLimit, bytesEach: ShortFingerprint.byteCount)
    var fingerprints: [ShortFingerprint] = []
    for _ in 0..<count { fingerprints.append(ShortFingerprint(value: try reader.number())) }
    return fingerprints
  }

  private static func lacks(_ reader: inout WireReader) throws(RemoteError) -> [Bool] {
    let value = try reader.varint()
    guard value >= 1, value <= UInt64(listLimit) else {
      throw reader.malformed("an answer to a list of \(value)")
    }
    let count = Int(value)
    let bytes = try reader.take((count + 7) / 8)
    let lacks = (0..<count).map { bytes[$0 / 8] >> UInt8($0 % 8) & 1 == 1 }
    if count % 8 != 0, bytes[count / 8] >> UInt8(count % 8) != 0 {
      throw reader.malformed("bits behind the last one")
    }
    return lacks
  }
}
