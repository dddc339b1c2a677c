// Files that the store reads nodes from must not be overwritten.

internal import RedoStore

/// Guards the files of registered archives.
enum ArchiveRegistered {
  /// Makes sure that a file that is about to be written is not a registered archive.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - opened: the store.
  ///   - effects: says where relative paths begin.
  /// - Throws: `ArchiveMakingFault.registered` when it is one.
  static func check(
    _ path: String, _ opened: Repository, _ effects: Effects
  ) throws {
    let target = (try? FileStatus.at(effects.resolve(path))) ?? nil
    guard let target else { return }
    let archives = try opened.objects.archives?.all() ?? []
    for shelved in archives {
      guard let status = (try? FileStatus.at(shelved.archive.path)) ?? nil,
        status.isSameFile(as: target)
      else { continue }
      throw ArchiveMakingFault.registered(path: path)
    }
  }
}
