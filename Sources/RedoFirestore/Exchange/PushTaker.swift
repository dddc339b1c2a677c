// Takes what a client sends: packs go to a file without a name, and when the turn has ended their nodes are
// written to the collection, commit after commit, parents before their children.

internal import RedoRepository
internal import RedoObject
package import RedoRemote
package import RedoStore

/// Writes nodes that come.
///
/// A class, as `PackTaker` asks for.
package final class PushTaker: PackTaker {
  private let folder: Directory
  private let commits: CollectionWriter
  private var coming: IncomingPack?
  private var packs: [IncomingPack] = []

  /// Writes nodes that come.
  ///
  /// - Parameters:
  ///   - directory: where their bytes are kept for the time being.
  ///   - commits: writes them.
  /// - Throws: what open(2) answered.
  package init(in directory: String, _ commits: CollectionWriter) throws(SystemError) {
    folder = try Directory.open(directory)
    self.commits = commits
  }

  package func take(_ piece: PackPiece) throws(RemoteError) {
    switch piece {
    case .bytes(let bytes):
      try DocumentReading.keeping { () throws(SystemError) in
        if coming == nil { coming = try IncomingPack(unnamedIn: folder) }
        try coming?.append(bytes)
      }
    case .end:
      guard let pack = coming else { throw .unexpected("the end of a pack without bytes") }
      do throws(PackError) { _ = try pack.end() } catch {
        if case .system(let cause) = error {
          throw .refused(PeerFault(.stopped, "what was sent cannot be kept: \(cause)"))
        }
        throw .malformed(offset: 0, reason: "a pack: \(error.description)")
      }
      packs.append(pack)
      coming = nil
    }
  }

  package func finish() throws(RemoteError) -> Admitted {
    let taken = packs
    packs = []
    var decoder = NodeDecoder()
    for pack in taken {
      var reading = pack.read()
      while true {
        var objects: [StoredObject]?
        try DocumentReading.keeping { () throws(SystemError) in objects = try reading.next() }
        guard let objects else { break }
        for object in objects { try commits.add(object, &decoder) }
      }
      guard reading.damagedCount == 0 else {
        throw .malformed(offset: 0, reason: "frames of packs cannot be decoded")
      }
    }
    return try commits.finish()
  }
}
