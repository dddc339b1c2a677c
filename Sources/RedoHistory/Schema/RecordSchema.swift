// What records need of their schemas (schemas, section 2), made once a schema, so that 10,000 records ask for nothing twice.

internal import CanonicalJSON
package import RedoObject

/// The schemas of a store, to be chosen by `schemaId` and `personId`.
package struct RecordSchemas: Sendable {
  /// Whether a text has a match of a pattern anywhere; an invalid pattern has none.
  package typealias Matcher = @Sendable (_ pattern: String, _ text: String) -> Bool

  private let schemas: [SchemaDefinition.Name: RecordSchema]
  /// How patterns are matched; `nil` where they do not count.
  let matcher: Matcher?

  /// Some schemas.
  ///
  /// - Parameters:
  ///   - definitions: each the join of its heads, no two of one name.
  ///   - keepsHashes: whether records tell the hash of their schema, which takes a third of the time.
  ///   - matcher: how patterns are matched; `nil` where they do not count, since a stranger's may never end.
  package init(
    _ definitions: some Sequence<SchemaDefinition>, keepsHashes: Bool = true,
    matcher: Matcher? = nil
  ) {
    schemas = Dictionary(
      definitions.map { ($0.name, RecordSchema($0, keepsHash: keepsHashes)) },
      uniquingKeysWith: { first, _ in first })
    self.matcher = matcher
  }

  /// Whether there are none.
  package var isEmpty: Bool { schemas.isEmpty }

  /// The schema of a record: the copy of its person, else the one of all.
  func schema(_ id: ByteText, person: UniqueID?) -> RecordSchema? {
    name(id, person: person).flatMap { schemas[$0] }
  }

  /// All of them, as people see them, by their names.
  package var views: [(name: SchemaDefinition.Name, view: SchemaView)] {
    schemas.map { ($0.key, $0.value.view) }.sorted { $0.0 < $1.0 }
  }

  /// The values of a record, and the schema by which they are read; `nil` for a task that is none, and without its schema.
  func keys(
    of state: TaskState, _ order: RecordKeys.Order
  ) -> (name: SchemaDefinition.Name, schema: RecordSchema, keys: RecordKeys)? {
    let members = state.unsortedMembers
    guard let head = RecordHead(members), let name = name(head.schemaID, person: head.person),
      let schema = schemas[name]
    else { return nil }
    return (name, schema, RecordKeys(members, schema, order))
  }

  /// The name of the schema by which a record is read; `nil` when it is not there.
  package func name(of record: Record) -> SchemaDefinition.Name? {
    name(record.schemaID, person: record.person)
  }

  private func name(_ id: ByteText, person: UniqueID?) -> SchemaDefinition.Name? {
    if let person {
      let copy = SchemaDefinition.Name(id, scope: person)
      if schemas[copy] != nil { return copy }
    }
    let name = SchemaDefinition.Name(id)
    return schemas[name] == nil ? nil : name
  }

  /// What the schema of a record is called for people; `nil` when it is not there.
  package func displayName(_ id: ByteText, person: UniqueID?) -> ByteText? {
    schema(id, person: person)?.displayName
  }

  /// The schema that a record of some members would have, as people see it.
  ///
  /// - Parameters:
  ///   - id: the id of the schema.
  ///   - person: whose record it is.
  /// - Returns: the view; `nil` when it is not there.
  package func view(_ id: ByteText, person: UniqueID?) -> SchemaView? {
    schema(id, person: person)?.view
  }
}

/// A schema as its records need it.
final class RecordSchema: Sendable {
  // A class, because every record refers to it.

  /// A field as it is shown.
  struct Field: Sendable {
    let id: UniqueID
    /// The id as a key of a record: the one under which values are written.
    let key: [UInt8]
    let type: FieldType
    /// The name for people, RFC 8785.
    let name: [UInt8]
    let visibility: FieldVisibility
    /// Whether a record must have it: active, required, and merged into no other.
    let isRequired: Bool
    let bounds: [Bound]
  }

  /// A rule for values, its bound read.
  enum Bound: Sendable {
    case minLength(Int64)
    case maxLength(Int64)
    case minValue(Double)
    case maxValue(Double)
    case minDate(WallTime)
    case maxDate(WallTime)
    case pattern(String)
  }

  /// The hash of the definition, where somebody wants it.
  let hash: ObjectID?
  /// What the schema is called for people.
  let displayName: ByteText
  let view: SchemaView
  /// The fields in the order of the view.
  let fields: [Field]
  /// The places of the fields that a record must have.
  let required: [Int]

  init(_ definition: SchemaDefinition, keepsHash: Bool) {
    hash = keepsHash ? definition.hash : nil
    displayName = definition.metadata.displayName
    let view = SchemaView(definition)
    self.view = view
    let fields = view.fields.enumerated().map { place, field in
      var name: [UInt8] = []
      JSONWriter.appendString(field.displayName.utf8.span, to: &name)
      let isRequired =
        field.isRequired && field.visibility == .active && view.home(at: place) == place
      return Field(
        id: field.pair.id, key: Array(field.pair.id.text.utf8), type: field.pair.type, name: name,
        visibility: field.visibility, isRequired: isRequired,
        bounds: field.rules.compactMap(Bound.init))
    }
    self.fields = fields
    required = fields.indices.filter { fields[$0].isRequired }
  }
}

extension RecordSchema.Bound {
  /// Reads the bound of a rule.
  init?(_ rule: ValidationRule) {
    switch rule.kind {
    case .minLength, .maxLength:
      guard let count = Int64(String(decoding: rule.value, as: UTF8.self)) else { return nil }
      self = rule.kind == .minLength ? .minLength(count) : .maxLength(count)
    case .minValue: self = .minValue(FieldText.number(rule.value))
    case .maxValue: self = .maxValue(FieldText.number(rule.value))
    case .minDate, .maxDate:
      guard let time = FieldText.time(rule.value) else { return nil }
      self = rule.kind == .minDate ? .minDate(time) : .maxDate(time)
    case .pattern:
      self = .pattern(
        String(
          decoding: StringEscape.unescape(rule.value.span.extracting(1..<rule.value.count - 1)),
          as: UTF8.self))
    }
  }

  /// The name of the rule.
  var kind: ValidationRule.Kind {
    switch self {
    case .minLength: .minLength
    case .maxLength: .maxLength
    case .minValue: .minValue
    case .maxValue: .maxValue
    case .minDate: .minDate
    case .maxDate: .maxDate
    case .pattern: .pattern
    }
  }

  /// Whether a value breaks the rule; rules of other types are kept by every value.
  func isBroken(by value: RecordValue, _ matcher: RecordSchemas.Matcher?) -> Bool {
    switch self {
    case .minLength(let bound): value.length.map { $0 < bound } ?? false
    case .maxLength(let bound): value.length.map { $0 > bound } ?? false
    case .minValue(let bound): value.number.map { $0 < bound } ?? false
    case .maxValue(let bound): value.number.map { $0 > bound } ?? false
    case .minDate(let bound): value.time.map { $0 < bound } ?? false
    case .maxDate(let bound): value.time.map { $0 > bound } ?? false
    case .pattern(let pattern):
      if let matcher, let text = value.text {
        !matcher(pattern, String(decoding: text, as: UTF8.self))
      } else {
        false
      }
    }
  }
}
