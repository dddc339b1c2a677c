// Values as the document database exports them, {"stringValue":"..."}, {"mapValue":{"fields":...}},
// as plain JSON; and its times, {"_seconds":...,"_nanoseconds":...} among them, as the protocol
// writes them.

package import CanonicalJSON
package import RedoObject

/// Makes plain JSON.
package enum V0Values {
  /// What a value stands for.
  private enum Plain {
    case text([UInt8])
    case object([(name: Int, value: Int)])
    case array([Int])
  }

  private struct Level {
    package var members: [(name: Int, value: Int)] = []
    package var elements: [Int] = []
    package let isObject: Bool
    package var position = 0

    package var count: Int { isObject ? members.count : elements.count }
  }

  /// Appends a value as plain JSON.
  ///
  /// - Parameters:
  ///   - token: the value; with types the object of a document's fields.
  ///   - isTyped: whether the values below have types.
  ///   - scanner: has scanned the text.
  ///   - text: where the value stands.
  ///   - output: receives JSON, not canonical.
  package static func append(
    _ token: Int, isTyped: Bool, _ scanner: borrowing Scanner, _ text: Span<UInt8>,
    to output: inout [UInt8]
  ) {
    var levels: [Level] = []
    var next = token
    // The fields of a document are an object without a type of its own.
    var plain =
      isTyped ? Plain.object(members(of: token, scanner)) : self.plain(token, scanner, text)
    while true {
      switch plain {
      case .text(let bytes): output += bytes
      case .object(let members):
        output.append(UInt8(ascii: "{"))
        levels.append(Level(members: members, isObject: true))
      case .array(let elements):
        output.append(UInt8(ascii: "["))
        levels.append(Level(elements: elements, isObject: false))
      }
      while let level = levels.last, level.position == level.count {
        output.append(level.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        levels.removeLast()
      }
      guard let level = levels.last else { return }
      if level.position > 0 { output.append(UInt8(ascii: ",")) }
      if level.isObject {
        output.append(text, scanner[level.members[level.position].name].outerRange)
        output.append(UInt8(ascii: ":"))
        next = level.members[level.position].value
      } else {
        next = level.elements[level.position]
      }
      levels[levels.count - 1].position += 1
      plain = isTyped ? typed(next, scanner, text) : self.plain(next, scanner, text)
    }
  }

  private static func plain(
    _ token: Int, _ scanner: borrowing Scanner, _ text: Span<UInt8>
  ) -> Plain {
    switch scanner[token].kind {
    case .object: return .object(members(of: token, scanner))
    case .array: return .array(scanner.elements(of: token))
    default:
      var bytes: [UInt8] = []
      bytes.append(text, scanner[token].outerRange)
      return .text(bytes)
    }
  }

  /// What a value with a type stands for; one of no known type stays as it is, to be refused.
  private static func typed(
    _ token: Int, _ scanner: borrowing Scanner, _ text: Span<UInt8>
  ) -> Plain {
    guard scanner[token].kind == .object else { return plain(token, scanner, text) }
    let all = members(of: token, scanner)
    guard all.count == 1 else { return plain(token, scanner, text) }
    let value = all[0].value
    let bytes = text.extracting(scanner[value].range)
    switch string(all[0].name, scanner, text) {
    case "integerValue" where scanner[value].kind == .string:
      var digits: [UInt8] = []
      digits.append(bytes)
      // A number is written as a text there; a text that is none stays one.
      return Int64(String(decoding: digits, as: UTF8.self)) == nil
        ? plain(value, scanner, text) : .text(digits)
    case "timestampValue" where scanner[value].kind == .string:
      return .text(quoted(milliseconds(string(value, scanner, text))))
    case "mapValue":
      let fields = members(of: value, scanner).first { name, _ in
        string(name, scanner, text) == "fields"
      }
      return .object(fields.map { members(of: $0.value, scanner) } ?? [])
    case "arrayValue":
      let values = members(of: value, scanner).first { name, _ in
        string(name, scanner, text) == "values"
      }
      return .array(values.map { scanner.elements(of: $0.value) } ?? [])
    case "stringValue", "booleanValue", "doubleValue", "nullValue", "integerValue",
      "timestampValue", "referenceValue", "bytesValue":
      return plain(value, scanner, text)
    default: return plain(token, scanner, text)
    }
  }

  /// The names and values of an object; of anything else none.
  package static func members(
    of object: Int, _ scanner: borrowing Scanner
  ) -> [(name: Int, value: Int)] {
    guard scanner[object].kind == .object else { return [] }
    var members: [(name: Int, value: Int)] = []
    var name = object + 1
    let end = Int(scanner[object].next)
    while name < end {
      members.append((name, name + 1))
      name = Int(scanner[name + 1].next)
    }
    return members
  }

  /// The text of a string or name.
  package static func string(
    _ token: Int, _ scanner: borrowing Scanner, _ text: Span<UInt8>
  ) -> String {
    String(
      decoding: StringEscape.unescape(text.extracting(scanner[token].range)), as: UTF8.self)
  }

  package static func quoted(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONText.append(text, to: &bytes)
    return bytes
  }

  /// A time with any number of decimals, with three; one of another form, or without, as it is.
  package static func milliseconds(_ time: String) -> String {
    let parts = time.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.last == UInt8(ascii: "Z") else { return time }
    let digits = parts[1].dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ 48...57 ~= $0 }) else { return time }
    return "\(parts[0]).\((digits + "00").prefix(3))Z"
  }

  /// The time of a map of seconds and nanoseconds; `nil` for any other value.
  package static func time(
    _ token: Int, _ scanner: borrowing Scanner, _ text: Span<UInt8>
  ) -> String? {
    var seconds: Int64?
    var nanoseconds: Int64 = 0
    for (name, value) in members(of: token, scanner) {
      var digits: [UInt8] = []
      digits.append(text, scanner[value].range)
      let number = Int64(String(decoding: digits, as: UTF8.self))
      switch string(name, scanner, text) {
      case "_seconds", "seconds": seconds = number
      case "_nanoseconds", "nanoseconds", "nanos": nanoseconds = number ?? 0
      default: return nil
      }
    }
    // Years 0001 to 9999.
    guard let seconds, -62_135_596_800...253_402_300_799 ~= seconds,
      0...999_999_999 ~= nanoseconds
    else { return nil }
    return WallTime(milliseconds: seconds * 1000 + nanoseconds / 1_000_000).text
  }
}
