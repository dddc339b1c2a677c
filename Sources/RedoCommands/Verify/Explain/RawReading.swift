// A node's text with nothing changed but white space, members and order: what a client hashes that
// does not know RFC 8785.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// Writes the values of a text again, each number and string as it came.
struct RawReading: ~Copyable {
  private let text: [UInt8]
  private var scanner = Scanner()

  /// - Parameter text: one JSON object; `nil` when it is none.
  init?(_ text: [UInt8]) {
    self.text = text
    do throws(JSONError) { try scanner.scan(text.span) } catch { return nil }
    guard scanner[0].kind == .object else { return nil }
  }

  /// The text as RFC 8785 writes it.
  var canonical: [UInt8] {
    var output: [UInt8] = []
    scanner.appendCanonical(text.span, to: &output)
    return output
  }

  /// A container that is not finished: names and values, or elements, still to be written.
  private struct Level {
    let isObject: Bool
    var rest: ArraySlice<Int>
    var isFirst = true
  }

  /// The text without white space and without some members at the top.
  ///
  /// - Parameters:
  ///   - isSorted: whether members are put in order.
  ///   - names: the members that are left out.
  /// - Returns: the text.
  func compact(isSorted: Bool, without names: Set<String>) -> [UInt8] {
    var output: [UInt8] = []
    var levels = [level(of: 0, isSorted, without: names)]
    output.append(UInt8(ascii: "{"))
    while var level = levels.popLast() {
      guard let token = level.rest.popFirst() else {
        output.append(level.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        continue
      }
      if !level.isFirst { output.append(UInt8(ascii: ",")) }
      level.isFirst = false
      var value = token
      if level.isObject {
        output += text[scanner[token].outerRange]
        output.append(UInt8(ascii: ":"))
        value = token + 1
      }
      levels.append(level)
      switch scanner[value].kind {
      case .object, .array:
        let inner = self.level(of: value, isSorted, without: [])
        output.append(inner.isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
        levels.append(inner)
      default: output += text[scanner[value].outerRange]
      }
    }
    return output
  }

  private func level(
    of container: Int, _ isSorted: Bool, without names: Set<String>
  ) -> Level {
    guard scanner[container].kind == .object else {
      return Level(isObject: false, rest: scanner.elements(of: container)[...])
    }
    var found: [(name: [UInt8], token: Int)] = []
    var index = container + 1
    let end = Int(scanner[container].next)
    while index < end {
      let name = Array(text[scanner[index].range])
      if !names.contains(String(decoding: name, as: UTF8.self)) { found.append((name, index)) }
      index = Int(scanner[index + 1].next)
    }
    if isSorted { found.sort { $0.name.lexicographicallyPrecedes($1.name) } }
    return Level(isObject: true, rest: found.map(\.token)[...])
  }
}
