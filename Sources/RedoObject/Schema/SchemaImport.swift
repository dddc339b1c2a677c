// From the forms in which the public app has written schemas to definitions (schemas, section 2): text ids become qualified ids,
// what is absent has one default, so that an old file gives one definition wherever it is read, and loses against every edit.

package import CanonicalJSON

/// What reading a file of schemas has given.
package struct SchemaImport: Sendable {
  /// The definitions, in the order of the file.
  package private(set) var definitions: [SchemaDefinition] = []
  /// Every broken rule; where one is an error, nothing counts.
  package private(set) var findings: [Finding] = []
  /// What is wrong with fields that were left out.
  package private(set) var left: [Finding] = []

  /// Whether a rule is broken that is an error.
  package var isRefused: Bool { findings.contains { $0.rule.severity == .error } }

  /// Reads a definition, a schema of the app, several of them, or a backup that is not encrypted.
  ///
  /// - Parameters:
  ///   - text: one JSON value, or one on each line.
  ///   - salvages: whether fields that cannot be read are left out, with their findings as they are.
  ///   - scope: the person whose copies they are; `nil` for what the file says.
  package init(_ text: [UInt8], salvages: Bool = false, scope: UniqueID? = nil) {
    do throws(JSONError) {
      // Canonical: members come in the order in which they are written again.
      let document = try JSONDocument(try Self.document(text).canonical)
      var reader = SchemaReader(salvages: salvages, scope: scope)
      reader.readAll(document.root)
      findings = reader.judge.findings
      left = reader.left
      definitions = reader.definitions
    } catch {
      findings = [Finding(error)]
    }
  }

  /// The value of a text; of one with several lines, each a value, the array of them.
  ///
  /// - Parameter text: one JSON value, or one on each line.
  /// - Returns: the document.
  /// - Throws: the first error, of the whole text where not each line is a value.
  package static func document(_ text: [UInt8]) throws(JSONError) -> JSONDocument {
    do throws(JSONError) { return try JSONDocument(text) } catch {
      guard error.rule == .trailing else { throw error }
      let lines = text.split(separator: UInt8(ascii: "\n"))
      guard lines.allSatisfy({ (try? JSONDocument(Array($0))) != nil }) else { throw error }
      return try JSONDocument(
        [UInt8(ascii: "[")] + lines.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")])
    }
  }
}

/// Reads schemas.
private struct SchemaReader {
  private let salvages: Bool
  private let scope: UniqueID?
  var judge = SchemaJudge()
  private(set) var left: [Finding] = []
  private(set) var definitions: [SchemaDefinition] = []

  init(salvages: Bool, scope: UniqueID?) {
    self.salvages = salvages
    self.scope = scope
  }

  mutating func readAll(_ root: borrowing JSONValue) {
    if root.isArray {
      readEach(root, "", scope)
    } else if root["fields"] == nil, root["encrypted"]?.boolean == true {
      judge.report(.schemaForm, "/encrypted", "true")
    } else if root.isObject, let schema = root["schema"], root["fields"] == nil {
      let person = uuid(root["personId"], "/personId", .schemaIDForm)
      read(schema, "/schema", scope ?? person)
    } else if root.isObject, let schemas = root["data"]?["schemas"], root["fields"] == nil {
      guard schemas.isArray else { return judge.report(.schemaForm, "/data/schemas", schemas) }
      readEach(schemas, "/data/schemas", scope)
    } else {
      read(root, "", scope)
    }
  }

  private mutating func readEach(
    _ array: borrowing JSONValue, _ pointer: String, _ scope: UniqueID?
  ) {
    var elements = array.elements
    var place = 0
    while let element = elements.next() {
      // Of a backup each schema stands alone, or with the person whose it is.
      let inner = element["fields"] == nil ? element["schema"] : nil
      if let inner {
        let person = uuid(element["personId"], "\(pointer)/\(place)/personId", .schemaIDForm)
        read(inner, "\(pointer)/\(place)/schema", scope ?? person)
      } else {
        read(element, "\(pointer)/\(place)", scope)
      }
      place += 1
    }
  }

  // MARK: Values

  private mutating func uuid(
    _ value: borrowing JSONValue?, _ pointer: @autoclosure () -> String, _ rule: Rule
  ) -> UniqueID? {
    guard let value = copy value, !value.isNull else { return nil }
    guard let text = value.escaped, let id = UniqueID(text) else {
      judge.report(rule, pointer(), value)
      return nil
    }
    return id
  }

  private mutating func text(
    _ value: borrowing JSONValue?, _ pointer: @autoclosure () -> String, _ rule: Rule
  ) -> ByteText? {
    guard let value = copy value, !value.isNull else { return nil }
    return judge.text(value, rule, pointer())
  }

  private mutating func truth(
    _ value: borrowing JSONValue?, _ pointer: @autoclosure () -> String, _ rule: Rule
  ) -> Bool? {
    guard let value = copy value, !value.isNull else { return nil }
    return judge.truth(value, rule, pointer())
  }

  /// A time as the app or redo writes it: a text, or seconds since 2001.
  private mutating func time(
    _ value: borrowing JSONValue?, _ pointer: @autoclosure () -> String, _ rule: Rule
  ) -> WallTime? {
    guard let value = copy value, !value.isNull else { return nil }
    let time = WallTime(value)
    if time == nil { judge.report(rule, pointer(), value) }
    return time
  }

  /// The members that are not among some names, with those that stood apart before: an object, or nothing.
  private mutating func others(
    _ value: borrowing JSONValue, _ names: [StaticString], _ pointer: String, _ rule: Rule
  ) -> [UInt8]? {
    var unknown: [(name: [UInt8], value: [UInt8])] = []
    var kept: [(name: [UInt8], value: [UInt8])] = []
    var members = value.members
    while let member = members.next() {
      if member.name.isText("x") {
        guard !member.value.isNull else { continue }
        guard member.value.isObject else {
          judge.report(rule, "\(pointer)/x", member.value)
          continue
        }
        var inner = member.value.members
        while let one = inner.next() { kept.append((one.name.contentBytes, one.value.bytes)) }
      } else if !member.value.isNull, !names.contains(where: { member.name.isText($0) }) {
        unknown.append((member.name.contentBytes, member.value.bytes))
        judge.report(.schemaUnknownMember, SchemaJudge.pointer(pointer, member.name.content))
      }
    }
    let known = Set(kept.map(\.name))
    let all = kept + unknown.filter { !known.contains($0.name) }
    guard !all.isEmpty else { return nil }
    var text: [UInt8] = Array("{".utf8)
    for (place, member) in all.enumerated() {
      if place > 0 { text.append(UInt8(ascii: ",")) }
      text += [UInt8(ascii: "\"")] + member.name + Array("\":".utf8) + member.value
    }
    text.append(UInt8(ascii: "}"))
    return (try? JSONDocument(text))?.canonical
  }

  // MARK: Schemas

  private static let names: [StaticString] = [
    "id", "displayName", "iconSystemName", "isBuiltIn", "version", "fields", "keys", "scope",
    "description", "metaVersion",
  ]

  private mutating func read(
    _ value: borrowing JSONValue, _ pointer: String, _ scope: UniqueID?
  ) {
    guard value.isObject, let list = value["fields"], list.isArray else {
      return judge.report(.schemaForm, pointer, value)
    }
    guard let given = text(value["id"], "\(pointer)/id", .schemaIDForm) else {
      if value["id"] == nil { judge.report(.memberMissing, "\(pointer)/id") }
      return
    }
    let id = Self.trimmed(given)
    if !SchemaDefinition.isID(id) { judge.report(.schemaIDForm, "\(pointer)/id", id.text) }
    for name: StaticString in ["displayName", "iconSystemName"] where value[name]?.isNull ?? true {
      judge.report(.memberMissing, "\(pointer)/\(name)")
    }
    let displayName = text(value["displayName"], "\(pointer)/displayName", .schemaForm)
    let icon = text(value["iconSystemName"], "\(pointer)/iconSystemName", .schemaForm)
    let isBuiltIn = truth(value["isBuiltIn"], "\(pointer)/isBuiltIn", .schemaForm) ?? false
    let description = text(value["description"], "\(pointer)/description", .schemaForm)
    let ownScope = uuid(value["scope"], "\(pointer)/scope", .schemaIDForm)
    let version = version(value["version"], "\(pointer)/version")
    var metaVersion: SchemaVersion?
    if let said = value["metaVersion"], !said.isNull {
      metaVersion = self.version(said, "\(pointer)/metaVersion")
    }
    let keys = keys(of: value, list, pointer)
    let fields = fields(list, "\(pointer)/fields", SchemaNames(id, keys: keys), id)
    let others = others(value, Self.names, pointer, .schemaForm)
    guard let displayName, let icon, let version else { return }
    if let metaVersion, metaVersion > version {
      return judge.report(.schemaVersionForm, "\(pointer)/metaVersion")
    }
    var metadata = SchemaDefinition.Metadata(displayName: displayName, iconSystemName: icon)
    metadata.description = description
    metadata.others = others
    let builtIn = Set(SchemaBuiltIns.fields(of: id).map(\.key))
    definitions.append(
      SchemaDefinition(
        SchemaDefinition.Name(id, scope: scope ?? ownScope), metadata, isBuiltIn: isBuiltIn,
        version: version, metaVersion: metaVersion, fields: fields,
        keys: keys.filter { !builtIn.contains($0) }))
  }

  /// An id without the blanks around it.
  private static func trimmed(_ id: ByteText) -> ByteText {
    func isBlank(_ byte: UInt8) -> Bool {
      byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
    let start = id.utf8.drop(while: isBlank)
    return ByteText(utf8: Array(start.reversed().drop(while: isBlank).reversed()))
  }

  /// The text ids of a schema: those that it lists, and those of its fields.
  private mutating func keys(
    of value: borrowing JSONValue, _ list: borrowing JSONValue, _ pointer: String
  ) -> [ByteText] {
    var keys: [ByteText] = []
    if let listed = value["keys"], !listed.isNull {
      if !listed.isArray { judge.report(.schemaForm, "\(pointer)/keys", listed) }
      var elements = listed.elements
      var place = 0
      while let element = elements.next() {
        if let key = key(element, "\(pointer)/keys/\(place)") { keys.append(key) }
        place += 1
      }
    }
    var elements = list.elements
    var place = 0
    while let element = elements.next() {
      if let id = element["id"], let text = id.unescaped, UniqueID(text.span) == nil,
        let key = key(id, "\(pointer)/fields/\(place)/id")
      {
        keys.append(key)
      }
      place += 1
    }
    return keys
  }

  private mutating func key(_ value: borrowing JSONValue, _ pointer: String) -> ByteText? {
    guard let key = judge.text(copy value, .schemaKeyForm, pointer) else { return nil }
    guard SchemaDefinition.isKey(key) else {
      judge.report(.schemaKeyForm, pointer, value)
      return nil
    }
    return key
  }

  /// A version of redo's, or the number that the app counted by.
  private mutating func version(
    _ value: borrowing JSONValue?, _ pointer: String
  ) -> SchemaVersion? {
    guard let value = copy value, !value.isNull else {
      return SchemaVersion(.earliest, .zero, 1)
    }
    guard value.isObject else {
      guard let number = value.integer, 0...SchemaVersion.counterLimit ~= number else {
        judge.report(.schemaVersionForm, pointer, value)
        return nil
      }
      return SchemaVersion(.earliest, .zero, number)
    }
    let time = time(value["timestamp"], "\(pointer)/timestamp", .schemaVersionForm)
    let device = uuid(value["deviceId"], "\(pointer)/deviceId", .schemaVersionForm)
    let counter = value["counter"]?.integer
    guard let time, let device, let counter, 0...SchemaVersion.counterLimit ~= counter else {
      judge.report(.schemaVersionForm, pointer, value)
      return nil
    }
    return SchemaVersion(time, device, counter)
  }

  // MARK: Fields

  private static let fieldNames: [StaticString] = [
    "id", "displayName", "fieldType", "isRequired", "displayOrder", "placeholder", "helpText",
    "validationRules", "isMultiline", "capitalizationMode", "visibility", "createdBy", "createdAt",
    "updatedBy", "updatedAt", "mergedInto",
  ]

  private mutating func fields(
    _ list: borrowing JSONValue, _ pointer: String, _ names: SchemaNames, _ schema: ByteText
  ) -> [SchemaField] {
    var fields: [SchemaField] = []
    var elements = list.elements
    var place = 0
    while let element = elements.next() {
      let before = judge.findings.count
      if let field = field(element, "\(pointer)/\(place)", names, schema) {
        fields.append(field)
      } else if salvages {
        left += judge.take(from: before)
      }
      place += 1
    }
    return fields
  }

  private mutating func field(
    _ value: borrowing JSONValue, _ pointer: String, _ names: SchemaNames, _ schema: ByteText
  ) -> SchemaField? {
    let rule = Rule.schemaFieldForm
    let before = judge.errorCount
    guard value.isObject else {
      judge.report(rule, pointer, value)
      return nil
    }
    guard let raw = text(value["id"], "\(pointer)/id", rule) else {
      if value["id"]?.isNull ?? true { judge.report(.memberMissing, "\(pointer)/id") }
      return nil
    }
    let type: FieldType? = judge.word(value["fieldType"], rule, "\(pointer)/fieldType")
    guard let type else {
      if value["fieldType"] == nil { judge.report(.memberMissing, "\(pointer)/fieldType") }
      return nil
    }
    let id = UniqueID(raw.utf8.span).map(names.id) ?? SchemaNames.id(of: raw, in: schema)
    var field = SchemaField(
      FieldPair(id, type),
      displayName: text(value["displayName"], "\(pointer)/displayName", rule) ?? raw)
    field.isRequired = truth(value["isRequired"], "\(pointer)/isRequired", rule) ?? false
    if let order = value["displayOrder"], !order.isNull {
      if order.integer == nil { judge.report(rule, "\(pointer)/displayOrder", order) }
      field.displayOrder = order.integer ?? 0
    }
    field.placeholder = text(value["placeholder"], "\(pointer)/placeholder", rule)
    field.helpText = text(value["helpText"], "\(pointer)/helpText", rule)
    field.rules = rules(value["validationRules"], "\(pointer)/validationRules")
    field.isMultiline = truth(value["isMultiline"], "\(pointer)/isMultiline", rule) ?? false
    if let mode = value["capitalizationMode"], !mode.isNull {
      field.capitalization =
        judge.word(mode, rule, "\(pointer)/capitalizationMode") ?? field.capitalization
    }
    if let visibility = value["visibility"], !visibility.isNull {
      field.visibility = judge.word(visibility, rule, "\(pointer)/visibility") ?? field.visibility
    }
    field.created = stamp(value["createdBy"], value["createdAt"], "\(pointer)/created")
    field.updated = stamp(value["updatedBy"], value["updatedAt"], "\(pointer)/updated")
    field.mergedInto = uuid(value["mergedInto"], "\(pointer)/mergedInto", rule)
    field.others = others(value, Self.fieldNames, pointer, rule)
    return judge.errorCount == before ? field : nil
  }

  private mutating func stamp(
    _ device: borrowing JSONValue?, _ time: borrowing JSONValue?, _ pointer: String
  ) -> FieldStamp {
    FieldStamp(
      by: uuid(device, "\(pointer)By", .schemaFieldForm) ?? .zero,
      at: self.time(time, "\(pointer)At", .schemaFieldForm) ?? .earliest)
  }

  private mutating func rules(
    _ value: borrowing JSONValue?, _ pointer: String
  ) -> [ValidationRule] {
    guard let value = copy value, !value.isNull else { return [] }
    guard value.isArray else {
      judge.report(.schemaRuleForm, pointer, value)
      return []
    }
    var rules: [ValidationRule] = []
    var elements = value.elements
    var place = 0
    while let element = elements.next() {
      let kind = ValidationRule.Kind(rawValue: element["type"]?.string ?? "")
      if let kind, kind == .minDate || kind == .maxDate, let bound = element["value"] {
        // A time in any of its forms.
        if let time = time(bound, "\(pointer)/\(place)/value", .schemaRuleForm) {
          rules.append(ValidationRule(kind, Array("\"\(time.text)\"".utf8)))
        }
      } else if let rule = judge.rule(element, "\(pointer)/\(place)") {
        rules.append(rule)
      }
      place += 1
    }
    return rules
  }
}
