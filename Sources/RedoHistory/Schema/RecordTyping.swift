// Values as people type them, `<field>=<text>`, and the members that a new record has of them (schemas, section 2).

internal import CanonicalJSON
package import RedoObject

extension RecordSchemas {
  /// A value as somebody typed it.
  package typealias Typed = (field: ByteText, text: String)

  /// The values that somebody typed.
  ///
  /// - Parameters:
  ///   - typed: fields, by what `SchemaView.lookUp` knows, and texts. A list has a text for each element; an empty text alone takes a
  ///     value away.
  ///   - id: the id of the schema.
  ///   - person: whose record it is.
  /// - Returns: the values by the ids of the fields as they are shown; `nil` where there is to be none.
  /// - Throws: `SchemaFault` for a text that names no field or several, and for one that is no value of its field.
  package func values(
    typed: [Typed], _ id: ByteText, person: UniqueID?
  ) throws(SchemaFault) -> [UniqueID: RecordValue?] {
    guard let view = view(id, person: person) else { throw .absent }
    var texts: [UniqueID: [String]] = [:]
    for (name, text) in typed {
      switch view.lookUp(name) {
      case .found(let found): texts[found, default: []].append(text)
      case .ambiguous(let ids): throw .fieldAmbiguous(name, ids)
      case .none: throw .fieldUnknown(name)
      }
    }
    var values: [UniqueID: RecordValue?] = [:]
    var broken: [Finding] = []
    for (field, texts) in texts {
      guard let type = view.field(field)?.pair.type else { continue }
      if texts == [""] {
        values[field] = .some(nil)
      } else if let value = RecordValue(texts: texts, as: type) {
        values[field] = value
      } else {
        broken.append(
          Finding(
            .recordType, at: .pointer("/fields/\(field.text)"),
            detail: "\(type.rawValue), not '\(texts.joined(separator: " "))'"))
      }
    }
    guard broken.isEmpty else {
      throw .refused(broken.sorted { "\($0.place)" < "\($1.place)" })
    }
    return values
  }

  /// The members of the CREATE of a record, but for its title.
  ///
  /// - Parameters:
  ///   - values: its values, as `values(typed:_:person:)` gives them.
  ///   - id: the id of its schema.
  ///   - person: whose record it is.
  /// - Returns: the members, by name; of fields that were merged the target has the value.
  package func members(
    creating values: [UniqueID: RecordValue?], _ id: ByteText, person: UniqueID?
  ) -> RecordMembers {
    var members: [[UInt8]: [UInt8]] = [:]
    let schema = schema(id, person: person)
    for (field, value) in values {
      guard let value, let schema, let place = schema.view.place(of: field) else { continue }
      members[schema.fields[schema.view.home(at: place)].key] = value.typed
    }
    members[Array("schemaId".utf8)] = Self.quoted(id.utf8)
    if let person { members[Array("personId".utf8)] = Self.quoted(Array(person.text.utf8)) }
    return Self.sorted(members)
  }
}
