// Questions about fields of records by what people call them (schemas, section 2): `record."Dose"`, or `record."<uuid>"`. A name means in each schema
// the field that is called so there.

internal import CanonicalJSON
package import RedoObject

/// Fields of records that somebody asks about.
package struct RecordQuestions: Sendable {
  /// Why nothing can be asked about a name.
  package enum Flaw: Error, Equatable, Sendable {
    /// In a schema several active fields are called so.
    case ambiguous(ByteText, in: SchemaDefinition.Name, [UniqueID])
    /// No schema has such a field.
    case unknown(ByteText)
  }

  private let schemas: RecordSchemas
  /// For each schema the places of the fields.
  private let places: [SchemaDefinition.Name: [(name: ByteText, place: Int)]]

  /// Prepares to answer.
  ///
  /// - Parameters:
  ///   - names: the names, as they were written.
  ///   - schemas: the schemas of the store.
  /// - Throws: `Flaw` for a name of several fields or of none.
  package init(_ names: [ByteText], _ schemas: RecordSchemas) throws(Flaw) {
    var places: [SchemaDefinition.Name: [(name: ByteText, place: Int)]] = [:]
    for name in Set(names).sorted() {
      var isKnown = false
      for (schema, view) in schemas.views {
        switch Self.field(name, view) {
        case .none: continue
        case .ambiguous(let ids): throw .ambiguous(name, in: schema, ids)
        case .found(let id):
          guard let place = view.place(of: id) else { continue }
          places[schema, default: []].append((name, view.home(at: place)))
          isKnown = true
        }
      }
      guard isKnown else { throw .unknown(name) }
    }
    self.schemas = schemas
    self.places = places
  }

  /// The field that a name means: that of an id, else the active one that is called so, else one that is not active.
  private static func field(_ name: ByteText, _ view: SchemaView) -> SchemaLookup {
    if UniqueID(name.utf8.span) != nil {
      return view.resolve(name, nil).map { .found($0) } ?? .none
    }
    let called = view.fields.filter { $0.displayName == name }
    let active = called.filter { view.isActive($0) }
    return SchemaLookup((active.isEmpty ? called : active).map(\.pair.id))
  }

  /// What a task says.
  ///
  /// - Parameters:
  ///   - state: the task.
  ///   - order: when its members were written, as `Replay.lastWrites(of:)` has it; asked where several keys count for one field.
  /// - Returns: the values by the names; nothing for a task that is no record.
  package func values(
    of state: TaskState, _ order: () -> [[UInt8]: Int]
  ) -> [ByteText: QueryValue] {
    guard let (name, schema, keys) = schemas.keys(of: state, order), let asked = places[name]
    else { return [:] }
    var values: [ByteText: QueryValue] = [:]
    keys.forEachField { home, entries in
      for (name, place) in asked where place == home {
        guard let shown = entries.shown else { continue }
        values[name] = Self.value(shown, schema.fields[home].type)
      }
    }
    return values
  }

  private static func value(_ entry: RecordKeys.Entry, _ type: FieldType) -> QueryValue {
    guard let value = entry.content.value else {
      return entry.content.isAbsent ? .missing : QueryValue(json: entry.json)
    }
    if let time = value.time { return .time(time) }
    return QueryValue(json: value.json)
  }
}
