// Strings of JSON as RFC 8785, section 3.2.2.2, writes them, for rows and messages.

internal import RedoCrypto

/// Writes JSON strings.
package enum JSONText {
  /// Appends a text as a JSON string, with its quotes.
  package static func append(_ text: String, to output: inout [UInt8]) {
    var text = text
    output.append(UInt8(ascii: "\""))
    text.withUTF8 { unsafe appendContents($0, to: &output) }
    output.append(UInt8(ascii: "\""))
  }

  /// Appends bytes as a JSON string, with its quotes.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8; what is not becomes U+FFFD.
  ///   - output: receives the string.
  package static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
    // SAFETY: the pointer is used only during the call.
    unsafe bytes.withUnsafeBufferPointer { buffer in
      append(unsafe String(decoding: buffer, as: UTF8.self), to: &output)
    }
  }

  private static func appendContents(
    _ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]
  ) {
    // SAFETY: both bounds are indices of the buffer.
    var start = 0
    for index in bytes.indices {
      let byte = unsafe bytes[index]
      if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { continue }
      unsafe output.append(contentsOf: bytes[start..<index])
      start = index + 1
      appendEscape(byte, to: &output)
    }
    unsafe output.append(contentsOf: bytes[start...])
  }

  private static func appendEscape(_ byte: UInt8, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    case 0..<0x20:
      output += "u00".utf8
      output.append(Hex.digit(byte >> 4))
      output.append(Hex.digit(byte & 0x0F))
    default: output.append(byte)
    }
  }
}
