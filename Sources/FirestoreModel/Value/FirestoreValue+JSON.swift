// Values in the JSON of the API: an object with one member that names the type (proto3 JSON).
// Integers are strings there; doubles are numbers, or "NaN", "Infinity" and "-Infinity"; bytes are Base64.

internal import CanonicalJSON
internal import RedoCrypto
internal import RedoObject

extension FirestoreValue {
  /// Reads a value.
  ///
  /// - Parameter json: an object such as `{"stringValue":"a"}`.
  /// - Throws: `FirestoreFormatError` at the part that is not one.
  package init(_ json: JSONView) throws(FirestoreFormatError) { try self.init(json, depth: 0) }

  init(_ json: JSONView, depth: Int) throws(FirestoreFormatError) {
    guard depth <= Self.readDepthLimit else {
      throw json.fault("a value deeper than \(Self.readDepthLimit) maps and arrays")
    }
    guard json.isObject else { throw json.fault("a value that is no object") }
    var found: (name: JSONView, value: JSONView)?
    for member in json.members {
      // What is null is not there, but for the null itself.
      if member.value.isNull, !member.name.isString("nullValue") { continue }
      guard found == nil else { throw json.fault("a value of more than one type") }
      found = member
    }
    guard let (name, value) = found else { throw json.fault("a value without a type") }
    if name.isString("stringValue") {
      guard let text = value.string else { throw value.fault("not a string") }
      self = .string(text)
    } else if name.isString("integerValue") {
      guard let number = value.integer else { throw value.fault("not an integer of 64 bits") }
      self = .integer(number)
    } else if name.isString("mapValue") {
      self = .map(try FirestoreFields(value["fields"], of: value, depth: depth + 1))
    } else if name.isString("arrayValue") {
      self = .array(try Self.elements(of: value, depth: depth + 1))
    } else {
      self = try Self.rarer(name, value)
    }
  }

  /// The elements of an array value, which leaves the member out when there are none.
  private static func elements(
    of value: JSONView, depth: Int
  ) throws(FirestoreFormatError) -> [FirestoreValue] {
    guard value.isObject else { throw value.fault("an array that is no object") }
    guard let list = value["values"] else { return [] }
    guard list.isArray else { throw list.fault("values that are no array") }
    var values: [FirestoreValue] = []
    for element in list.elements { values.append(try FirestoreValue(element, depth: depth)) }
    return values
  }

  private static func rarer(
    _ name: JSONView, _ value: JSONView
  ) throws(FirestoreFormatError) -> FirestoreValue {
    if name.isString("nullValue") { return .null }
    if name.isString("booleanValue") {
      guard let boolean = value.boolean else { throw value.fault("neither true nor false") }
      return .boolean(boolean)
    }
    if name.isString("doubleValue") {
      guard let number = value.double else { throw value.fault("not a double") }
      return .double(number)
    }
    if name.isString("timestampValue") {
      guard let time = value.string.flatMap({ FirestoreTimestamp(text: $0) }) else {
        throw value.fault("not a time of RFC 3339")
      }
      return .timestamp(time)
    }
    if name.isString("bytesValue") {
      guard let bytes = value.string.flatMap(Self.decodeBase64) else {
        throw value.fault("not Base64")
      }
      return .bytes(bytes)
    }
    if name.isString("referenceValue") {
      guard let text = value.string else { throw value.fault("not a string") }
      return .reference(text)
    }
    if name.isString("geoPointValue") {
      // A coordinate of 0 is left out.
      let latitude = value["latitude"].map(\.double) ?? 0
      let longitude = value["longitude"].map(\.double) ?? 0
      guard value.isObject, let latitude, let longitude, abs(latitude) <= 90,
        abs(longitude) <= 180
      else { throw value.fault("not a point on the Earth") }
      return .geoPoint(latitude: latitude, longitude: longitude)
    }
    throw name.fault("a type of value that is not known")
  }

  /// Reads Base64 of either alphabet, with or without padding (RFC 4648, sections 4 and 5).
  private static func decodeBase64(_ text: String) -> [UInt8]? {
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

  /// Appends the value.
  ///
  /// - Parameter output: receives JSON.
  package func appendJSON(to output: inout [UInt8]) {
    switch self {
    case .null: output.append("{\"nullValue\":null}")
    case .boolean(let value):
      output.append(value ? "{\"booleanValue\":true}" : "{\"booleanValue\":false}")
    case .integer(let number):
      output.append("{\"integerValue\":\"")
      output.append(decimal: number)
      output.append("\"}")
    case .double(let number):
      output.append("{\"doubleValue\":")
      Self.append(number, to: &output)
      output.append("}")
    case .timestamp(let time):
      output.append("{\"timestampValue\":\"")
      time.append(to: &output)
      output.append("\"}")
    case .string(let text):
      output.append("{\"stringValue\":")
      output.append(json: text)
      output.append("}")
    case .bytes(let bytes):
      output.append("{\"bytesValue\":\"")
      Base64.append(bytes.span, to: &output)
      output.append("\"}")
    case .reference(let name):
      output.append("{\"referenceValue\":")
      output.append(json: name)
      output.append("}")
    case .geoPoint(let latitude, let longitude):
      output.append("{\"geoPointValue\":{\"latitude\":")
      Self.append(latitude, to: &output)
      output.append(",\"longitude\":")
      Self.append(longitude, to: &output)
      output.append("}}")
    case .array(let values):
      output.append("{\"arrayValue\":{\"values\":")
      Self.append(values, to: &output)
      output.append("}}")
    case .map(let fields):
      output.append("{\"mapValue\":{\"fields\":")
      fields.appendJSON(to: &output)
      output.append("}}")
    }
  }

  /// Appends values as an array.
  static func append(_ values: [FirestoreValue], to output: inout [UInt8]) {
    output.append("[")
    for value in values {
      output.appendComma()
      value.appendJSON(to: &output)
    }
    output.append("]")
  }

  private static func append(_ number: Double, to output: inout [UInt8]) {
    if number.isNaN {
      output.append("\"NaN\"")
    } else if number.isInfinite {
      output.append(number < 0 ? "\"-Infinity\"" : "\"Infinity\"")
    } else if number == 0, number.sign == .minus {
      output.append("-0.0")
    } else {
      NumberText.append(number, to: &output)
    }
  }
}

extension FirestoreFields {
  /// Reads fields.
  ///
  /// - Parameter json: an object of names and values.
  /// - Throws: `FirestoreFormatError` at the part that is not one.
  package init(_ json: JSONView) throws(FirestoreFormatError) {
    try self.init(json, of: json, depth: 0)
  }

  /// Reads fields that are left out when there are none.
  init(_ json: JSONView?, of owner: JSONView, depth: Int) throws(FirestoreFormatError) {
    guard owner.isObject else { throw owner.fault("fields that are no object") }
    guard let json else {
      self.init()
      return
    }
    guard json.isObject else { throw json.fault("fields that are no object") }
    var members: [Member] = []
    for (name, value) in json.members {
      members.append(Member(name.string ?? "", try FirestoreValue(value, depth: depth)))
    }
    self.init(members)
  }

  /// Appends the fields as an object.
  ///
  /// - Parameter output: receives JSON.
  package func appendJSON(to output: inout [UInt8]) {
    output.append("{")
    for member in members {
      output.appendComma()
      output.append(json: member.name)
      output.append(":")
      member.value.appendJSON(to: &output)
    }
    output.append("}")
  }
}
