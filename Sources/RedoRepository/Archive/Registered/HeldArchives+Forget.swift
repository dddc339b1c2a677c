// Archives that the store reads no longer; their files stay where they are.

package import RedoStore

extension HeldArchives {
  /// Takes an archive out of what the store reads.
  ///
  /// - Parameters:
  ///   - text: its file, or the beginning of its name.
  ///   - isForced: whether it goes even if nodes are then missing from the store.
  ///   - effects: says where relative paths begin.
  /// - Returns: the archive.
  /// - Throws: `RegisteredFault` when nodes would be missing, or that cannot be determined; as `one`.
  package mutating func forget(
    _ text: String, isForced: Bool, _ effects: Effects
  ) throws -> RegisteredArchive {
    let archive = try one(text, SealKeys(asks: false), effects)
    if !isForced { try check(archive) }
    register.remove(archive.name)
    try save()
    removeIndex(of: archive)
    return archive
  }

  /// Makes sure that every node of an archive is elsewhere too.
  private borrowing func check(_ archive: RegisteredArchive) throws {
    let objects = opened.objects
    var missing = 0
    do throws(StoreError) {
      guard let shelved = try objects.archives?.archive(archive.name) else {
        // The process that registered it had not yet written its line when this store was opened.
        throw StoreError.archives(reason: "the list of archives has changed")
      }
      let ids = try shelved.ids()
      for id in ids where try !objects.contains(id, butNotIn: archive.name) { missing += 1 }
    } catch {
      throw RegisteredFault.unknownNodes(path: archive.path, error)
    }
    guard missing > 0 else { return }
    throw RegisteredFault.onlyCopy(archive, missing: missing)
  }
}
