// The refs of a store: `refs` and `refs.journal` in its directory.

internal import RedoCrypto

/// The refs of one store.
package struct Refs: ~Copyable, Sendable {
  /// The store's directory.
  let directory: Directory
  /// Whether nothing may be written.
  private let isFrozen: Bool

  /// The names of the files in the store's directory.
  enum Name {
    static let refs = "refs"
    static let journal = "refs.journal"
    static let reflog = "reflog"
    static let received = "received"
    static let lock = "lock"
    static let temporary = "tmp_refs_"
  }

  /// How often a reader looks again at files that a writer is just replacing.
  private static let maximumTries = 50
  /// How often a reader looks again at a journal that seems corrupt, or cut off.
  private static let corruptTries = 4

  /// The refs of a store.
  ///
  /// - Parameters:
  ///   - directory: the store's directory, `.redo`.
  ///   - isFrozen: whether nothing may be written.
  package init(in directory: borrowing Directory, isFrozen: Bool = false) {
    self.directory = directory.share()
    self.isFrozen = isFrozen
  }

  /// Refuses to write where nothing may be written.
  func checkWritable() throws(RefsError) {
    if isFrozen { throw .system(.hookRuns(directory.path)) }
  }

  var refsPath: String { joinPath(directory.path, Name.refs) }
  var journalPath: String { joinPath(directory.path, Name.journal) }

  /// A view of all refs at one moment, whatever is written later.
  ///
  /// - Returns: the view; it holds the file open.
  /// - Throws: `corrupt` when a file is missing or damaged, `behind` when changes are missing, `unsupportedFormat`,
  ///   `system`.
  package func snapshot() throws(RefsError) -> RefsSnapshot {
    let snapshot = try look()
    if let doubt = snapshot.doubt { throw doubt }
    return snapshot
  }

  /// As `snapshot`, but a view that may not be all is one, too, with its `doubt`: for those who look for damage.
  package func look() throws(RefsError) -> RefsSnapshot {
    var corruptSeen = 0
    var doubtSeen = 0
    for attempt in 1... {
      do throws(RefsError) {
        // First, because what it states is in the refs from then on.
        let witness = try witness()
        if var snapshot = try open() {
          snapshot.doubt = try doubt(of: snapshot, witness)
          if snapshot.doubt == nil { return snapshot }
          // A wipe or a repair may be at work.
          doubtSeen += 1
          if doubtSeen == Self.corruptTries { return snapshot }
        }
        guard attempt < Self.maximumTries else {
          throw .corrupt(journalPath, at: 0, "the journal belongs to a later refs file")
        }
      } catch {
        // A writer that cuts a torn record off and writes anew may show us half of each; that
        // passes, corruption stays.
        corruptSeen += 1
        guard case .corrupt(let corruption) = error, corruption.file == journalPath,
          corruptSeen < Self.corruptTries
        else { throw error }
      }
      SystemClock.sleep(microseconds: attempt < 10 ? 50 : 1_000)
    }
    preconditionFailure("BUG: an endless loop has ended")
  }

  /// Opens both files once.
  ///
  /// - Returns: `nil` when the journal is newer than the refs: they have been folded in between.
  /// - Throws: as `snapshot`.
  func open() throws(RefsError) -> RefsSnapshot? {
    let file = try RefsError.wrapping { () throws(SystemError) in
      try directory.openFileIfPresent(Name.refs, .read, [.noFollow, .nonBlocking])
    }
    guard let file else { throw .corrupt(refsPath, at: 0, "the file is missing") }
    let reader = try RefsReader(file: file, path: refsPath)
    let bytes = try RefsError.wrapping { () throws(SystemError) in
      try directory.readFile(Name.journal, isFollowing: false)
    }
    guard let bytes else { throw .corrupt(journalPath, at: 0, "the file is missing") }
    var journal = try RefsJournal(headerOf: bytes, file: journalPath)
    let header = reader.header
    if journal.generation > header.generation { return nil }
    if journal.generation < header.generation {
      try checkStale(&journal, header)
      return RefsSnapshot(reader: reader, staleJournal: journal)
    }
    guard journal.chain == header.chain else {
      throw .corrupt(journalPath, at: 0, "the journal does not continue its refs file")
    }
    try journal.readRecords(
      after: header.entry, receivedBytes: header.receivedBytes, file: journalPath)
    return RefsSnapshot(reader: reader, journal: journal)
  }

  /// A journal that has been folded, but not yet replaced, ends exactly where the refs begin; any
  /// other old one has been put there, and what it replaced is lost.
  private func checkStale(
    _ journal: inout RefsJournal, _ header: RefsHeader
  ) throws(RefsError) {
    try journal.readRecords(after: nil, receivedBytes: 0, file: journalPath)
    guard journal.generation == header.generation - 1, journal.chain == header.chain else {
      throw .corrupt(journalPath, at: 0, "an older journal does not lead to its refs file")
    }
  }
}
