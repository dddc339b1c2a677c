// What a document counts for (Firestore, "Storage size calculations"): the limit of 1 MiB is one of
// these bytes, not of the bytes of its JSON.

extension FirestoreValue {
  /// The bytes that the value counts for.
  package var sizeBytes: Int {
    switch self {
    case .null, .boolean: 1
    case .integer, .double, .timestamp: 8
    case .string(let text): text.utf8.count + 1
    case .bytes(let bytes): bytes.count
    case .reference(let name):
      DocumentName(text: name)?.sizeBytes ?? name.utf8.count + DocumentName.overheadBytes
    case .geoPoint: 16
    case .array(let values): values.reduce(0) { $0 + $1.sizeBytes }
    case .map(let fields): fields.sizeBytes
    }
  }

  /// How deep maps and arrays are nested here: 0 for any other value.
  package var depth: Int {
    switch self {
    case .array(let values): 1 + (values.map(\.depth).max() ?? 0)
    case .map(let fields): 1 + fields.depth
    default: 0
    }
  }
}

extension FirestoreFields {
  /// The bytes that the names and values count for.
  package var sizeBytes: Int {
    members.reduce(0) { $0 + $1.name.utf8.count + 1 + $1.value.sizeBytes }
  }

  /// The depth of the deepest value.
  package var depth: Int { members.map(\.value.depth).max() ?? 0 }
}

extension DocumentName {
  /// What each name counts in addition to its parts.
  static let overheadBytes = 16

  /// The bytes that the name counts for.
  package var sizeBytes: Int {
    path.reduce(Self.overheadBytes) { $0 + $1.utf8.count + 1 }
  }
}

extension FirestoreDocument {
  /// The most bytes that a document may count for.
  package static let byteLimit = 1_048_576
  /// What each document counts in addition to its name and its fields.
  package static let overheadBytes = 32

  /// The bytes that the document counts for.
  package var sizeBytes: Int {
    (documentName?.sizeBytes ?? name.utf8.count) + fields.sizeBytes + Self.overheadBytes
  }
}
