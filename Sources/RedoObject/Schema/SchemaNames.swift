// The names by which fields are met in records (schemas, section 2): a key has one id, and some other names that stand for it.

/// The other names of the ids of a schema's keys.
package struct SchemaNames: Sendable {
  private let schema: ByteText
  /// The keys.
  let keys: Set<ByteText>
  /// The other names, and the id that each stands for.
  private(set) var ids: [UniqueID: UniqueID] = [:]
  /// The ids that the app gave to the fields that it brings along, by what they stand for.
  private(set) var fixed: [UniqueID: UniqueID] = [:]

  /// The id that the app gave to a field that it brings along; `nil` for another field.
  package func fixed(_ id: UniqueID) -> UniqueID? { fixed[id] }

  /// The names of some keys.
  ///
  /// - Parameters:
  ///   - schema: the id of the schema.
  ///   - keys: the keys that its definition lists; those that the app brings along are added.
  package init(_ schema: ByteText, keys: some Sequence<ByteText>) {
    self.schema = schema
    let builtIn = SchemaBuiltIns.fields(of: schema)
    let keys = Set(keys).union(builtIn.map(\.key))
    self.keys = keys
    let qualified = Set(keys.map { Self.id(of: $0, in: schema) })
    for key in keys {
      let bare = UniqueID(hashing: key.utf8)
      if !qualified.contains(bare) { ids[bare] = Self.id(of: key, in: schema) }
    }
    for field in builtIn {
      let id = Self.id(of: field.key, in: schema)
      ids[field.id] = id
      fixed[id] = field.id
    }
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

  /// The id that a key has in the schema: of a UUID the one that it stands for.
  package func ownID(of key: ByteText) -> UniqueID {
    UniqueID(key.utf8.span).map(id) ?? Self.id(of: key, in: schema)
  }
}

/// A definition as people see it: each field under the id that it counts under, twins apart.
package struct SchemaView: Sendable {
  /// The fields in the order in which they are shown, each under the id that it is shown with.
  package let fields: [SchemaField]
  private let names: SchemaNames
  /// The place of each field among `fields`, by its id.
  private let places: [UniqueID: Int]
  /// For each field those of the id that it is shown for, by their places, the oldest first.
  private let lines: [[Int]]
  /// The fields that each name in the form of a UUID may mean, by their places, the oldest first.
  private let named: [UniqueID: [Int]]
  /// The same for the keys that are known.
  private let keyed: [ByteText: [Int]]
  /// Under which pair each field is stored.
  private let stored: [FieldPair]
  /// Where the values of each field are shown.
  private let homes: [Int]

  /// The view of a definition.
  package init(_ definition: SchemaDefinition) {
    let names = SchemaNames(definition.name.id, keys: definition.keys)
    var best: [FieldPair: SchemaField] = [:]
    best.reserveCapacity(definition.fields.count)
    for field in definition.fields {
      let pair = FieldPair(names.id(field.pair.id), field.pair.type)
      if let known = best[pair], !field.outranks(known) { continue }
      best[pair] = field
    }
    var twins: [UniqueID: [SchemaField]] = [:]
    twins.reserveCapacity(best.count)
    for (pair, field) in best { twins[pair.id, default: []].append(field) }
    var shown: [(field: SchemaField, id: UniqueID, age: Int, stored: FieldPair)] = []
    for (id, line) in twins {
      for (age, field) in line.sorted(by: Self.isOlder).enumerated() {
        var seen = field
        let own = age == 0 ? id : Self.twin(of: id, field.pair.type)
        seen.pair = FieldPair(own, field.pair.type)
        shown.append((seen, id, age, field.pair))
      }
    }
    shown.sort { SchemaField.isBefore($0.field, $1.field) }
    let fields = shown.map(\.field)
    self.fields = fields
    stored = shown.map(\.stored)
    places = Dictionary(
      fields.enumerated().map { ($0.element.pair.id, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    var ofID: [UniqueID: [Int]] = [:]
    ofID.reserveCapacity(twins.count)
    for place in shown.indices { ofID[shown[place].id, default: []].append(place) }
    for id in ofID.keys { ofID[id]?.sort { shown[$0].age < shown[$1].age } }
    lines = shown.map { ofID[$0.id] ?? [] }
    let named = Self.named(ofID, fields, names)
    self.named = named
    keyed = Dictionary(
      uniqueKeysWithValues: names.keys.map { key in
        (key, Self.first(of: names.candidates(key), in: named))
      })
    self.names = names
    homes = Self.homes(of: fields, named)
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

  /// What every name in the form of a UUID means: an id and its other names each of its fields, and a name that is made of one of
  /// them and a type the field of that type.
  private static func named(
    _ ofID: [UniqueID: [Int]], _ fields: [SchemaField], _ names: SchemaNames
  ) -> [UniqueID: [Int]] {
    var owned: [UniqueID: [UniqueID]] = [:]
    for (other, id) in names.ids { owned[id, default: [id]].append(other) }
    var named: [UniqueID: [Int]] = [:]
    named.reserveCapacity(2 * fields.count + 2 * names.ids.count)
    for (id, line) in ofID {
      for name in owned[id] ?? [id] {
        for place in line { named[twin(of: name, fields[place].pair.type)] = [place] }
      }
    }
    // An id goes before a name that is made, should they ever be the same.
    named.merge(ofID) { _, line in line }
    for (other, id) in names.ids { named[other] = named[id] }
    return named
  }

  private static func first(of ids: [UniqueID], in named: [UniqueID: [Int]]) -> [Int] {
    for id in ids { if let found = named[id] { return found } }
    return []
  }

  /// For each field the end of what it was merged into; of a circle, its least id.
  private static func homes(of fields: [SchemaField], _ named: [UniqueID: [Int]]) -> [Int] {
    let next = fields.map { field in
      let targets = field.mergedInto.flatMap { named[$0] } ?? []
      return targets.first { fields[$0].pair.type == field.pair.type }
    }
    var homes = [Int](repeating: -1, count: fields.count)
    for start in fields.indices where homes[start] < 0 {
      var path: [Int] = []
      var steps: [Int: Int] = [:]
      var place = start
      while homes[place] < 0, steps[place] == nil {
        steps[place] = path.count
        path.append(place)
        place = next[place] ?? place
      }
      // The walk ends where the home is known, where nothing follows, or where it has been before.
      var home = homes[place]
      if home < 0, let step = steps[place] {
        home = path[step...].min { fields[$0].pair.id < fields[$1].pair.id } ?? place
      }
      for place in path { homes[place] = home }
    }
    return homes
  }

  // MARK: Names

  /// The place of a field that is shown, among `fields`.
  package func place(of id: UniqueID) -> Int? { places[id] }

  /// A field that is shown.
  package func field(_ id: UniqueID) -> SchemaField? { places[id].map { fields[$0] } }

  /// Under which pair a field that is shown is stored in the definition.
  package func pair(of id: UniqueID) -> FieldPair? { places[id].map { stored[$0] } }

  /// The fields of the id that a field is shown for, one a type, the oldest first.
  package func twins(of id: UniqueID) -> [SchemaField] {
    places[id].map { lines[$0].map { fields[$0] } } ?? []
  }

  /// The fields that a key of a record may mean.
  ///
  /// - Parameter key: a UUID of either case, or a text.
  /// - Returns: their places among `fields`: one a type, the oldest first; none for a key of nobody.
  package func meant(by key: ByteText) -> [Int] {
    if let id = UniqueID(key.utf8.span) { return named[id] ?? [] }
    return keyed[key] ?? Self.first(of: names.candidates(key), in: named)
  }

  /// The field that a key of a record names.
  ///
  /// - Parameters:
  ///   - key: a UUID of either case, or a text.
  ///   - type: the type of the value; `nil` when it is not known.
  /// - Returns: the field's shown id; `nil` for a key of nobody.
  package func resolve(_ key: ByteText, _ type: FieldType?) -> UniqueID? {
    let found = meant(by: key)
    let place = found.first { fields[$0].pair.type == type } ?? found.first
    return place.map { fields[$0].pair.id }
  }

  /// The id under which a key of nobody would count, were it one of the schema.
  package func ownID(of key: ByteText) -> UniqueID { names.ownID(of: key) }

  /// The id that the app gave to a field that it brings along; `nil` for another field.
  package func fixedID(of id: UniqueID) -> UniqueID? { names.fixed[id] }

  /// Where the values of a field are shown, by places among `fields`.
  package func home(at place: Int) -> Int { homes[place] }

  /// Where the values of a field are shown: at the end of what it was merged into; of a circle, at its least id.
  package func home(of id: UniqueID) -> UniqueID {
    places[id].map { fields[homes[$0]].pair.id } ?? id
  }

  /// The active fields that have their name in common with another one.
  package var collisions: [(name: ByteText, ids: [UniqueID])] {
    var found: [ByteText: [UniqueID]] = [:]
    for (place, field) in fields.enumerated()
    where field.visibility == .active && homes[place] == place {
      found[field.displayName, default: []].append(field.pair.id)
    }
    return found.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
      .map { (name: $0.key, ids: $0.value) }
  }
}
