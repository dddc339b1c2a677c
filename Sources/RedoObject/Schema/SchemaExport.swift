// A schema as the public app writes it and reads it again (schemas, section 2): ids of fields in upper case, where it has an id of its own for
// a field that one; times without fractions; the number of a version in place of the whole. What import kept because nobody here knows
// it stands where it stood.

internal import CanonicalJSON

extension SchemaDefinition {
  /// Appends the schema for the public app: RFC 8785, without a line feed; a person's copy with the person, as a backup has it.
  ///
  /// Of fields that have one id and several types each has the id with which it is shown.
  ///
  /// - Parameter output: receives UTF-8.
  package func appendForApp(to output: inout [UInt8]) {
    var text: [UInt8] = []
    JSONWriter.append(to: &text) { json in
      guard let scope = name.scope else { return write(to: &json) }
      json.object { json in
        json.add("personId", scope.text.uppercased())
        json.name("schema")
        write(to: &json)
      }
    }
    output += Self.canonical(text)
  }

  /// The text with its members in order, since what is unknown may stand anywhere among them.
  private static func canonical(_ text: [UInt8]) -> [UInt8] {
    guard let document = try? JSONDocument(text) else {
      preconditionFailure("BUG: a schema for the app is no JSON")
    }
    return document.canonical
  }

  private func write(to json: inout JSONWriter) {
    let view = SchemaView(self)
    json.object { json in
      var known = Set<[UInt8]>()
      func name(_ name: StaticString, to json: inout JSONWriter) {
        known.insert(Array("\(name)".utf8))
        json.name(name)
      }
      if let description = metadata.description {
        name("description", to: &json)
        json.value(description)
      }
      name("displayName", to: &json)
      json.value(metadata.displayName)
      name("fields", to: &json)
      json.array { json in
        for field in view.fields { Self.write(field, view, to: &json) }
      }
      name("iconSystemName", to: &json)
      json.value(metadata.iconSystemName)
      name("id", to: &json)
      json.value(self.name.id)
      name("isBuiltIn", to: &json)
      json.value(isBuiltIn)
      name("version", to: &json)
      json.value(Int(version.counter))
      Self.write(metadata.others, besides: known, to: &json)
    }
  }

  private static func write(
    _ field: SchemaField, _ view: SchemaView, to json: inout JSONWriter
  ) {
    func id(_ id: UniqueID) -> String { (view.fixedID(of: id) ?? id).text.uppercased() }
    func time(_ time: WallTime) -> String { "\(time.text.prefix(19))Z" }
    let members: KeyValuePairs<String, [UInt8]?> = [
      "capitalizationMode": quoted(field.capitalization.rawValue),
      "createdAt": quoted(time(field.created.at)),
      "createdBy": quoted(field.created.by.text.uppercased()),
      "displayName": quoted(field.displayName),
      "displayOrder": Array("\(field.displayOrder)".utf8),
      "fieldType": quoted(field.pair.type.rawValue),
      "helpText": field.helpText.map { quoted($0) },
      "id": quoted(id(field.pair.id)),
      "isMultiline": Array("\(field.isMultiline)".utf8),
      "isRequired": Array("\(field.isRequired)".utf8),
      "mergedInto": view.target(of: field).map { quoted(id($0)) },
      "placeholder": field.placeholder.map { quoted($0) },
      "updatedAt": quoted(time(field.updated.at)),
      "updatedBy": quoted(field.updated.by.text.uppercased()),
      "validationRules": rules(field.rules),
      "visibility": quoted(field.visibility.rawValue),
    ]
    json.object { json in
      for (name, value) in members {
        guard let value else { continue }
        json.name(text: name)
        json.value(json: value)
      }
      write(field.others, besides: Set(members.map { Array($0.key.utf8) }), to: &json)
    }
  }

  /// Rules, of dates without fractions.
  private static func rules(_ rules: [ValidationRule]) -> [UInt8] {
    let texts = rules.map { rule -> [UInt8] in
      let isTime = rule.kind == .minDate || rule.kind == .maxDate
      let value = isTime ? Array(rule.value.prefix(20)) + Array("Z\"".utf8) : rule.value
      return Array("{\"type\":\"\(rule.kind.rawValue)\",\"value\":".utf8) + value
        + [UInt8(ascii: "}")]
    }
    return [UInt8(ascii: "[")] + texts.joined(separator: [UInt8(ascii: ",")])
      + [UInt8(ascii: "]")]
  }

  private static func quoted(_ text: String) -> [UInt8] { quoted(ByteText(text)) }

  private static func quoted(_ text: ByteText) -> [UInt8] {
    var json: [UInt8] = []
    let utf8 = text.utf8
    JSONWriter.appendString(utf8.span, to: &json)
    return json
  }

  /// Members that nobody here knows, but for those that have been written.
  private static func write(
    _ others: [UInt8]?, besides known: Set<[UInt8]>, to json: inout JSONWriter
  ) {
    guard let others, let document = try? JSONDocument(others) else { return }
    var members = document.root.members
    while let member = members.next() {
      let name = member.name.contentBytes
      guard !known.contains(name) else { continue }
      json.name(escaped: name)
      json.value(json: member.value.bytes)
    }
  }
}
