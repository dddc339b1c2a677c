// What is refused on input, and where (receipts, section 1.8).

/// The rules of DAG-CBOR bytes; the raw value is the rule's public id.
package enum CBORRule: String, CaseIterable, Sendable {
  /// The bytes do not follow the grammar of RFC 8949, or end too early.
  case syntax = "cbor-syntax"
  /// Bytes follow the value.
  case trailing = "cbor-trailing"
  /// A head is longer than it has to be.
  case length = "cbor-length"
  /// A length is not stated.
  case indefinite = "cbor-indefinite"
  /// The keys of a map are not ordered by their length, then by their bytes.
  case keyOrder = "cbor-key-order"
  /// Two members of one map have the same key.
  case duplicateKey = "cbor-duplicate-key"
  /// A key is not text.
  case keyType = "cbor-key-type"
  /// A text is not UTF-8 (RFC 3629).
  case utf8 = "cbor-utf8"
  /// A float has fewer than 64 bits, is not finite, or is a zero with a sign.
  case float = "cbor-float"
  /// An integer is out of the range of 64 bits with a sign.
  case integer = "cbor-integer"
  /// A simple value is none of false, true and null.
  case simple = "cbor-simple"
  /// A tag is not 42, or what it marks is not a CID.
  case tag = "cbor-tag"
  /// Maps and arrays are nested too deep.
  case depth = "cbor-depth"
}

/// Refused DAG-CBOR bytes: which rule, and at which byte.
package struct CBORError: Error, Equatable, Sendable {
  /// The rule that is broken.
  package let rule: CBORRule
  /// The place, in bytes from 0: where the value or the key begins, or the number of bytes when they end too early.
  package let offset: Int

  /// A refusal of the bytes at one of them.
  package init(_ rule: CBORRule, at offset: Int) {
    self.rule = rule
    self.offset = offset
  }
}
