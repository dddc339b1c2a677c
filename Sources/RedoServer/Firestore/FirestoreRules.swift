// Who may do what, as `firestore/firestore.rules` tells Google's service: of the two texts of the schema
// the stricter one, which requires that the id of a node is the document's. Replicas, which Google's service does not
// know, see all nodes, and are bound by the rules otherwise.

internal import FirestoreModel

/// The client of a request.
enum FirestoreCaller: Equatable, Sendable {
  /// An anonymous client.
  case nobody
  /// An account; its declaration decides whether it may write at all, and whether it sees all nodes.
  case user(OAuthID, mayWrite: Bool, seesAll: Bool)
  /// A client to whom the rules do not apply, such as a service account; its name, for logs.
  case admin(String)

  /// Whether the rules do not apply to this client.
  var isAdmin: Bool { if case .admin = self { true } else { false } }

  /// Whether nodes are shown to this client whatever their access lists say.
  var seesAll: Bool {
    switch self {
    case .nobody: false
    case .user(_, _, let seesAll): seesAll
    case .admin: true
    }
  }

  /// The client's id as queries compare it; `nil` without one.
  var reader: [UInt8]? {
    guard case .user(let id, _, _) = self else { return nil }
    return OrderedValue.bytes(.string(id.text))
  }
}

/// The security rules.
enum FirestoreRules {
  /// Whether a client may read a document.
  ///
  /// - Parameters:
  ///   - caller: the client.
  ///   - key: the document's name.
  ///   - row: the known row; `nil` when it does not exist.
  /// - Returns: whether the client may; a node that does not exist belongs to nobody.
  static func allowsRead(_ caller: FirestoreCaller, _ key: DocumentKey, _ row: DocumentRow?) -> Bool
  {
    guard case .user(let id, _, _) = caller else { return caller.isAdmin }
    if let owner = owner(of: key) { return owner == id }
    guard isNode(key), let row, let reader = caller.reader else { return false }
    return caller.seesAll || row.held.isReadable(by: reader)
  }

  /// Whether a client may create a document.
  ///
  /// - Parameters:
  ///   - caller: the client.
  ///   - key: the document's name.
  ///   - fields: the contents that it would have.
  /// - Returns: whether he may.
  static func allowsCreate(
    _ caller: FirestoreCaller, _ key: DocumentKey, _ fields: FirestoreFields
  ) -> Bool {
    guard case .user(let id, let mayWrite, _) = caller else { return caller.isAdmin }
    guard mayWrite else { return false }
    if let owner = owner(of: key) { return owner == id }
    guard isNode(key), case .array(let readers) = fields["accessList"],
      readers.contains(.string(id.text)), let version = fields["version"],
      OrderedValue.bytes(version) == OrderedValue.bytes(.integer(1)),
      case .string(let name) = fields["id"]
    else { return false }
    return Array(name.utf8) == key.id
  }

  /// Whether a client may change or delete a document: nodes never, the document of its own account always.
  static func allowsChange(_ caller: FirestoreCaller, _ key: DocumentKey) -> Bool {
    guard case .user(let id, let mayWrite, _) = caller else { return caller.isAdmin }
    return mayWrite && owner(of: key) == id
  }

  /// The account to which the document belongs.
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

  /// The refusal; it does not reveal what exists.
  static let refusal = FirestoreError(
    .permissionDenied, "missing or insufficient permissions (the security rules refuse it)")
}
