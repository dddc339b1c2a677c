// The tape token by token, for code that does not use `JSONValue` yet.

/// What a token stands for.
package typealias TokenKind = JSONKind

extension Scanner {
  /// The number of tokens of the scanned text; the value itself is token 0.
  package var tokenCount: Int { count }

  /// The token at an index from 0 to `tokenCount - 1`; there is none after a refusal.
  package subscript(index: Int) -> Token { tape[index] }

  /// The token indices of an array's elements.
  package func elements(of array: Int) -> [Int] { elementIndices(of: array) }

  /// Appends the RFC 8785 form of one value of the text that was scanned last.
  package func appendCanonical(of value: Int, _ text: Span<UInt8>, to output: inout [UInt8]) {
    appendCanonical(of: root(of: text).value(at: value), text, to: &output)
  }
}

extension StringEscape {
  /// Appends one byte of UTF-8, escaped when RFC 8785 escapes it.
  package static func append(_ byte: UInt8, to output: inout [UInt8]) {
    append([byte].span, to: &output)
  }
}
