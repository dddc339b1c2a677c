// What is refused on input, and where (protocol, section 1.2).

/// The rules of a JSON text; the raw value is the rule's public id.
package enum JSONRule: String, CaseIterable, Sendable {
  /// The text does not follow the grammar of RFC 8259, or ends too early.
  case syntax = "json-syntax"
  /// The bytes are not UTF-8 (RFC 3629).
  case utf8 = "json-utf8"
  /// The text begins with a byte order mark.
  case byteOrderMark = "json-bom"
  /// An escape names one half of a surrogate pair without the other.
  case surrogate = "json-surrogate"
  /// Two members of one object have the same name after unescaping.
  case duplicateName = "json-duplicate-name"
  /// Objects and arrays are nested deeper than 512.
  case depth = "json-depth"
  /// Bytes other than white space follow the value.
  case trailing = "json-trailing"
  /// A number is too large for a double.
  case numberOverflow = "json-number-overflow"
  /// A number other than zero would become zero.
  case numberUnderflow = "json-number-underflow"
  /// An integer cannot be kept exactly.
  case numberPrecision = "json-number-precision"
}

/// A refused JSON text: which rule, and at which byte.
package struct JSONError: Error, Equatable, Sendable {
  /// The rule that is broken.
  package let rule: JSONRule
  /// The place in the text, in bytes from 0; the length of the text when it ends too early.
  package let offset: Int

  /// A refusal of the text at a byte.
  package init(_ rule: JSONRule, at offset: Int) {
    self.rule = rule
    self.offset = offset
  }
}
