// Names of objects as people write them: whole IDs, with or without prefix, and abbreviations.

internal import RedoCrypto
package import RedoObject
package import RedoStore

/// What a written name resolves to.
package enum ObjectName: Equatable {
  /// A whole ID; whether such an object exists is a separate question.
  case id(ObjectID)
  /// An abbreviation of several objects.
  case ambiguous([ObjectID])
  /// An abbreviation of no object.
  case missing
  /// Not an ID at all.
  case malformed(hint: String?)

  /// The shortest abbreviation, as in git.
  package static let shortest = 4

  /// Resolves a name.
  ///
  /// - Parameters:
  ///   - text: `sha256:` is optional, hex digits are lower case; or a CID.
  ///   - store: where abbreviations are looked up.
  /// - Returns: what it resolves to.
  /// - Throws: `StoreError` when the store cannot be read.
  package static func resolve(
    _ text: ArraySlice<UInt8>, in store: ObjectStore
  ) throws -> ObjectName {
    if let id = ObjectID(name: text.span) { return .id(id) }
    var digits = text
    if ObjectID.hasPrefix(text.span) { digits = digits.dropFirst(ObjectID.prefixCount) }
    guard digits.count >= shortest, digits.count < ObjectID.hexCount,
      digits.allSatisfy({ Hex.value($0) < 16 })
    else { return .malformed(hint: EncodingHint.text(for: Array(text).span)) }
    let ids = try store.list(prefix: String(decoding: digits, as: UTF8.self))
    return ids.count == 1 ? .id(ids[0]) : ids.isEmpty ? .missing : .ambiguous(ids)
  }

  /// The one object that a name on the command line must resolve to.
  ///
  /// - Throws: `NameFault` for anything else, with the candidates of an ambiguous name.
  package static func one(_ text: String, in store: ObjectStore) throws -> ObjectID {
    switch try resolve(Array(text.utf8)[...], in: store) {
    case .id(let id): return id
    case .missing: throw NameFault.noObject(name: text)
    case .malformed: throw NameFault.malformedObject(name: text)
    case .ambiguous(let ids):
      throw NameFault.ambiguousObject(name: text, ObjectCandidates(ids, store))
    }
  }
}

/// The objects that an ambiguous name may mean.
package struct ObjectCandidates: Sendable {
  /// One of them.
  package struct Row: Sendable {
    /// The object.
    package let id: ObjectID
    /// When it was made and its action, if it is a node; the action is unescaped.
    package let node: (wall: WallTime, action: [UInt8]?)?
  }

  /// The most candidates that are listed.
  private static let limit = 20

  /// The first of them.
  package let rows: [Row]
  /// How many there are.
  package let count: Int

  /// Creates a list of objects with what is known about them.
  ///
  /// - Parameters:
  ///   - ids: the objects.
  ///   - store: where they are; one that cannot be read is listed with its ID alone.
  package init(_ ids: [ObjectID], _ store: ObjectStore) {
    var reader = NodeReader()
    rows = ids.prefix(Self.limit).map { id in
      let node = (try? reader.node(id, in: store)) ?? nil
      return Row(id: id, node: node.map { ($0.wall, $0.escapedText(.action).map(Array.init)) })
    }
    count = ids.count
  }
}
