// A record as people see it (schemas, section 2): a row of `state --records`, and what `verify --records` says of it.

internal import CanonicalJSON
package import RedoObject

/// A record.
package struct Record: Sendable {
  /// What is shown of a field.
  package struct Field: Sendable {
    /// The id that it is shown with.
    package let id: UniqueID
    /// The key that counts, as RFC 8785 writes it, without quotes; `nil` when the record has none.
    package let key: [UInt8]?
    /// The name for people, RFC 8785.
    package let name: [UInt8]
    /// Its type.
    package let type: FieldType
    /// The value alone, RFC 8785: as `RecordValue` has it, or as it stands when it is none; `null` when there is none.
    package let value: [UInt8]
    /// Where it is shown.
    package let visibility: FieldVisibility
    /// What is wrong with it.
    package let problems: [RecordProblem]
  }

  /// The task.
  package let task: TaskID
  /// Its title, RFC 8785.
  package let title: [UInt8]
  /// The id of its schema.
  package let schemaID: ByteText
  /// The person whose record it is.
  package let person: UniqueID?
  /// The hash of its schema; `nil` when that is not there.
  package let schema: ObjectID?
  /// The fields that the record has a key for, and those that it lacks, in the order of the schema.
  package let fields: [Field]
  /// What counts for no field, but for nothing, by name: names without quotes, and values, RFC 8785.
  package let unknown: RecordMembers

  /// Its title as a text.
  package var titleText: String {
    guard title.count > 1 else { return "" }
    return String(
      decoding: StringEscape.unescape(title.span.extracting(1..<title.count - 1)), as: UTF8.self)
  }

  /// All that is wrong with it.
  package var problems: [RecordProblem] {
    guard schema != nil else {
      return [RecordProblem(.recordSchemaMissing, detail: schemaID.text)]
    }
    return fields.flatMap(\.problems)
      + unknown.map { RecordProblem(.recordUnknownKey, key: $0.name) }
  }

  /// The deprecated fields that it has a value of.
  package var deprecated: [UniqueID] {
    fields.filter { field in field.problems.contains { $0.rule == .recordDeprecated } }.map(\.id)
  }

  /// Its line: RFC 8785, without a line feed.
  package var json: [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(256 * fields.count + 256)
    appendJSON(to: &line)
    return line
  }

  /// Appends its line: RFC 8785, without a line feed.
  package func appendJSON(to output: inout [UInt8]) {
    JSONWriter.append(to: &output) { json in
      json.object { json in
        json.addArray("fields") { json in
          for field in fields { Self.write(field, to: &json) }
        }
        json.name("guid")
        json.value(escaped: { task.append(to: &$0) })
        json.name("schema")
        if let schema { json.value(escaped: { schema.append(to: &$0) }) } else { json.null() }
        json.add("schemaId", schemaID)
        json.add("title", json: title)
        json.addObject("unknown") { json in
          for member in unknown {
            json.name(escaped: member.name)
            json.value(json: member.value)
          }
        }
      }
    }
  }

  private static func write(_ field: Field, to json: inout JSONWriter) {
    json.object { json in
      json.name("id")
      json.value(escaped: { field.id.append(to: &$0) })
      json.name("key")
      if let key = field.key { json.value(escaped: key) } else { json.null() }
      json.add("name", json: field.name)
      json.addArray("problems") { json in
        for (place, problem) in field.problems.enumerated()
        where !field.problems[..<place].contains(where: { $0.rule == problem.rule }) {
          json.value(problem.rule.id)
        }
      }
      json.add("type", field.type.rawValue)
      json.add("value", json: field.value)
      json.add("visibility", field.visibility.rawValue)
    }
  }
}

extension RecordSchemas {
  /// A task as a record.
  ///
  /// - Parameters:
  ///   - state: the task.
  ///   - order: when its members were written, as `Replay.lastWrites(of:)` has it; asked where several keys count for one field.
  /// - Returns: the record; `nil` for a task that is none.
  package func record(of state: TaskState, _ order: () -> [[UInt8]: Int]) -> Record? {
    let members = state.unsortedMembers
    guard let head = RecordHead(members) else { return nil }
    let schema = schema(head.schemaID, person: head.person)
    var fields: [Record.Field] = []
    var unknown: [[UInt8]: [UInt8]] = [:]
    if let schema {
      let keys = RecordKeys(members, schema, order)
      fields = self.fields(of: keys, schema)
      unknown = keys.unknown
    } else {
      unknown = members.filter { !RecordHead.has($0.key) && !RecordKeys.isNull($0.value) }
    }
    return Record(
      task: state.id, title: state.value(.title) ?? [], schemaID: head.schemaID,
      person: head.person, schema: schema?.hash, fields: fields, unknown: Self.sorted(unknown))
  }

  private func fields(of keys: RecordKeys, _ schema: RecordSchema) -> [Record.Field] {
    var fields: [Record.Field] = []
    fields.reserveCapacity(keys.entries.count)
    var lacking = schema.required[...]
    func addLacking(before home: Int) {
      while let place = lacking.first, place < home {
        fields.append(self.field(at: place, schema, nil, [Self.lacking(place, schema)]))
        lacking.removeFirst()
      }
    }
    keys.forEachField { home, entries in
      addLacking(before: home)
      let isRequired = lacking.first == home
      if isRequired { lacking.removeFirst() }
      guard entries.count > 1 else {
        let entry = entries.first
        fields.append(field(at: home, schema, entry, problems(of: entry, isRequired, home, schema)))
        return
      }
      let shown = entries.shown
      var found = problems(of: shown, isRequired, home, schema)
      if entries.isConflict {
        found.append(
          RecordProblem(.recordMergeConflict, field: schema.fields[home].id, key: shown?.name))
      }
      let winners = Set(entries.winners.map(\.name))
      for entry in entries where !winners.contains(entry.name) && !entry.content.isAbsent {
        found.append(
          RecordProblem(.recordKeyShadowed, field: schema.fields[home].id, key: entry.name))
      }
      fields.append(field(at: home, schema, shown, found))
    }
    addLacking(before: .max)
    return fields
  }

  /// What is wrong with what is shown of a field.
  private func problems(
    of entry: RecordKeys.Entry?, _ isRequired: Bool, _ home: Int, _ schema: RecordSchema
  ) -> [RecordProblem] {
    guard let entry, !entry.content.isAbsent else {
      return isRequired ? [Self.lacking(home, schema)] : []
    }
    var found = schema.problems(of: entry, matcher)
    let field = schema.fields[home]
    if field.visibility == .deprecated {
      found.append(RecordProblem(.recordDeprecated, field: field.id, key: entry.name))
    }
    return found
  }

  static func lacking(_ place: Int, _ schema: RecordSchema) -> RecordProblem {
    RecordProblem(.recordRequired, field: schema.fields[place].id)
  }

  private func field(
    at place: Int, _ schema: RecordSchema, _ entry: RecordKeys.Entry?, _ problems: [RecordProblem]
  ) -> Record.Field {
    let field = schema.fields[place]
    return Record.Field(
      id: field.id, key: entry?.name, name: field.name, type: field.type,
      value: entry.map { $0.content.value?.json ?? $0.json } ?? Array("null".utf8),
      visibility: field.visibility, problems: problems)
  }
}
