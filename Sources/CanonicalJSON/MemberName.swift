// Member names of different texts in the order of RFC 8785, section 3.2.3.

/// A member's name, to be sorted among others.
package struct MemberName: Comparable, Sendable {
  /// UTF-8, unescaped.
  private let text: [UInt8]

  /// A name as RFC 8785 writes it, without quotes.
  package init(escaped: [UInt8]) {
    text = escaped.contains(UInt8(ascii: "\\")) ? StringEscape.unescape(escaped.span) : escaped
  }

  /// By UTF-16 code units.
  package static func < (left: MemberName, right: MemberName) -> Bool {
    NameOrder.compare(left.text, right.text) == .ascending
  }
}
