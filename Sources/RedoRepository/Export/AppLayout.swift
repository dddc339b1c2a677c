// The phone app's file: one JSON array as Foundation's JSONEncoder lays it out with the options
// `.sortedKeys` and `.prettyPrinted`. Two spaces a level, a space on either side of each colon, an
// empty line in an empty container, `/` escaped, names sorted by their UTF-8 bytes, numbers as
// Swift writes an Int or else a Double, no line feed at the end.
//
// Tests/Vectors/layout holds what JSONEncoder itself wrote.

package import CanonicalJSON
internal import RedoObject

/// Lays out canonical JSON in the form of the app's file.
package enum AppLayout {
  /// The text before the first element of a file.
  package static let opening = Array("[\n".utf8)
  /// The text between two elements.
  package static let separator = Array(",\n".utf8)
  /// The text after the last element; in an empty file, after the opening.
  package static let closing = Array("\n]".utf8)

  /// The members or elements of a container that have not been written yet.
  private struct Level {
    let isObject: Bool
    /// The names of an object in order, or the elements of an array.
    let members: [Int]
    var position = 0
  }

  /// Appends a value as an element of the file's array.
  ///
  /// - Parameters:
  ///   - root: RFC 8785 JSON.
  ///   - output: receives UTF-8.
  package static func appendElement(_ root: JSONValue, to output: inout [UInt8]) {
    var levels: [Level] = []
    indent(1, &output)
    var token = 0
    while true {
      let value = root.value(at: token)
      switch value.kind {
      case .object:
        output.append("{\n")
        levels.append(Level(isObject: true, members: names(of: value)))
      case .array:
        output.append("[\n")
        levels.append(Level(isObject: false, members: value.elementIndices))
      case .string: appendString(value.content, to: &output)
      case .number: appendNumber(value.content, to: &output)
      case .literalTrue, .literalFalse, .null: output.append(value.raw)
      }
      while let level = levels.last, level.position == level.members.count {
        output.append(UInt8(ascii: "\n"))
        indent(levels.count, &output)
        output.append(level.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        levels.removeLast()
      }
      guard let level = levels.last else { return }
      if level.position > 0 { output += separator }
      indent(levels.count + 1, &output)
      token = level.members[level.position]
      levels[levels.count - 1].position += 1
      if level.isObject {
        appendString(root.value(at: token).content, to: &output)
        output.append(" : ")
        token += 1
      }
    }
  }

  private static func indent(_ depth: Int, _ output: inout [UInt8]) {
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }

  /// The names of an object, sorted by bytes.
  ///
  /// RFC 8785 sorts by UTF-16 code units, which is the same up to U+DFFF.
  private static func names(of object: JSONValue) -> [Int] {
    var names: [Int] = []
    var mayDiffer = false
    var members = object.members
    while let member = members.next() {
      names.append(member.name.index)
      if mayDiffer { continue }
      let name = member.name.content
      for index in name.indices where name[index] >= 0xEE || name[index] == 0x5C {
        mayDiffer = true
      }
    }
    guard mayDiffer else { return names }
    let keys = names.map { object.value(at: $0).unescaped ?? [] }
    return names.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }.map { names[$0] }
  }

  /// Appends a string: escapes what RFC 8785 escapes, and the slash.
  private static func appendString(_ content: Span<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for index in content.indices {
      if content[index] == UInt8(ascii: "/") { output.append(UInt8(ascii: "\\")) }
      output.append(content[index])
    }
    output.append(UInt8(ascii: "\""))
  }

  /// Appends a number that the app reads as an Int, or else as a Double.
  private static func appendNumber(_ canonical: Span<UInt8>, to output: inout [UInt8]) {
    var literal: [UInt8] = []
    literal.append(canonical)
    let text = String(decoding: literal, as: UTF8.self)
    guard Int64(text) == nil, let value = Double(text) else {
      output += literal
      return
    }
    let shortest = Array(value.description.utf8)
    output += shortest.suffix(2).elementsEqual(".0".utf8) ? shortest.dropLast(2) : shortest[...]
  }
}
