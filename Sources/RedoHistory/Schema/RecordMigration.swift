// The one UPDATE after which every value of a record stands typed under the id of its field, and old keys are null (schemas, section
// 2). Nothing needs it to be read, and a second one has nothing to write. What is no value of its field stays as it stands.

internal import CanonicalJSON
internal import RedoObject

/// How fields that were merged, and have values that differ, come to one.
package enum RecordMergeStrategy: Hashable, Sendable {
  /// The value of the target and then those of the sources: texts with a separator between them, lists as one without repetitions.
  case concatenate(separator: String)
  /// That of the first source.
  case source
  /// That of the target.
  case target

  /// Reads `concatenate`, `concatenate:<separator>`, `source` or `target`.
  package init?(_ text: String) {
    switch text {
    case "concatenate": self = .concatenate(separator: " ")
    case "source": self = .source
    case "target": self = .target
    default:
      let start = "concatenate:"
      guard text.hasPrefix(start) else { return nil }
      self = .concatenate(separator: String(text.dropFirst(start.count)))
    }
  }

  /// The one value; `nil` where there is none, as of numbers that would have to be concatenated.
  fileprivate func value(of entries: [RecordKeys.Entry]) -> RecordValue? {
    let values = entries.compactMap(\.content.value)
    switch self {
    case .target: return values.first
    case .source:
      return entries.first { $0.place != $0.home }?.content.value ?? values.first
    case .concatenate(let separator):
      guard let type = values.first?.type else { return nil }
      if type == .string {
        let texts = values.compactMap(\.text).filter { !$0.isEmpty }
        let text = Array(texts.joined(separator: Array(separator.utf8)))
        return RecordValue(texts: [String(decoding: text, as: UTF8.self)], as: type)
      }
      guard type == .stringArray || type == .attachmentIds else { return nil }
      var seen: Set<[UInt8]> = []
      let all = values.compactMap(\.elements).joined().filter { seen.insert($0).inserted }
      return RecordValue(texts: all.map { String(decoding: $0, as: UTF8.self) }, as: type)
    }
  }
}

/// What a record needs so that its values stand as they would be written now.
struct RecordMigration {
  /// What is to become of some keys.
  private struct Move {
    /// The id of the field, under which the value is to stand.
    let key: [UInt8]
    /// `nil` where nothing is to stand there.
    let value: RecordValue?
    /// The keys that count for the field now, and, where fields were merged, the places of their fields.
    let names: [[UInt8]]
    let places: Set<Int>
  }

  private let schema: RecordSchema
  private let strategy: RecordMergeStrategy?
  private var moves: [Move] = []
  /// The keys that stay as they are.
  private var kept: Set<[UInt8]> = []
  /// The places of the fields whose values stay as they are.
  private var keptPlaces: Set<Int> = []

  init(_ keys: RecordKeys, _ schema: RecordSchema, _ strategy: RecordMergeStrategy?) {
    self.schema = schema
    self.strategy = strategy
    keys.forEachField { home, entries in add(entries, at: home) }
    // What would take the place of a value that stays, or hide it, stays as well.
    while let place = moves.firstIndex(where: { isBlocked($0) }) {
      let move = moves.remove(at: place)
      kept.formUnion(move.names)
      keptPlaces.formUnion(move.places)
    }
  }

  private func isBlocked(_ move: Move) -> Bool {
    kept.contains(move.key)
      || move.names.contains { name in
        guard name != move.key, let place = nullPlace(name) else { return false }
        return !move.places.contains(place) && keptPlaces.contains(place)
      }
  }

  /// The place of the field that a null under a key is for: the first that the key may mean, whatever stands there now.
  private func nullPlace(_ name: [UInt8]) -> Int? {
    schema.view.meant(by: RecordKeys.key(name)).first
  }

  /// Finds where the values of a field are to stand.
  private mutating func add(_ entries: ArraySlice<RecordKeys.Entry>, at home: Int) {
    let winners = entries.winners
    // The target comes first, whatever its place.
    let present =
      (winners.filter { $0.place == home } + winners.filter { $0.place != home })
      .filter { !$0.content.isAbsent }
    let isReadable = present.allSatisfy { $0.content.value != nil }
    let decided = entries.isConflict ? strategy?.value(of: present) : present.first?.content.value
    if isReadable, !entries.isConflict || decided != nil {
      moves.append(move(decided, of: entries, to: home))
      return
    }
    // Each of the merged fields for itself.
    for winner in winners {
      let line = entries.filter { $0.place == winner.place }
      if case .wrong = winner.content {
        kept.formUnion(line.map(\.name))
        keptPlaces.insert(winner.place)
      } else {
        moves.append(move(winner.content.value, of: line[...], to: winner.place))
      }
    }
  }

  private func move(
    _ value: RecordValue?, of entries: ArraySlice<RecordKeys.Entry>, to place: Int
  ) -> Move {
    Move(
      key: schema.fields[place].key, value: value, names: entries.map(\.name),
      places: Set(entries.map(\.place)))
  }

  /// What an UPDATE has to write.
  ///
  /// - Parameter members: the members of the task.
  /// - Returns: the members of the UPDATE, by name; none when all stands as it should.
  func changes(to members: [[UInt8]: [UInt8]]) -> RecordMembers {
    let null = Array("null".utf8)
    var wanted: [[UInt8]: [UInt8]] = [:]
    for move in moves {
      for name in move.names where !FieldKey.other(name).isNoContent { wanted[name] = null }
    }
    for move in moves { wanted[move.key] = move.value?.typed ?? null }
    var changes = wanted.filter { members[$0.key] ?? null != $0.value }
    // A null that is written now hides what was written before, unless that is written again beside it. A key that stays has nothing
    // that could be hidden, and must not become the last one that was written.
    for (name, json) in changes where json == null {
      guard let place = nullPlace(name) else { continue }
      let key = schema.fields[place].key
      guard !kept.contains(key) else { continue }
      if changes[key] == nil, let json = members[key], json != null { changes[key] = json }
    }
    return RecordSchemas.sorted(changes)
  }
}

extension RecordSchemas {
  /// What an UPDATE has to write so that every value of a record stands typed under the id of its field.
  ///
  /// - Parameters:
  ///   - state: the task.
  ///   - strategy: how fields that were merged come to one value; with `nil` those stay that differ.
  ///   - order: when its members were written, as `Replay.lastWrites(of:)` has it; asked where several keys count for one field.
  /// - Returns: the members of the UPDATE, by name; none when there is nothing to write.
  package func migration(
    of state: TaskState, _ strategy: RecordMergeStrategy?, _ order: () -> [[UInt8]: Int]
  ) -> RecordMembers {
    let members = state.unsortedMembers
    guard let head = RecordHead(members), let schema = schema(head.schemaID, person: head.person)
    else { return [] }
    let keys = RecordKeys(members, schema, order)
    return RecordMigration(keys, schema, strategy).changes(to: members)
  }

  /// Members in the order of RFC 8785.
  static func sorted(_ members: [[UInt8]: [UInt8]]) -> RecordMembers {
    members.map { (MemberName(escaped: $0.key), $0.key, $0.value) }
      .sorted { $0.0 < $1.0 }.map { (name: $0.1, value: $0.2) }
  }

  /// Members as the content of a node: RFC 8785.
  package static func content(_ members: RecordMembers) -> [UInt8] {
    var content: [UInt8] = []
    JSONWriter.append(to: &content) { json in
      json.object { json in
        for member in sorted(Dictionary(members, uniquingKeysWith: { first, _ in first })) {
          json.name(escaped: member.name)
          json.value(json: member.value)
        }
      }
    }
    return content
  }
}
