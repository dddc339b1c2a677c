// What interrupted writers leave behind: unfinished files, indexes without their packs, directories of
// objects with nothing in them.

internal import RedoCrypto
internal import RedoObject

/// The leftovers of a store, by their paths below `.redo`.
///
/// Removing them requires the exclusive lock of the objects: then nobody writes.
package struct Leftovers: ~Copyable {
  private let store: Directory
  private let objects: Directory

  /// The directories, other than those of the objects, in which files are written.
  private static let folders = [
    "", ArchiveRegister.folder, Layout.cache, Layout.snapshots, Layout.keys, Layout.lostFound,
    Layout.quarantine, QuarantinedDocuments.path, Layout.remotes,
  ]

  /// The leftovers of a store.
  ///
  /// - Parameters:
  ///   - store: its directory.
  ///   - objects: its own loose objects, which may be elsewhere.
  package init(in store: borrowing Directory, _ objects: LooseStore) {
    self.store = store.share()
    self.objects = objects.directory.share()
  }

  /// The unfinished files that nobody has written to for some time.
  ///
  /// - Parameter limit: the instant before which they were written to last, in nanoseconds since 1970.
  /// - Returns: their paths, sorted.
  /// - Throws: what the calls answered.
  package func unfinished(before limit: Int64) throws(SystemError) -> [String] {
    var paths: [String] = []
    for folder in Self.folders { try add(folder, in: store, below: "", limit, &paths) }
    if try store.status(Layout.remotes)?.kind == .directory {
      for name in try store.openSubdirectory(Layout.remotes, isFollowing: false).list() {
        let folder = joinPath(Layout.remotes, name)
        try add(folder, in: store, below: "", limit, &paths)
        try add(joinPath(folder, Layout.mirror), in: store, below: "", limit, &paths)
      }
    }
    for folder in Self.objectFolders {
      try add(folder, in: objects, below: Layout.objects, limit, &paths)
    }
    return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private func add(
    _ folder: String, in around: borrowing Directory, below: String, _ limit: Int64,
    _ paths: inout [String]
  ) throws(SystemError) {
    let isRoot = folder.isEmpty
    let kind = isRoot ? .directory : try around.status(folder)?.kind
    guard kind == .directory else { return }
    let directory =
      isRoot ? around.share() : try around.openSubdirectory(folder, isFollowing: false)
    for name in try directory.list() where name.hasPrefix(FileCheck.temporaryPrefix) {
      guard let status = try directory.status(name), status.kind == .regular,
        status.modifiedNanoseconds < limit
      else { continue }
      let path = isRoot ? name : joinPath(folder, name)
      paths.append(below.isEmpty ? path : joinPath(below, path))
    }
  }

  /// The directories in which objects are written.
  private static var objectFolders: [String] {
    ["", "info", PackStore.folder] + (UInt8.min...UInt8.max).map { Layout.shard($0) }
  }

  /// The indexes whose packs are not there.
  ///
  /// - Returns: their paths, sorted.
  /// - Throws: what the calls answered.
  package func strayIndexes() throws(SystemError) -> [String] {
    guard try objects.status(PackStore.folder)?.kind == .directory else { return [] }
    let folder = try objects.openSubdirectory(PackStore.folder, isFollowing: false)
    let names = Set(try folder.list())
    return names.filter { name in
      PackStore.packName(name, ending: ".idx").map {
        !names.contains(PackStore.fileName($0))
      } ?? false
    }.sorted().map { joinPath(Layout.packs, $0) }
  }

  /// The empty directories of objects.
  ///
  /// - Returns: their paths, sorted.
  /// - Throws: what the calls answered.
  package func emptyShards() throws(SystemError) -> [String] {
    var paths: [String] = []
    for byte in UInt8.min...UInt8.max {
      let name = Layout.shard(byte)
      guard try objects.status(name)?.kind == .directory else { continue }
      guard try objects.openSubdirectory(name, isFollowing: false).list().isEmpty else { continue }
      paths.append(joinPath(Layout.objects, name))
    }
    return paths
  }

  /// Removes a file.
  ///
  /// - Parameter path: as it was found.
  /// - Returns: whether it was there.
  /// - Throws: what unlink(2) answered.
  package func remove(file path: String) throws(SystemError) -> Bool {
    guard let own = Self.objectPath(path) else { return try store.unlink(path) }
    return try objects.unlink(own)
  }

  /// Removes a directory.
  ///
  /// - Parameter path: as it was found.
  /// - Returns: `false` when something is in it by now.
  /// - Throws: what rmdir(2) answered.
  package func remove(directory path: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try objects.removeDirectory(Self.objectPath(path) ?? path)
      return true
    } catch {
      guard error.isNotEmpty || error.isMissing else { throw error }
      return false
    }
  }

  /// The path below the directory of objects, which may be elsewhere; `nil` for any other.
  private static func objectPath(_ path: String) -> String? {
    let start = Layout.objects + "/"
    return path.hasPrefix(start) ? String(path.dropFirst(start.utf8.count)) : nil
  }
}
