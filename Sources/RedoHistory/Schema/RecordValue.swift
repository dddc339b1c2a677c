// Values of records (schemas, section 2): `{"type":"int","value":5}` exactly, or bare JSON that is read by the type of its field.
// All texts here are RFC 8785, so that what is typed begins with its type, and most values need no scanner.

internal import CanonicalJSON
package import RedoObject

/// A value of a type.
package struct RecordValue: Hashable, Sendable {
  /// Its type.
  package let type: FieldType
  /// The value alone, RFC 8785: times with three decimals, UUIDs in lower case, so that equal values have equal bytes.
  package let json: [UInt8]

  private init(_ type: FieldType, _ json: [UInt8]) {
    self.type = type
    self.json = json
  }

  /// The form in which values are written: RFC 8785.
  package var typed: [UInt8] {
    Array("{\"type\":\"\(type.rawValue)\",\"value\":".utf8) + json + [UInt8(ascii: "}")]
  }

  // MARK: What it says

  /// The text of a string, UTF-8.
  package var text: [UInt8]? {
    guard type == .string else { return nil }
    return StringEscape.unescape(json.span.extracting(1..<json.count - 1))
  }

  /// The number of an integer or a double.
  var number: Double? { type == .int || type == .double ? FieldText.number(json) : nil }

  /// The time of a date.
  package var time: WallTime? { type == .date ? FieldText.time(json) : nil }

  /// The elements of a list, each UTF-8.
  package var elements: [[UInt8]]? {
    type == .stringArray || type == .attachmentIds ? Self.strings(json.span) : nil
  }

  /// The graphemes of a string.
  var length: Int? {
    guard type == .string else { return nil }
    let isPlain = json.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\\") }
    return isPlain ? json.count - 2 : text.map { String(decoding: $0, as: UTF8.self).count }
  }

  // MARK: Reading JSON

  /// Reads bare JSON.
  ///
  /// - Parameters:
  ///   - json: RFC 8785.
  ///   - type: the type that it should have; `nil` comes back when it cannot be read as one.
  package init?(_ json: [UInt8], as type: FieldType) {
    guard let value = Self.bare(json.span, as: type) else { return nil }
    self = value
  }

  /// A value that need not be one value, as the tail of an object is not: nothing but one value is read.
  fileprivate static func bare(_ json: Span<UInt8>, as type: FieldType) -> RecordValue? {
    switch type {
    case .string: return isString(json) ? RecordValue(type, json.bytes) : nil
    case .bool:
      let isTruth = json.elementsEqual("true") || json.elementsEqual("false")
      return isTruth ? RecordValue(type, json.bytes) : nil
    case .int: return isInteger(json) ? RecordValue(type, json.bytes) : nil
    case .double: return isNumber(json) ? RecordValue(type, json.bytes) : nil
    case .date: return date(json)
    case .stringArray:
      return strings(json).map { _ in RecordValue(type, json.bytes) }
    case .attachmentIds:
      guard let texts = strings(json) else { return nil }
      let ids = texts.compactMap { UniqueID($0.span) }
      return ids.count == texts.count ? RecordValue(ids) : nil
    }
  }

  private init(_ ids: [UniqueID]) {
    var json: [UInt8] = []
    JSONWriter.append(to: &json) { $0.array(ids.map(\.text)) }
    self.init(.attachmentIds, json)
  }

  private init(_ time: WallTime) { self.init(.date, Array("\"\(time.text)\"".utf8)) }

  private static func isString(_ json: Span<UInt8>) -> Bool {
    json.count >= 2 && json[0] == UInt8(ascii: "\"")
      && StringEscape.end(json, from: 0) == json.count - 1
  }

  private static func isNumber(_ json: Span<UInt8>) -> Bool {
    guard json.count > 0, json[0] == UInt8(ascii: "-") || isDigit(json[0]) else { return false }
    for index in json.indices {
      switch json[index] {
      case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"): continue
      case let byte: guard isDigit(byte) else { return false }
      }
    }
    return true
  }

  /// Whether a number is an integer of 64 bits.
  private static func isInteger(_ json: Span<UInt8>) -> Bool {
    guard isNumber(json) else { return false }
    for index in 1..<json.count where !isDigit(json[index]) { return false }
    // 18 digits always fit.
    return json.count <= 18 || Int64(String(decoding: json.bytes, as: UTF8.self)) != nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private static func date(_ json: Span<UInt8>) -> RecordValue? {
    if isString(json) {
      let text = json.extracting(1..<json.count - 1)
      if let time = WallTime.parse(text), time.hasFraction { return RecordValue(.date, json.bytes) }
      return WallTime(written: text).map { RecordValue($0) }
    }
    guard isNumber(json) else { return nil }
    return WallTime(secondsSince2001: FieldText.number(json.bytes)).map { RecordValue($0) }
  }

  /// The elements of an array of strings, UTF-8.
  private static func strings(_ json: Span<UInt8>) -> [[UInt8]]? {
    guard json.count >= 2, json[0] == UInt8(ascii: "[") else { return nil }
    do throws(JSONError) {
      let document = try JSONDocument(json.bytes)
      var texts: [[UInt8]] = []
      var elements = document.root.elements
      while let element = elements.next() {
        guard let text = element.unescaped else { return nil }
        texts.append(text)
      }
      return texts
    } catch {
      return nil
    }
  }

  // MARK: Reading texts

  /// Reads what a command line says of a field.
  ///
  /// - Parameters:
  ///   - texts: one text; of a list any number.
  ///   - type: the type of the field; `nil` comes back when the texts are no value of it.
  package init?(texts: [String], as type: FieldType) {
    var json: [UInt8] = []
    switch type {
    case .stringArray, .attachmentIds: JSONWriter.append(to: &json) { $0.array(texts) }
    case .string, .int, .double, .bool, .date:
      guard texts.count == 1 else { return nil }
      if type == .string || type == .date {
        JSONWriter.appendString(texts[0], to: &json)
      } else {
        guard let document = try? JSONDocument(Array(texts[0].utf8)) else { return nil }
        json = document.canonical
      }
    }
    self.init(json, as: type)
  }
}

/// What stands under a key of a record.
enum RecordContent {
  /// Nothing: `null`.
  case absent
  /// A value of the field's type.
  case value(RecordValue)
  /// What is no value of the field.
  case wrong

  /// The value.
  var value: RecordValue? { if case .value(let value) = self { value } else { nil } }
  /// Whether there is nothing.
  var isAbsent: Bool { if case .absent = self { true } else { false } }
}

extension RecordContent {
  /// Reads what stands under a key, and chooses among the fields that the key may mean: typed, it is for the field of its type; bare
  /// JSON for the first that can read it; anything else for the first.
  ///
  /// - Parameters:
  ///   - json: RFC 8785.
  ///   - places: the fields by their places, one at least.
  ///   - schema: has the fields.
  /// - Returns: the place of one of them, and what it is for it.
  static func read(
    _ json: [UInt8], for places: [Int], of schema: RecordSchema
  ) -> (place: Int, content: RecordContent) {
    if RecordKeys.isNull(json) { return (places[0], .absent) }
    if let (type, value) = typed(json) {
      guard let place = places.first(where: { schema.fields[$0].type == type }) else {
        return (places[0], .wrong)
      }
      return (place, value.map { .value($0) } ?? .wrong)
    }
    for place in places {
      if let value = RecordValue(json, as: schema.fields[place].type) {
        return (place, .value(value))
      }
    }
    return (places[0], .wrong)
  }

  /// The type that a typed value states, and the value, unless it has another type.
  static func typed(_ json: [UInt8]) -> (type: FieldType, value: RecordValue?)? {
    let start = 9
    let span = json.span
    guard json.count > start, span.extracting(0..<start).elementsEqual("{\"type\":\"") else {
      return nil
    }
    guard let end = StringEscape.end(span, from: start - 1),
      let type = FieldType(ascii: span.extracting(start..<end))
    else { return nil }
    let value = end + 10
    guard json.count > value + 1, span.extracting(end..<value).elementsEqual("\",\"value\":") else {
      return nil
    }
    if let read = RecordValue.bare(span.extracting(value..<json.count - 1), as: type) {
      return (type, read)
    }
    // It has another type, or is followed by members that make the whole no typed value.
    guard let document = try? JSONDocument(json), document.root.nameIndices.count == 2 else {
      return nil
    }
    return (type, nil)
  }
}

extension FieldType {
  /// The type of a name.
  fileprivate init?(ascii name: Span<UInt8>) {
    if name.elementsEqual("string") {
      self = .string
    } else if name.elementsEqual("int") {
      self = .int
    } else if name.elementsEqual("double") {
      self = .double
    } else if name.elementsEqual("bool") {
      self = .bool
    } else if name.elementsEqual("date") {
      self = .date
    } else if name.elementsEqual("stringArray") {
      self = .stringArray
    } else if name.elementsEqual("attachmentIds") {
      self = .attachmentIds
    } else {
      return nil
    }
  }
}
