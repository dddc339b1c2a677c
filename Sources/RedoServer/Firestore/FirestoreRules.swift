// Who may do what, as `firestore/firestore.rules` says it to Google's service: of the two texts of the schema
// the stricter one, which wants the id of a node to be the document's.

internal import FirestoreModel

/// Who asks.
enum FirestoreCaller: Equatable, Sendable {
  /// Nobody in particular.
  case nobody
  /// An account; whether it may write at all is settled where it is declared.
  case user(OAuthID, mayWrite: Bool)
  /// Somebody for whom the rules do not hold, as service accounts are; his name, for logs.
  case admin(String)

  /// Whether the rules do not hold for him.
  var isAdmin: Bool { if case .admin = self { true } else { false } }

  /// His id as queries compare it; `nil` for who has none.
  var reader: [UInt8]? {
    guard case .user(let id, _) = self else { return nil }
    return OrderedValue.bytes(.string(id.text))
  }
}

/// The security rules.
enum FirestoreRules {
  /// Whether somebody may read a document.
  ///
  /// - Parameters:
  ///   - caller: who asks.
  ///   - key: the document's name.
  ///   - row: what is known of it; `nil` when there is none.
  /// - Returns: whether he may; a node that is not there is nobody's.
  static func allowsRead(_ caller: FirestoreCaller, _ key: DocumentKey, _ row: DocumentRow?) -> Bool
  {
    guard case .user(let id, _) = caller else { return caller.isAdmin }
    if let owner = owner(of: key) { return owner == id }
    guard isNode(key), let row, let reader = caller.reader else { return false }
    return row.held.isReadable(by: reader)
  }

  /// Whether somebody may make a document.
  ///
  /// - Parameters:
  ///   - caller: who asks.
  ///   - key: the document's name.
  ///   - fields: what it would hold.
  /// - Returns: whether he may.
  static func allowsCreate(
    _ caller: FirestoreCaller, _ key: DocumentKey, _ fields: FirestoreFields
  ) -> Bool {
    guard case .user(let id, let mayWrite) = caller else { return caller.isAdmin }
    guard mayWrite else { return false }
    if let owner = owner(of: key) { return owner == id }
    guard isNode(key), case .array(let readers) = fields["accessList"],
      readers.contains(.string(id.text)), let version = fields["version"],
      OrderedValue.bytes(version) == OrderedValue.bytes(.integer(1)),
      case .string(let name) = fields["id"]
    else { return false }
    return Array(name.utf8) == key.id
  }

  /// Whether somebody may change or delete a document: nodes never, his own account's document always.
  static func allowsChange(_ caller: FirestoreCaller, _ key: DocumentKey) -> Bool {
    guard case .user(let id, let mayWrite) = caller else { return caller.isAdmin }
    return mayWrite && owner(of: key) == id
  }

  /// The account whose document it is.
  private static func owner(of key: DocumentKey) -> OAuthID? {
    guard case .other = key else { return nil }
    let names = key.names
    guard names.count == 2, names[0] == DocumentKey.users else { return nil }
    return try? OAuthID(names[1])
  }

  private static func isNode(_ key: DocumentKey) -> Bool {
    if case .node = key { return true }
    let names = key.names
    return names.count == 2 && names[0] == DocumentKey.nodes
  }

  /// What is said to whoever may not; it tells nothing of what is there.
  static let refusal = FirestoreError(
    .permissionDenied, "missing or insufficient permissions (the security rules refuse it)")
}
