// Values as the plain JSON that a node is written in: no types, one kind of number, times as text.

internal import CanonicalJSON
internal import RedoObject

/// A value that plain JSON does not have.
struct PlainFault: Error {
  /// Names and places from the outside to the inside, a JSON pointer without escapes.
  let place: String
  let fault: String
  /// The rule of JSON that it breaks.
  let rule: Rule

  init(place: String = "", _ fault: String, _ rule: Rule = .jsonSyntax) {
    self.place = place
    self.fault = fault
    self.rule = rule
  }

  func inside(_ name: String) -> PlainFault {
    PlainFault(place: "/\(name)\(place)", fault, rule)
  }
}

extension NodeDocument {
  /// The fields that belong to the document rather than to the body.
  static func isEnvelope(_ name: String) -> Bool {
    switch name {
    case idField, signatureField, accessListField, createdAtField, canonicalField: true
    default: false
    }
  }

  /// The body that the fields are without repairs; `nil` when they are not a body.
  static func plainBody(of fields: FirestoreFields) -> [UInt8]? {
    let members = fields.members.filter { !isEnvelope($0.name) }
    do throws(PlainFault) {
      return try canonical(FirestoreFields(members))
    } catch {
      return nil
    }
  }

  /// The RFC 8785 form of fields as plain JSON.
  static func canonical(_ fields: FirestoreFields) throws(PlainFault) -> [UInt8] {
    var json = JSONWriter()
    try fields.writePlain(to: &json)
    do throws(JSONError) {
      return try JSONDocument(json.bytes).canonical
    } catch {
      let finding = Finding(error)
      throw PlainFault("JSON that is refused: \(finding.rule.id)", finding.rule)
    }
  }
}

extension FirestoreFields {
  func writePlain(to json: inout JSONWriter) throws(PlainFault) {
    try json.object { (json) throws(PlainFault) in
      for member in members {
        json.name(text: member.name)
        do throws(PlainFault) {
          try member.value.writePlain(to: &json)
        } catch {
          throw error.inside(member.name)
        }
      }
    }
  }
}

extension FirestoreValue {
  func writePlain(to json: inout JSONWriter) throws(PlainFault) {
    switch self {
    case .null: json.null()
    case .boolean(let value): json.value(value)
    case .integer(let number):
      guard Self.isKept(number) else {
        throw PlainFault(
          "the integer \(number), which a double does not carry,", .jsonNumberPrecision)
      }
      json.value(number)
    case .double(let number):
      guard number.isFinite else { throw PlainFault("the number \(number)") }
      json.value(number)
    case .timestamp(let time):
      // A time of the protocol is a text with milliseconds.
      json.value(time.wallTime.text)
    case .string(let text): json.value(text)
    case .array(let values):
      try json.array { (json) throws(PlainFault) in
        for (place, value) in values.enumerated() {
          do throws(PlainFault) {
            try value.writePlain(to: &json)
          } catch {
            throw error.inside("\(place)")
          }
        }
      }
    case .map(let fields): try fields.writePlain(to: &json)
    case .bytes: throw PlainFault("a value of type bytes")
    case .reference: throw PlainFault("a value of type reference")
    case .geoPoint: throw PlainFault("a value of type geoPoint")
    }
  }

  /// Whether RFC 8785 writes an integer with the digits it has.
  private static func isKept(_ number: Int64) -> Bool {
    if number.magnitude <= 1 << 53 { return true }
    var text: [UInt8] = []
    NumberText.append(Double(number), to: &text)
    return text.elementsEqual(String(number).utf8)
  }
}
