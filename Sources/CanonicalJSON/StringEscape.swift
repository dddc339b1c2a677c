// Escaped and unescaped text (RFC 8259 section 7, RFC 8785 section 3.2.2.2).

/// Escapes of JSON strings.
@usableFromInline
package enum StringEscape {
  /// The index of the quote that ends a string of canonical JSON, whatever surrounds it.
  ///
  /// - Parameters:
  ///   - text: any bytes.
  ///   - start: the index of the quote that begins the string.
  /// - Returns: `nil` when it does not end, or has a byte that no canonical string has.
  @inlinable
  package static func end(_ text: Span<UInt8>, from start: Int) -> Int? {
    var index = start + 1
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\""): return index
      case UInt8(ascii: "\\"):
        guard index + 1 < text.count, text[index + 1] >= 0x20 else { return nil }
        index += 2
      case 0..<0x20: return nil
      default: index += 1
      }
    }
    return nil
  }

  /// The value of a hex digit of either case.
  static func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Whether RFC 8785 writes this code unit as `\u` with exactly these four digits.
  static func isCanonical(_ unit: UInt16, _ text: ByteView, at start: Int) -> Bool {
    guard unit < 0x20 else { return false }
    switch unit {
    case 0x08, 0x09, 0x0A, 0x0C, 0x0D: return false
    default: break
    }
    let last = text[start + 3]
    return last <= UInt8(ascii: "9") || last >= UInt8(ascii: "a")
  }

  /// Appends UTF-8 bytes as the content of an RFC 8785 string, without quotes.
  ///
  /// - Parameters:
  ///   - content: well-formed UTF-8.
  ///   - output: receives the escaped bytes.
  package static func append(_ content: Span<UInt8>, to output: inout [UInt8]) {
    withBytes(of: content) { bytes in
      // What needs no escape is copied in runs.
      var start = 0
      for index in 0..<bytes.count where isEscaped(bytes[index]) {
        bytes.append(start..<index, to: &output)
        appendEscape(of: bytes[index], to: &output)
        start = index + 1
      }
      bytes.append(start..<bytes.count, to: &output)
    }
  }

  /// Whether RFC 8785 escapes a byte.
  @inline(__always)
  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func appendEscape(of byte: UInt8, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
    default:
      for digit in "u00".utf8 { output.append(digit) }
      output.append(UInt8(ascii: "0") + byte >> 4)
      let low = byte & 0x0F
      output.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") - 10 + low)
    }
  }

  /// The UTF-8 bytes that a scanned string denotes.
  ///
  /// - Parameter content: what is between the quotes, accepted by a `Scanner`.
  /// - Returns: well-formed UTF-8.
  package static func unescape(_ content: Span<UInt8>) -> [UInt8] {
    withBytes(of: content) { bytes in unescape(bytes, 0..<bytes.count) }
  }

  static func unescape(_ text: ByteView, _ range: Range<Int>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = text.checked(index)
      guard byte == UInt8(ascii: "\\") else {
        output.append(byte)
        index += 1
        continue
      }
      let letter = text.checked(index + 1)
      index += 2
      switch letter {
      case UInt8(ascii: "b"): output.append(0x08)
      case UInt8(ascii: "f"): output.append(0x0C)
      case UInt8(ascii: "n"): output.append(0x0A)
      case UInt8(ascii: "r"): output.append(0x0D)
      case UInt8(ascii: "t"): output.append(0x09)
      case UInt8(ascii: "u"): appendScalar(text, &index, to: &output)
      default: output.append(letter)
      }
    }
    return output
  }

  /// Appends the scalar whose escape's digits begin at `index`, a surrogate pair included.
  private static func appendScalar(
    _ text: ByteView, _ index: inout Int, to output: inout [UInt8]
  ) {
    var value = unit(text, at: index)
    index += 4
    if value & 0xFC00 == 0xD800 {
      value = 0x10000 + (value & 0x3FF) << 10 + unit(text, at: index + 2) & 0x3FF
      index += 6
    }
    guard let scalar = Unicode.Scalar(value) else {
      preconditionFailure("BUG: a lone surrogate passed the scanner")
    }
    output.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
  }

  private static func unit(_ text: ByteView, at start: Int) -> UInt32 {
    var value: UInt32 = 0
    for index in start..<start + 4 {
      value = value << 4 | UInt32(hexValue(text.checked(index)) ?? 0)
    }
    return value
  }
}
