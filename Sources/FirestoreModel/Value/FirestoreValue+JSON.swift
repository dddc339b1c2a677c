// Values in the JSON of the API: an object with one member that names the type (proto3 JSON).
// Integers are strings there; doubles are numbers, or "NaN", "Infinity" and "-Infinity"; bytes are Base64.

package import CanonicalJSON
internal import RedoCrypto
internal import RedoObject

extension FirestoreValue: JSONWritable {
  /// Reads a value.
  ///
  /// - Parameter json: an object such as `{"stringValue":"a"}`.
  /// - Throws: `FirestoreFormatError` at the part that is not one.
  package init(_ json: JSONValue) throws(FirestoreFormatError) { try self.init(json, depth: 0) }

  init(_ json: JSONValue, depth: Int) throws(FirestoreFormatError) {
    guard depth <= Self.readDepthLimit else {
      throw json.fault("a value deeper than \(Self.readDepthLimit) maps and arrays")
    }
    guard json.isObject else { throw json.fault("a value that is no object") }
    var found: JSONValue.Member?
    var members = json.members
    while let member = members.next() {
      // A null member counts as absent, except for the null value itself.
      if member.value.isNull, !member.name.isText("nullValue") { continue }
      guard found == nil else { throw json.fault("a value of more than one type") }
      found = member
    }
    guard let found else { throw json.fault("a value without a type") }
    let name = found.name
    let value = found.value
    if name.isText("stringValue") {
      guard let text = value.string else { throw value.fault("not a string") }
      self = .string(text)
    } else if name.isText("integerValue") {
      guard let number = value.protoInteger else { throw value.fault("not an integer of 64 bits") }
      self = .integer(number)
    } else if name.isText("mapValue") {
      self = .map(try FirestoreFields(value.given("fields"), of: value, depth: depth + 1))
    } else if name.isText("arrayValue") {
      self = .array(try Self.elements(of: value, depth: depth + 1))
    } else {
      self = try Self.rarer(name, value)
    }
  }

  /// The elements of an array value, which omits the member when it has none.
  private static func elements(
    of value: JSONValue, depth: Int
  ) throws(FirestoreFormatError) -> [FirestoreValue] {
    guard value.isObject else { throw value.fault("an array that is no object") }
    guard let list = value.given("values") else { return [] }
    guard list.isArray else { throw list.fault("values that are no array") }
    var values: [FirestoreValue] = []
    var elements = list.elements
    while let element = elements.next() { values.append(try FirestoreValue(element, depth: depth)) }
    return values
  }

  private static func rarer(
    _ name: JSONValue, _ value: JSONValue
  ) throws(FirestoreFormatError) -> FirestoreValue {
    if name.isText("nullValue") { return .null }
    if name.isText("booleanValue") {
      guard let boolean = value.boolean else { throw value.fault("neither true nor false") }
      return .boolean(boolean)
    }
    if name.isText("doubleValue") {
      guard let number = value.protoDouble else { throw value.fault("not a double") }
      return .double(number)
    }
    if name.isText("timestampValue") {
      guard let time = value.string.flatMap({ FirestoreTimestamp(text: $0) }) else {
        throw value.fault("not a time of RFC 3339")
      }
      return .timestamp(time)
    }
    if name.isText("bytesValue") {
      guard let bytes = value.string.flatMap(Self.decodeBase64) else {
        throw value.fault("not Base64")
      }
      return .bytes(bytes)
    }
    if name.isText("referenceValue") {
      guard let text = value.string else { throw value.fault("not a string") }
      return .reference(text)
    }
    if name.isText("geoPointValue") {
      let latitude = coordinate("latitude", of: value)
      let longitude = coordinate("longitude", of: value)
      guard value.isObject, let latitude, let longitude, abs(latitude) <= 90,
        abs(longitude) <= 180
      else { throw value.fault("not a point on the Earth") }
      return .geoPoint(latitude: latitude, longitude: longitude)
    }
    throw name.fault("a type of value that is not known")
  }

  /// Reads a coordinate; one of 0 is left out.
  private static func coordinate(_ name: StaticString, of value: JSONValue) -> Double? {
    guard let coordinate = value.given(name) else { return 0 }
    return coordinate.protoDouble
  }

  /// Reads Base64 of either alphabet, with or without padding (RFC 4648, sections 4 and 5).
  ///
  /// - Parameter text: the text.
  /// - Returns: its bytes; `nil` when it is none.
  package static func decodeBase64(_ text: String) -> [UInt8]? {
    var bytes = Array(text.utf8)
    for place in bytes.indices {
      switch bytes[place] {
      case UInt8(ascii: "-"): bytes[place] = UInt8(ascii: "+")
      case UInt8(ascii: "_"): bytes[place] = UInt8(ascii: "/")
      default: break
      }
    }
    while bytes.count % 4 > 1 { bytes.append(UInt8(ascii: "=")) }
    return Base64.decode(bytes.span)
  }

  package func write(to json: inout JSONWriter) {
    json.object { json in
      switch self {
      case .null:
        json.name("nullValue")
        json.null()
      case .boolean(let value): json.add("booleanValue", value)
      case .integer(let number): json.add("integerValue", String(number))
      case .double(let number):
        json.name("doubleValue")
        Self.write(number, to: &json)
      case .timestamp(let time):
        json.name("timestampValue")
        json.value(escaped: { time.append(to: &$0) })
      case .string(let text): json.add("stringValue", text)
      case .bytes(let bytes):
        json.name("bytesValue")
        json.value(escaped: { Base64.append(bytes.span, to: &$0) })
      case .reference(let name): json.add("referenceValue", name)
      case .geoPoint(let latitude, let longitude):
        json.addObject("geoPointValue") { json in
          json.name("latitude")
          Self.write(latitude, to: &json)
          json.name("longitude")
          Self.write(longitude, to: &json)
        }
      case .array(let values): json.addObject("arrayValue") { $0.add("values", values) }
      case .map(let fields): json.addObject("mapValue") { $0.add("fields", fields) }
      }
    }
  }

  private static func write(_ number: Double, to json: inout JSONWriter) {
    if number.isNaN {
      json.value("NaN")
    } else if number.isInfinite {
      json.value(number < 0 ? "-Infinity" : "Infinity")
    } else if number == 0, number.sign == .minus {
      json.value(json: Array("-0.0".utf8))
    } else {
      json.value(number)
    }
  }
}

extension FirestoreFields: JSONWritable {
  /// Reads fields.
  ///
  /// - Parameter json: an object of names and values.
  /// - Throws: `FirestoreFormatError` at the part that is not one.
  package init(_ json: JSONValue) throws(FirestoreFormatError) {
    try self.init(json, of: json, depth: 0)
  }

  /// Reads fields; the member is omitted when there are none.
  init(_ json: JSONValue?, of owner: JSONValue, depth: Int) throws(FirestoreFormatError) {
    guard owner.isObject else { throw owner.fault("fields that are no object") }
    guard let json else {
      self.init()
      return
    }
    guard json.isObject else { throw json.fault("fields that are no object") }
    var members: [Member] = []
    var cursor = json.members
    while let member = cursor.next() {
      let name = member.name
      let value = member.value
      members.append(Member(name.string ?? "", try FirestoreValue(value, depth: depth)))
    }
    self.init(members)
  }

  package func write(to json: inout JSONWriter) {
    json.object { json in
      for member in members {
        json.name(text: member.name)
        json.value(member.value)
      }
    }
  }
}
