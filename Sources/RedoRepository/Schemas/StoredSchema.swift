// The schemas of a store: each is the join of the heads of its name, so that stores with the same objects show the same, and nobody
// has to merge anything (schemas, section 1.3).

internal import RedoHistory
package import RedoObject
package import RedoStore

/// A schema as a store has it.
package struct StoredSchema: Sendable {
  /// What it is called.
  package let name: SchemaDefinition.Name
  /// The objects that no other one of the name follows, by their ids.
  package let heads: [Schema]
  /// The join of their definitions.
  package let definition: SchemaDefinition

  /// A schema of its heads; `nil` without any, and for heads of different names.
  init?(_ heads: [Schema]) {
    guard let join = SchemaDefinition.join(heads.map(\.definition)) else { return nil }
    name = join.name
    self.heads = heads.sorted { $0.id < $1.id }
    definition = join
  }
}

/// All objects of one name that some heads reach.
package struct SchemaHistory: Sendable {
  /// The objects, parents before what follows them, then by lamport, wall time and id.
  package private(set) var objects: [Schema]
  private var places: [ObjectID: Int]

  /// Reads a history.
  ///
  /// - Parameters:
  ///   - heads: where it begins.
  ///   - store: where the objects are.
  /// - Throws: `HistoryFault` or `StoreError` when one is missing or corrupt.
  package init(from heads: [ObjectID], _ store: ObjectStore) throws {
    let found = try HistoryWalk.reach(
      from: heads, store, of: .schema, parents: { (schema: Schema) in schema.parents }
    ) { object, reader throws -> Schema in
      guard let schema = reader.places.schemas.decode(object) else {
        throw HistoryFault.invalid(object)
      }
      return schema
    }
    objects = TotalOrder.positions(
      of: found.map {
        OrderEntry(id: $0.id, parents: $0.parents, lamport: $0.lamport, wall: $0.wall)
      }
    ).map { found[$0] }
    places = Dictionary(
      objects.enumerated().map { ($0.element.id, $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Adds an object that follows only what is there, before it is in the store.
  mutating func append(_ schema: Schema) {
    places[schema.id] = objects.count
    objects.append(schema)
  }

  /// What an object and those that it follows come to; `nil` for an object that is not here.
  package func object(_ id: ObjectID) -> Schema? { places[id].map { objects[$0] } }

  /// The objects that one follows, however far back, and itself.
  private func ancestors(of id: ObjectID) -> Set<ObjectID> {
    var seen: Set<ObjectID> = [id]
    var pending = [id]
    while let next = pending.popLast() {
      for parent in object(next)?.parents ?? [] where seen.insert(parent).inserted {
        pending.append(parent)
      }
    }
    return seen
  }

  /// What the objects come to that were made until an instant.
  ///
  /// - Parameter time: the instant; an object counts only if all that it follows do.
  /// - Returns: `nil` when there was none.
  package func definition(asOf time: WallTime) -> SchemaDefinition? {
    var counted: Set<ObjectID> = []
    for object in objects
    where object.wall <= time && object.parents.allSatisfy(counted.contains) {
      counted.insert(object.id)
    }
    return SchemaDefinition.join(objects.lazy.filter { counted.contains($0.id) }.map(\.definition))
  }

  /// What two objects have in common: the join of all that both follow.
  ///
  /// - Returns: `nil` when they have nothing in common.
  package func base(_ one: ObjectID, _ other: ObjectID) -> SchemaDefinition? {
    let common = ancestors(of: one).intersection(ancestors(of: other))
    return SchemaDefinition.join(common.compactMap { object($0)?.definition })
  }
}

extension Repository {
  /// All schemas, by the bytes of id and scope.
  ///
  /// - Throws: `RefsError` when the refs cannot be read; `HistoryFault` or `StoreError` when a head is missing or corrupt.
  package func schemas() throws -> [StoredSchema] { try schemas { _, error in throw error } }

  /// The schemas that can be read, by the bytes of id and scope.
  ///
  /// - Parameter unread: is told of each other one: its ref, and why.
  /// - Returns: whole ones only.
  /// - Throws: `RefsError` when the refs cannot be read; what `unread` throws.
  func schemas(unread: (RefName, any Error) throws -> Void) throws -> [StoredSchema] {
    var heads: [RefName: [ObjectID]] = [:]
    var snapshot = try snapshot()
    try snapshot.forEach(prefix: "\(ObjectKind.schema.headsFolder ?? "")/") {
      (ref) throws(RefsError) in
      heads[ref.name, default: []].append(ref.id)
      return true
    }
    var reader = NodeReader()
    return try heads.compactMap { ref, ids throws in
      do {
        return StoredSchema(try ids.map { id throws in try schemaObject(id, &reader) })
      } catch {
        try unread(ref, error)
        return nil
      }
    }.sorted { $0.name < $1.name }
  }

  /// The schema of a name; `nil` when there is none.
  ///
  /// - Throws: as `schemas`.
  package func schema(_ name: SchemaDefinition.Name) throws -> StoredSchema? {
    var snapshot = try snapshot()
    var reader = NodeReader()
    return try schema(name, &snapshot, &reader)
  }

  /// The schema of a name by some refs; `nil` when there is none.
  func schema(
    _ name: SchemaDefinition.Name, _ snapshot: inout RefsSnapshot, _ reader: inout NodeReader
  ) throws -> StoredSchema? {
    StoredSchema(
      try snapshot.ids(of: .heads(of: .schema(name))).map { id throws in
        try schemaObject(id, &reader)
      })
  }

  /// The join of some objects of one name; `nil` without any.
  func joined(_ ids: [ObjectID]) throws -> SchemaDefinition? {
    var reader = NodeReader()
    return StoredSchema(try ids.map { id throws in try schemaObject(id, &reader) })?.definition
  }

  /// The schema that somebody means, as `schemaName` has it.
  ///
  /// - Parameter text: what was typed.
  /// - Returns: the schema.
  /// - Throws: `RecordFault.noSchema`; as `schemas`.
  package func schema(named text: String) throws -> StoredSchema {
    guard let name = try schemaName(text), let found = try schema(name) else {
      throw RecordFault.noSchema(text)
    }
    return found
  }

  /// The name of the schema that somebody means: its id, `id@scope`, a ref, or one of its objects.
  ///
  /// - Parameter text: what was typed.
  /// - Returns: `nil` when there is no such schema.
  /// - Throws: as `schemas`.
  package func schemaName(_ text: String) throws -> SchemaDefinition.Name? {
    let all = try schemas()
    if let found = all.first(where: { $0.name.text == text }) { return found.name }
    if let ref = RefName(text) {
      if let found = all.first(where: { RefName.heads(of: .schema($0.name)) == ref }) {
        return found.name
      }
      var snapshot = try snapshot()
      if ref.kind == .schema, let id = try snapshot.ids(of: ref).first {
        var reader = NodeReader()
        return try schemaObject(id, &reader).definition.name
      }
    }
    guard case .id(let id) = try ObjectName.resolve(Array(text.utf8)[...], in: objects) else {
      return nil
    }
    var reader = NodeReader()
    guard let object = try reader.object(id, in: objects), object.kind == .schema else {
      return nil
    }
    return reader.places.schemas.decode(object)?.definition.name
  }

  private func schemaObject(_ id: ObjectID, _ reader: inout NodeReader) throws -> Schema {
    let object = try HistoryWalk.object(id, objects, of: .schema, &reader)
    guard let schema = reader.places.schemas.decode(object) else {
      throw HistoryFault.invalid(object)
    }
    return schema
  }
}
