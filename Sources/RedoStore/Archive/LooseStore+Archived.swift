// Loose copies of nodes that are in an archive: they go, once the archive has been read back whole.

package import RedoObject

extension LooseStore {
  /// What became of loose copies.
  package struct Archived: Sendable {
    /// The copies that are gone.
    package var removed = 0
    /// The bytes of their files.
    package var removedBytes = 0
    /// Nodes whose copies differ from those of the archive, and stay.
    package var kept: [ObjectID] = []

    /// Of nothing yet.
    package init() {}
  }

  /// Removes the loose copies of a shard that are in an archive, byte for byte.
  ///
  /// Each is read again under the lock for replacing objects, so that a better signature that arrives
  /// meanwhile stays.
  ///
  /// - Parameters:
  ///   - byte: the first byte of the ids.
  ///   - proof: the archive, which was read as a whole.
  ///   - staying: nodes that are not to be touched.
  ///   - workspace: the thread's buffers.
  ///   - outcome: receives what has become of them.
  /// - Throws: `system`, `locked`; a part of them may be gone then.
  package func removeArchived(
    inShard byte: UInt8, _ proof: ArchiveProof, staying: Set<ObjectID>,
    _ workspace: inout Workspace, _ outcome: inout Archived
  ) throws(StoreError) {
    guard let shard = try openShard(byte) else { return }
    let ids = shard.ids.filter { proof.contains($0) && !staying.contains($0) }
    guard !ids.isEmpty else { return }
    let lock = try holdReplacing()
    for id in ids {
      do throws(StoreError) {
        guard let object = try read(id, in: shard, &workspace) else { continue }
        guard proof.holds(object) else {
          outcome.kept.append(id)
          continue
        }
      } catch {
        // A corrupt copy decides nothing; `redo verify` reports it.
        guard case .corrupt = error else { throw error }
        outcome.kept.append(id)
        continue
      }
      let bytes = workspace.fileBytes
      _ = try mapSystem { () throws(SystemError) in
        try shard.directory.unlink(Layout.looseName(id))
      }
      outcome.removed += 1
      outcome.removedBytes += bytes
    }
    if syncPolicy != .none {
      try mapSystem { () throws(SystemError) in try shard.directory.sync() }
    }
    extendLifetime(lock)
  }

  /// The bytes of the loose copies of some nodes.
  ///
  /// - Parameter ids: the nodes.
  /// - Returns: the bytes of their files.
  /// - Throws: `system`.
  package func fileBytes(of ids: Set<ObjectID>) throws(StoreError) -> Int {
    var bytes = 0
    for byte in UInt8.min...UInt8.max {
      guard let shard = try openShard(byte) else { continue }
      for id in shard.ids where ids.contains(id) {
        let status = try mapSystem { () throws(SystemError) in
          try shard.directory.status(Layout.looseName(id))
        }
        bytes += status?.size ?? 0
      }
    }
    return bytes
  }
}
