// The rows of schemas, of their fields, and of records: a record as `redo state --records` prints it, its values by the ids of their fields.

internal import CanonicalJSON
package import RedoHistory
internal import RedoObject

extension SQLIndexRows {
  /// A schema and its fields.
  ///
  /// - Parameter schema: the schema.
  /// - Returns: their lines, the schema first.
  package static func lines(of schema: StoredSchema) -> [UInt8] {
    let definition = schema.definition
    let version = definition.version
    var row: [UInt8] = []
    JSONWriter.append(to: &row) { json in
      json.object { json in
        json.add("built_in", definition.isBuiltIn)
        if let description = definition.metadata.description {
          json.add("description", description)
        }
        json.add("display_name", definition.metadata.displayName)
        json.add("hash", definition.hash.text)
        json.add("heads", schema.heads.count)
        json.add("icon", definition.metadata.iconSystemName)
        json.add("id", definition.name.id)
        json.name("json")
        json.value(utf8: definition.canonical.span)
        json.add("name", definition.name.text)
        if let scope = definition.name.scope { json.add("scope", scope.text) }
        json.add(
          "version",
          "\(version.timestamp.text)/\(version.deviceID.text)/\(version.counter)")
      }
    }
    var lines = put("schemas", row)
    let view = SchemaView(definition)
    for (place, field) in view.fields.enumerated() {
      var row: [UInt8] = []
      JSONWriter.append(to: &row) { json in
        json.object { json in
          json.add("created_at", field.created.at.text)
          json.add("created_by", field.created.by.text)
          json.add("display_name", field.displayName)
          json.add("display_order", field.displayOrder)
          json.add("id", field.pair.id.text)
          let home = view.home(at: place)
          if home != place { json.add("merged_into", view.fields[home].pair.id.text) }
          json.add("place", place)
          json.add("required", field.isRequired)
          json.add("schema", definition.name.text)
          json.add("type", field.pair.type.rawValue)
          json.add("updated_at", field.updated.at.text)
          json.add("updated_by", field.updated.by.text)
          json.add("visibility", field.visibility.rawValue)
        }
      }
      lines += put("fields", row)
    }
    return lines
  }

  /// A task as a record.
  ///
  /// - Parameters:
  ///   - state: the task.
  ///   - schemas: the schemas of the store.
  ///   - order: when its members were written, as `Replay.lastWrites(of:)` has it.
  /// - Returns: its line; nothing for a task that is none.
  package static func record(
    of state: TaskState, _ schemas: RecordSchemas, _ order: () -> [[UInt8]: Int]
  ) -> [UInt8] {
    guard let record = schemas.record(of: state, order) else { return [] }
    var row: [UInt8] = []
    JSONWriter.append(to: &row) { json in
      json.object { json in
        json.name("field_values")
        json.value(utf8: values(of: record).span)
        json.add("guid", record.task.text)
        json.name("json")
        json.value(utf8: record.json.span)
        if let person = record.person { json.add("person_id", person.text) }
        if let name = schemas.name(of: record) { json.add("schema", name.text) }
        json.add("schema_id", record.schemaID)
        json.add("title", json: record.title)
        json.name("unknown")
        json.value(utf8: RecordSchemas.content(record.unknown).span)
      }
    }
    return put("records", row)
  }

  /// The values by the ids of their fields: RFC 8785.
  private static func values(of record: Record) -> [UInt8] {
    RecordSchemas.content(
      record.fields.map { (name: Array($0.id.text.utf8), value: $0.value) })
  }
}
