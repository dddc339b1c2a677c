// The snapshots of a store: files in `cache/snapshots`, each named by the 64 hex digits of its name, and beside them
// `current`, which records the snapshot of the whole history and the state of the refs at which that was found: 32
// bytes, the hash over all changes of the refs, and 32, the name.

package import RedoCrypto
package import RedoHistory
package import RedoObject
package import RedoStore

/// The snapshots of a store.
package struct SnapshotShelf {
  private static let currentName = "current"
  /// The path of the note about the whole history, below the store.
  package static let notePath = "\(Layout.snapshots)/\(currentName)"

  package let opened: Repository
  /// The hash over all changes of the refs when this value was created.
  private let chain: Digest

  package init(_ opened: Repository) throws {
    self.opened = opened
    chain = try opened.snapshot().chain
  }

  // MARK: Files

  /// The names of the files that have names of snapshots, sorted; none in a store whose cache is not used.
  ///
  /// - Throws: `SystemError` when the directory cannot be read.
  package func names() throws -> [ObjectID] {
    guard opened.usesCache else { return [] }
    let store = opened.store.directory.share()
    guard try store.status(Layout.snapshots)?.kind == .directory else { return [] }
    let names = try store.openSubdirectory(Layout.snapshots, isFollowing: false).list()
    return names.compactMap { ObjectID(hex: Array($0.utf8).span) }.sorted()
  }

  /// The path of a snapshot below the store.
  private static func path(_ name: ObjectID) -> String { "\(Layout.snapshots)/\(name.hex)" }

  /// The file status of a snapshot.
  package func status(_ name: ObjectID) -> FileStatus? {
    (try? opened.store.directory.status(Self.path(name))) ?? nil
  }

  /// The bytes of a snapshot's file; `nil` when there is none, or it is damaged.
  package func memory(_ name: ObjectID) -> GraphMemory? {
    guard opened.usesCache,
      let file = CacheFile.open(in: opened.store.directory, Self.path(name))
    else { return nil }
    // SAFETY: the file keeps the mapping for as long as the memory keeps the file.
    return unsafe GraphMemory(
      base: file.base, count: file.count, verify: { file.check($0) }, release: { _ = file })
  }

  /// A snapshot, of which only the header has been checked; `nil` when there is none that this release can read.
  package func snapshot(_ name: ObjectID) -> StateSnapshot? {
    guard let found = memory(name).flatMap({ StateSnapshot($0) }), found.name == name else {
      return nil
    }
    return found
  }

  /// Whether a snapshot is intact, and its name is that of its heads.
  package static func isSound(_ snapshot: StateSnapshot) -> Bool {
    snapshot.check(withLines: true)
      && digest(StateSnapshot.nameText(snapshot.heads, rules: snapshot.rules)) == snapshot.name
  }

  /// The SHA-256 of bytes.
  package static func digest(_ bytes: [UInt8]) -> ObjectID {
    ObjectID(digest: SHA256.digest(of: bytes.span))
  }

  /// Keeps a snapshot.
  ///
  /// - Throws: the error of a system call.
  package func write(_ bytes: [UInt8], _ name: ObjectID) throws(SystemError) {
    let store = opened.store.directory.share()
    try store.makeDirectory(Layout.cache)
    try CacheFile.write(bytes, in: store, folder: Layout.snapshots, name.hex)
  }

  /// Removes a snapshot.
  ///
  /// - Returns: whether it was there.
  /// - Throws: the error of the system call.
  package func remove(_ name: ObjectID) throws(SystemError) -> Bool {
    try opened.store.directory.unlink(Self.path(name))
  }

  // MARK: Use

  /// The snapshot that is known to be the whole history, if the refs have not changed since.
  ///
  /// - Parameter withLines: whether its lines will be needed.
  /// - Returns: a snapshot that has been checked.
  package func current(withLines: Bool) -> StateSnapshot? {
    guard opened.usesCache, let name = noted(at: chain), let found = snapshot(name),
      found.rules == StateSnapshot.rulesVersion, found.check(withLines: withLines)
    else { return nil }
    return found
  }

  /// The snapshot that is noted as the whole history at a moment.
  ///
  /// - Parameter chain: the hash over all changes of the refs up to then.
  /// - Returns: its name; `nil` when there is no note, or it is about another moment.
  package func noted(at chain: Digest) -> ObjectID? {
    guard
      let note = CacheFile.open(in: opened.store.directory, Self.notePath)?
        .payload(limit: 2 * Digest.byteCount),
      note.count == 2 * Digest.byteCount,
      Digest(raw: note.span.extracting(first: Digest.byteCount)) == chain
    else { return nil }
    return Digest(raw: note.span.extracting(last: Digest.byteCount)).map { ObjectID(digest: $0) }
  }

  /// Records for the next run that a snapshot is the whole history, unless the refs have changed in the meantime.
  package func noteCurrent(_ name: ObjectID) {
    guard opened.usesCache, let now = try? opened.snapshot().chain, now == chain else { return }
    var note: [UInt8] = []
    note.append(chain.bytes.span)
    name.appendRaw(to: &note)
    try? CacheFile.write(
      note, in: opened.store.directory, folder: Layout.snapshots, Self.currentName)
  }

  /// The usable part of the best snapshot for a closed set of nodes: of those that apply, the one with the most nodes.
  ///
  /// - Returns: `nil` when there is none; damaged ones are skipped.
  package func basis(in log: some HistoryLog, _ cut: Cut) -> SnapshotBasis? {
    let found = ((try? names()) ?? []).compactMap { snapshot($0) }
    for snapshot in found.sorted(on: { -$0.nodeCount })
    where snapshot.rules == StateSnapshot.rulesVersion && snapshot.nodeCount <= cut.count
      && snapshot.check(withLines: true)
    {
      if let basis = snapshot.basis(in: log, cut) { return basis }
    }
    return nil
  }
}
