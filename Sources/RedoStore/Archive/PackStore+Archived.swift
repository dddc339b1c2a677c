// Copies in packs of nodes that are in an archive: which of them may go.

internal import RedoCrypto
package import RedoObject

/// Nodes of packs that are in an archive too.
package struct PackedCopies: Sendable {
  /// Nodes whose copies in packs can be removed.
  package internal(set) var removable: Set<ObjectID> = []
  /// Nodes whose copy in a pack is not certainly worse than that of the archive, or cannot be read: they
  /// stay wherever they are.
  package internal(set) var staying: Set<ObjectID> = []
  /// About how many bytes of the packs belong to those that can be removed.
  package internal(set) var bytes = 0

  /// Of nothing yet.
  package init() {}
}

extension PackStore {
  /// Compares the nodes of packs with those of an archive.
  ///
  /// A node that was packed before a better signature of it arrived is worse than the copy in the archive, and is
  /// removed as well: otherwise it would be read in its place.
  ///
  /// - Parameters:
  ///   - proof: the archive, which was read as a whole.
  ///   - archived: the same archive, to be read by ids.
  ///   - progress: called before each frame.
  ///   - mapping: makes an error of the caller's kind.
  /// - Returns: what may go and what stays.
  /// - Throws: `system` when the packs cannot be listed, or what the closure throws.
  package func copies<Failure: Error>(
    in proof: ArchiveProof, _ archived: Pack, _ progress: () throws(Failure) -> Void,
    mapping: (StoreError) -> Failure
  ) throws(Failure) -> PackedCopies {
    var copies = PackedCopies()
    var inflater = FrameInflater()
    let packs: [Pack]
    do throws(SystemError) { packs = try all() } catch { throw mapping(.system(error)) }
    for pack in packs {
      let frames: [[ObjectID]]
      do throws(PackError) {
        frames = try pack.asking { index throws(PackIndexDamage) in try index.idsByFrame() }
      } catch {
        // What cannot be read cannot be compared, and is left alone.
        continue
      }
      var removable = 0
      for (number, ids) in frames.enumerated() where ids.contains(where: { proof.contains($0) }) {
        try progress()
        guard let nodes = try? pack.nodes(ofFrame: number, &inflater) else {
          copies.staying.formUnion(ids.filter { proof.contains($0) })
          continue
        }
        for node in nodes where proof.contains(node.id) {
          if proof.holds(node) || Self.isWorse(node, archived, &inflater) {
            copies.removable.insert(node.id)
            removable += 1
          } else {
            copies.staying.insert(node.id)
          }
        }
      }
      let nodes = frames.reduce(0) { $0 + $1.count }
      if removable > 0, let bytes = try? pack.fileBytes() {
        copies.bytes += Int(Double(bytes) * Double(removable) / Double(nodes))
      }
    }
    copies.removable.subtract(copies.staying)
    return copies
  }

  /// About how many bytes of packs belong to some nodes.
  ///
  /// - Parameter ids: the nodes.
  /// - Returns: of each pack the part that they are of its nodes.
  /// - Throws: `system`.
  package func fileBytes(of ids: Set<ObjectID>) throws(StoreError) -> Int {
    var bytes = 0
    for pack in try mapSystem({ () throws(SystemError) in try all() }) {
      guard let count = try? pack.ids(among: ids).count, count > 0,
        let directory = try? pack.directory(), let size = try? pack.fileBytes(),
        count <= directory.nodes
      else { continue }
      bytes += Int(Double(size) * Double(count) / Double(directory.nodes))
    }
    return bytes
  }

  /// Whether a copy with another signature than that of the archive is surely worse.
  private static func isWorse(
    _ node: StoredObject, _ archived: Pack, _ inflater: inout FrameInflater
  ) -> Bool {
    var decoder = NodeDecoder()
    guard let better = try? archived.read(node.id, &inflater),
      let key = decoder.decode(node)?.publicKey
    else { return node.signature == nil }
    return SignatureChoice.between(
      stored: better.signature, arriving: node.signature, of: node, key: key) == .keep
  }
}
