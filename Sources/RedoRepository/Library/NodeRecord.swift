// One node as a value, for programs outside this package.

internal import RedoObject

/// A node: one signed change as it is stored.
///
/// Its bytes were hashed when it was read: ``id`` is the hash of ``json`` without the ID and the signature. Whether the
/// signature is good is reported by ``Repository/verify()``.
public struct NodeRecord: Hashable, Sendable, Identifiable {
  /// Its ID.
  public let id: NodeID
  /// The nodes that it was made on top of, in the order in which it names them; at most 64.
  public let parents: [NodeID]
  /// Its logical time, from 1 to 2^48; greater than that of each parent.
  public let lamport: UInt64
  /// The time on its author's clock, in milliseconds since 1970-01-01T00:00:00Z.
  public let wallMilliseconds: Int64
  /// What it does, such as `CREATE`.
  public let action: String
  /// The task that it is about, a UUID in lower case; `nil` when it is about none.
  public let taskID: String?
  /// Its author, 32 lower-case hex digits.
  public let userID: String
  /// Whether it carries a signature.
  public let isSigned: Bool
  /// The whole node as canonical JSON (RFC 8785), without a line feed.
  public let json: String

  /// Creates a record from a decoded node.
  init(_ node: Node) {
    id = NodeID(node.id)
    parents = node.parents.map { NodeID($0) }
    lamport = node.lamport.value
    wallMilliseconds = node.wall.milliseconds
    action = String(decoding: node.escapedText(.action) ?? [], as: UTF8.self)
    taskID = node.taskID?.text
    userID = node.userID.text
    isSigned = node.signature != nil
    var bytes: [UInt8] = []
    node.appendWhole(to: &bytes)
    json = String(decoding: bytes, as: UTF8.self)
  }
}
