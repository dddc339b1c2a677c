// The removal of an archive, when what is decided of it still holds.

internal import RedoStore

/// The removal of archives that can go.
enum PruneRemoval {
  /// Removes an archive and the files beside it.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - archives: all of them: those that stay must be as they were when they were read.
  ///   - effects: says where files are.
  /// - Returns: `false` when a file has changed meanwhile; nothing is removed then.
  /// - Throws: `FileFault` when something cannot be removed.
  static func remove(
    _ archive: PrunedArchive, of archives: [PrunedArchive], _ effects: Effects
  ) throws -> Bool {
    guard archive.isUnchanged(effects) else { return false }
    for other in archives where !other.reasons.isEmpty && other.isRead {
      guard other.isUnchanged(effects) else { return false }
    }
    try FileFault.naming(archive.path) {
      let (around, name) = ArchiveTarget.split(effects.resolve(archive.path))
      let directory = try Directory.open(around)
      try directory.unlink(name)
      for suffix in [
        ArchiveManifest.suffix, ManifestSignature.suffix, ArchiveDocuments.suffix,
      ] {
        if try directory.status(name + suffix)?.kind == .regular {
          try directory.unlink(name + suffix)
        }
      }
    }
    return true
  }
}
