// Makes text harmless for terminals and logs: control characters (C0, DEL, C1), characters that change the direction of
// writing (Unicode UAX 9) and broken UTF-8 are shown instead of obeyed.

/// Escapes characters that a terminal must not obey.
package enum Escape {
  /// A text with its dangerous characters as `\xNN` or `\u{…}`; quotes and backslashes are kept,
  /// so that escaping twice changes nothing.
  package static func text(_ text: String) -> String {
    // Suspect bytes are rare, so most texts are only scanned.
    guard text.utf8.contains(where: isSuspect) else { return text }
    var result = ""
    for scalar in text.unicodeScalars { append(scalar, to: &result) }
    return result
  }

  /// Bytes as text, each byte that is not part of UTF-8 as `\xNN`.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    let all = Array(bytes)
    if let valid = String(validating: all, as: UTF8.self) { return text(valid) }
    var result = ""
    var decoder = UTF8()
    var position = 0
    while position < all.count {
      var iterator = all[position...].makeIterator()
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar):
        append(scalar, to: &result)
        position += UTF8.width(scalar)
      case .error, .emptyInput:
        append(byte: all[position], to: &result)
        position += 1
      }
      decoder = UTF8()
    }
    return result
  }

  /// A text in a row: unchanged when a NUL ends the row and the text has none, otherwise escaped.
  package static func field(_ bytes: [UInt8], isRaw: Bool) -> String {
    isRaw && !bytes.contains(0) ? String(decoding: bytes, as: UTF8.self) : text(bytes)
  }

  /// Bytes as text, each byte that is not part of UTF-8 as `\xNN`.
  package static func text(_ bytes: Span<UInt8>) -> String {
    // SAFETY: the pointer is used only during the call.
    unsafe bytes.withUnsafeBufferPointer { unsafe text($0) }
  }

  /// Whether a byte of UTF-8 is, or may begin, something dangerous: a control character, C1
  /// (0xC2), U+061C (0xD8), U+200E to U+2069 (0xE2).
  private static func isSuspect(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2
  }

  private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
    switch scalar.value {
    case 0...0x1F, 0x7F: append(byte: UInt8(scalar.value), to: &result)
    case 0x80...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
      result += "\\u{\(String(scalar.value, radix: 16))}"
    default: result.unicodeScalars.append(scalar)
    }
  }

  private static func append(byte: UInt8, to result: inout String) {
    result += (byte < 0x10 ? "\\x0" : "\\x") + String(byte, radix: 16)
  }
}
