// Strings: RFC 8259 section 7, UTF-8 by RFC 3629, canonical escapes by RFC 8785 section 3.2.2.2.

extension Scanner {
  /// Scans a string's content.
  ///
  /// - Parameters:
  ///   - text: the whole text.
  ///   - index: the byte after the opening quote; afterwards the closing quote.
  ///   - canonical: cleared when RFC 8785 would write the content otherwise.
  /// - Returns: whether there are escapes.
  /// - Throws: `JSONError` for control characters, ill-formed UTF-8 and invalid escapes.
  @inline(__always)
  func scanString(
    _ text: ByteView, _ index: inout Int, _ canonical: inout Bool
  ) throws(JSONError) -> Token.Marks {
    var marks: Token.Marks = []
    let count = text.count
    while true {
      // Eight bytes at a time, as long as none of them is a quote, a backslash, a control
      // character or part of a longer UTF-8 sequence.
      while index + 8 <= count {
        let special = Self.specialBytes(text.word(at: index))
        guard special == 0 else {
          index += special.trailingZeroBitCount >> 3
          break
        }
        index += 8
      }
      guard index < count else { throw JSONError(.syntax, at: count) }
      switch text[index] {
      case UInt8(ascii: "\""):
        return marks
      case UInt8(ascii: "\\"):
        marks = .escaped
        try scanEscape(text, &index, &canonical)
      case 0..<0x20:
        throw JSONError(.syntax, at: index)
      case 0x80...0xFF:
        guard UTF8Sequence.skip(text, &index) else { throw JSONError(.utf8, at: index) }
      default:
        index += 1
      }
    }
  }

  /// The high bit of each byte that is `"`, `\`, below 0x20 or above 0x7F; exact up to the first.
  @inline(__always)
  private static func specialBytes(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    let below =
      ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
      | ((word &- ones &* 0x20) & ~word)
    return (below | word) & (ones &* 0x80)
  }

  /// Scans one escape; `index` is at the backslash before, and after the escape afterwards.
  private func scanEscape(
    _ text: ByteView, _ index: inout Int, _ canonical: inout Bool
  ) throws(JSONError) {
    guard index + 1 < text.count else { throw JSONError(.syntax, at: text.count) }
    switch text[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      index += 2
    case UInt8(ascii: "/"):
      canonical = false
      index += 2
    case UInt8(ascii: "u"):
      let unit = try Self.codeUnit(text, at: index + 2)
      if !StringEscape.isCanonical(unit, text, at: index + 2) { canonical = false }
      guard unit & 0xF800 == 0xD800 else {
        index += 6
        return
      }
      // A high half, which must be followed by the escape of a low half.
      guard unit < 0xDC00, index + 7 < text.count, text[index + 6] == UInt8(ascii: "\\"),
        text[index + 7] == UInt8(ascii: "u")
      else { throw JSONError(.surrogate, at: index) }
      let low = try Self.codeUnit(text, at: index + 8)
      guard low & 0xFC00 == 0xDC00 else { throw JSONError(.surrogate, at: index) }
      index += 12
    default:
      throw JSONError(.syntax, at: index + 1)
    }
  }

  /// Four hex digits of either case.
  private static func codeUnit(_ text: ByteView, at start: Int) throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for index in start..<start + 4 {
      guard index < text.count else { throw JSONError(.syntax, at: text.count) }
      guard let digit = StringEscape.hexValue(text[index]) else {
        throw JSONError(.syntax, at: index)
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}

/// Well-formed UTF-8 sequences of more than one byte (RFC 3629 section 4).
enum UTF8Sequence {
  /// Moves past the sequence that begins at `index`.
  ///
  /// - Parameters:
  ///   - text: the whole text.
  ///   - index: afterwards after the sequence; for an ill-formed one, at the byte that cannot
  ///     continue it, which is the end of a text that is cut off.
  /// - Returns: whether the sequence is well-formed.
  static func skip(_ text: ByteView, _ index: inout Int) -> Bool {
    let first = text[index]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0:
      length = 3
      second = 0xA0...0xBF
    case 0xED:
      length = 3
      second = 0x80...0x9F
    case 0xE1...0xEF: length = 3
    case 0xF0:
      length = 4
      second = 0x90...0xBF
    case 0xF4:
      length = 4
      second = 0x80...0x8F
    case 0xF1...0xF3: length = 4
    default: return false
    }
    let end = index + length
    index += 1
    guard index < text.count, second.contains(text[index]) else { return false }
    index += 1
    while index < end {
      guard index < text.count, text[index] & 0xC0 == 0x80 else { return false }
      index += 1
    }
    return true
  }
}
