// The files below `cache/`: whether they have the hashes that they state. What they say is compared
// with the nodes elsewhere.

internal import RedoObject

/// The check of the bytes of derived files.
package enum CacheCheck {
  /// The parts of the index of the history.
  package static let indexNames = ["graph", "graph.tail", "graph.heads", "graph.tree"]

  /// The index in tables, what SQLite keeps beside it, one that is being built, and the lock of those who change it.
  ///
  /// SQLite finds out itself whether they are whole.
  static let tableNames: Set = [
    Layout.tables, "\(Layout.tables)-wal", "\(Layout.tables)-shm", "\(Layout.tables)-journal",
    "\(Layout.tables).new", "\(Layout.tables).new-wal", "\(Layout.tables).new-shm",
    "\(Layout.tables).new-journal", Layout.tablesLock,
  ]

  /// Reads every file of the index.
  ///
  /// - Parameter store: the store's directory.
  /// - Returns: what is damaged, by path.
  package static func index(in store: borrowing Directory) -> [StoreFinding] {
    indexNames.compactMap { name in
      let path = joinPath(Layout.cache, name)
      return isWhole(path, in: store)
        ? nil
        : StoreFinding(
          .indexCorrupt, path: path, detail: "its bytes have another hash than it states",
          repair: StoreRepair.cache)
    }
  }

  /// Reads every snapshot, and the note of the newest.
  ///
  /// - Parameter store: the store's directory.
  /// - Returns: what is damaged, by path.
  package static func snapshots(in store: borrowing Directory) -> [StoreFinding] {
    var findings: [StoreFinding] = []
    for entry in FileCheck.entries(of: Layout.snapshots, in: store, &findings) {
      let isNamed = ObjectID(hex: Array(entry.name.utf8).span) != nil
      let path = joinPath(Layout.snapshots, entry.name)
      guard isNamed || entry.name == "current", !isWhole(path, in: store) else { continue }
      findings.append(
        StoreFinding(
          .snapshotCorrupt, path: path, detail: "its bytes have another hash than it states",
          repair: StoreRepair.cache))
    }
    return findings
  }

  /// Reads the notes of nodes that can be followed.
  ///
  /// - Parameter store: the store's directory.
  /// - Returns: what is damaged.
  package static func living(in store: borrowing Directory) -> StoreFinding? {
    let path = joinPath(Layout.cache, LivingNotes.name)
    guard (try? store.status(path))??.kind == .regular else { return nil }
    let damaged = LivingNotes.damagedCount(in: store)
    guard damaged > 0 else { return nil }
    return StoreFinding(
      .indexCorrupt, path: path,
      detail: "\(damaged) of its notes have another hash than they state",
      repair: StoreRepair.cache)
  }

  /// Whether a file is whole; also when it is missing or no file, which the check of names tells.
  private static func isWhole(_ path: String, in store: borrowing Directory) -> Bool {
    guard (try? store.status(path))??.kind == .regular else { return true }
    guard let file = CacheFile.open(in: store, path) else { return false }
    return file.check(0..<file.count)
  }
}
