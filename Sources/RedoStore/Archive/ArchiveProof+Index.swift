// The index of a registered archive, `archives/<name>.idx`: it says what an archive has without its file.

internal import RedoCrypto

extension ArchiveProof {
  /// The index of its ids.
  package func makeIndex() -> PackIndex {
    var builder = PackIndexBuilder()
    var start = 0
    for frame in directory.frames {
      builder.add(ids[start..<start + frame.nodes])
      start += frame.nodes
    }
    return builder.finish(name: directory.name)
  }

  /// Writes the index into a store, and syncs it; nothing is done if it is there already.
  ///
  /// - Parameter store: the store's directory.
  /// - Throws: what the calls answered.
  package func writeIndex(in store: borrowing Directory) throws(SystemError) {
    let folder = try ArchiveRegister.openFolder(in: store)
    let index = makeIndex()
    guard let payload = try? index.payload() else {
      preconditionFailure("BUG: an index in memory is damaged")
    }
    let file = "\(registered(at: "/", .kept).hex).idx"
    if let found = CacheFile.open(in: folder, file), found.payload() == payload { return }
    var temporary = try TemporaryFile(
      in: folder, prefix: ArchiveRegister.temporaryPrefix, mode: 0o444)
    try temporary.file.writeAll(payload.span)
    try temporary.file.writeAll(CacheFile.end(of: payload).span)
    try temporary.file.sync()
    _ = try temporary.commit(as: file, replacing: .always)
  }
}

extension ArchiveRegister {
  /// Takes the index of an archive away that is registered no longer.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - store: the store's directory.
  /// - Throws: what unlink(2) answered.
  package static func removeIndex(
    of archive: RegisteredArchive, in store: borrowing Directory
  ) throws(SystemError) {
    try store.unlink(joinPath(folder, archive.indexName))
  }

  /// Keeps the bytes of a damaged list in `lost-found`; the list stays until it is written anew.
  ///
  /// - Parameters:
  ///   - store: the store's directory.
  ///   - milliseconds: the present, since 1970.
  /// - Returns: their paths, below the store's directory; `nil` when there is no list.
  /// - Throws: what the calls answered.
  package static func putAside(
    in store: borrowing Directory, at milliseconds: Int64
  ) throws(SystemError) -> String? {
    let lostFound = try LostFound(in: store, at: milliseconds, .full)
    let folder = try openFolder(in: store)
    return try lostFound.keep(fileName, in: folder, as: "archives-list")?.path
  }
}
