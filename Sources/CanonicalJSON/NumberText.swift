// A number's text as ECMAScript writes it (RFC 8785 section 3.2.2.3; ECMA-262 Number::toString).

/// The RFC 8785 text of numbers.
package enum NumberText {
  /// Appends the shortest text that reads back as the same double.
  ///
  /// - Parameters:
  ///   - value: a finite number.
  ///   - output: receives ASCII.
  package static func append(_ value: Double, to output: inout [UInt8]) {
    precondition(value.isFinite, "BUG: JSON has no text for \(value)")
    guard value != 0 else {
      output.append(UInt8(ascii: "0"))
      return
    }
    if value < 0 { output.append(UInt8(ascii: "-")) }
    // Swift's description has the shortest digits too, only laid out in another way.
    let decimal = Decimal(shortest: value.magnitude)
    decimal.append(to: &output)
  }

  /// Whether the text of a number is the one RFC 8785 gives it.
  ///
  /// - Parameters:
  ///   - text: the whole text.
  ///   - range: a number by the grammar.
  ///   - isInteger: whether it has neither fraction nor exponent.
  /// - Returns: whether nothing is to be written otherwise.
  /// - Throws: `JSONError` for a number that a double cannot carry, at the number's first byte.
  static func isCanonical(
    _ text: ByteView, _ range: Range<Int>, isInteger: Bool
  ) throws(JSONError) -> Bool {
    var literal: [UInt8] = []
    text.append(range, to: &literal)
    let value = try value(of: literal, isInteger: isInteger, at: range.lowerBound)
    var canonical: [UInt8] = []
    append(value, to: &canonical)
    return canonical == literal
  }

  /// The double that a number's text denotes.
  ///
  /// - Parameters:
  ///   - literal: a number by the grammar, ASCII.
  ///   - isInteger: whether it has neither fraction nor exponent.
  ///   - offset: its place in the text, for the error.
  /// - Returns: a finite number.
  /// - Throws: `JSONError` for a number that a double cannot carry.
  static func value(
    of literal: [UInt8], isInteger: Bool, at offset: Int
  ) throws(JSONError) -> Double {
    guard let value = Double(String(decoding: literal, as: UTF8.self)) else {
      preconditionFailure("BUG: a number of the grammar that is no Double")
    }
    guard value.isFinite else { throw JSONError(.numberOverflow, at: offset) }
    let written = Decimal(digitsOf: literal)
    if value == 0, !written.digits.isEmpty { throw JSONError(.numberUnderflow, at: offset) }
    // An integer is a count or an identifier: it must come out as the same number.
    if isInteger, value != 0, Decimal(shortest: value.magnitude) != written {
      throw JSONError(.numberPrecision, at: offset)
    }
    return value
  }
}

/// A decimal number without sign, as digits after the point and a power of ten.
struct Decimal: Equatable {
  /// ASCII digits, neither beginning nor ending with a zero; none for the number 0.
  var digits: [UInt8] = []
  /// The power of ten; the `n` of ECMA-262.
  var exponent = 0

  /// The shortest decimal that reads back as this positive double.
  init(shortest value: Double) {
    self.init(digitsOf: Array(value.description.utf8))
  }

  /// The digits and exponent of a decimal text; its sign is passed over.
  init(digitsOf literal: [UInt8]) {
    var fraction = false
    var index = 0
    while index < literal.count {
      let byte = literal[index]
      index += 1
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if digits.isEmpty, byte == UInt8(ascii: "0") {
          if fraction { exponent -= 1 }
        } else {
          digits.append(byte)
          if !fraction { exponent += 1 }
        }
      case UInt8(ascii: "."):
        fraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        exponent = Self.clampedSum(exponent, of: literal[index...])
        index = literal.count
      default: break
      }
    }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if digits.isEmpty { exponent = 0 }
  }

  /// Adds the exponent that is written in a text; one of absurd size stays absurd without overflow.
  private static func clampedSum(_ exponent: Int, of text: ArraySlice<UInt8>) -> Int {
    let negative = text.first == UInt8(ascii: "-")
    var written = 0
    for byte in text where byte >= UInt8(ascii: "0") && written < 1_000_000_000_000 {
      written = written * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return negative ? exponent - written : exponent + written
  }

  /// Appends the number in the layout of ECMA-262 Number::toString, steps 6 to 10.
  func append(to output: inout [UInt8]) {
    let zero = UInt8(ascii: "0")
    let count = digits.count
    if count <= exponent, exponent <= 21 {
      output += digits
      output += Array(repeating: zero, count: exponent - count)
    } else if 0 < exponent, exponent <= 21 {
      output += digits[..<exponent]
      output.append(UInt8(ascii: "."))
      output += digits[exponent...]
    } else if -6 < exponent, exponent <= 0 {
      output += [zero, UInt8(ascii: ".")]
      output += Array(repeating: zero, count: -exponent)
      output += digits
    } else {
      output.append(digits[0])
      if count > 1 {
        output.append(UInt8(ascii: "."))
        output += digits[1...]
      }
      output.append(UInt8(ascii: "e"))
      output.append(exponent > 0 ? UInt8(ascii: "+") : UInt8(ascii: "-"))
      output += Array(String(abs(exponent - 1)).utf8)
    }
  }
}
