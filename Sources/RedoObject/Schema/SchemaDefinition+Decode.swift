// From canonical JSON to a definition, judged member by member (schemas, sections 1.1 and 1.4).

internal import CanonicalJSON

/// Judges definitions, and collects the findings.
struct SchemaJudge {
  /// Every broken rule.
  private(set) var findings: [Finding] = []

  /// Records a broken rule at a JSON pointer.
  mutating func report(_ rule: Rule, _ pointer: String, _ detail: String = "") {
    findings.append(Finding(rule, at: .pointer(pointer), detail: detail))
  }

  /// Records a value that is not what it should be.
  mutating func report(_ rule: Rule, _ pointer: String, _ value: borrowing JSONValue) {
    report(rule, pointer, Self.excerpt(value))
  }

  /// How many rules are broken that are errors.
  var errorCount: Int { findings.count { $0.rule.severity == .error } }

  /// Takes the last findings out.
  ///
  /// - Parameter place: the first of them.
  /// - Returns: the findings.
  mutating func take(from place: Int) -> [Finding] {
    let taken = Array(findings[place...])
    findings.removeSubrange(place...)
    return taken
  }

  /// The beginning of a value.
  private static func excerpt(_ value: borrowing JSONValue) -> String {
    let limit = 100
    let bytes = value.bytes
    return String(decoding: bytes.prefix(limit), as: UTF8.self) + (bytes.count > limit ? "..." : "")
  }

  /// The members of an object that are known; those that are not, and null, are reported.
  @_lifetime(copy value)
  mutating func members(
    of value: JSONValue, _ pointer: String, _ names: [StaticString], required: Int
  ) -> SchemaMembers {
    var members = SchemaMembers(of: value, count: names.count)
    var cursor = value.members
    while let member = cursor.next() {
      guard let place = names.firstIndex(where: { member.name.isText($0) }) else {
        report(.memberUnknown, Self.pointer(pointer, member.name.content))
        continue
      }
      guard !member.value.isNull else {
        report(.memberNull, "\(pointer)/\(names[place])")
        continue
      }
      members.set(place, member.value)
    }
    // Those that may be absent come last.
    for place in 0..<required where !members.has(place) {
      report(.memberMissing, "\(pointer)/\(names[place])")
    }
    return members
  }

  /// A JSON pointer to a member of a value (RFC 6901).
  static func pointer(_ parent: String, _ escapedName: Span<UInt8>) -> String {
    var pointer = Array(parent.utf8)
    JSONValue.appendStep(StringEscape.unescape(escapedName).span, toPointer: &pointer)
    return String(decoding: pointer, as: UTF8.self)
  }

  // MARK: Values

  /// A text; a value that is none is reported.
  mutating func text(
    _ value: borrowing JSONValue?, _ rule: Rule, _ pointer: @autoclosure () -> String
  ) -> ByteText? {
    guard let value = copy value else { return nil }
    guard let utf8 = value.unescaped else {
      report(rule, pointer(), value)
      return nil
    }
    return ByteText(utf8: utf8)
  }

  /// A truth; a value that is none is reported.
  mutating func truth(
    _ value: borrowing JSONValue?, _ rule: Rule, _ pointer: @autoclosure () -> String
  ) -> Bool? {
    guard let value = copy value else { return nil }
    if value.boolean == nil { report(rule, pointer(), value) }
    return value.boolean
  }

  /// A UUID in lower case; a value that is none is reported.
  mutating func uuid(
    _ value: borrowing JSONValue?, _ rule: Rule, _ pointer: @autoclosure () -> String
  ) -> UniqueID? {
    guard let value = copy value else { return nil }
    guard let text = value.escaped, let id = UniqueID(lowerCase: text) else {
      report(rule, pointer(), value)
      return nil
    }
    return id
  }

  /// A time with three decimals; a value that is none is reported.
  mutating func time(
    _ value: borrowing JSONValue?, _ rule: Rule, _ pointer: @autoclosure () -> String
  ) -> WallTime? {
    guard let value = copy value else { return nil }
    guard let text = value.escaped, let time = WallTime.parse(text), time.hasFraction else {
      report(rule, pointer(), value)
      return nil
    }
    return time.time
  }

