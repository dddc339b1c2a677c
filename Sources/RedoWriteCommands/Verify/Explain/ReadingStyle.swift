// The ways in which common JSON writers differ from RFC 8785: spaces, line feeds, escapes.

internal import RedoCrypto
internal import RedoRepository
internal import RedoShell

/// How a JSON text is spelled, as opposed to the canonical way.
struct ReadingStyle {
  /// The text after a comma.
  var comma = ""
  /// The text between name and value.
  var colon = ":"
  /// The spaces per level; `nil` for one line.
  var indent: Int?
  /// Whether characters outside ASCII are written as JSON escapes.
  var isASCII = false
  /// Whether a slash is written as `\/`.
  var escapesSlash = false

  /// Spells a canonical text.
  ///
  /// - Parameter canonical: RFC 8785 JSON.
  /// - Returns: the same value in this style.
  func spell(_ canonical: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(canonical.count * 3 / 2)
    var depth = 0
    var isInString = false
    var index = 0
    while index < canonical.count {
      let byte = canonical[index]
      index += 1
      if isInString {
        switch byte {
        case UInt8(ascii: "\\"):
          output.append(byte)
          output.append(canonical[index])
          index += 1
        case UInt8(ascii: "/") where escapesSlash: output += "\\/".utf8
        case 0x80... where isASCII:
          index -= 1
          Self.escape(canonical, &index, to: &output)
        default:
          output.append(byte)
          if byte == UInt8(ascii: "\"") { isInString = false }
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""):
        isInString = true
        output.append(byte)
      case UInt8(ascii: ","):
        output.append(byte)
        if indent == nil { output += comma.utf8 } else { breakLine(depth, &output) }
      case UInt8(ascii: ":"): output += colon.utf8
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        output.append(byte)
        let next = canonical[index]
        if next == UInt8(ascii: "}") || next == UInt8(ascii: "]") {
          output.append(next)
          index += 1
        } else {
          depth += 1
          breakLine(depth, &output)
        }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        breakLine(depth, &output)
        output.append(byte)
      default: output.append(byte)
      }
    }
    return output
  }

  private func breakLine(_ depth: Int, _ output: inout [UInt8]) {
    guard let indent else { return }
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * indent))
  }

  /// Writes one character outside ASCII as UTF-16 code units.
  private static func escape(_ text: [UInt8], _ index: inout Int, to output: inout [UInt8]) {
    let lead = text[index]
    let count = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    let end = min(index + count, text.count)
    for unit in String(decoding: text[index..<end], as: UTF8.self).utf16 {
      output += "\\u".utf8
      for shift in [12, 8, 4, 0] { output.append(Hex.digit(UInt8((unit >> shift) & 0x0F))) }
    }
    index = end
  }
}
