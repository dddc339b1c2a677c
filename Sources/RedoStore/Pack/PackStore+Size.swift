// What packs take of the disk.

extension PackStore {
  /// The bytes of all packs and of their indexes.
  ///
  /// - Returns: the sum; 0 without a directory of packs.
  /// - Throws: what the calls answered.
  package func fileBytes() throws(SystemError) -> Int {
    guard try directory.status(Self.folder)?.kind == .directory else { return 0 }
    let folder = try directory.openSubdirectory(Self.folder)
    var bytes = 0
    for name in try folder.list() {
      guard Self.packName(name) != nil || Self.packName(name, ending: ".idx") != nil else {
        continue
      }
      bytes += try folder.status(name)?.size ?? 0
    }
    return bytes
  }
}
