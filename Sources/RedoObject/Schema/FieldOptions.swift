// What somebody sets of a field or a schema (schemas, sections 3 and 7), and the limits that hold for what is added here. What
// others have written is bound by its size alone: otherwise a field of theirs could stop every edit.

internal import CanonicalJSON

/// How much an edit may add.
package enum SchemaLimit {
  /// The most fields of a schema, and the most keys.
  package static let fieldCount = 1000
  /// The most rules of a field.
  package static let ruleCount = 50
  /// The most bytes of a name.
  package static let nameByteCount = 500
  /// The most bytes of another text.
  package static let textByteCount = 10_000
  /// The most bytes of a pattern.
  package static let patternByteCount = 500
}

/// Members of a schema that somebody sets; those that are `nil` stay.
package struct SchemaOptions: Equatable, Sendable {
  /// For people.
  package var displayName: ByteText?
  /// A picture.
  package var iconSystemName: ByteText?
  /// Explains it; the empty text takes the member away.
  package var description: ByteText?

  /// Options that set nothing.
  package init() {}

  /// Sets the members.
  ///
  /// - Parameter metadata: receives them.
  /// - Returns: the broken rules.
  func set(_ metadata: inout SchemaDefinition.Metadata) -> [Finding] {
    var judge = SchemaJudge()
    judge.set(&metadata.displayName, to: displayName, at: "/displayName")
    judge.set(&metadata.iconSystemName, to: iconSystemName, at: "/iconSystemName")
    judge.set(&metadata.description, to: description, at: "/description")
    return judge.findings
  }
}

/// Members of a field that somebody sets; those that are `nil` stay.
package struct FieldOptions: Equatable, Sendable {
  /// A member that says who did something, and when: nobody sets one.
  package enum Provenance: String, CaseIterable, Sendable {
    case createdAt, createdBy, updatedAt, updatedBy
  }

  /// For people.
  package var displayName: ByteText?
  /// Whether a record must have a value.
  package var isRequired: Bool?
  /// Where it stands among others.
  package var displayOrder: Int64?
  /// Stands in an empty form; the empty text takes the member away.
  package var placeholder: ByteText?
  /// Explains it; the empty text takes the member away.
  package var helpText: ByteText?
  /// Whether the rules for values are taken away before others are set.
  package var dropsRules = false
  /// Rules for values, each `type=value`: one takes the place of those of its type, and `type=` takes those away.
  package var rules: [ByteText] = []
  /// Whether a text may have several lines.
  package var isMultiline: Bool?
  /// What the keyboard writes large.
  package var capitalization: Capitalization?
  /// The type, which an edit cannot change.
  package var type: FieldType?
  /// Members that an edit cannot change.
  package var provenance: [Provenance] = []

  /// Options that set nothing.
  package init() {}

  /// Sets the members.
  ///
  /// - Parameters:
  ///   - field: receives them.
  ///   - pointer: where it stands in its definition.
  /// - Returns: the broken rules.
  func set(_ field: inout SchemaField, at pointer: String) -> [Finding] {
    var judge = SchemaJudge()
    judge.set(&field.displayName, to: displayName, at: "\(pointer)/displayName")
    judge.set(&field.placeholder, to: placeholder, at: "\(pointer)/placeholder")
    judge.set(&field.helpText, to: helpText, at: "\(pointer)/helpText")
    if let isRequired { field.isRequired = isRequired }
    if let displayOrder {
      if displayOrder.magnitude > UInt64(SchemaVersion.counterLimit) {
        judge.report(.schemaFieldForm, "\(pointer)/displayOrder", "\(displayOrder)")
      }
      field.displayOrder = displayOrder
    }
    if let isMultiline { field.isMultiline = isMultiline }
    if let capitalization { field.capitalization = capitalization }
    setRules(of: &field, at: "\(pointer)/validationRules", &judge)
    var findings = judge.findings
    if let type, type != field.pair.type {
      findings.append(
        Finding(
          .schemaTypeChanged, at: .pointer("\(pointer)/fieldType"),
          detail: "\(field.pair.type.rawValue), not \(type.rawValue)",
          hint: "'add-field' adds one of another type, 'deprecate' retires this one"))
    }
    for member in provenance {
      findings.append(
        Finding(.schemaProvenance, at: .pointer("\(pointer)/\(member.rawValue)")))
    }
    return findings
  }

  private func setRules(
    of field: inout SchemaField, at pointer: String, _ judge: inout SchemaJudge
  ) {
    let count = field.rules.count
    if dropsRules { field.rules = [] }
    var replaced: Set<ValidationRule.Kind> = []
    for text in rules {
      guard let (kind, value) = ValidationRule.read(text) else {
        judge.report(.schemaRuleForm, pointer, text.text)
        continue
      }
      // Of two that are given for one type both hold.
      if replaced.insert(kind).inserted || value == nil {
        field.rules.removeAll { $0.kind == kind }
      }
      guard let value else { continue }
      if kind == .pattern, text.utf8.count - "pattern=".utf8.count > SchemaLimit.patternByteCount {
        judge.report(.schemaLimit, pointer, "a pattern of more than 500 bytes")
      }
      field.rules.append(ValidationRule(kind, value))
    }
    if field.rules.count > max(count, SchemaLimit.ruleCount) {
      judge.report(.schemaLimit, pointer, "\(field.rules.count) rules")
    }
  }
}