  /// A word of some; a value that is none of them is reported.
  mutating func word<Word: RawRepresentable<String>>(
    _ value: borrowing JSONValue?, _ rule: Rule, _ pointer: @autoclosure () -> String
  ) -> Word? {
    guard let value = copy value else { return nil }
    guard let text = value.string, let word = Word(rawValue: text) else {
      report(rule, pointer(), value)
      return nil
    }
    return word
  }

  /// Members that nobody here knows; a value that is no object is reported.
  mutating func others(
    _ value: borrowing JSONValue?, _ rule: Rule, _ pointer: @autoclosure () -> String
  ) -> [UInt8]? {
    guard let value = copy value else { return nil }
    guard value.isObject else {
      report(rule, pointer(), value)
      return nil
    }
    return value.bytes
  }

  // MARK: Parts

  /// A version; one that is none is reported.
  mutating func version(
    _ value: borrowing JSONValue?, _ pointer: @autoclosure () -> String
  ) -> SchemaVersion? {
    guard let value = copy value else { return nil }
    let (rule, pointer) = (Rule.schemaVersionForm, pointer())
    guard value.isObject else {
      report(rule, pointer, value)
      return nil
    }
    let members = members(of: value, pointer, ["timestamp", "deviceId", "counter"], required: 3)
    let timestamp = time(members[0], rule, "\(pointer)/timestamp")
    let device = uuid(members[1], rule, "\(pointer)/deviceId")
    var counter: Int64?
    if let number = members[2] {
      counter = number.integer.flatMap { 0...SchemaVersion.counterLimit ~= $0 ? $0 : nil }
      if counter == nil { report(rule, "\(pointer)/counter", number) }
    }
    guard let timestamp, let device, let counter else { return nil }
    return SchemaVersion(timestamp, device, counter)
  }

  private static let fieldNames: [StaticString] = [
    "id", "fieldType", "displayName", "isRequired", "displayOrder", "validationRules",
    "isMultiline",
    "capitalizationMode", "visibility", "createdBy", "createdAt", "updatedBy", "updatedAt",
    "placeholder", "helpText", "mergedInto", "x",
  ]
  private static let requiredFieldNames = 13

  private mutating func field(_ value: borrowing JSONValue, _ pointer: String) -> SchemaField? {
    let rule = Rule.schemaFieldForm
    guard value.isObject else {
      report(rule, pointer, value)
      return nil
    }
    let members = members(
      of: copy value, pointer, Self.fieldNames, required: Self.requiredFieldNames)
    func at(_ place: Int) -> String { "\(pointer)/\(Self.fieldNames[place])" }
    let id = uuid(members[0], rule, at(0))
    let type: FieldType? = word(members[1], rule, at(1))
    let displayName = text(members[2], rule, at(2))
    let isRequired = truth(members[3], rule, at(3))
    var order: Int64?
    if let number = members[4] {
      order = number.integer
      if order == nil { report(rule, at(4), number) }
    }
    let rules = rules(members[5], at(5))
    let isMultiline = truth(members[6], rule, at(6))
    let capitalization: Capitalization? = word(members[7], rule, at(7))
    let visibility: FieldVisibility? = word(members[8], rule, at(8))
    let createdBy = uuid(members[9], rule, at(9))
    let createdAt = time(members[10], rule, at(10))
    let updatedBy = uuid(members[11], rule, at(11))
    let updatedAt = time(members[12], rule, at(12))
    let placeholder = text(members[13], rule, at(13))
    let helpText = text(members[14], rule, at(14))
    let mergedInto = uuid(members[15], rule, at(15))
    let others = others(members[16], rule, at(16))
    guard let id, let type, let displayName, let isRequired, let order, let rules, let isMultiline,
      let capitalization, let visibility, let createdBy, let createdAt, let updatedBy, let updatedAt
    else { return nil }
    var field = SchemaField(FieldPair(id, type), displayName: displayName)
    field.isRequired = isRequired
    field.displayOrder = order
    field.placeholder = placeholder
    field.helpText = helpText
    field.rules = rules
    field.isMultiline = isMultiline
    field.capitalization = capitalization
    field.visibility = visibility
    field.created = FieldStamp(by: createdBy, at: createdAt)
    field.updated = FieldStamp(by: updatedBy, at: updatedAt)
    field.mergedInto = mergedInto
    field.others = others
    return field
  }

