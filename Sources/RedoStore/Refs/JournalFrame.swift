// The line before each record of `refs.journal` and `reflog`:
//
//   @<payload bytes: 8 hex> <check: the first 8 hex of SHA-256 of all before the space>
//
// The length has its own check, so that a damaged length is never taken for a torn record.

internal import RedoCrypto

/// The line that says how long the record after it is.
enum JournalFrame {
  /// The bytes of the line with its line feed.
  static let byteCount = 19
  /// The most bytes a payload may have.
  static let maximumPayload = 0xFFFF_FFFF

  /// What is at a place.
  enum Reading {
    /// A whole record with this payload; its content is not yet checked.
    case complete(Range<Int>)
    /// The beginning of a record whose end is missing: it was never acknowledged.
    case torn
    /// No frame line.
    case corrupt
  }

  /// The line for a payload of this many bytes.
  static func line(payloadCount: Int) -> [UInt8] {
    precondition(payloadCount <= maximumPayload, "BUG: a payload is too long")
    var line = [UInt8(ascii: "@")]
    appendHex(payloadCount, digits: 8, to: &line)
    let check = SHA256.digest(of: line.span)
    line.append(UInt8(ascii: " "))
    Hex.append(check.bytes.span.extracting(first: 4), to: &line)
    line.append(UInt8(ascii: "\n"))
    return line
  }

  /// Appends a number as hex digits, with zeros in front.
  static func appendHex(_ number: Int, digits: Int, to output: inout [UInt8]) {
    for digit in (0..<digits).reversed() {
      output.append(Hex.digit(UInt8(truncatingIfNeeded: number >> (4 * digit)) & 0x0F))
    }
  }

  /// Looks at a place before the end of the bytes.
  static func read(_ bytes: [UInt8], at start: Int) -> Reading {
    let available = min(bytes.count - start, byteCount)
    guard bytes[start] == UInt8(ascii: "@") else { return .corrupt }
    var scanner = LineScanner(bytes, in: start + 1..<start + available)
    guard available >= 9 else {
      return scanner.hexNumber(available - 1) == nil ? .corrupt : .torn
    }
    guard let count = scanner.hexNumber(8),
      line(payloadCount: count).starts(with: bytes[start..<start + available])
    else { return .corrupt }
    let payload = start + byteCount
    if available < byteCount || bytes.count - payload < count { return .torn }
    return .complete(payload..<payload + count)
  }
}

extension JournalFrame {
  /// The payload's length that a whole frame line tells, if the line is right.
  static func payloadCount(_ line: [UInt8]) -> Int? {
    var scanner = LineScanner(line, in: 1..<line.count)
    guard line.count == byteCount, let count = scanner.hexNumber(8),
      line == Self.line(payloadCount: count)
    else { return nil }
    return count
  }
}

extension Array where Element == UInt8 {
  /// Whether these bytes begin with others.
  fileprivate func starts(with prefix: ArraySlice<UInt8>) -> Bool {
    prefix.count <= count && self.prefix(prefix.count).elementsEqual(prefix)
  }
}
