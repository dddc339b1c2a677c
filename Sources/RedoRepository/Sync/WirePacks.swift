// Nodes in their order as packs for the wire: each pack ends before it could exceed a limit.

package import RedoObject
package import RedoRemote
package import RedoStore

/// Makes packs of a stream of nodes.
package struct WirePacks: ~Copyable {
  /// The bytes of bodies after which a pack ends: compressed, they stay far below its limit.
  package static let canonicalLimit = PackPiece.packLimit / 2

  private let kind: ObjectKind
  private let nodeLimit: Int
  private let canonicalLimit: Int
  private var writer: PackWriter
  private var count = 0
  private var canonicalBytes = 0

  /// Creates an empty sequence of packs.
  ///
  /// - Parameters:
  ///   - kind: the kind of what is packed.
  ///   - nodeLimit: the most nodes of a pack.
  ///   - canonicalLimit: the most bytes of their bodies, unless a single node has more.
  package init(
    _ kind: ObjectKind = .node, nodeLimit: Int = PackPiece.nodeLimit,
    canonicalLimit: Int = WirePacks.canonicalLimit
  ) {
    self.kind = kind
    writer = PackWriter(kind, effort: .quick)
    self.nodeLimit = nodeLimit
    self.canonicalLimit = canonicalLimit
  }

  /// Adds a node.
  ///
  /// - Parameters:
  ///   - node: each once, parents before children.
  ///   - send: receives the bytes of the packs.
  /// - Throws: what `send` throws.
  package mutating func add(
    _ node: PackEntry, _ send: (PackPiece) throws(RemoteError) -> Void
  ) throws(RemoteError) {
    try make(room: 1, of: node.object.canonical.count, send)
    writer.add(node)
    try flush(send)
  }

  /// Adds a frame as it is.
  ///
  /// - Parameters:
  ///   - frame: a frame of a pack.
  ///   - nodes: its nodes; each once, parents before children.
  ///   - send: receives the bytes of the packs.
  /// - Throws: what `send` throws.
  package mutating func add(
    _ frame: WholeFrame, _ nodes: [PackEntry],
    _ send: (PackPiece) throws(RemoteError) -> Void
  ) throws(RemoteError) {
    let bytes = nodes.reduce(0) { $0 + $1.object.canonical.count }
    try make(room: nodes.count, of: bytes, send)
    writer.add(frame: frame.bytes, nodes)
    try flush(send)
  }

  /// Ends a pack that has no room for more nodes.
  private mutating func make(
    room nodes: Int, of bytes: Int, _ send: (PackPiece) throws(RemoteError) -> Void
  ) throws(RemoteError) {
    if count + nodes > nodeLimit || canonicalBytes + bytes > canonicalLimit { try end(send) }
    count += nodes
    canonicalBytes += bytes
  }

  /// Ends the last pack.
  ///
  /// - Parameter send: receives the bytes of the packs.
  /// - Throws: what `send` throws.
  package mutating func end(_ send: (PackPiece) throws(RemoteError) -> Void) throws(RemoteError) {
    guard count > 0 else { return }
    _ = writer.finish()
    try flush(send)
    try send(.end)
    writer = PackWriter(kind, effort: .quick)
    count = 0
    canonicalBytes = 0
  }

  private mutating func flush(
    _ send: (PackPiece) throws(RemoteError) -> Void
  ) throws(RemoteError) {
    let bytes = writer.take()
    if !bytes.isEmpty { try send(.bytes(bytes)) }
  }
}
