// A strict reader of the store's text files: each part has one spelling, or it is not accepted.

internal import RedoCrypto
internal import RedoObject

/// Reads fields of text from a range of bytes, front to back.
struct LineScanner {
  private let bytes: [UInt8]
  /// The place of the next byte.
  private(set) var position: Int
  private let end: Int

  /// A scanner of some of the bytes.
  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// Whether nothing is left.
  var isAtEnd: Bool { position == end }

  /// Takes exactly this text.
  mutating func take(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard end - position >= count else { return false }
    // SAFETY: a static string's bytes are valid for ever, and there are `count` of them.
    for index in 0..<count where unsafe text.utf8Start[index] != bytes[position + index] {
      return false
    }
    position += count
    return true
  }

  /// The largest number that a file may state: sums of a few such numbers never overflow, and nothing that is
  /// counted gets there.
  static let largestNumber = 1 << 53 - 1

  /// Takes a decimal number without sign or leading zeros, at most `largestNumber`.
  mutating func decimal() -> Int? {
    let start = position
    var value = 0
    while position < end, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
      value = value * 10 + Int(digit)
      if value > Self.largestNumber { return nil }
      position += 1
    }
    let count = position - start
    return count == 0 || (count > 1 && bytes[start] == UInt8(ascii: "0")) ? nil : value
  }

  /// Takes lower-case hex digits as a number.
  ///
  /// - Parameter count: how many digits, at most 15.
  /// - Returns: the number, or `nil` when a digit is wrong or missing.
  mutating func hexNumber(_ count: Int) -> Int? {
    guard end - position >= count else { return nil }
    var value = 0
    for index in position..<position + count {
      let digit = Hex.value(bytes[index])
      guard digit < 16 else { return nil }
      value = value << 4 | Int(digit)
    }
    position += count
    return value
  }

  /// Takes 64 hex digits.
  mutating func digest() -> Digest? {
    guard end - position >= 64 else { return nil }
    guard let id = ObjectID(hex: bytes.span.extracting(position..<position + 64)) else {
      return nil
    }
    position += 64
    return id.digest
  }

  /// Takes a written object id.
  mutating func objectID() -> ObjectID? {
    let count = ObjectID.textCount
    guard end - position >= count else { return nil }
    guard let id = ObjectID(ascii: bytes.span.extracting(position..<position + count)) else {
      return nil
    }
    position += count
    return id
  }

  /// Takes what is left of the line, and its line feed.
  ///
  /// - Returns: the range of the bytes before the line feed, or `nil` when there is none.
  mutating func line() -> Range<Int>? {
    var index = position
    while index < end && bytes[index] != UInt8(ascii: "\n") { index += 1 }
    guard index < end else { return nil }
    defer { position = index + 1 }
    return position..<index
  }

  /// Takes `sha256:<hex> SP <name> LF`.
  mutating func ref() -> Ref? {
    guard let id = objectID(), take(" "), let range = line(),
      let name = RefName(bytes: Array(bytes[range]))
    else { return nil }
    return Ref(name: name, id: id)
  }
}

/// The version that follows the name of a format in a first line, if it is not the known one.
///
/// - Parameters:
///   - bytes: the beginning of the file.
///   - format: what every version of the format begins with, its space included.
/// - Returns: a number other than 1, or `nil`.
func unknownVersion(_ bytes: [UInt8], _ format: StaticString) -> String? {
  var scanner = LineScanner(bytes, in: 0..<min(bytes.count, 64))
  guard scanner.take(format), let version = scanner.decimal(), version != 1,
    scanner.take(" ") || scanner.take("\n")
  else { return nil }
  return String(version)
}
