// What the tests of records share: schemas and tasks made by hand.

import CanonicalJSON
import RedoHistory
import RedoObject
import TestSupport

/// A field by its key and type; `more` changes the rest.
func field(
  _ key: String, _ type: FieldType, in schema: String = "trip", order: Int64 = 0,
  _ more: (inout SchemaField) -> Void = { _ in }
) -> SchemaField {
  let id = UniqueID(Array(key.utf8).span) ?? UniqueID(hashing: Array("\(schema):\(key)".utf8))
  var field = SchemaField(FieldPair(id, type), displayName: ByteText(key))
  field.displayOrder = order
  more(&field)
  return field
}

/// A schema; the keys of its fields are known.
func schema(
  _ fields: [SchemaField], id: String = "trip", scope: UniqueID? = nil, name: String = "Trip",
  keys: [String]? = nil
) -> SchemaDefinition {
  let names = fields.map(\.displayName.text).filter { UniqueID(Array($0.utf8).span) == nil }
  return SchemaDefinition(
    SchemaDefinition.Name(ByteText(id), scope: scope),
    SchemaDefinition.Metadata(displayName: ByteText(name), iconSystemName: ByteText("map")),
    isBuiltIn: false, version: SchemaVersion(.earliest, .zero, 1), fields: fields,
    keys: (keys ?? names).map { ByteText($0) })
}

/// A rule for values.
func rule(_ kind: ValidationRule.Kind, _ bound: String) -> ValidationRule {
  ValidationRule(kind, Array(bound.utf8))
}

/// The lower-case id of a key.
func id(_ key: String, in schema: String = "trip") -> String {
  UniqueID(hashing: Array("\(schema):\(key)".utf8)).text
}

/// A task whose nodes come one after the other, or side by side.
struct RecordTask {
  private(set) var maker = LogMaker()
  private(set) var heads: [ObjectID] = []

  /// A task of a CREATE with members beside the title.
  init(_ members: String, schema: String? = "trip") {
    let head = schema.map { ",\"schemaId\":\"\($0)\"" } ?? ""
    let rest = members.isEmpty ? "" : ",\(members)"
    heads = [maker.add("CREATE", "\"title\":\"A trip\"\(head)\(rest)")]
  }

  /// The task after an UPDATE.
  mutating func update(_ members: String) { heads = [maker.add("UPDATE", members, heads)] }

  /// The task after an UPDATE with some members.
  mutating func update(_ members: RecordMembers) {
    update(String(string(RecordSchemas.content(members)).dropFirst().dropLast()))
  }

  /// The state, and when its members were written.
  var replayed: (state: TaskState, writes: [[UInt8]: Int]) {
    let log = maker.log
    let cut = Cut(whole: log)
    var replay = Replay(log, cut, TaskNodes(log, cut))
    guard let state = replay.state(of: 0) else { preconditionFailure("no task") }
    return (state, replay.lastWrites(of: 0))
  }

  var state: TaskState { replayed.state }

  /// The record.
  func record(_ schemas: RecordSchemas) -> Record? {
    let (state, writes) = replayed
    return schemas.record(of: state) { writes }
  }

  /// What is shown: for each name of a field its value.
  func shown(_ schemas: RecordSchemas) -> [String: String] {
    let fields = record(schemas)?.fields ?? []
    return Dictionary(
      fields.map { (string($0.name.dropFirst().dropLast()), string($0.value)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The rules that are broken, in their order.
  func broken(_ schemas: RecordSchemas) -> [String] {
    record(schemas)?.problems.map(\.rule.id) ?? []
  }

  /// The task after its migration, and what that wrote.
  mutating func migrate(
    _ schemas: RecordSchemas, _ strategy: RecordMergeStrategy? = nil
  ) -> [String: String] {
    let (state, writes) = replayed
    let members = schemas.migration(of: state, strategy) { writes }
    if !members.isEmpty { update(members) }
    return Dictionary(
      members.map { (string($0.name), string($0.value)) }, uniquingKeysWith: { first, _ in first })
  }
}
