// Lower-case hexadecimal, by ASCII byte loops: the only form the protocol accepts.

/// Lower-case hexadecimal of fixed and free lengths.
package enum Hex {
  /// The digit that stands for a value of 0 to 15.
  @inlinable
  package static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }

  /// The value of one lower-case hex digit, or 0xFF.
  @inlinable
  package static func value(_ digit: UInt8) -> UInt8 {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit &- UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit &- UInt8(ascii: "a") &+ 10
    default: 0xFF
    }
  }

  /// Reads `2 * count` hex digits into bytes.
  ///
  /// - Parameter text: ASCII, exactly twice as many bytes as the result; otherwise `nil`.
  @inlinable
  package static func decode<let count: Int>(
    _ text: Span<UInt8>, as: InlineArray<count, UInt8>.Type = InlineArray<count, UInt8>.self
  ) -> InlineArray<count, UInt8>? {
    guard text.count == 2 * count else { return nil }
    var bytes = InlineArray<count, UInt8>(repeating: 0)
    var wrong: UInt8 = 0
    for index in 0..<count {
      let high = value(text[2 * index])
      let low = value(text[2 * index + 1])
      wrong |= (high | low) & 0xF0
      bytes[index] = high << 4 | low & 0x0F
    }
    return wrong == 0 ? bytes : nil
  }

  /// Appends the hex digits of some bytes.
  ///
  /// - Parameters:
  ///   - bytes: what to write.
  ///   - output: receives two ASCII bytes for each byte.
  @inlinable
  package static func append<let count: Int>(
    _ bytes: InlineArray<count, UInt8>, to output: inout [UInt8]
  ) {
    for index in 0..<count {
      output.append(digit(bytes[index] >> 4))
      output.append(digit(bytes[index] & 0x0F))
    }
  }

  /// The hex digits of some bytes as text.
  package static func text<let count: Int>(_ bytes: InlineArray<count, UInt8>) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(2 * count)
    append(bytes, to: &output)
    return String(decoding: output, as: UTF8.self)
  }
}
