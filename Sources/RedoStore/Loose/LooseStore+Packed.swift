// Loose objects that are in a pack as well: the only way in which a node's file is removed while the node stays.

internal import RedoCrypto
package import RedoObject

extension LooseStore {
  /// Removes the files of nodes that were read from a pack.
  ///
  /// Each file is read once more, while nobody replaces files, and removed only if it is exactly what was read
  /// from the pack: a better signature that has come meanwhile stays.
  ///
  /// - Parameters:
  ///   - nodes: nodes as they were read from a pack that has its name, on the medium.
  ///   - workspace: the thread's buffers.
  /// - Returns: those whose files are gone.
  /// - Throws: `locked` when another process replaces files for too long, `system`.
  package func removePacked(
    _ nodes: [StoredObject], _ workspace: inout Workspace
  ) throws(StoreError) -> [ObjectID] {
    guard !nodes.isEmpty else { return [] }
    let lock = try holdReplacing()
    defer { extendLifetime(lock) }
    var removed: [ObjectID] = []
    for node in nodes {
      let object: StoredObject?
      do throws(StoreError) {
        object = try read(node.id, &workspace)
      } catch {
        // What is damaged is for others to look at.
        guard case .corrupt = error else { throw error }
        continue
      }
      guard object == node else { continue }
      try mapSystem { () throws(SystemError) in
        _ = try directory.unlink(Layout.loose(node.id))
      }
      removed.append(node.id)
    }
    return removed
  }

  /// Waits until the removals from shards are on the disk: the files must not come back when the packs that have
  /// the nodes are written anew without them.
  ///
  /// - Parameter bytes: the first bytes of the ids.
  /// - Throws: what the calls answered.
  package func syncShards(_ bytes: Set<UInt8>) throws(SystemError) {
    for byte in bytes.sorted() {
      do throws(SystemError) {
        try directory.openSubdirectory(Layout.shard(byte), isFollowing: false).sync()
      } catch {
        guard error.isMissing else { throw error }
      }
    }
  }

  /// When the file of an object was written.
  ///
  /// - Parameter id: the object.
  /// - Returns: nanoseconds since 1970; `nil` when there is no such file.
  /// - Throws: what fstatat(2) answered.
  package func modifiedNanoseconds(of id: ObjectID) throws(SystemError) -> Int64? {
    try directory.status(Layout.loose(id))?.modifiedNanoseconds
  }
}
