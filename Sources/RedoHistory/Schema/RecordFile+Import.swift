// What a record of a file becomes in a store (schemas, section 2): typed values under UUIDs at once.

internal import CanonicalJSON
internal import RedoObject

extension RecordSchemas {
  /// The members of the CREATE of a record, but for its title.
  ///
  /// - Parameter entry: the record as the file has it.
  /// - Returns: the members, by name; what is no value of its field stands as it is.
  package func members(of entry: RecordFile.Entry) -> RecordMembers {
    var members: [[UInt8]: [UInt8]] = [:]
    // Of several keys of one field the id counts, else the least one.
    let placed = entry.values.map { (key: $0.key.utf8, place: place($0.key, $0.json, of: entry)) }
    for (key, place) in placed.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) })
    where members[place.name] == nil || key == place.name {
      members[place.name] = place.json
    }
    if let schema = entry.schemaID {
      members[Array("schemaId".utf8)] = Self.quoted(schema.utf8)
    }
    if let person = entry.person {
      members[Array("personId".utf8)] = Self.quoted(Array(person.text.utf8))
    }
    if let time = entry.createdAt {
      members[Array("createdAt".utf8)] = Self.quoted(Array(time.text.utf8))
    }
    if let time = entry.updatedAt {
      members[Array("updatedAt".utf8)] = Self.quoted(Array(time.text.utf8))
    }
    return Self.sorted(members)
  }

  static func quoted(_ text: [UInt8]) -> [UInt8] {
    var json: [UInt8] = []
    JSONWriter.appendString(text.span, to: &json)
    return json
  }

  /// Under which id a value is written, and how.
  private func place(
    _ key: ByteText, _ json: [UInt8], of entry: RecordFile.Entry
  ) -> (name: [UInt8], json: [UInt8]) {
    let schema = entry.schemaID.flatMap { self.schema($0, person: entry.person) }
    if let schema {
      let meant = schema.view.meant(by: key)
      if !meant.isEmpty {
        let (place, content) = RecordContent.read(json, for: meant, of: schema)
        return (schema.fields[place].key, content.value?.typed ?? json)
      }
    }
    let id = Self.ownID(of: key, schema, entry.schemaID)
    return (Array(id.text.utf8), json)
  }

  /// The id of a key that no field counts for.
  static func ownID(
    of key: ByteText, _ schema: RecordSchema?, _ schemaID: ByteText?
  ) -> UniqueID {
    if let schema { return schema.view.ownID(of: key) }
    if let schemaID { return SchemaNames(schemaID, keys: []).ownID(of: key) }
    return UniqueID(key.utf8.span) ?? UniqueID(hashing: key.utf8)
  }

  /// The id that the app gave to a field of a schema that it brings along, whether or not that is here.
  static func fixedID(of id: UniqueID, _ schemaID: ByteText) -> UniqueID? {
    SchemaNames(schemaID, keys: []).fixed(id)
  }

  /// Whether a file says of a value what the app would say of one that is here: times of a day and fractions are not told by it.
  private static func isSame(_ told: [UInt8], as known: [UInt8]?) -> Bool {
    guard let known else { return false }
    if told == known { return true }
    let app = RecordFile.Reader.app
    if let value = RecordContent.typed(known)?.value {
      return value.type == .date
        && RecordContent.typed(app.json(of: value))?.value == RecordContent.typed(told)?.value
    }
    // When it was made, and the like.
    guard let time = RecordValue(known, as: .date)?.time else { return false }
    return RecordValue(quoted(Array(app.text(of: time).utf8)), as: .date)
      == RecordValue(told, as: .date)
  }

  /// What a record of a file changes of one that is here.
  ///
  /// - Parameters:
  ///   - entry: the record as the file has it.
  ///   - state: the task of its id.
  ///   - order: when the members of the task were written, as `Replay.lastWrites(of:)` has it; asked where several keys count for one
  ///     field.
  /// - Returns: the members of the UPDATE, by name; none unless the file's is the later one. What the file lacks stays.
  package func changes(
    by entry: RecordFile.Entry, to state: TaskState, _ order: () -> [[UInt8]: Int]
  ) -> RecordMembers {
    let members = state.unsortedMembers
    guard let updatedAt = entry.updatedAt, let known = state.recordUpdated, updatedAt > known else {
      return []
    }
    let wanted = self.members(of: entry)
    guard let head = RecordHead(members), let schema = schema(head.schemaID, person: head.person)
    else { return wanted.filter { !Self.isSame($0.value, as: members[$0.name]) } }
    let keys = RecordKeys(members, schema, order)
    var shown = members
    keys.forEachField { _, entries in
      for winner in entries.winners {
        shown[schema.fields[winner.place].key] = winner.content.value?.typed ?? winner.json
      }
    }
    let changes = wanted.filter { !Self.isSame($0.value, as: shown[$0.name]) }
    return Self.sorted(
      keys.saving(
        Dictionary(
          changes.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }), schema))
  }
}

extension TaskState {
  /// When a record was made: what it says, else the time of its CREATE.
  var recordCreated: WallTime? {
    date(Array("createdAt".utf8)) ?? WallTime.parse(created.span)?.time
  }

  /// When a record was changed last: what it says, else the time of its last change.
  var recordUpdated: WallTime? {
    if let time = date(Array("updatedAt".utf8)) { return time }
    let text = lastUpdated ?? created
    return WallTime.parse(text.span)?.time
  }

  private func date(_ name: [UInt8]) -> WallTime? {
    unsortedMembers[name].flatMap { RecordValue($0, as: .date)?.time }
  }
}
