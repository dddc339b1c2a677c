// The bytes of an SVG document: SVG 1.1 (W3C, 2011) in XML 1.0 (fifth edition).

/// Appends parts of a document.
package struct SVGText {
  /// The document so far.
  package private(set) var bytes: [UInt8] = []

  /// An empty document.
  package init() {}

  /// Appends markup as it is.
  package mutating func raw(_ markup: String) { bytes += markup.utf8 }

  /// Appends text on one line, with markup characters escaped.
  package mutating func text(_ text: String) { Self.append(DrawnText.line(text), to: &bytes) }

  /// Appends a tooltip.
  package mutating func title(_ text: String) {
    raw("<title>")
    self.text(text)
    raw("</title>")
  }

  /// Appends a line of text at a place, in pixels.
  package mutating func label(_ text: String, x: Int, y: Int, _ classes: String? = nil) {
    raw("<text x=\"\(x)\" y=\"\(y)\"\(classes.map { " class=\"\($0)\"" } ?? "")>")
    self.text(text)
    raw("</text>\n")
  }

  /// A length given in tenths of a pixel, as it is written.
  package static func tenths(_ length: Int) -> String {
    if length % 10 == 0 { return String(length / 10) }
    return (length < 0 ? "-" : "") + "\(abs(length) / 10).\(abs(length) % 10)"
  }

  /// Appends a line of text that has only characters allowed in XML; markup characters become entities.
  private static func append(_ text: String, to output: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): output += "&amp;".utf8
      case UInt8(ascii: "<"): output += "&lt;".utf8
      case UInt8(ascii: ">"): output += "&gt;".utf8
      case UInt8(ascii: "\""): output += "&quot;".utf8
      default: output.append(byte)
      }
    }
  }
}
