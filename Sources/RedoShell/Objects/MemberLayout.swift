// A member of a node's content on several lines: texts unquoted and wrapped; other values as JSON.

internal import CanonicalJSON
internal import RedoRepository

/// Lays out members.
enum MemberLayout {
  /// The columns that lines are wrapped at.
  static let width = 80
  private static let indent = "    "

  /// Appends a line feed and the member's lines.
  ///
  ///     title: Water the plants
  ///     notes:
  ///         Longer texts, and those of
  ///         several lines, stand below.
  static func append(_ member: JSONMembers.Member, to output: inout [UInt8]) {
    append(Escape.text(member.name), json: Array(member.value), to: &output)
  }

  /// Appends a line feed and the lines of a member under a name for people, which is escaped already.
  static func append(_ name: String, json: [UInt8], to output: inout [UInt8]) {
    output += "\n\(indent)\(name):".utf8
    let lines = lines(of: json)
    let room = width - indent.count - name.count - 2
    if lines.count == 1, lines[0].count <= room {
      output += " \(lines[0])".utf8
      return
    }
    for line in lines {
      for part in wrap(line, width - 2 * indent.count) {
        output += (part.isEmpty ? "\n" : "\n\(indent)\(indent)\(part)").utf8
      }
    }
  }

  /// The lines of a value, escaped for terminals, not wrapped.
  static func lines(of json: [UInt8]) -> [String] {
    if json.first == UInt8(ascii: "\""),
      case let text = StringEscape.unescape(
        json.span.extracting(1..<json.count - 1)), !isMistakable(text)
    {
      return text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .map { Escape.text($0) }
    }
    var pretty: [UInt8] = []
    PrettyJSON.append(json.span, to: &pretty)
    return pretty.split(separator: UInt8(ascii: "\n")).map { Escape.text($0) }
  }

  /// Whether a text without its quotes would look like another value, or like nothing.
  private static func isMistakable(_ text: [UInt8]) -> Bool {
    guard let first = text.first, let last = text.last else { return true }
    let blanks: [UInt8] = [UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t")]
    if blanks.contains(first) || blanks.contains(last) { return true }
    return (try? JSONDocument(text)) != nil
  }

  /// Wraps a line at blanks so that no part is wider than the width, unless a single word is.
  static func wrap(_ line: String, _ width: Int) -> [String] {
    guard line.count > width else { return [line] }
    // Continuation lines keep the indentation of the line, as in JSON.
    let margin = String(line.prefix { $0 == " " })
    var parts: [String] = []
    var current = margin
    var isEmpty = true
    for word in line.dropFirst(margin.count).split(separator: " ", omittingEmptySubsequences: false)
    {
      if !isEmpty, current.count + 1 + word.count > width {
        parts.append(current)
        current = margin
        isEmpty = true
      }
      current += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    parts.append(current)
    return parts
  }
}
