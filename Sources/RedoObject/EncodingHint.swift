// What a value may be that should have been lower-case hex: upper case, Base58 and Base64 have each
// been written by a client once.

/// Guesses at the encoding of a value that should have been lower-case hex.
package enum EncodingHint {
  /// The fewest digits that say anything about their encoding.
  private static let countLimit = 16

  /// A hint for a text, if it looks like one of them.
  ///
  /// - Parameter value: the text, with or without the prefix of an id.
  /// - Returns: a line for people; `nil` when there is nothing to guess.
  package static func text(for value: Span<UInt8>) -> String? {
    let digits =
      ObjectID.hasPrefix(value) ? value.extracting(ObjectID.prefixCount..<value.count) : value
    guard digits.count >= countLimit else { return nil }
    var isHex = true
    var hasUpperCase = false
    var hasHyphen = false
    var isBase58 = true
    for index in digits.indices {
      let byte = digits[index]
      switch byte {
      case UInt8(ascii: "0"):
        isBase58 = false
      case UInt8(ascii: "1")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"):
        break
      case UInt8(ascii: "A")...UInt8(ascii: "F"):
        hasUpperCase = true
      case UInt8(ascii: "O"), UInt8(ascii: "I"), UInt8(ascii: "l"), UInt8(ascii: "+"),
        UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "_"):
        isHex = false
        isBase58 = false
      case UInt8(ascii: "G")...UInt8(ascii: "Z"), UInt8(ascii: "g")...UInt8(ascii: "z"):
        isHex = false
      case UInt8(ascii: "-"):
        hasHyphen = true
        isBase58 = false
      default:
        return nil
      }
    }
    // Hex digits and hyphens are a UUID in the wrong place.
    if isHex, hasHyphen { return nil }
    if isHex {
      return hasUpperCase ? "it has upper-case hex digits, the protocol writes lower case" : nil
    }
    return isBase58
      ? "it looks like Base58, the protocol writes lower-case hex"
      : "it looks like Base64, the protocol writes lower-case hex"
  }
}
