// The order of member names: by UTF-16 code units (RFC 8785 section 3.2.3).
//
// UTF-8 bytes order text by code point. UTF-16 differs only where one side has a scalar above
// U+FFFF, written with surrogates D800-DFFF, and the other one in U+E000-U+FFFF, so the bytes can
// be compared as they are with that one exception. Swift `String`s are never compared: they equate
// canonically equivalent texts, which are different names here.

/// How two names compare.
enum NameOrder {
  case ascending, equal, descending

  /// Compares two names of one text.
  @inline(__always)
  static func compare(_ left: Token, _ right: Token, in text: ByteView) -> NameOrder {
    if left.marks.contains(.escaped) || right.marks.contains(.escaped) {
      return compareEscaped(left, right, in: text)
    }
    let leftStart = Int(left.start)
    let rightStart = Int(right.start)
    let leftCount = Int(left.end) - leftStart
    let rightCount = Int(right.end) - rightStart
    for offset in 0..<min(leftCount, rightCount) {
      let one = text[leftStart + offset]
      let other = text[rightStart + offset]
      if one != other { return differing(one, other) }
    }
    return byCount(leftCount, rightCount)
  }

  private static func compareEscaped(
    _ left: Token, _ right: Token, in text: ByteView
  ) -> NameOrder {
    compare(
      StringEscape.unescape(text, left.range), StringEscape.unescape(text, right.range))
  }

  /// Compares two unescaped names.
  static func compare(_ one: [UInt8], _ other: [UInt8]) -> NameOrder {
    for offset in 0..<min(one.count, other.count) where one[offset] != other[offset] {
      return differing(one[offset], other[offset])
    }
    return byCount(one.count, other.count)
  }

  /// The order of two names by their first differing bytes.
  @inline(__always)
  private static func differing(_ one: UInt8, _ other: UInt8) -> NameOrder {
    if one >= 0xEE, other >= 0xEE, (one >= 0xF0) != (other >= 0xF0) {
      return one >= 0xF0 ? .ascending : .descending
    }
    return one < other ? .ascending : .descending
  }

  @inline(__always)
  private static func byCount(_ one: Int, _ other: Int) -> NameOrder {
    one == other ? .equal : one < other ? .ascending : .descending
  }
}
