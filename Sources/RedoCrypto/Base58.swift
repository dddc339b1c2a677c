// Base58 with the alphabet of Bitcoin (no 0, O, I, l), as logs before version 1 wrote ids, keys and
// signatures, and as the names of authors of receipts have it. A leading zero byte is a leading `1`.

/// Reads and writes Base58.
package enum Base58 {
  private static let alphabet: StaticString =
    "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

  /// Reads a value of a known length.
  ///
  /// - Parameters:
  ///   - text: ASCII.
  ///   - count: the bytes that it must have.
  /// - Returns: the bytes; `nil` when the text has another digit, or encodes another length.
  /// - Complexity: O(*n* m) for n digits and m bytes.
  package static func decode(_ text: Span<UInt8>, count: Int) -> [UInt8]? {
    // A digit carries 5.86 bits.
    guard !text.isEmpty, text.count <= count * 3 / 2 + 1 else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    for index in text.indices {
      guard var carry = value(text[index]) else { return nil }
      for place in bytes.indices.reversed() {
        let sum = Int(bytes[place]) * 58 + carry
        bytes[place] = UInt8(truncatingIfNeeded: sum)
        carry = sum >> 8
      }
      guard carry == 0 else { return nil }
    }
    var ones = 0
    while ones < text.count, text[ones] == UInt8(ascii: "1") { ones += 1 }
    return bytes.prefix { $0 == 0 }.count == ones ? bytes : nil
  }

  /// Writes a value.
  ///
  /// - Complexity: O(*n*²) for n bytes.
  package static func encode(_ bytes: [UInt8]) -> String {
    // The digits, last to first.
    var values: [Int] = []
    for byte in bytes {
      var carry = Int(byte)
      for place in values.indices {
        carry += values[place] << 8
        values[place] = carry % 58
        carry /= 58
      }
      while carry > 0 {
        values.append(carry % 58)
        carry /= 58
      }
    }
    let zeros = repeatElement(0, count: bytes.prefix { $0 == 0 }.count)
    // SAFETY: a literal's bytes are there for ever; each value is below 58.
    let digits = unsafe UnsafeBufferPointer(
      start: alphabet.utf8Start, count: alphabet.utf8CodeUnitCount)
    return String(
      decoding: (zeros + values.reversed()).map { unsafe digits[$0] }, as: UTF8.self)
  }

  private static func value(_ digit: UInt8) -> Int? {
    // SAFETY: a literal's bytes are there for ever.
    let digits = unsafe UnsafeBufferPointer(
      start: alphabet.utf8Start, count: alphabet.utf8CodeUnitCount)
    return unsafe digits.firstIndex(of: digit)
  }
}
