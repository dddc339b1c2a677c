// Nodes that a remote sends to be looked at, and not to be taken into the history.

package import RedoObject
package import RedoRemote
internal import RedoStore

/// Hands on the nodes of packs that come; nothing is written.
///
/// A class, as `PackTaker` requires.
package final class IncomingNodes: PackTaker {
  private let limits: Receiver.Limits
  private let visit: (StoredObject) -> Void
  private var pack: [UInt8] = []
  private var byteCount = 0
  private var nodeCount = 0
  /// The access lists that came before the nodes.
  package private(set) var lists: [AccessRow] = []

  /// Hands on nodes.
  ///
  /// - Parameters:
  ///   - limits: how much may come.
  ///   - visit: receives each node; its id was computed from its body, and nothing else was checked.
  package init(_ limits: Receiver.Limits, _ visit: @escaping (StoredObject) -> Void) {
    self.limits = limits
    self.visit = visit
  }

  package func take(_ piece: PackPiece) throws(RemoteError) {
    switch piece {
    case .bytes(let bytes):
      byteCount += bytes.count
      guard byteCount <= limits.bytes else { throw limits.tooManyBytes }
      pack += bytes
    case .end:
      defer { pack = [] }
      do throws(PackError) {
        try read(PackReader(.memory(pack)))
      } catch {
        throw .malformed(offset: 0, reason: "a pack: \(error.description)")
      }
      guard nodeCount <= limits.nodes else { throw limits.tooManyNodes }
    }
  }

  private func read(_ reader: borrowing PackReader) throws(PackError) {
    try reader.checkBytes()
    var inflater = FrameInflater()
    for frame in reader.directory.frames.indices {
      let nodes = try reader.nodes(ofFrame: frame, &inflater)
      nodeCount += nodes.count
      for node in nodes { visit(node) }
    }
  }

  package func take(_ rows: [AccessRow]) throws(RemoteError) { lists += rows }

  package func finish() throws(RemoteError) -> Admitted { Admitted(taken: 0, refused: []) }
}

extension Receiver.Limits {
  /// The error when more bytes come.
  var tooManyBytes: RemoteError {
    .limit("more than \(bytes) bytes in one exchange, see 'transfer.maxBytes'")
  }
  /// The error when more nodes come.
  var tooManyNodes: RemoteError {
    .limit("more than \(nodes) nodes in one exchange, see 'transfer.maxNodes'")
  }
}
