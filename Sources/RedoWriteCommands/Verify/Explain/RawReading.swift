// A node's text with only white space, members and order changed: what a client that does not know RFC 8785
// would hash.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// Rewrites a text with each number and string as it arrived.
struct RawReading: ~Copyable {
  private let document: JSONDocument

  /// - Parameter text: one JSON object; the result is `nil` when it is not one.
  init?(_ text: [UInt8]) {
    guard let document = try? JSONDocument(text), Self.isObject(document) else { return nil }
    self.document = document
  }

  private static func isObject(_ document: borrowing JSONDocument) -> Bool {
    document.root.isObject
  }

  /// The text as RFC 8785 writes it.
  var canonical: [UInt8] { document.canonical }

  /// An unfinished container: names and values, or elements, still to be written.
  private struct Level {
    let isObject: Bool
    var rest: ArraySlice<Int>
    var isFirst = true
  }

  /// The text without white space and without some members at the top.
  ///
  /// - Parameters:
  ///   - isSorted: whether members are sorted.
  ///   - names: the members that are left out.
  /// - Returns: the text.
  func compact(isSorted: Bool, without names: Set<String>) -> [UInt8] {
    let root = document.root
    var output: [UInt8] = []
    var levels = [level(of: root, isSorted, without: names)]
    output.append(UInt8(ascii: "{"))
    while var level = levels.popLast() {
      guard let token = level.rest.popFirst() else {
        output.append(level.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        continue
      }
      if !level.isFirst { output.append(UInt8(ascii: ",")) }
      level.isFirst = false
      if level.isObject {
        output.append(root.value(at: token).raw)
        output.append(UInt8(ascii: ":"))
      }
      let value = root.value(at: level.isObject ? token + 1 : token)
      levels.append(level)
      switch value.kind {
      case .object, .array:
        let inner = self.level(of: value, isSorted, without: [])
        output.append(inner.isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
        levels.append(inner)
      default: output.append(value.raw)
      }
    }
    return output
  }

  private func level(
    of container: JSONValue, _ isSorted: Bool, without names: Set<String>
  ) -> Level {
    guard container.isObject else {
      return Level(isObject: false, rest: container.elementIndices[...])
    }
    var found: [(name: [UInt8], token: Int)] = []
    var members = container.members
    while let member = members.next() {
      let name = member.name
      if !names.contains(name.contentText) { found.append((name.contentBytes, name.index)) }
    }
    if isSorted { found.sort { $0.name.lexicographicallyPrecedes($1.name) } }
    return Level(isObject: true, rest: found.map(\.token)[...])
  }
}
