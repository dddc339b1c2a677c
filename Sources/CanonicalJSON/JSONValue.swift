// A value of a scanned text, viewed in place: nothing is copied and nothing allocated, and no walk
// recurses. The compiler keeps a value from outliving its text and its scanner.
//
// A value is asked for by type, and the answer is `nil` if it has another type. Names of members are
// values as well: strings.

/// What a value is.
@usableFromInline
package enum JSONKind: Sendable {
  case object, array, string, number, literalTrue, literalFalse, null

  /// Written out, because the function that the compiler makes is not inlined in other modules.
  @inlinable
  package static func == (left: JSONKind, right: JSONKind) -> Bool {
    switch (left, right) {
    case (.object, .object), (.array, .array), (.string, .string), (.number, .number),
      (.literalTrue, .literalTrue), (.literalFalse, .literalFalse), (.null, .null):
      true
    default: false
    }
  }
}

/// One value, or the name of a member, of a scanned text.
@usableFromInline
package struct JSONValue: ~Escapable {
  @usableFromInline let text: Span<UInt8>
  @usableFromInline let tape: Span<Token>
  /// Which of the values and names of the text it is, counted from 0 in their order.
  ///
  /// An index can be kept where a value cannot, and leads back by `value(at:)`.
  @usableFromInline package let index: Int

  @inlinable
  @_lifetime(copy text, copy tape)
  init(_ text: Span<UInt8>, _ tape: Span<Token>, _ index: Int) {
    self.text = text
    self.tape = tape
    self.index = index
  }

  @inlinable
  var token: Token {
    @inline(__always)
    get { tape[index] }
  }

  /// Another value or name of the same text.
  ///
  /// - Parameter index: the `index` of one.
  /// - Returns: the value.
  @inlinable
  @_lifetime(copy self)
  package func value(at index: Int) -> JSONValue { JSONValue(text, tape, index) }

  // MARK: Types

  /// What it is.
  @inlinable package var kind: JSONKind { token.kind }
  /// Whether it is an object.
  @inlinable package var isObject: Bool { kind == .object }
  /// Whether it is an array.
  @inlinable package var isArray: Bool { kind == .array }
  /// Whether it is a string.
  @inlinable package var isString: Bool { kind == .string }
  /// Whether it is a number.
  @inlinable package var isNumber: Bool { kind == .number }
  /// Whether it is `null`.
  @inlinable package var isNull: Bool { kind == .null }

  // MARK: Places and bytes

  /// Its place in the text, in bytes; a string includes its quotes.
  @inlinable package var place: Range<Int> { token.outerRange }

  /// The place of its content in the text, in bytes: for a string what is between the quotes.
  @inlinable package var contentPlace: Range<Int> { token.range }

  /// The bytes of the value as they are in the text; in a canonical text they are canonical.
  @inlinable
  package var raw: Span<UInt8> {
    @inline(__always)
    @_lifetime(copy self)
    get { text.extracting(token.outerRange) }
  }

  /// The bytes of the value as they are in the text; for a string those between the quotes, with escapes.
  @inlinable
  package var content: Span<UInt8> {
    @inline(__always)
    @_lifetime(copy self)
    get { text.extracting(token.range) }
  }

  /// A copy of the bytes of the value as they are in the text.
  package var bytes: [UInt8] { Self.copy(raw) }

  /// A copy of the content: of a string what is between the quotes, with escapes.
  package var contentBytes: [UInt8] { Self.copy(content) }

  private static func copy(_ span: Span<UInt8>) -> [UInt8] {
    // SAFETY: the bytes are read during the call only.
    unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
  }

  /// Whether this is the value itself, or lies inside it.
  @inlinable
  package func isInside(_ container: borrowing JSONValue) -> Bool {
    index >= container.index && index < Int(container.token.next)
  }

  // MARK: Typed content

  /// The content of a string as it is in the text, with escapes.
  @inlinable
  package var escaped: Span<UInt8>? {
    @inline(__always)
    @_lifetime(copy self)
    get {
      let token = token
      guard token.kind == .string else { return nil }
      return text.extracting(token.range)
    }
  }

  /// The text of a string, UTF-8 without escapes.
  package var unescaped: [UInt8]? {
    let token = token
    guard token.kind == .string else { return nil }
    guard token.marks.contains(.escaped) else { return Self.copy(content) }
    return StringEscape.unescape(content)
  }

  /// The text of a string.
  package var string: String? {
    let token = token
    guard token.kind == .string else { return nil }
    guard token.marks.contains(.escaped) else { return contentText }
    return String(decoding: StringEscape.unescape(content), as: UTF8.self)
  }

  /// The content as it is in the text: the digits of a number, a word, a string with escapes.
  package var contentText: String {
    // SAFETY: the bytes are read during the call only.
    unsafe content.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Whether it is exactly this string.
  ///
  /// - Parameter wanted: characters that JSON does not escape.
  /// - Returns: `false` for the same string written with escapes, too.
  @inlinable
  package func isText(_ wanted: StaticString) -> Bool {
    let token = token
    let start = Int(token.start)
    let count = Int(token.end) - start
    guard token.kind == .string, count == wanted.utf8CodeUnitCount else { return false }
    // SAFETY: a literal's bytes are there for ever; the offset stays below both counts.
    let letters = unsafe wanted.utf8Start
    for offset in 0..<count where unsafe text[start + offset] != letters[offset] { return false }
    return true
  }

  /// The value of a number that is written with digits and a sign alone, and fits 64 bits.
  package var integer: Int64? {
    guard isNumber else { return nil }
    let digits = content
    let isNegative = digits[0] == UInt8(ascii: "-")
    var number: Int64 = 0
    for index in (isNegative ? 1 : 0)..<digits.count {
      let digit = digits[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      // 18 digits always fit. Counted down from 0: the least number has no positive counterpart.
      guard index >= 18 else {
        number = number &* 10 &- Int64(digit)
        continue
      }
      let (tenfold, hasOverflown) = number.multipliedReportingOverflow(by: 10)
      let (sum, hasOverflownToo) = tenfold.subtractingReportingOverflow(Int64(digit))
      guard !hasOverflown, !hasOverflownToo else { return nil }
      number = sum
    }
    if isNegative { return number }
    return number == .min ? nil : -number
  }

  /// Whether a number is written with digits and a sign alone.
  package var isInteger: Bool {
    guard isNumber else { return false }
    let digits = content
    for index in digits.indices
    where digits[index] &- UInt8(ascii: "0") > 9 && digits[index] != UInt8(ascii: "-") {
      return false
    }
    return true
  }

  /// The value of `true` and `false`.
  @inlinable
  package var boolean: Bool? {
    switch kind {
    case .literalTrue: true
    case .literalFalse: false
    case .object, .array, .string, .number, .null: nil
    }
  }
}
