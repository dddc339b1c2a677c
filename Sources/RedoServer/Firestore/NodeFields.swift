// Nodes of the store as documents, and posted documents as nodes.

internal import FirestoreModel
internal import RedoObject

/// Converts nodes to documents and back.
enum NodeFields {
  /// Why a document is not a node.
  struct Unfit: Error {
    let message: String
  }

  /// The node that a posted document holds.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - id: its id.
  /// - Returns: a node whose hash is that id, not judged otherwise.
  static func object(
    of document: FirestoreDocument, _ id: ObjectID
  ) -> Result<StoredObject, Unfit> {
    switch NodeDocument.recover(document) {
    case .recovered(let node) where node.id == id: .success(node.object)
    case .recovered(let node): .failure(Unfit(message: "it holds the node '\(node.id.text)'"))
    case .unfit(let unfit): .failure(Unfit(message: unfit.message))
    }
  }

  /// Whether the fields of a document say what the node says that it holds.
  ///
  /// A body in `canonical` stands beside the fields for people and queries, which may say anything.
  ///
  /// - Parameters:
  ///   - fields: the fields of a document.
  ///   - object: the node that it holds.
  /// - Returns: whether they do, apart from who may read it and when it was made.
  static func areTrue(_ fields: FirestoreFields, to object: StoredObject) -> Bool {
    guard fields[NodeDocument.canonicalField] != nil else { return true }
    guard
      var own = try? NodeDocument.fields(
        of: object.canonical, id: object.id, signature: object.signature, accessList: [nobody])
    else { return false }
    var stated = fields
    for name in [NodeDocument.accessListField, NodeDocument.createdAtField] {
      stated[name] = nil
      own[name] = nil
    }
    return stated == own
  }

  /// The fields of a node's document.
  ///
  /// - Parameters:
  ///   - object: the node.
  ///   - readers: who may read it; without any, only clients to whom all nodes are shown can.
  ///   - milliseconds: when it came.
  /// - Returns: `nil` for a node that is too large for a document.
  static func fields(
    of object: StoredObject, readers: [OAuthID], milliseconds: Int64
  ) -> FirestoreFields? {
    let named = readers.isEmpty ? [nobody] : readers
    guard
      var fields = try? NodeDocument.fields(
        of: object.canonical, id: object.id, signature: object.signature, accessList: named)
    else { return nil }
    if readers.isEmpty { fields[NodeDocument.accessListField] = .array([]) }
    fields[NodeDocument.createdAtField] = .timestamp(
      FirestoreTimestamp(WallTime(milliseconds: min(max(milliseconds, 0), latest))))
    return fields
  }

  private static let latest = WallTime.latest.milliseconds

  private static let nobody: OAuthID = {
    guard let id = try? OAuthID("nobody") else { preconditionFailure("BUG: nobody is somebody") }
    return id
  }()

  /// What is known of a node's document.
  static func row(
    of object: StoredObject, readers: [OAuthID], milliseconds: Int64
  ) -> DocumentRow? {
    let time = min(max(milliseconds, 0), latest)
    guard object.kind == .node,
      let fields = fields(of: object, readers: readers, milliseconds: time),
      let held = try? HeldMembers(fields)
    else { return nil }
    return DocumentRow(
      key: .node(object.id), created: time * 1000, updated: time * 1000, place: .node,
      fate: .taken, held: held)
  }
}
