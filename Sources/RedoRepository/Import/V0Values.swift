// Values as the document database exports them, {"stringValue":"..."}, {"mapValue":{"fields":...}}, as plain JSON; also
// its times, including {"_seconds":...,"_nanoseconds":...}, in the form of the protocol.

package import CanonicalJSON
internal import RedoObject

/// Makes plain JSON.
package enum V0Values {
  /// What a value stands for.
  private enum Plain {
    case text([UInt8])
    case object([(name: Int, value: Int)])
    case array([Int])
  }

  private struct Level {
    var members: [(name: Int, value: Int)] = []
    var elements: [Int] = []
    let isObject: Bool
    var position = 0

    var count: Int { isObject ? members.count : elements.count }
  }

  /// Appends a value as plain JSON.
  ///
  /// - Parameters:
  ///   - top: the value; if typed, the object of a document's fields.
  ///   - isTyped: whether the values below are typed.
  ///   - output: receives JSON, not canonical.
  package static func append(_ top: JSONValue, isTyped: Bool, to output: inout [UInt8]) {
    var levels: [Level] = []
    var next = top.index
    // The fields of a document are an object without a type of its own.
    var plain = isTyped ? Plain.object(members(of: top)) : self.plain(top)
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
        output.append(top.value(at: level.members[level.position].name).raw)
        output.append(UInt8(ascii: ":"))
        next = level.members[level.position].value
      } else {
        next = level.elements[level.position]
      }
      levels[levels.count - 1].position += 1
      plain = isTyped ? typed(top.value(at: next)) : self.plain(top.value(at: next))
    }
  }

  private static func plain(_ value: JSONValue) -> Plain {
    switch value.kind {
    case .object: .object(members(of: value))
    case .array: .array(value.elementIndices)
    case .string, .number, .literalTrue, .literalFalse, .null: .text(value.bytes)
    }
  }

  /// What a typed value stands for; one of an unknown type stays as it is, to be refused later.
  private static func typed(_ typed: JSONValue) -> Plain {
    var cursor = typed.members
    guard let member = cursor.next(), cursor.next() == nil else { return plain(typed) }
    let value = member.value
    switch member.name.string {
    case "integerValue" where value.isString:
      // A number is written as a text there; a text that is not a number stays a text.
      return Int64(value.contentText) == nil ? plain(value) : .text(value.contentBytes)
    case "timestampValue" where value.isString:
      return .text(quoted(milliseconds(value.string ?? "")))
    case "mapValue":
      guard let fields = value.member("fields") else { return .object([]) }
      return .object(members(of: fields))
    case "arrayValue":
      guard let values = value.member("values") else { return .array([]) }
      return .array(values.elementIndices)
    case "stringValue", "booleanValue", "doubleValue", "nullValue", "integerValue",
      "timestampValue", "referenceValue", "bytesValue":
      return plain(value)
    default: return plain(typed)
    }
  }

  /// The names and values of an object by index; empty for anything else.
  private static func members(of object: JSONValue) -> [(name: Int, value: Int)] {
    object.nameIndices.map { ($0, $0 + 1) }
  }

  package static func quoted(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONWriter.appendString(text, to: &bytes)
    return bytes
  }

  /// A time with any number of decimals, changed to three decimals; a time of another form, or without decimals,
  /// unchanged.
  package static func milliseconds(_ time: String) -> String {
    let parts = time.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.last == UInt8(ascii: "Z") else { return time }
    let digits = parts[1].dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ 48...57 ~= $0 }) else { return time }
    return "\(parts[0]).\((digits + "00").prefix(3))Z"
  }

  /// The time of a map of seconds and nanoseconds; `nil` for any other value.
  package static func time(_ value: JSONValue) -> String? {
    var seconds: Int64?
    var nanoseconds: Int64 = 0
    var members = value.members
    while let member = members.next() {
      let number = Int64(member.value.contentText)
      switch member.name.string {
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

extension JSONValue {
  /// The value of a member with this name, even if the name is written with escapes.
  @_lifetime(copy self)
  package func member(_ name: String) -> JSONValue? {
    var members = members
    while let member = members.next() {
      if member.name.string == name { return member.value }
    }
    return nil
  }
}
