// Base64 (RFC 4648, section 4) with or without padding, strict: a value has exactly one text.

/// Strict Base64.
package enum Base64 {
  private static let padding = UInt8(ascii: "=")

  /// Appends the text of some bytes.
  ///
  /// - Parameters:
  ///   - bytes: what to write.
  ///   - output: receives four ASCII bytes for each three, and for what is left over.
  package static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
    var index = 0
    while index < bytes.count {
      let left = bytes.count - index
      var group = UInt32(bytes[index]) << 16
      if left > 1 { group |= UInt32(bytes[index + 1]) << 8 }
      if left > 2 { group |= UInt32(bytes[index + 2]) }
      output.append(digit(group >> 18))
      output.append(digit(group >> 12))
      output.append(left > 1 ? digit(group >> 6) : padding)
      output.append(left > 2 ? digit(group) : padding)
      index += 3
    }
  }

  /// The text of some bytes.
  package static func text(_ bytes: Span<UInt8>) -> String {
    var text: [UInt8] = []
    append(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads a text.
  ///
  /// - Parameter text: ASCII, padded, without line breaks.
  /// - Returns: the bytes; `nil` for any text that `append` would not write.
  package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    for start in stride(from: 0, to: text.count, by: 4) {
      var count = 4
      if start + 4 == text.count {
        while count > 2, text[start + count - 1] == padding { count -= 1 }
      }
      var group: UInt32 = 0
      for place in 0..<4 {
        group <<= 6
        guard place < count else { continue }
        guard let value = value(text[start + place]) else { return nil }
        group |= value
      }
      // The bits that no byte takes are zero, or there would be several texts of one value.
      let unused: UInt32 = count == 2 ? 0xFFFF : count == 3 ? 0xFF : 0
      guard group & unused == 0 else { return nil }
      bytes.append(UInt8(truncatingIfNeeded: group >> 16))
      if count > 2 { bytes.append(UInt8(truncatingIfNeeded: group >> 8)) }
      if count > 3 { bytes.append(UInt8(truncatingIfNeeded: group)) }
    }
    return bytes
  }

  // MARK: Without padding

  /// Appends the text of some bytes, without padding.
  ///
  /// - Parameters:
  ///   - bytes: what to write.
  ///   - output: receives the text.
  package static func append(unpadded bytes: Span<UInt8>, to output: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    append(bytes, to: &output)
    while output.last == padding { output.removeLast() }
  }

  /// Reads a text without padding.
  ///
  /// - Parameter text: ASCII, without line breaks.
  /// - Returns: the bytes; `nil` for any text that `append(unpadded:to:)` would not write.
  package static func decode(unpadded text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 4 != 1, !text.contains(padding) else { return nil }
    let padded = Array(text) + Array(repeating: padding, count: (4 - text.count % 4) % 4)
    return decode(padded.span)
  }

  /// The digit of the lowest six bits.
  private static func digit(_ bits: UInt32) -> UInt8 {
    let value = UInt8(truncatingIfNeeded: bits & 0x3F)
    switch value {
    case 0..<26: return UInt8(ascii: "A") + value
    case 26..<52: return UInt8(ascii: "a") + value - 26
    case 52..<62: return UInt8(ascii: "0") + value - 52
    case 62: return UInt8(ascii: "+")
    default: return UInt8(ascii: "/")
    }
  }

  private static func value(_ digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
