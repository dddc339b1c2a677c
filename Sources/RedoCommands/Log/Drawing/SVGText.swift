// The bytes of an SVG document: SVG 1.1 (W3C, 2011) in XML 1.0 (fifth edition).

/// Appends parts of a document.
struct SVGText {
  private(set) var bytes: [UInt8] = []

  /// Appends markup as it is.
  mutating func raw(_ markup: String) { bytes += markup.utf8 }

  /// Appends text: nothing in it is markup, and what XML has no way to write is shown.
  mutating func text(_ text: String) { Self.append(DrawnText.line(text), to: &bytes) }

  /// Appends a tooltip.
  mutating func title(_ text: String) {
    raw("<title>")
    self.text(text)
    raw("</title>")
  }

  /// Appends a line of text at a place, in pixels.
  mutating func label(_ text: String, x: Int, y: Int, _ classes: String) {
    raw("<text x=\"\(x)\" y=\"\(y)\" class=\"\(classes)\">")
    self.text(text)
    raw("</text>\n")
  }

  /// A length as it is written, from tenths of a pixel.
  static func tenths(_ length: Int) -> String {
    if length % 10 == 0 { return String(length / 10) }
    return (length < 0 ? "-" : "") + "\(abs(length) / 10).\(abs(length) % 10)"
  }

  /// Appends the characters of XML's production `Char`, those of markup as entities; for others
  /// U+FFFD stands.
  static func append(_ text: String, to output: inout [UInt8]) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output += "&amp;".utf8
      case "<": output += "&lt;".utf8
      case ">": output += "&gt;".utf8
      case "\"": output += "&quot;".utf8
      case "\t", "\n", "\r": output += "&#\(scalar.value);".utf8
      default:
        let isCharacter =
          scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
        output += UTF8.encode(isCharacter ? scalar : "\u{FFFD}") ?? .init()
      }
    }
  }
}
