// What somebody asks of records, as changes that can be recorded: worked out from the schemas and the states as they are.

package import RedoHistory
package import RedoObject
internal import RedoStore

/// What keeps changes of records from being made.
package enum RecordFault: Fault {
  /// There is no schema that the text names.
  case noSchema(String)
  /// Only commands of their own write what this schema is about.
  case reserved(SchemaDefinition.Name)
  /// The schema is the copy of another person.
  case otherPerson(SchemaDefinition.Name)
  /// The task names no schema.
  case noRecord(TaskID)
  /// What was typed does not fit the schema.
  case unfit(SchemaDefinition.Name, SchemaFault)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .noSchema, .noRecord: .missing
    case .reserved: .refused
    case .otherPerson, .unfit: .invalid
    }
  }

  /// The schema or the task.
  package var subject: String? {
    switch self {
    case .noSchema(let text): text
    case .reserved(let name), .otherPerson(let name), .unfit(let name, _): name.text
    case .noRecord(let task): task.text
    }
  }
}

/// Which records something is about: those of some schemas, or all.
package struct RecordChoice: Sendable {
  private let names: Set<SchemaDefinition.Name>?

  /// Reads the names of schemas.
  ///
  /// - Parameters:
  ///   - texts: the names; none for all records.
  ///   - opened: the store.
  /// - Throws: `RecordFault.noSchema` for one that is not there; as `Repository.schemas`.
  package init(_ texts: [String], _ opened: Repository) throws {
    names =
      texts.isEmpty
      ? nil : Set(try texts.map { text throws in try opened.schema(named: text).name })
  }

  /// Whether a record is one of them: of a schema for all everybody's count, of a person's copy that person's.
  package func takes(_ record: Record) -> Bool {
    guard let names else { return true }
    return names.contains(SchemaDefinition.Name(record.schemaID))
      || record.person.map {
        names.contains(SchemaDefinition.Name(record.schemaID, scope: $0))
      } ?? false
  }
}

extension Repository {
  /// The CREATE of a record with values that somebody typed.
  ///
  /// - Parameters:
  ///   - schema: names the schema.
  ///   - typed: the values.
  ///   - person: the person whose record it is; that of the schema when `nil`.
  ///   - title: the title, UTF-8; `nil` for that which the values give.
  /// - Returns: the change.
  /// - Throws: `RecordFault`; as `recordSchemas`.
  package func newRecord(
    of schema: String, _ typed: [RecordSchemas.Typed], person: UniqueID?, title: [UInt8]?
  ) throws -> ChangeRequest {
    let name = try self.schema(named: schema).name
    guard !name.isReserved else { throw RecordFault.reserved(name) }
    let person = person ?? name.scope
    guard name.scope == nil || name.scope == person else { throw RecordFault.otherPerson(name) }
    let schemas = try recordSchemas()
    do throws(SchemaFault) {
      let values = try schemas.values(typed: typed, name.id, person: person)
      return ChangeRequest(
        creating: schemas.members(creating: values, name.id, person: person), title: title, schemas)
    } catch {
      throw RecordFault.unfit(name, error)
    }
  }

  /// The UPDATE of a record with values that somebody typed.
  ///
  /// - Parameters:
  ///   - task: the record.
  ///   - typed: the values.
  ///   - now: the time that new values say they have.
  ///   - effects: receives reports about nodes that are left out.
  /// - Returns: the change; `nil` when it has these values already.
  /// - Throws: `RecordFault`; `CommitFault.taskIsDeleted`; what reading the history throws.
  package func recordChange(
    of task: TaskID, _ typed: [RecordSchemas.Typed], now: WallTime, _ effects: Effects
  ) throws -> ChangeRequest? {
    struct Found: Sendable {
      let head: RecordHead?
      let members: Result<RecordMembers, SchemaFault>
      let parents: [ObjectID]
    }
    let reading = try RecordReading(self)
    let schemas = reading.schemas
    var found: Found?
    try reading.forEach(tasks: [task.text], effects) { state, order, parents in
      let head = RecordHead(state)
      let members = Result<RecordMembers, SchemaFault> { () throws(SchemaFault) in
        guard let head else { return [] }
        return schemas.members(
          setting: try schemas.values(typed: typed, head.schemaID, person: head.person),
          in: state, now: now, order)
      }
      return Found(head: head, members: members, parents: parents())
    } _: {
      found = $0
    }
    guard let found else { throw CommitFault.taskIsDeleted(task) }
    guard let head = found.head else { throw RecordFault.noRecord(task) }
    switch found.members {
    case .success(let members):
      return members.isEmpty ? nil : ChangeRequest(updating: task, members, after: found.parents)
    case .failure(let fault):
      throw RecordFault.unfit(SchemaDefinition.Name(head.schemaID), fault)
    }
  }

  /// The UPDATEs that write values of records under the ids of their fields, and take old keys away.
  ///
  /// - Parameters:
  ///   - choice: the records.
  ///   - tasks: their ids or prefixes; all of the choice when there are none.
  ///   - strategy: how fields that were merged come to one value; `nil` leaves them as they are.
  ///   - effects: receives reports about nodes that are left out.
  /// - Returns: the changes, in the order of the tasks; none for a record that has nothing to migrate.
  /// - Throws: what reading the history throws.
  package func recordMigrations(
    _ choice: RecordChoice, tasks: [String] = [], _ strategy: RecordMergeStrategy?,
    _ effects: Effects
  ) throws -> [ChangeRequest] {
    let reading = try RecordReading(self)
    let schemas = reading.schemas
    var requests: [ChangeRequest] = []
    try reading.forEach(tasks: tasks, effects) { state, order, parents -> ChangeRequest? in
      guard let record = schemas.record(of: state, order), choice.takes(record) else { return nil }
      let members = schemas.migration(of: state, strategy, order)
      return members.isEmpty
        ? nil : ChangeRequest(updating: state.id, members, after: parents())
    } _: {
      requests.append($0)
    }
    return requests
  }
}
