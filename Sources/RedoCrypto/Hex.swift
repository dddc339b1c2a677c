// Lower-case hexadecimal, by ASCII byte loops: the only form the protocol accepts.

/// Lower-case hexadecimal of fixed and free lengths.
package enum Hex {
  /// The digit that stands for a value of 0 to 15.
  @inlinable @inline(__always)
  package static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }

  /// The value of one lower-case hex digit, or 0xFF.
  @inlinable @inline(__always)
  package static func value(_ digit: UInt8) -> UInt8 {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit &- UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit &- UInt8(ascii: "a") &+ 10
    default: 0xFF
    }
  }

  /// Reads hex digits into bytes.
  ///
  /// Not generic over the count: the compiler would build the array's type at run time, for each
  /// node anew.
  ///
  /// - Parameters:
  ///   - text: ASCII, exactly twice as many bytes as the result.
  ///   - output: receives the bytes.
  /// - Returns: whether the text had the right count and lower-case hex digits only.
  package static func decode(_ text: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Bool {
    guard text.count == 2 * output.count else { return false }
    var wrong: UInt8 = 0
    for index in output.indices {
      let high = value(text[2 * index])
      let low = value(text[2 * index + 1])
      wrong |= high | low
      output[index] = high << 4 | low & 0x0F
    }
    return wrong < 16
  }

  /// 16 bytes from 32 digits.
  package static func decode16(_ text: Span<UInt8>) -> InlineArray<16, UInt8>? {
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    return decode(text, into: &span) ? bytes : nil
  }

  /// 32 bytes from 64 digits.
  package static func decode32(_ text: Span<UInt8>) -> InlineArray<32, UInt8>? {
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    return decode(text, into: &span) ? bytes : nil
  }

  /// 64 bytes from 128 digits.
  package static func decode64(_ text: Span<UInt8>) -> InlineArray<64, UInt8>? {
    var bytes = InlineArray<64, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    return decode(text, into: &span) ? bytes : nil
  }

  /// Appends the hex digits of some bytes.
  ///
  /// - Parameters:
  ///   - bytes: what to write.
  ///   - output: receives two ASCII bytes for each byte.
  package static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
    for index in bytes.indices {
      let byte = bytes[index]
      output.append(digit(byte >> 4))
      output.append(digit(byte & 0x0F))
    }
  }

  /// The hex digits of some bytes as text.
  package static func text(_ bytes: Span<UInt8>) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(2 * bytes.count)
    append(bytes, to: &output)
    return String(decoding: output, as: UTF8.self)
  }
}