  private mutating func rules(
    _ value: borrowing JSONValue?, _ pointer: String
  ) -> [ValidationRule]? {
    guard let value = copy value else { return nil }
    guard value.isArray else {
      report(.schemaRuleForm, pointer, value)
      return nil
    }
    var rules: [ValidationRule] = []
    var elements = value.elements
    var place = 0
    while let element = elements.next() {
      if let rule = rule(element, "\(pointer)/\(place)") { rules.append(rule) }
      place += 1
    }
    return rules
  }

  /// A rule for values; one that is none is reported.
  mutating func rule(_ value: borrowing JSONValue, _ pointer: String) -> ValidationRule? {
    guard value.isObject else {
      report(.schemaRuleForm, pointer, value)
      return nil
    }
    let members = members(of: copy value, pointer, ["type", "value"], required: 2)
    let kind: ValidationRule.Kind? = word(members[0], .schemaRuleForm, "\(pointer)/type")
    guard let kind, let bound = members[1] else { return nil }
    let isRight =
      switch kind {
      case .minLength, .maxLength: bound.integer != nil
      case .minValue, .maxValue: bound.isNumber
      case .minDate, .maxDate: Self.isTime(bound)
      case .pattern: bound.isString
      }
    guard isRight else {
      report(.schemaRuleForm, "\(pointer)/value", bound)
      return nil
    }
    return ValidationRule(kind, bound.bytes)
  }

  private static func isTime(_ value: borrowing JSONValue) -> Bool {
    guard let text = value.escaped else { return false }
    return WallTime.parse(text)?.hasFraction ?? false
  }

  // MARK: The definition

  private static let names: [StaticString] = [
    "id", "displayName", "iconSystemName", "isBuiltIn", "version", "fields", "keys",
    "scope", "description", "metaVersion", "x",
  ]
  private static let requiredNames = 7

  /// Judges a definition.
  ///
  /// - Parameters:
  ///   - value: a value of canonical JSON.
  ///   - pointer: where it stands.
  /// - Returns: the definition; `nil` when a rule is broken.
  mutating func definition(_ value: borrowing JSONValue, _ pointer: String) -> SchemaDefinition? {
    let before = findings.count
    guard value.isObject else {
      report(.schemaForm, pointer, value)
      return nil
    }
    let members = members(of: copy value, pointer, Self.names, required: Self.requiredNames)
    func at(_ place: Int) -> String { "\(pointer)/\(Self.names[place])" }
    let id = text(members[0], .schemaIDForm, at(0))
    if let id, !SchemaDefinition.isID(id) { report(.schemaIDForm, at(0), id.text) }
    let scope = uuid(members[7], .schemaIDForm, at(7))
    let displayName = text(members[1], .schemaForm, at(1))
    let icon = text(members[2], .schemaForm, at(2))
    let isBuiltIn = truth(members[3], .schemaForm, at(3))
    let version = version(members[4], at(4))
    let metaVersion = self.version(members[9], at(9))
    if let version, let metaVersion, metaVersion >= version {
      report(.schemaVersionForm, at(9), "it is left out where it is not less than 'version'")
    }
    let fields = fields(members[5], at(5))
    let keys = keys(members[6], at(6))
    let description = text(members[8], .schemaForm, at(8))
    let others = others(members[10], .schemaForm, at(10))
    guard findings.count == before, let id, let displayName, let icon, let isBuiltIn, let version,
      let fields, let keys
    else { return nil }
    var metadata = SchemaDefinition.Metadata(displayName: displayName, iconSystemName: icon)
    metadata.description = description
    metadata.others = others
    return SchemaDefinition(
      SchemaDefinition.Name(id, scope: scope), metadata, isBuiltIn: isBuiltIn, version: version,
      metaVersion: metaVersion, fields: fields, keys: keys)
  }

