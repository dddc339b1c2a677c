// Strings in double quotes with C escapes, as git reads paths and refs (quote.c).

internal import RedoRepository
internal import RedoShell

/// Reads quoted strings.
enum CQuote {
  /// Reads a quoted string.
  ///
  /// - Parameter text: the text, beginning with the quote.
  /// - Returns: the bytes of the string, and the place after the closing quote; `nil` when it is
  ///   not closed, or has an invalid escape.
  static func unquote(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], end: Int)? {
    var bytes: [UInt8] = []
    var place = text.startIndex + 1
    while place < text.endIndex {
      let byte = text[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return (bytes, place)
      case UInt8(ascii: "\\"):
        guard place < text.endIndex, let (value, next) = escape(text, place) else { return nil }
        bytes.append(value)
        place = next
      default: bytes.append(byte)
      }
    }
    return nil
  }

  /// The byte that an escape stands for, and the place after it.
  private static func escape(_ text: ArraySlice<UInt8>, _ place: Int) -> (UInt8, Int)? {
    switch text[place] {
    case UInt8(ascii: "a"): return (0x07, place + 1)
    case UInt8(ascii: "b"): return (0x08, place + 1)
    case UInt8(ascii: "f"): return (0x0C, place + 1)
    case UInt8(ascii: "n"): return (0x0A, place + 1)
    case UInt8(ascii: "r"): return (0x0D, place + 1)
    case UInt8(ascii: "t"): return (0x09, place + 1)
    case UInt8(ascii: "v"): return (0x0B, place + 1)
    case UInt8(ascii: "\\"), UInt8(ascii: "\""): return (text[place], place + 1)
    case UInt8(ascii: "0")...UInt8(ascii: "3"):
      guard place + 3 <= text.endIndex else { return nil }
      var value: UInt8 = 0
      for digit in text[place..<place + 3] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit) else { return nil }
        value = value << 3 | (digit - UInt8(ascii: "0"))
      }
      return (value, place + 3)
    default: return nil
    }
  }
}
