// The bytes of an SVG document: SVG 1.1 (W3C, 2011) in XML 1.0 (fifth edition).

internal import RedoRepository
internal import RedoShell

/// Appends parts of a document.
struct SVGText {
  private(set) var bytes: [UInt8] = []

  /// Appends markup as it is.
  mutating func raw(_ markup: String) { bytes += markup.utf8 }

  /// Appends text on one line: nothing in it is markup.
  mutating func text(_ text: String) { Self.append(DrawnText.line(text), to: &bytes) }

  /// Appends a tooltip.
  mutating func title(_ text: String) {
    raw("<title>")
    self.text(text)
    raw("</title>")
  }

  /// Appends a line of text at a place, in pixels.
  mutating func label(_ text: String, x: Int, y: Int, _ classes: String? = nil) {
    raw("<text x=\"\(x)\" y=\"\(y)\"\(classes.map { " class=\"\($0)\"" } ?? "")>")
    self.text(text)
    raw("</text>\n")
  }

  /// A length as it is written, from tenths of a pixel.
  static func tenths(_ length: Int) -> String {
    if length % 10 == 0 { return String(length / 10) }
    return (length < 0 ? "-" : "") + "\(abs(length) / 10).\(abs(length) % 10)"
  }

  /// Appends a line of text, which has only characters of XML, those of markup as entities.
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
