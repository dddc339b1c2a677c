// The names by which fields are met in records (schemas, section 2): a key has one id, and some other names that stand for it.

/// The other names of the ids of a schema's keys.
struct SchemaNames: Sendable {
  private let schema: ByteText
  /// The other names, and the id that each stands for.
  private(set) var ids: [UniqueID: UniqueID] = [:]

  /// The names of some keys.
  ///
  /// - Parameters:
  ///   - schema: the id of the schema.
  ///   - keys: the keys that its definition lists; those that the app brings along are added.
  init(_ schema: ByteText, keys: some Sequence<ByteText>) {
    self.schema = schema
    let builtIn = SchemaBuiltIns.fields(of: schema)
    let keys = Set(keys).union(builtIn.map(\.key))
    let qualified = Set(keys.map { Self.id(of: $0, in: schema) })
    for key in keys {
      let bare = UniqueID(hashing: key.utf8)
      if !qualified.contains(bare) { ids[bare] = Self.id(of: key, in: schema) }
    }
    for field in builtIn { ids[field.id] = Self.id(of: field.key, in: schema) }
  }

  /// The id of a key of a schema.
  static func id(of key: ByteText, in schema: ByteText) -> UniqueID {
    UniqueID(hashing: schema.utf8 + [UInt8(ascii: ":")] + key.utf8)
  }

  /// The id that a field stored under some id counts under.
  func id(_ id: UniqueID) -> UniqueID { ids[id] ?? id }

  /// The ids that a key in a record may mean, the likeliest first.
  func candidates(_ key: ByteText) -> [UniqueID] {
    let found =
      UniqueID(key.utf8.span).map { [$0] }
      ?? [Self.id(of: key, in: schema), UniqueID(hashing: key.utf8)]
    return found.map(id)
  }
}

/// A definition as people see it: each field under the id that it counts under, twins apart.
package struct SchemaView: Sendable {
  /// The fields in the order in which they are shown, each under the id that it is shown with.
  package let fields: [SchemaField]
  private let names: SchemaNames
  /// For each id its fields, one a type, the first of which keeps the id.
  private let twins: [UniqueID: [SchemaField]]
  private let places: [UniqueID: Int]
  /// Under which pair each field that is shown is stored.
  private let stored: [UniqueID: FieldPair]

  /// The view of a definition.
  package init(_ definition: SchemaDefinition) {
    let names = SchemaNames(definition.name.id, keys: definition.keys)
    var best: [FieldPair: SchemaField] = [:]
    for field in definition.fields {
      let pair = FieldPair(names.id(field.pair.id), field.pair.type)
      if let known = best[pair], !field.outranks(known) { continue }
      best[pair] = field
    }
    var twins: [UniqueID: [SchemaField]] = [:]
    for (pair, field) in best { twins[pair.id, default: []].append(field) }
    var stored: [UniqueID: FieldPair] = [:]
    for (id, line) in twins {
      twins[id] = line.sorted(by: Self.isOlder).enumerated().map { place, field in
        var field = field
        let shown = place == 0 ? id : Self.twin(of: id, field.pair.type)
        stored[shown] = field.pair
        field.pair = FieldPair(shown, field.pair.type)
        return field
      }
    }
    self.stored = stored
    self.names = names
    self.twins = twins
    fields = twins.values.joined().sorted(by: SchemaField.isBefore)
    places = Dictionary(
      fields.enumerated().map { ($0.element.pair.id, $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  private static func isOlder(_ one: SchemaField, _ other: SchemaField) -> Bool {
    if one.created.at != other.created.at { return one.created.at < other.created.at }
    if one.created.by != other.created.by { return one.created.by < other.created.by }
    return one.pair.type < other.pair.type
  }

  /// The id under which a field is shown whose id another type keeps.
  private static func twin(of id: UniqueID, _ type: FieldType) -> UniqueID {
    UniqueID(hashing: Array("\(id.text):\(type.rawValue)".utf8))
  }

  /// A field that is shown.
  package func field(_ id: UniqueID) -> SchemaField? { places[id].map { fields[$0] } }

  /// Under which pair a field that is shown is stored in the definition.
  package func pair(of id: UniqueID) -> FieldPair? { stored[id] }

  /// The fields of the id that a field is shown for, one a type, the oldest first.
  package func twins(of id: UniqueID) -> [SchemaField] {
    twins.values.first { $0.contains { $0.pair.id == id } } ?? []
  }

  /// The field that a key of a record names.
  ///
  /// - Parameters:
  ///   - key: a UUID of either case, or a text.
  ///   - type: the type of the value; `nil` when it is not known.
  /// - Returns: the field's shown id; `nil` for a key of nobody.
  package func resolve(_ key: ByteText, _ type: FieldType?) -> UniqueID? {
    for id in names.candidates(key) {
      if let line = twins[id] {
        return (line.first { $0.pair.type == type } ?? line[0]).pair.id
      }
      if let found = derived(id) { return found }
    }
    return nil
  }

  /// The field whose id and type an id is made of: such an id always names its type.
  private func derived(_ id: UniqueID) -> UniqueID? {
    for (own, line) in twins {
      let others = names.ids.lazy.filter { $0.value == own }.map(\.key)
      for name in [own] + others {
        if let field = line.first(where: { Self.twin(of: name, $0.pair.type) == id }) {
          return field.pair.id
        }
      }
    }
    return nil
  }

  /// Where the values of a field are shown: at the end of what it was merged into; of a circle, at its least id.
  package func home(of id: UniqueID) -> UniqueID {
    var seen: [UniqueID] = []
    var id = id
    while !seen.contains(id) {
      seen.append(id)
      guard let field = field(id), let named = field.mergedInto,
        let next = resolve(ByteText(named.text), field.pair.type),
        self.field(next)?.pair.type == field.pair.type
      else { return id }
      id = next
    }
    return seen[(seen.firstIndex(of: id) ?? 0)...].min() ?? id
  }

  /// The active fields that have their name in common with another one.
  package var collisions: [(name: ByteText, ids: [UniqueID])] {
    var found: [ByteText: [UniqueID]] = [:]
    for field in fields
    where field.visibility == .active && home(of: field.pair.id) == field.pair.id {
      found[field.displayName, default: []].append(field.pair.id)
    }
    return found.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
      .map { (name: $0.key, ids: $0.value) }
  }
}
