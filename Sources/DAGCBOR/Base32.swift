// Base 32 of RFC 4648 in lower case and without padding, as multibase calls it `b`.

/// Base 32 in lower case, without padding.
enum Base32 {
  private static let letters = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

  /// The text of bytes.
  static func encode(_ bytes: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 8 + 4) / 5)
    var (held, bits): (UInt32, Int) = (0, 0)
    for index in 0..<bytes.count {
      held = held << 8 | UInt32(bytes[index])
      bits += 8
      while bits >= 5 {
        bits -= 5
        text.append(letters[Int(held >> UInt32(bits)) & 31])
      }
      held &= 1 << UInt32(bits) - 1
    }
    if bits > 0 { text.append(letters[Int(held << UInt32(5 - bits)) & 31]) }
    return text
  }

  /// The bytes of a text; `nil` when it has another letter, or a bit that no byte needs.
  static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 5 / 8)
    var (held, bits): (UInt32, Int) = (0, 0)
    for index in 0..<text.count {
      let digit: UInt8
      switch text[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = text[index] - UInt8(ascii: "a")
      case UInt8(ascii: "2")...UInt8(ascii: "7"): digit = text[index] - UInt8(ascii: "2") + 26
      default: return nil
      }
      held = held << 5 | UInt32(digit)
      bits += 5
      guard bits >= 8 else { continue }
      bits -= 8
      bytes.append(UInt8(truncatingIfNeeded: held >> UInt32(bits)))
      held &= 1 << UInt32(bits) - 1
    }
    return bits < 5 && held == 0 ? bytes : nil
  }
}
