// The words of an expression.

/// What is wrong with an expression, and where.
package struct QuerySyntaxError: Error, Equatable {
  /// The fault, without its place.
  package let problem: String
  /// The character at which it is noticed, from 1.
  package let character: Int
  /// The unknown name, if that is the fault.
  package let unknownName: String?
}

/// Reads words one after the other.
struct QueryLexer {
  enum Token: Equatable {
    case word(String)
    case text(String)
    case number(Double)
    case comparison(QueryExpression.Operator)
    case open, close, end
  }

  private let bytes: [UInt8]
  private var position = 0
  /// Where the last word begins, in bytes.
  private(set) var start = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// The next word.
  mutating func next() throws(QuerySyntaxError) -> Token {
    while position < bytes.count, isBlank(bytes[position]) { position += 1 }
    start = position
    guard position < bytes.count else { return .end }
    let byte = bytes[position]
    switch byte {
    case UInt8(ascii: "("):
      position += 1
      return .open
    case UInt8(ascii: ")"):
      position += 1
      return .close
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .text(try quoted())
    case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "~"):
      return try comparison()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default:
      guard isLetter(byte) else { throw unexpected() }
      return try word()
    }
  }

  /// An error at the beginning of the last word.
  func error(_ problem: String, name: String? = nil) -> QuerySyntaxError {
    error(problem, at: start, name: name)
  }

  /// An error at a byte.
  func error(_ problem: String, at place: Int, name: String? = nil) -> QuerySyntaxError {
    // Continuation bytes of UTF-8 are not characters of their own.
    let before = bytes[..<min(place, bytes.count)].count { $0 & 0xC0 != 0x80 }
    return QuerySyntaxError(problem: problem, character: before + 1, unknownName: name)
  }

  /// The last word as it was written.
  var written: String { String(decoding: bytes[start..<position], as: UTF8.self) }

  private func unexpected() -> QuerySyntaxError {
    let rest = String(decoding: bytes[position...], as: UTF8.self)
    return error("'\(rest.prefix(1))' has no meaning here")
  }

  private mutating func comparison() throws(QuerySyntaxError) -> Token {
    let two = bytes[position...].prefix(2)
    for text in [two, two.prefix(1)] {
      if let found = QueryExpression.Operator(rawValue: String(decoding: text, as: UTF8.self)) {
        position += text.count
        return .comparison(found)
      }
    }
    throw unexpected()
  }

  private mutating func number() throws(QuerySyntaxError) -> Token {
    while position < bytes.count, isOfNumber(bytes[position]) { position += 1 }
    let digits = written.utf8.drop { $0 == UInt8(ascii: "-") }
    guard written.utf8.count - digits.count <= 1, digits.first.map(isDigit) ?? false,
      digits.last.map(isDigit) ?? false,
      !digits.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }), let value = Double(written),
      value.isFinite
    else { throw error("'\(written)' is no number; texts and dates stand in quotes") }
    return .number(value)
  }

  private mutating func quoted() throws(QuerySyntaxError) -> String {
    let quote = bytes[position]
    let opening = position
    var content: [UInt8] = []
    position += 1
    while position < bytes.count {
      var byte = bytes[position]
      position += 1
      if byte == quote { return String(decoding: content, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        guard position < bytes.count, [quote, UInt8(ascii: "\\")].contains(bytes[position]) else {
          throw error(
            "a backslash stands before a quote or a backslash only", at: position - 1)
        }
        byte = bytes[position]
        position += 1
      }
      content.append(byte)
    }
    throw error("the quote is not closed", at: opening)
  }

  private mutating func word() throws(QuerySyntaxError) -> Token {
    while position < bytes.count,
      isLetter(bytes[position]) || isDigit(bytes[position])
        || bytes[position] == UInt8(ascii: ".")
    {
      position += 1
    }
    var text = written
    // The name of a member may be any text.
    if text.hasSuffix(QueryProperty.fieldPrefix) || text.hasSuffix(QueryProperty.recordPrefix),
      position < bytes.count,
      [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[position])
    {
      text += try quoted()
    }
    return .word(text)
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private func isLetter(_ byte: UInt8) -> Bool {
    byte | 0x20 &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
  }

  private func isOfNumber(_ byte: UInt8) -> Bool {
    isDigit(byte) || isLetter(byte) || [".", "-", "+", ":"].map { UInt8(ascii: $0) }.contains(byte)
  }
}
