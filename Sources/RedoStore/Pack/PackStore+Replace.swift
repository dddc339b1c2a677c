// What all code that replaces packs shares: one lock, files that exist before others are removed, and no
// half-finished removal.

internal import RedoCrypto
internal import RedoObject

extension PackStore {
  /// A hold on the packs until it goes out of scope: nobody else replaces or removes any.
  ///
  /// It is taken after the hold on the objects, never before. Adding a pack needs none.
  ///
  /// - Parameter timeoutMilliseconds: how long to wait for another process.
  /// - Returns: the hold.
  /// - Throws: `locked` when another process holds it for too long, `system`.
  package func hold(timeoutMilliseconds: Int) throws(StoreError) -> LockFile {
    let lock = try mapSystem { () throws(SystemError) in
      try LockFile.acquire(
        in: try openFolder(), name: Self.lockName, timeoutMilliseconds: timeoutMilliseconds)
    }
    guard let lock else { throw .locked(path: joinPath(path, Self.lockName)) }
    return lock
  }

  /// A pack that is opened anew, whatever is known of packs of its name.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - file: that of its file.
  ///   - folder: the directory of packs.
  /// - Returns: the pack; its file is not opened yet.
  func pack(_ name: Digest, file: String, in folder: borrowing Directory) -> Pack {
    let files = Pack.Files(
      directory: folder, file: file, indexDirectory: folder, indexFile: Self.indexName(name),
      kinds: ObjectKind.packed)
    return Pack(name: name, files, cache: cache, counters: counters)
  }

  /// Removes packs and their indexes; what is left of one after a crash is an index without a pack.
  ///
  /// - Parameter packs: the packs, whose nodes are elsewhere or are to be removed.
  /// - Throws: what the calls answered; a part of them may be gone then.
  package func remove(_ packs: [Pack]) throws(SystemError) {
    guard !packs.isEmpty else { return }
    let folder = try openFolder()
    for pack in packs { try folder.unlink(Self.fileName(pack.name)) }
    try folder.sync()
    for pack in packs { try folder.unlink(Self.indexName(pack.name)) }
    try refresh(isForced: true)
  }

  /// Removes unfinished files and indexes without packs, which may reveal what was removed; nobody is writing
  /// any.
  ///
  /// - Throws: what the calls answered.
  package func removeLeftovers() throws(SystemError) {
    let folder = try openFolder()
    let names = Set(try folder.list())
    for name in names {
      let isStray = Self.packName(name, ending: ".idx").map { !names.contains(Self.fileName($0)) }
      if name.hasPrefix(Self.temporaryPrefix) || isStray ?? false { try folder.unlink(name) }
    }
  }

  /// Gives a pack an index, if it has none that can be read.
  ///
  /// - Parameters:
  ///   - pack: the pack.
  ///   - writes: whether the index is written, and not only looked at.
  /// - Returns: whether it needed one.
  /// - Throws: `corrupt` when a frame of the pack cannot be read, `system`.
  package func mendIndex(of pack: Pack, writes: Bool) throws(PackError) -> Bool {
    // Every block of it is looked at.
    _ = try pack.asking { index throws(PackIndexDamage) in try index.payload() }
    guard pack.hasBuiltIndex else { return false }
    if let first = pack.unreadableFrames.first { throw first.error }
    guard writes else { return true }
    let index = try pack.index()
    do throws(SystemError) {
      let folder = try openFolder()
      try write(index, in: folder)
      try folder.sync()
    } catch {
      throw .system(error)
    }
    return true
  }

  /// When the file of a pack was written.
  ///
  /// - Parameter pack: the pack.
  /// - Returns: nanoseconds since 1970; `nil` when there is no such file.
  /// - Throws: what fstatat(2) answered.
  package func modifiedNanoseconds(of pack: Pack) throws(SystemError) -> Int64? {
    try directory.status(joinPath(Self.folder, Self.fileName(pack.name)))?.modifiedNanoseconds
  }
}