  private mutating func fields(
    _ value: borrowing JSONValue?, _ pointer: String
  ) -> [SchemaField]? {
    guard let value = copy value else { return nil }
    guard value.isArray else {
      report(.schemaForm, pointer, value)
      return nil
    }
    var fields: [SchemaField] = []
    var pairs: Set<FieldPair> = []
    var elements = value.elements
    var place = 0
    while let element = elements.next() {
      defer { place += 1 }
      guard let field = field(element, "\(pointer)/\(place)") else { continue }
      if !pairs.insert(field.pair).inserted {
        report(
          .schemaFieldDuplicate, "\(pointer)/\(place)",
          "\(field.pair.id.text) \(field.pair.type.rawValue)")
      } else if let last = fields.last, !SchemaField.isBefore(last, field) {
        report(.schemaOrder, "\(pointer)/\(place)", field.pair.id.text)
      }
      fields.append(field)
    }
    return fields
  }

  private mutating func keys(_ value: borrowing JSONValue?, _ pointer: String) -> [ByteText]? {
    guard let value = copy value else { return nil }
    guard value.isArray else {
      report(.schemaForm, pointer, value)
      return nil
    }
    var keys: [ByteText] = []
    var elements = value.elements
    var place = 0
    while let element = elements.next() {
      defer { place += 1 }
      guard let key = text(element, .schemaKeyForm, "\(pointer)/\(place)") else { continue }
      if !SchemaDefinition.isKey(key) {
        report(.schemaKeyForm, "\(pointer)/\(place)", key.text)
      } else if let last = keys.last, last >= key {
        report(.schemaOrder, "\(pointer)/\(place)", key.text)
      }
      keys.append(key)
    }
    return keys
  }
}

/// The values of the members of an object that are known.
struct SchemaMembers: ~Escapable {
  private let root: JSONValue
  /// The index of each value; 0 for an absent member.
  private var indices: [Int]

  /// No members of a value yet.
  @_lifetime(copy root)
  init(of root: JSONValue, count: Int) {
    self.root = root
    indices = [Int](repeating: 0, count: count)
  }

  /// A member; `nil` when it is absent.
  subscript(place: Int) -> JSONValue? {
    @_lifetime(copy self)
    get { indices[place] > 0 ? root.value(at: indices[place]) : nil }
  }

  /// Keeps which value a member has.
  mutating func set(_ place: Int, _ value: JSONValue) { indices[place] = value.index }

  /// Whether a member is present.
  func has(_ place: Int) -> Bool { indices[place] > 0 }
}

extension SchemaDefinition {
  /// The most bytes of an id, and of a key.
  package static let idLimit = 200

  /// Whether a text may be the id of a schema: 1 to 200 bytes, of which neither end is a blank or a control character.
  static func isID(_ text: ByteText) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last else { return false }
    return text.utf8.count <= idLimit && first >= 0x21 && last >= 0x21
  }

  /// Whether a text may be a key: 1 to 200 bytes, and no UUID.
  static func isKey(_ text: ByteText) -> Bool {
    1...idLimit ~= text.utf8.count && UniqueID(text.utf8.span) == nil
  }

  /// Reads a definition from JSON that need not be canonical.
  ///
  /// - Parameter text: one JSON value.
  /// - Returns: the definition; otherwise every broken rule.
  package static func read(_ text: [UInt8]) -> Result<SchemaDefinition, Findings> {
    do throws(JSONError) {
      let document = try JSONDocument(text)
      let canonical = try JSONDocument(document.canonical)
      var judge = SchemaJudge()
      guard let definition = judge.definition(canonical.root, "") else {
        return .failure(Findings(judge.findings))
      }
      return .success(definition)
    } catch {
      return .failure(Findings([Finding(error)]))
    }
  }

  /// Why there is no definition.
  package struct Findings: Error {
    /// Every broken rule.
    package let all: [Finding]

    init(_ all: [Finding]) { self.all = all }
  }
}
