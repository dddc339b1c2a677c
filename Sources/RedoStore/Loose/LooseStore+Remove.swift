// Removing loose objects: only a wipe does that, while nobody else writes.

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
}
