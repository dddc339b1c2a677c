// What the members of a task are called for people, if it is a record (schemas, section 2): the names of fields, in their order.

internal import CanonicalJSON
package import RedoObject

/// The names for people of the members of one record.
package struct RecordNames: Sendable {
  /// The name of a member.
  package struct Name: Sendable {
    /// What people call its field.
    package let text: ByteText
    /// The place of the field among those of the schema.
    package let place: Int
    /// Where it is shown; a field whose values are shown elsewhere counts as hidden.
    package let visibility: FieldVisibility
  }

  private let schema: RecordSchema

  /// The names of a task; `nil` for one that is no record, and for a schema that is not there.
  ///
  /// - Parameters:
  ///   - state: the task.
  ///   - schemas: the schemas of the store.
  package init?(_ state: TaskState?, _ schemas: RecordSchemas) {
    self.init(values: state?.unsortedMembers ?? [:], schemas)
  }

  /// The names of the members that a node writes.
  ///
  /// - Parameters:
  ///   - members: its content.
  ///   - schemas: the schemas of the store.
  package init?(_ members: RecordMembers, _ schemas: RecordSchemas) {
    self.init(
      values: Dictionary(
        members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }), schemas)
  }

  private init?(values: [[UInt8]: [UInt8]], _ schemas: RecordSchemas) {
    guard let head = RecordHead(values),
      let schema = schemas.schema(head.schemaID, person: head.person)
    else { return nil }
    self.schema = schema
  }

  /// The name of a member in the state of the task.
  ///
  /// - Parameters:
  ///   - path: its place in the state: a JSON Pointer, as RFC 8785 writes it, without quotes.
  ///   - json: the value, RFC 8785; `nil` where there is none.
  /// - Returns: `nil` for what counts for no field.
  package func name(at path: [UInt8], _ json: [UInt8]?) -> Name? {
    let fields = Array("/fields/".utf8)
    guard path.starts(with: fields) else { return nil }
    var key: [UInt8] = []
    var isTilde = false
    for byte in path.dropFirst(fields.count) {
      if isTilde {
        key.append(byte == UInt8(ascii: "1") ? UInt8(ascii: "/") : UInt8(ascii: "~"))
      } else if byte != UInt8(ascii: "~") {
        key.append(byte)
      }
      isTilde = !isTilde && byte == UInt8(ascii: "~")
    }
    return name(of: key, json)
  }

  /// The name of a member.
  ///
  /// - Parameters:
  ///   - key: the key, as RFC 8785 writes it, without quotes.
  ///   - json: the value, RFC 8785; `nil` where there is none.
  /// - Returns: `nil` for what counts for no field.
  package func name(of key: [UInt8], _ json: [UInt8]?) -> Name? {
    guard let (place, _) = read(key, json) else { return nil }
    let field = schema.view.fields[place]
    return Name(
      text: field.displayName, place: place,
      visibility: schema.view.home(at: place) == place ? field.visibility : .hidden)
  }

  /// What a member says, for people: of a typed value the value alone.
  ///
  /// - Parameters:
  ///   - key: the key, as RFC 8785 writes it, without quotes.
  ///   - json: the value, RFC 8785.
  /// - Returns: RFC 8785; the value as it stands where it is none of its field.
  package func value(of key: [UInt8], _ json: [UInt8]) -> [UInt8] {
    read(key, json)?.content.value?.json ?? json
  }

  private func read(_ key: [UInt8], _ json: [UInt8]?) -> (place: Int, content: RecordContent)? {
    guard RecordSchemas.isOther(key), !RecordHead.has(key) else { return nil }
    let meant = schema.view.meant(by: RecordKeys.key(key))
    guard !meant.isEmpty else { return nil }
    return RecordContent.read(json ?? Array("null".utf8), for: meant, of: schema)
  }
}