extension SchemaJudge {
  /// Sets a name: 1 to 500 bytes.
  fileprivate mutating func set(_ name: inout ByteText, to new: ByteText?, at pointer: String) {
    guard let new else { return }
    if !(1...SchemaLimit.nameByteCount ~= new.utf8.count) {
      report(.schemaLimit, pointer, "a name of \(new.utf8.count) bytes")
    }
    name = new
  }

  /// Sets a text of at most 10,000 bytes; the empty one takes it away.
  fileprivate mutating func set(_ text: inout ByteText?, to new: ByteText?, at pointer: String) {
    guard let new else { return }
    if new.utf8.count > SchemaLimit.textByteCount {
      report(.schemaLimit, pointer, "a text of \(new.utf8.count) bytes")
    }
    text = new.utf8.isEmpty ? nil : new
  }
}

extension ValidationRule {
  /// Reads a rule as it is typed.
  ///
  /// - Parameter text: `type=value`; a date without a time is its midnight in UTC.
  /// - Returns: the type, and the bound in its RFC 8785 form, `nil` when it is empty; `nil` for what is no rule.
  static func read(_ text: ByteText) -> (kind: Kind, value: [UInt8]?)? {
    let parts = text.utf8.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = Kind(rawValue: String(decoding: parts[0], as: UTF8.self))
    else { return nil }
    let typed = Array(parts[1])
    guard !typed.isEmpty else { return (kind, nil) }
    let value: [UInt8]? =
      switch kind {
      case .minLength, .maxLength: number(typed) { $0.integer != nil }
      case .minValue, .maxValue: number(typed) { $0.isNumber }
      case .minDate, .maxDate: time(typed).map { Array("\"\($0.text)\"".utf8) }
      case .pattern: string(typed)
      }
    return value.map { (kind, $0) }
  }

  private static func number(_ text: [UInt8], _ isRight: (JSONValue) -> Bool) -> [UInt8]? {
    guard let canonical = try? JSONDocument(text).canonical,
      let document = try? JSONDocument(canonical), isRight(document.root)
    else { return nil }
    return canonical
  }

  private static func string(_ text: [UInt8]) -> [UInt8] {
    var json: [UInt8] = []
    JSONWriter.appendString(text.span, to: &json)
    return json
  }

  private static func time(_ text: [UInt8]) -> WallTime? {
    let whole = text.count == 10 ? text + Array("T00:00:00Z".utf8) : text
    guard let (seconds, nanoseconds) = RFC3339.parse(whole.span) else { return nil }
    let time = WallTime(milliseconds: seconds * 1000 + nanoseconds / 1_000_000)
    return WallTime.earliest...WallTime.latest ~= time ? time : nil
  }
}
