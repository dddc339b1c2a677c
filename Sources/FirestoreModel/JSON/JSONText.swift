// The JSON of the Firestore REST API, as it is read: a strict scan (RFC 8259), then views of values.
// Integers of any size are taken, because the API writes doubles such as 72057594037927936 in full.

internal import CanonicalJSON
internal import RedoObject

/// A text that has been scanned; a class because many views look into one text.
package final class JSONText: Sendable {
  /// The longest text in bytes: one message of the API, whose documents have at most 1 MiB each.
  package static let byteLimit = 64 * 1024 * 1024

  let bytes: [UInt8]
  let tokens: [Token]
  /// Whether the text is byte for byte its own RFC 8785 form.
  let isCanonical: Bool

  /// Scans a text.
  ///
  /// - Parameter bytes: one JSON value, white space around it included.
  /// - Throws: `FirestoreFormatError` with the rule and the byte.
  package init(_ bytes: [UInt8]) throws(FirestoreFormatError) {
    guard bytes.count <= Self.byteLimit else {
      throw FirestoreFormatError("", "a message of more than \(Self.byteLimit) bytes")
    }
    var scanner = Scanner(integers: .any)
    do throws(JSONError) {
      try scanner.scan(bytes.span)
    } catch {
      throw FirestoreFormatError("", "\(error.rule.rawValue) at byte \(error.offset)")
    }
    self.bytes = bytes
    isCanonical = scanner.isCanonical
    tokens = (0..<scanner.tokenCount).map { scanner[$0] }
  }

  /// The whole value.
  package var root: JSONView { JSONView(text: self, index: 0) }

  /// The JSON pointer (RFC 6901) of a value; of a member's name that of its value.
  func pointer(to wanted: Int) -> String {
    var pointer = ""
    var container = 0
    while container != wanted {
      let isObject = tokens[container].kind == .object
      var index = container + 1
      var place = 0
      while true {
        let value = isObject ? index + 1 : index
        if Int(tokens[value].next) > wanted {
          let name = isObject ? JSONView(text: self, index: index).string ?? "" : "\(place)"
          pointer += "/" + Self.escape(name)
          if wanted == index { return pointer }
          container = value
          break
        }
        index = Int(tokens[value].next)
        place += 1
      }
    }
    return pointer
  }

  private static func escape(_ name: String) -> String {
    guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
      return name
    }
    return name.reduce(into: "") { text, character in
      switch character {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.append(character)
      }
    }
  }
}

/// One value, or the name of a member, of a scanned text.
package struct JSONView: Sendable {
  let text: JSONText
  let index: Int

  var token: Token { text.tokens[index] }

  /// Whether the value is `null`.
  package var isNull: Bool { token.kind == .null }
  /// Whether the value is an object.
  package var isObject: Bool { token.kind == .object }
  /// Whether the value is an array.
  package var isArray: Bool { token.kind == .array }
  /// Whether the value is a number.
  package var isNumber: Bool { token.kind == .number }

  /// The value as a string; `nil` when it is something else.
  package var string: String? {
    let token = token
    guard token.kind == .string else { return nil }
    let bytes = text.bytes
    let raw = bytes.span.extracting(token.range)
    if token.marks.contains(.escaped) {
      return String(decoding: StringEscape.unescape(raw), as: UTF8.self)
    }
    return raw.text
  }

  /// Whether the value is exactly this string.
  ///
  /// - Parameter wanted: ASCII without characters that JSON escapes.
  /// - Returns: `false` for a string that is written with escapes, too.
  package func isString(_ wanted: StaticString) -> Bool {
    let token = token
    guard token.kind == .string else { return false }
    let bytes = text.bytes
    return bytes.span.extracting(token.range).elementsEqual(wanted)
  }

  /// The value as a Boolean; `nil` when it is something else.
  package var boolean: Bool? {
    switch token.kind {
    case .literalTrue: true
    case .literalFalse: false
    case .object, .array, .string, .number, .null: nil
    }
  }

  /// The digits of a number, or of a number that is written as a string.
  private var digits: String? {
    guard token.kind == .number else { return string }
    let bytes = text.bytes
    return bytes.span.extracting(token.range).text
  }

  /// The value as an integer of 64 bits, written as a number or as a string (proto3 JSON).
  package var integer: Int64? {
    guard let digits, Self.isDecimal(digits) else { return nil }
    if let exact = Int64(digits) { return exact }
    // 1.0 and 1e3 are integers as well.
    guard let number = Double(digits), number.magnitude < 9e15 else { return nil }
    return Int64(exactly: number)
  }

  /// The value of a number that is written with digits alone; `nil` for anything else.
  var exactInteger: Int64? {
    token.kind == .number ? digits.flatMap { Int64($0) } : nil
  }

  /// The value as a double, written as a number or as a string (proto3 JSON), `NaN` included.
  package var double: Double? {
    guard let digits else { return nil }
    switch digits {
    case "NaN": return .nan
    case "Infinity": return .infinity
    case "-Infinity": return -.infinity
    default:
      guard Self.isDecimal(digits), let value = Double(digits), value.isFinite else { return nil }
      return value
    }
  }

  /// Whether a text may be a decimal number: Swift reads hexadecimal ones and words as well.
  private static func isDecimal(_ text: String) -> Bool {
    guard let first = text.utf8.first,
      first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") < 10
    else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
  }

  /// The value of a member; `nil` when there is none, when it is `null`, or when this is no object.
  ///
  /// - Parameter name: ASCII without characters that JSON escapes.
  /// - Returns: the value.
  package subscript(name: StaticString) -> JSONView? {
    for member in members where member.name.isString(name) {
      return member.value.isNull ? nil : member.value
    }
    return nil
  }

  /// The members of an object; none of anything else.
  package var members: Members { Members(text: text, container: index, isOf: .object) }

  /// The elements of an array; none of anything else.
  package var elements: [JSONView] {
    guard token.kind == .array else { return [] }
    var views: [JSONView] = []
    var next = index + 1
    while next < Int(token.next) {
      views.append(JSONView(text: text, index: next))
      next = Int(text.tokens[next].next)
    }
    return views
  }

  /// The text of the value as it stands.
  package var bytes: ArraySlice<UInt8> { text.bytes[token.outerRange] }

  /// An error at this value.
  package func fault(_ fault: String) -> FirestoreFormatError {
    FirestoreFormatError(text.pointer(to: index), fault)
  }

  /// The members of an object, one after the other.
  package struct Members: Sequence, IteratorProtocol {
    private let text: JSONText
    private var index: Int
    private let end: Int

    init(text: JSONText, container: Int, isOf kind: TokenKind) {
      self.text = text
      let token = text.tokens[container]
      index = container + 1
      end = token.kind == kind ? Int(token.next) : 0
    }

    /// The next member.
    package mutating func next() -> (name: JSONView, value: JSONView)? {
      guard index < end else { return nil }
      let name = JSONView(text: text, index: index)
      let value = JSONView(text: text, index: index + 1)
      index = Int(text.tokens[index + 1].next)
      return (name, value)
    }
  }
}

extension Span where Element == UInt8 {
  /// The bytes as text.
  var text: String {
    // SAFETY: the bytes are read only during the call.
    unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
