// The members of a document of `nodes` that queries can ask for, held in memory as bytes in their order; of
// all others a document is read for. Their size has a limit, so memory has one for each document.

internal import FirestoreModel

/// The members of a document that are held.
struct HeldMembers: Sendable {
  /// The members, in the order in which they are held; `accessList` is looked at most.
  static let paths: [FieldPath] = [
    FieldPath("accessList"), FieldPath("createdAt"), FieldPath("timestamp", "lamport"),
    FieldPath("timestamp", "wall"), FieldPath("author", "userId"),
    FieldPath("author", "deviceId"), FieldPath("action"), FieldPath("taskId"), FieldPath("id"),
  ]
  /// The other members, which Google's service does not index either.
  static let exempt: [FieldPath] = [
    FieldPath("canonical"), FieldPath("data"), FieldPath("parents"), FieldPath("signature"),
    FieldPath("version"),
  ]
  /// The places of the members that have a name here.
  static let accessList = 0
  static let createdAt = 1

  /// The most bytes of one member; of an array, of one element (Firestore's limit of indexed values).
  static let valueLimit = 1500
  /// The bytes that a text takes in addition to its own.
  private static let frameBytes = 3
  /// The most bytes of all of them (Firestore's limit of an index entry).
  static let byteLimit = 7680

  /// For each member two bytes with its length, then its value; 0 for a missing one.
  let bytes: [UInt8]

  /// What was written to a log.
  init(bytes: [UInt8]) { self.bytes = bytes }

  /// No members.
  static let none = HeldMembers(bytes: [])

  /// The members of a document.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a member that is too long, by name.
  init(_ fields: FirestoreFields) throws(FirestoreError) {
    var bytes: [UInt8] = []
    for path in Self.paths {
      guard let value = fields[path] else {
        bytes += [0, 0]
        continue
      }
      let ordered = OrderedValue.bytes(value)
      let longest = OrderedValue.elements(ordered[...])?.map(\.count).max() ?? ordered.count
      guard longest <= Self.valueLimit + Self.frameBytes, ordered.count <= Self.byteLimit else {
        throw FirestoreError(
          .invalidArgument,
          "'\(path.text)' is too long to be indexed: more than \(Self.valueLimit) bytes, or "
            + "\(Self.byteLimit) for an array")
      }
      bytes += [UInt8(ordered.count >> 8), UInt8(ordered.count & 0xFF)]
      bytes += ordered
    }
    guard bytes.count <= Self.byteLimit else {
      throw FirestoreError(
        .invalidArgument, "the indexed members have more than \(Self.byteLimit) bytes together")
    }
    self.bytes = bytes
  }

  /// The bytes of a member.
  ///
  /// - Parameter place: its place in `paths`.
  /// - Returns: `nil` when the document has none.
  func value(_ place: Int) -> ArraySlice<UInt8>? {
    var start = 0
    for _ in 0..<place {
      guard start + 1 < bytes.count else { return nil }
      start += 2 + (Int(bytes[start]) << 8 | Int(bytes[start + 1]))
    }
    guard start + 1 < bytes.count else { return nil }
    let count = Int(bytes[start]) << 8 | Int(bytes[start + 1])
    guard count > 0, start + 2 + count <= bytes.count else { return nil }
    return bytes[start + 2..<start + 2 + count]
  }

  /// Whether an account is on the access list.
  ///
  /// - Parameter reader: the bytes of his id.
  /// - Returns: whether he is.
  func isReadable(by reader: [UInt8]) -> Bool {
    guard let list = value(Self.accessList) else { return false }
    return OrderedValue.elements(list)?.contains { $0.elementsEqual(reader) } ?? false
  }

  /// The elements of the access list.
  var readers: [[UInt8]] {
    guard let list = value(Self.accessList) else { return [] }
    return (OrderedValue.elements(list) ?? []).map(Array.init)
  }

  /// When it was made, in bytes; nothing when the document does not say so.
  var createdAt: ArraySlice<UInt8> { value(Self.createdAt) ?? [] }
}
