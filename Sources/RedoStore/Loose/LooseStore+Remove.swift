// Removing loose objects: only a wipe and a tidying of blobs do that, while nobody else writes.

internal import RedoCrypto
package import RedoObject

extension LooseStore {
  /// Removes objects; missing ones are skipped.
  ///
  /// - Parameter ids: the objects.
  /// - Throws: what unlink(2) or fsync(2) answered; a part of them may be gone then.
  package func remove(_ ids: some Sequence<ObjectID>) throws(SystemError) {
    var touched: Set<UInt8> = []
    for id in ids.sorted() where try directory.unlink(Layout.loose(id)) { touched.insert(id[0]) }
    guard syncPolicy != .none else { return }
    for byte in touched.sorted() {
      try directory.openSubdirectory(Layout.shard(byte), isFollowing: false).sync()
    }
  }

  /// Removes unfinished files, which may contain what was removed; nobody is writing any.
  ///
  /// - Parameter shardsToo: whether directories that are empty then go as well.
  /// - Throws: what the calls answered.
  package func removeLeftovers(shardsToo: Bool) throws(SystemError) {
    var isChanged = false
    for byte in UInt8.min...UInt8.max {
      let name = Layout.shard(byte)
      guard try directory.status(name)?.kind == .directory else { continue }
      let shard = try directory.openSubdirectory(name, isFollowing: false)
      var names = try shard.list()
      for name in names where name.hasPrefix(Layout.temporaryPrefix) { try shard.unlink(name) }
      names.removeAll { $0.hasPrefix(Layout.temporaryPrefix) }
      guard shardsToo, names.isEmpty else { continue }
      try directory.removeDirectory(name)
      isChanged = true
    }
    if isChanged, syncPolicy != .none { try directory.sync() }
  }

  /// Removes blobs that are still what they were found to be: each is read once more.
  ///
  /// - Parameters:
  ///   - ids: the blobs.
  ///   - nanoseconds: the instant before which they must have been written, since 1970.
  ///   - workspace: the thread's buffers.
  /// - Returns: those whose files are gone, and are not on the disk any more.
  /// - Throws: `locked` when another process replaces files for too long, `system`.
  package func removeBlobs(
    _ ids: some Sequence<ObjectID>, before nanoseconds: Int64, _ workspace: inout Workspace
  ) throws(StoreError) -> [ObjectID] {
    let lock = try holdReplacing()
    defer { extendLifetime(lock) }
    var removed: [ObjectID] = []
    var shards: Set<UInt8> = []
    for id in ids.sorted() {
      let object: StoredObject?
      do throws(StoreError) {
        object = try read(id, &workspace)
      } catch {
        // What is damaged is for others to look at.
        guard case .corrupt = error else { throw error }
        continue
      }
      guard object?.kind == .blob else { continue }
      try mapSystem { () throws(SystemError) in
        guard let time = try modifiedNanoseconds(of: id), time < nanoseconds,
          try directory.unlink(Layout.loose(id))
        else { return }
        removed.append(id)
        shards.insert(id[0])
      }
    }
    guard syncPolicy != .none else { return removed }
    try mapSystem { () throws(SystemError) in try syncShards(shards) }
    return removed
  }

  /// Keeps others from replacing and removing objects.
  ///
  /// - Throws: `locked` when another process does so for too long, `system`.
  func holdReplacing() throws(StoreError) -> LockFile {
    let lock = try mapSystem { () throws(SystemError) in
      try LockFile.acquire(
        in: directory, name: LooseTransaction.lockName,
        timeoutMilliseconds: LooseTransaction.lockTimeoutMilliseconds)
    }
    guard let lock else { throw .locked(path: joinPath(path, LooseTransaction.lockName)) }
    return lock
  }
}
