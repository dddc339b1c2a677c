// Writing packs: temporaries in the same directory, the syncs of the policy, the name of the index, then
// that of the pack. A pack is there as soon as it has its name.

internal import RedoObject

extension PackStore {
  /// The open directory of packs, made if it is missing.
  ///
  /// - Returns: the directory.
  /// - Throws: what the calls answered.
  package func openFolder() throws(SystemError) -> Directory {
    try directory.makeDirectory(Self.folder)
    return try directory.openSubdirectory(Self.folder)
  }

  /// Waits until the names of packs are on the disk, as the policy says.
  ///
  /// - Parameter folder: the directory of packs.
  /// - Throws: what fsync(2) answered.
  package func sync(_ folder: borrowing Directory) throws(SystemError) {
    guard syncPolicy != .none else { return }
    try folder.sync()
    // The process that made it may not have synced its name yet.
    try directory.sync()
  }

  /// Waits until a file is on the disk, as the policy says.
  ///
  /// - Parameter file: the file.
  /// - Throws: what fsync(2) answered.
  func sync(_ file: borrowing File) throws(SystemError) {
    if syncPolicy != .none { try file.sync() }
  }

  /// Writes the index of a pack beside it, in one step; an old one is replaced.
  ///
  /// - Parameters:
  ///   - index: the index of a whole pack.
  ///   - folder: the directory of packs.
  /// - Throws: what the calls answered; an old one stays then.
  package func write(
    _ index: PackIndex, in folder: borrowing Directory
  ) throws(SystemError) {
    guard let payload = try? index.payload() else {
      preconditionFailure("BUG: a damaged index is written")
    }
    var temporary = try TemporaryFile(in: folder, prefix: Self.temporaryPrefix, mode: 0o444)
    try temporary.file.writeAll(payload.span)
    try temporary.file.writeAll(CacheFile.end(of: payload).span)
    try sync(temporary.file)
    _ = try temporary.commit(as: Self.indexName(index.name), replacing: .always)
    counters?.countWrite(payload.count)
  }
}
