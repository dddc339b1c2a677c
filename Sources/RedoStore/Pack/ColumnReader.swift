// The values of one column while a frame is read.

internal import RedoCrypto
internal import RedoObject

/// Hands out the values of a column.
struct ColumnReader {
  private var first: PackStream
  private var planes: [PackStream] = []
  /// The texts that are named by number.
  private var entries: [Range<Int>] = []
  private var hasEntries = false
  private var bytes: [UInt8] = []

  /// Reads the streams of a column.
  ///
  /// - Throws: when they are not those of a column of this kind.
  init(
    _ kind: LeafKind, _ streams: inout PackStreams, _ inflater: inout Inflater
  ) throws(PackFault) {
    guard kind != .half else {
      first = PackStream([])
      return
    }
    first = try streams.next(&inflater)
    switch kind {
    case .number, .integer, .id, .uuid, .half: return
    case .time:
      for _ in 0..<LeafKind.planeCount { planes.append(try streams.next(&inflater)) }
    case .text:
      var table = try streams.next(&inflater)
      guard !first.isAtEnd else {
        first = table
        return
      }
      bytes = table.bytes
      while !table.isAtEnd { entries.append(try table.line()) }
      hasEntries = true
    case .hex16, .hex32:
      var table = try streams.next(&inflater)
      Hex.append(table.bytes.span, to: &bytes)
      while !table.isAtEnd {
        let range = try table.take(kind == .hex16 ? 16 : 32)
        entries.append(2 * range.lowerBound..<2 * range.upperBound)
      }
      hasEntries = true
    }
  }

  /// Whether all values have been handed out.
  var isAtEnd: Bool { first.isAtEnd && planes.allSatisfy(\.isAtEnd) }

  /// Appends the next text.
  mutating func appendText(to output: inout [UInt8]) throws(PackFault) {
    if hasEntries {
      let number = try first.number(below: entries.count)
      output.append(bytes.span, entries[number])
    } else {
      let range = try first.line()
      output.append(first.bytes.span, range)
    }
  }

  /// The next number.
  mutating func integer() throws(PackFault) -> Int64 { Zigzag.decode(try first.varint()) }

  /// The next reference.
  mutating func reference(below limit: Int) throws(PackFault) -> Int {
    try first.number(below: limit)
  }

  /// The next difference of times.
  mutating func difference() throws(PackFault) -> Int64 {
    let length = Int(try first.byte())
    guard length <= LeafKind.planeCount else { throw PackFault("a difference of too many bytes") }
    var value: UInt64 = 0
    for place in 0..<length {
      value |= UInt64(try planes[place].byte()) << UInt64(8 * place)
    }
    return Zigzag.decode(value)
  }
}
