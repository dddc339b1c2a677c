// A text together with the result of its scan, for code that reads one text as a whole. Code that reads
// one text after another keeps a `Scanner`.

/// A text that has been scanned.
package struct JSONDocument: ~Copyable {
  /// The bytes.
  package let text: [UInt8]
  private let scanner: Scanner

  /// Scans a text.
  ///
  /// - Parameters:
  ///   - text: one JSON value, white space around it included; at most `Scanner.textLimit` bytes.
  ///   - integers: what becomes of an integer that a double cannot carry exactly.
  /// - Throws: `JSONError` with the first refusal and its byte offset.
  package init(_ text: [UInt8], integers: IntegerPrecision = .exact) throws(JSONError) {
    var scanner = Scanner(integers: integers)
    try scanner.scan(text.span)
    self.text = text
    self.scanner = scanner
  }

  /// The whole value.
  package var root: JSONValue {
    @_lifetime(borrow self)
    get { scanner.root(of: text.span) }
  }

  /// Whether the text is byte for byte its own RFC 8785 form.
  package var isCanonical: Bool { scanner.isCanonical }

  /// The RFC 8785 form of the text.
  package var canonical: [UInt8] {
    if isCanonical { return text }
    var canonical: [UInt8] = []
    canonical.reserveCapacity(text.count)
    scanner.appendCanonical(text.span, to: &canonical)
    return canonical
  }
}
