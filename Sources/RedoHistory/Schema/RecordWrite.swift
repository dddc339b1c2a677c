// What is written so that fields of a record have some values (schemas, section 2): typed, under the ids with which they are shown.

internal import CanonicalJSON
package import RedoObject

extension RecordSchemas {
  /// What an UPDATE has to write so that fields have some values.
  ///
  /// - Parameters:
  ///   - values: the values by the ids of the fields as they are shown; `nil` where there is to be none.
  ///   - state: the record.
  ///   - now: when that is written: what a record says of its last change is kept true.
  ///   - order: when its members were written, as `Replay.lastWrites(of:)` has it; asked where several keys count for one field.
  /// - Returns: the members of the UPDATE, by name; none when they have these values, and for a task that is no record, or whose
  ///   schema is not there. Of fields that were merged the target is written; without a value none of them has one.
  package func members(
    setting values: [UniqueID: RecordValue?], in state: TaskState, now: WallTime? = nil,
    _ order: () -> [[UInt8]: Int]
  ) -> RecordMembers {
    let members = state.unsortedMembers
    guard let head = RecordHead(members), let schema = schema(head.schemaID, person: head.person)
    else { return [] }
    var wanted: [Int: RecordValue?] = [:]
    for (id, value) in values {
      if let place = schema.view.place(of: id) { wanted[schema.view.home(at: place)] = value }
    }
    let keys = RecordKeys(members, schema, order)
    var changes: [[UInt8]: [UInt8]] = [:]
    keys.forEachField { home, entries in
      guard let value = wanted.removeValue(forKey: home) else { return }
      if let value {
        let own = entries.winners.first { $0.place == home }
        if own?.content.value != value { changes[schema.fields[home].key] = value.typed }
      } else {
        for winner in entries.winners where !winner.content.isAbsent {
          changes[schema.fields[winner.place].key] = Array("null".utf8)
        }
      }
    }
    for (home, value) in wanted {
      if let value { changes[schema.fields[home].key] = value.typed }
    }
    var saved = keys.saving(changes, schema)
    // Otherwise a file from before the change would count as the later one.
    let updated = Array("updatedAt".utf8)
    if !saved.isEmpty, let now, members[updated] != nil {
      saved[updated] = Self.quoted(Array(now.text.utf8))
    }
    return Self.sorted(saved)
  }
}

extension RecordKeys {
  /// What has to be written beside some members, so that they take the place of no value of another field.
  ///
  /// - Parameters:
  ///   - changes: the members.
  ///   - schema: the schema of the record.
  /// - Returns: the members, and those values under the ids of their own fields.
  func saving(_ changes: [[UInt8]: [UInt8]], _ schema: RecordSchema) -> [[UInt8]: [UInt8]] {
    var changes = changes
    forEachField { _, entries in
      for winner in entries.winners {
        let key = schema.fields[winner.place].key
        guard key != winner.name, changes[winner.name] != nil, changes[key] == nil else { continue }
        changes[key] = winner.content.value?.typed ?? winner.json
      }
    }
    return changes
  }
}
