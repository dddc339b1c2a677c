// Makes text harmless for terminals, logs and eyes: what a terminal would obey, and what nobody would see, is shown
// instead.
//
// - control characters (Cc), format characters (Cf), separators of lines and paragraphs (Zl, Zp): they move cursors,
//   change the direction of writing (Unicode UAX 9) or have no width
// - other characters that are to be drawn as nothing (Default_Ignorable_Code_Point of Unicode UAX 44): variation
//   selectors, fillers of Hangul, the combining grapheme joiner
// - what no font is bound to have: unassigned code points, noncharacters, private use. less(1) and ls(1) show
//   most of them the same way, and Unicode UTS 39 admits them in no identifier
// - broken UTF-8
//
// Joiners where they change how their neighbours look are text and stay (Escape+Joiners.swift).

/// Escapes characters that a terminal must not obey, or that nobody would see.
package enum Escape {
  /// A text with its dangerous characters as `\xNN` or `\u{…}`; quotes and backslashes are kept,
  /// so that escaping twice changes nothing.
  package static func text(_ text: String) -> String {
    // Suspect bytes are rare, so most texts are only scanned.
    guard text.utf8.contains(where: isSuspect),
      text.unicodeScalars.contains(where: { !isPlain($0) })
    else { return text }
    var result = ""
    append(Array(text.unicodeScalars), to: &result)
    return result
  }

  /// Bytes as text, each byte that is not part of UTF-8 as `\xNN`.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    let all = Array(bytes)
    if let valid = String(validating: all, as: UTF8.self) { return text(valid) }
    var result = ""
    var scalars: [Unicode.Scalar] = []
    var decoder = UTF8()
    var position = 0
    while position < all.count {
      var iterator = all[position...].makeIterator()
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar):
        scalars.append(scalar)
        position += UTF8.width(scalar)
      case .error, .emptyInput:
        append(scalars, to: &result)
        scalars = []
        append(byte: all[position], to: &result)
        position += 1
      }
      decoder = UTF8()
    }
    append(scalars, to: &result)
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

  /// Whether a byte of UTF-8 is, or may begin, something that is escaped.
  ///
  /// Not among them are the bytes whose characters are all plain: U+00C0 to U+033F (0xC3 to 0xCC), U+03C0 to U+04FF
  /// (0xCF to 0xD3), U+4000 to U+9FFF (0xE4 to 0xE9), U+B000 to U+CFFF (0xEB, 0xEC), and those that only continue one.
  private static func isSuspect(_ byte: UInt8) -> Bool {
    if byte &- 0x20 < 0x5F { return false }
    switch byte {
    case 0x80...0xBF, 0xC3...0xCC, 0xCF...0xD3, 0xE4...0xE9, 0xEB, 0xEC: return false
    default: return true
    }
  }

  /// Whether a character is shown as it is, wherever it stands.
  static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Blocks that are in everyday use, and have no other characters: looking up properties takes longer.
    case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x34E, 0x350...0x377, 0x3A3...0x52F, 0x5D0...0x5EA,
      0x620...0x6DC, 0x900...0x97F, 0x1E00...0x1EFF, 0x2010...0x2027, 0x202F...0x205F,
      0x2190...0x2426, 0x2500...0x2B73, 0x3041...0x3096, 0x3099...0x30FF, 0x3400...0x9FFF,
      0xAC00...0xD7A3, 0xFF01...0xFF9F, 0x1F300...0x1F64F, 0x1F900...0x1F9FF:
      return true
    default: break
    }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse,
      .surrogate:
      return false
    default: return !properties.isDefaultIgnorableCodePoint
    }
  }

  private static func append(_ scalars: [Unicode.Scalar], to result: inout String) {
    for (index, scalar) in scalars.enumerated() {
      if isPlain(scalar) || isJoiner(at: index, in: scalars) {
        result.unicodeScalars.append(scalar)
      } else if scalar.value < 0x80 {
        append(byte: UInt8(scalar.value), to: &result)
      } else {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
  }

  private static func append(byte: UInt8, to result: inout String) {
    result += (byte < 0x10 ? "\\x0" : "\\x") + String(byte, radix: 16)
  }
}
