// Base64 with padding (RFC 4648 section 4), strict: no white space, no bits behind the last byte.

/// Bytes as text.
enum Base64Text {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")
  private static let noValue: UInt8 = 0xFF
  private static let values: [UInt8] = {
    var values = Array(repeating: noValue, count: 256)
    for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  /// Appends the text of bytes.
  static func append(_ bytes: [UInt8], to output: inout [UInt8]) {
    var index = 0
    while index < bytes.count {
      let group = bytes[index..<min(index + 3, bytes.count)]
      let first = group[index]
      let second = group.count > 1 ? group[index + 1] : 0
      let third = group.count > 2 ? group[index + 2] : 0
      output.append(letters[Int(first >> 2)])
      output.append(letters[Int((first & 0x03) << 4 | second >> 4)])
      output.append(group.count > 1 ? letters[Int((second & 0x0F) << 2 | third >> 6)] : padding)
      output.append(group.count > 2 ? letters[Int(third & 0x3F)] : padding)
      index += 3
    }
  }

  /// The bytes of a text.
  ///
  /// - Parameter text: ASCII.
  /// - Returns: `nil` if it is not Base64 with padding.
  static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    guard text.count > 0 else { return [] }
    var count = text.count
    while count > text.count - 2, text[count - 1] == padding { count -= 1 }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    let values = values
    // Whole groups first; their letters are looked at together.
    let table = values.span
    var index = 0
    while index + 4 <= count {
      let first = table[Int(text[index])]
      let second = table[Int(text[index + 1])]
      let third = table[Int(text[index + 2])]
      let fourth = table[Int(text[index + 3])]
      guard (first | second | third | fourth) & 0xC0 == 0 else { return nil }
      bytes.append(first << 2 | second >> 4)
      bytes.append(second << 4 | third >> 2)
      bytes.append(third << 6 | fourth)
      index += 4
    }
    var bits: UInt32 = 0
    var bitCount = 0
    for index in index..<count {
      let value = values[Int(text[index])]
      guard value != noValue else { return nil }
      bits = bits << 6 | UInt32(value)
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
      }
    }
    let left = bits & (1 << bitCount &- 1)
    return left == 0 ? bytes : nil
  }
}
