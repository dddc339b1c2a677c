// Numbers: RFC 8259 section 6, kept as IEEE 754 doubles, written as ECMAScript does.

extension Scanner {
  /// Scans a number.
  ///
  /// - Parameters:
  ///   - text: the whole text.
  ///   - index: its first byte; afterwards the byte after it.
  ///   - canonical: cleared when RFC 8785 writes the number otherwise.
  /// - Throws: `JSONError` at the byte that does not fit, or at the first byte of a number that a
  ///   double cannot carry.
  @inline(__always)
  func scanNumber(
    _ text: ByteView, _ index: inout Int, _ canonical: inout Bool
  ) throws(JSONError) {
    let start = index
    let negative = text[index] == UInt8(ascii: "-")
    if negative { index += 1 }
    let integerStart = index
    let firstIsZero = try Self.scanDigits(text, &index)
    let integerCount = index - integerStart
    // The digit 0 is the only digit then.
    if firstIsZero, integerCount > 1 { throw JSONError(.syntax, at: integerStart + 1) }

    var isInteger = true
    var fractionCount = 0
    if index < text.count, text[index] == UInt8(ascii: ".") {
      isInteger = false
      index += 1
      let fractionStart = index
      _ = try Self.scanDigits(text, &index)
      fractionCount = index - fractionStart
    }
    var hasExponent = false
    if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      hasExponent = true
      index += 1
      if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") {
        index += 1
      }
      _ = try Self.scanDigits(text, &index)
    }

    // Decimals of at most 15 digits survive the way through a double unchanged (DBL_DIG), so their
    // shortest form is themselves.
    if !hasExponent, integerCount + fractionCount <= 15 {
      if isInteger {
        if negative, firstIsZero { canonical = false }
        return
      }
      let lastIsZero = text[index - 1] == UInt8(ascii: "0")
      if !lastIsZero, !firstIsZero || fractionCount <= 6 { return }
    }
    let mustBeExact = isInteger && integers == .exact
    if try !NumberText.isCanonical(text, start..<index, isInteger: mustBeExact) {
      canonical = false
    }
  }

  /// Scans at least one digit and tells whether the first one is 0.
  @inline(__always)
  private static func scanDigits(_ text: ByteView, _ index: inout Int) throws(JSONError) -> Bool {
    guard index < text.count else { throw JSONError(.syntax, at: text.count) }
    let first = text[index]
    guard first &- UInt8(ascii: "0") < 10 else { throw refusal(of: text, at: index) }
    repeat { index += 1 } while index < text.count && text[index] &- UInt8(ascii: "0") < 10
    return first == UInt8(ascii: "0")
  }
}
