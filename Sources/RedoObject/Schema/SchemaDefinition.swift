// The whole definition of a schema after one change (schemas, section 1.1), and the join of two (section 1.2), which is
// commutative, associative and idempotent: whoever has the same definitions has the same schema.

internal import CanonicalJSON
internal import RedoCrypto

/// A definition.
package struct SchemaDefinition: Hashable, Sendable {
  /// What two definitions must have in common to be joined.
  package struct Name: Hashable, Sendable {
    /// The id: `vaccine`.
    package let id: ByteText
    /// The person whose copy it is.
    package let scope: UniqueID?

    /// A name of its parts.
    package init(_ id: ByteText, scope: UniqueID? = nil) {
      self.id = id
      self.scope = scope
    }
  }

  /// What is said of the schema as a whole.
  package struct Metadata: Hashable, Sendable {
    /// For people.
    package var displayName: ByteText
    /// A picture.
    package var iconSystemName: ByteText
    /// Explains it.
    package var description: ByteText?
    /// Members that nobody here knows: an object in its RFC 8785 form.
    package var others: [UInt8]?

    /// Metadata without what may be absent.
    package init(displayName: ByteText, iconSystemName: ByteText) {
      self.displayName = displayName
      self.iconSystemName = iconSystemName
    }

    fileprivate var digest: Digest {
      var bytes: [UInt8] = []
      JSONWriter.append(to: &bytes) { json in
        json.object { json in
          if let description { json.add("description", description) }
          json.add("displayName", displayName)
          json.add("iconSystemName", iconSystemName)
          if let others { json.add("x", json: others) }
        }
      }
      return SHA256.digest(of: bytes.span)
    }
  }

  /// What it is called.
  package let name: Name
  /// What is said of it as a whole.
  package private(set) var metadata: Metadata
  /// Whether a program brings it along.
  package private(set) var isBuiltIn: Bool
  /// Its version.
  package private(set) var version: SchemaVersion
  /// The version in which `metadata` was said.
  package private(set) var metaVersion: SchemaVersion
  /// Its fields, in the order in which they are shown.
  package private(set) var fields: [SchemaField]
  /// The text ids that import met, by their bytes.
  package private(set) var keys: [ByteText]

  /// A definition of its parts, in any order.
  ///
  /// - Parameters:
  ///   - name: what it is called.
  ///   - metadata: what is said of it as a whole.
  ///   - isBuiltIn: whether a program brings it along.
  ///   - version: its version.
  ///   - metaVersion: that of the metadata, at most `version`; the same when `nil`.
  ///   - fields: its fields; of one pair the one that outranks the others counts.
  ///   - keys: the text ids.
  package init(
    _ name: Name, _ metadata: Metadata, isBuiltIn: Bool, version: SchemaVersion,
    metaVersion: SchemaVersion? = nil, fields: [SchemaField], keys: [ByteText]
  ) {
    self.name = name
    self.metadata = metadata
    self.isBuiltIn = isBuiltIn
    self.version = version
    self.metaVersion = metaVersion ?? version
    self.fields = Self.union(fields)
    self.keys = Set(keys).sorted()
    precondition(self.metaVersion <= version, "BUG: metadata of a version that is still to come")
  }

  private static func union(_ fields: [SchemaField]) -> [SchemaField] {
    var places: [FieldPair: Int] = [:]
    var best: [SchemaField] = []
    for field in fields {
      if let place = places[field.pair] {
        if field.outranks(best[place]) { best[place] = field }
      } else {
        places[field.pair] = best.count
        best.append(field)
      }
    }
    return inOrder(best)
  }

  /// Fields in the order in which they are shown.
  private static func inOrder(_ fields: [SchemaField]) -> [SchemaField] {
    if !zip(fields, fields.dropFirst()).contains(where: { SchemaField.isBefore($1, $0) }) {
      return fields
    }
    // Only what decides is moved about: a field is large.
    let order = fields.enumerated().map { place, field in
      (order: field.displayOrder, pair: field.pair, place: place)
    }.sorted { one, other in
      if one.order != other.order { return one.order < other.order }
      if one.pair.id != other.pair.id { return one.pair.id < other.pair.id }
      return one.pair.type < other.pair.type
    }
    return order.map { fields[$0.place] }
  }

  // MARK: Join

  /// The join of two definitions.
  ///
  /// - Parameter other: another one.
  /// - Returns: `nil` for definitions of different names (rule `schema-id-mismatch`).
  package func joined(with other: SchemaDefinition) -> SchemaDefinition? {
    guard name == other.name else { return nil }
    let said = isSaidLater(than: other) ? self : other
    return SchemaDefinition(
      name, said.metadata, isBuiltIn: isBuiltIn || other.isBuiltIn,
      version: max(version, other.version), metaVersion: said.metaVersion,
      fields: fields + other.fields, keys: keys + other.keys)
  }

  private func isSaidLater(than other: SchemaDefinition) -> Bool {
    if metaVersion != other.metaVersion { return metaVersion > other.metaVersion }
    return metadata != other.metadata && metadata.digest.isLarger(than: other.metadata.digest)
  }

  /// Whether nothing of it is lacking in another: their join is the other.
  package func isContained(in other: SchemaDefinition) -> Bool { joined(with: other) == other }

  /// The same after an edit.
  ///
  /// - Parameters:
  ///   - version: that of the edit.
  ///   - metadata: what is said of the schema as a whole from now on; where it changes, it is of this version.
  ///   - changed: fields that are new, or take the place of those of their pairs.
  ///   - newKeys: text ids that are new.
  /// - Returns: the definition; `nil` when nothing changes.
  package func edited(
    _ version: SchemaVersion, metadata: Metadata? = nil, fields changed: [SchemaField] = [],
    keys newKeys: [ByteText] = []
  ) -> SchemaDefinition? {
    let metadata = metadata ?? self.metadata
    let added = Set(newKeys).subtracting(keys)
    guard metadata != self.metadata || !changed.isEmpty || !added.isEmpty else { return nil }
    let pairs = Set(changed.map(\.pair))
    return SchemaDefinition(
      name, metadata, isBuiltIn: isBuiltIn, version: version,
      metaVersion: metadata == self.metadata ? metaVersion : nil,
      fields: fields.filter { !pairs.contains($0.pair) } + changed, keys: keys + added)
  }

  /// The joins of definitions of several names.
  ///
  /// - Parameter all: any number.
  /// - Returns: a definition for each name, in the order in which the names come first.
  package static func joinedByName(_ all: some Sequence<SchemaDefinition>) -> [SchemaDefinition] {
    var joins: [SchemaDefinition] = []
    var places: [Name: Int] = [:]
    for one in all {
      if let place = places[one.name] {
        joins[place] = joins[place].joined(with: one) ?? joins[place]
      } else {
        places[one.name] = joins.count
        joins.append(one)
      }
    }
    return joins
  }

  /// The join of some definitions of one name.
  ///
  /// - Parameter all: any number.
  /// - Returns: `nil` for none, and for definitions of different names.
  package static func join(_ all: some Sequence<SchemaDefinition>) -> SchemaDefinition? {
    var joined: SchemaDefinition?
    for one in all {
      guard let known = joined else {
        joined = one
        continue
      }
      guard let both = known.joined(with: one) else { return nil }
      joined = both
    }
    return joined
  }

  // MARK: Writing

  /// Its RFC 8785 form.
  package var canonical: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// Appends its RFC 8785 form.
  package func append(to output: inout [UInt8]) {
    JSONWriter.append(to: &output) { json in
      json.object { json in
        if let description = metadata.description { json.add("description", description) }
        json.add("displayName", metadata.displayName)
        json.addArray("fields") { json in
          for field in fields {
            var bytes: [UInt8] = []
            field.append(to: &bytes)
            json.value(json: bytes)
          }
        }
        json.add("iconSystemName", metadata.iconSystemName)
        json.add("id", name.id)
        json.add("isBuiltIn", isBuiltIn)
        json.add("keys", keys)
        if metaVersion != version { json.add("metaVersion", json: Self.json(metaVersion)) }
        if let scope = name.scope { json.add("scope", scope.text) }
        json.add("version", json: Self.json(version))
        if let others = metadata.others { json.add("x", json: others) }
      }
    }
  }

  private static func json(_ version: SchemaVersion) -> [UInt8] {
    var bytes: [UInt8] = []
    version.append(to: &bytes)
    return bytes
  }
}
