// Damaged loose objects: finding out what is wrong with one, and replacing it.

package import RedoObject

extension LooseStore {
  /// What is found under the name of an object.
  package enum Condition: Sendable {
    /// The object.
    case good(StoredObject)
    /// Nothing.
    case missing
    /// Another object, whole.
    case misplaced(StoredObject)
    /// Something else.
    case damaged(reason: String)
  }

  /// Looks at what has the name of an object.
  ///
  /// - Parameters:
  ///   - id: the object.
  ///   - workspace: the thread's buffers.
  /// - Returns: what is there.
  /// - Throws: `system` when that cannot be found out.
  package func condition(
    of id: ObjectID, _ workspace: inout Workspace
  ) throws(StoreError) -> Condition {
    do throws(StoreError) {
      return try read(id, &workspace).map { .good($0) } ?? .missing
    } catch {
      switch error {
      case .corrupt(_, _, let reason):
        // The bytes are those that were read last, unless it is not a file at all.
        if let other = try? readMisplaced(id, &workspace) { return .misplaced(other) }
        return .damaged(reason: reason)
      case .system(let cause) where cause.isUnreadable: return .damaged(reason: cause.reason)
      case .system(let cause) where cause.isMissing: return .missing
      default: throw error
      }
    }
  }

  /// Puts a good object in the place of a damaged or missing one, and reads it again.
  ///
  /// The old contents first get a second name in `lost-found`. Readers see the old or the new meanwhile; only
  /// where a directory was, they see nothing for a moment.
  ///
  /// - Parameters:
  ///   - object: the object; its bytes have its id.
  ///   - lostFound: where to keep what was there.
  ///   - workspace: the thread's buffers.
  /// - Returns: the path, below the store's directory, of what was there, if anything was.
  /// - Throws: `system`, `locked`; `corrupt` when it is not there afterwards.
  package func replace(
    _ object: StoredObject, keeping lostFound: LostFound,
    _ workspace: inout Workspace
  ) throws(StoreError) -> String? {
    let lock = try holdReplacing()
    try renewSignatureMark()
    let kept = try put(object, lostFound)
    try renewSignatureMark()
    extendLifetime(lock)
    guard let written = try read(object.id, &workspace), written == object else {
      throw .corrupt(
        object.id, path: path(of: object.id), reason: "it was written, and is not there")
    }
    return kept
  }

  /// What was damaged may have had another signature.
  private func renewSignatureMark() throws(StoreError) {
    try mapSystem { () throws(SystemError) in
      try SignatureMark.renew(in: directory, syncPolicy)
    }
  }

  private func put(
    _ object: StoredObject, _ lostFound: LostFound
  ) throws(StoreError) -> String? {
    let name = Layout.loose(object.id)
    let shard = Layout.shard(object.id)
    let isSyncing = syncPolicy != .none
    var kept: String?
    try mapSystem { () throws(SystemError) in
      // Something else in the place of the whole shard.
      guard let found = try directory.status(shard) else { return }
      let target = try directory.status(shard, isFollowing: true)
      guard found.kind != .directory, target?.kind != .directory else { return }
      let place = try lostFound.keep(shard, in: directory, as: "shard-\(shard)")
      kept = place?.path
      if place?.isMoved == false { try directory.unlink(shard) }
    }
    var compressor = makeCompressor()
    let temporary = Layout.temporary(
      object.id, try writeTemporary(object, &compressor, syncs: isSyncing))
    do throws(SystemError) {
      let found = try lostFound.keep(name, in: directory, as: "object-\(object.id.hex)")
      kept = found?.path ?? kept
      if found?.isMoved == false {
        try directory.rename(temporary, to: name)
      } else if !(try directory.renameNoReplace(temporary, to: name)) {
        try directory.unlink(temporary)
      }
      if isSyncing {
        try directory.openSubdirectory(shard).sync()
        try directory.sync()
      }
    } catch {
      _ = try? directory.unlink(temporary)
      throw .system(error)
    }
    return kept
  }

  /// Removes what has the name of an object that belongs elsewhere.
  ///
  /// - Parameters:
  ///   - id: the name.
  ///   - lostFound: where to keep what is there.
  /// - Returns: its path there; `nil` when nothing does.
  /// - Throws: `system`.
  package func putAside(
    _ id: ObjectID, keeping lostFound: LostFound
  ) throws(StoreError) -> String? {
    try mapSystem { () throws(SystemError) in
      let name = Layout.loose(id)
      guard let found = try lostFound.keep(name, in: directory, as: "object-\(id.hex)") else {
        return nil
      }
      if !found.isMoved { try directory.unlink(name) }
      if syncPolicy != .none { try directory.openSubdirectory(Layout.shard(id)).sync() }
      return found.path
    }
  }
}
