// The registered archives of a store, for reading: after everything else, and listed again when an object
// is found nowhere, so that no node is missed while it moves into an archive.

package import RedoCrypto
package import RedoObject
internal import Synchronization

/// The archives that count as a part of a store.
///
/// A class, because the threads of a pipeline share the open archives.
package final class ArchiveShelf: ObjectPlace, Sendable {
  private let store: Directory
  private let cache: FrameCache
  private let counters: StoreCounters?
  private let unlock: AgeUnlocking
  private let listing = Mutex(Listing())

  private struct Listing {
    var archives: [ShelvedArchive] = []
    /// How often the list was read.
    var generation = 0
    /// The file of the list at that time.
    var mark: Mark?
    /// Whether a later change of the list would show in the mark.
    var isSettled = false
  }

  private struct Mark: Equatable {
    let inode: UInt64
    let size: Int
    let modified: Int64

    init(_ status: FileStatus) {
      inode = status.inode
      size = status.size
      modified = status.modifiedNanoseconds
    }
  }

  /// How long after a change another change could leave the same mark.
  private static let granularityNanoseconds: Int64 = 2_000_000_000

  /// The archives of a store; nothing is read yet.
  ///
  /// - Parameters:
  ///   - store: the store's directory.
  ///   - cache: where decoded frames are kept.
  ///   - counters: where reads are counted.
  ///   - unlock: finds the keys of those that are encrypted.
  package init(
    of store: borrowing Directory, cache: FrameCache, counters: StoreCounters? = nil,
    unlock: @escaping AgeUnlocking = { _ in nil }
  ) {
    self.store = store.share()
    self.cache = cache
    self.counters = counters
    self.unlock = unlock
  }

  // MARK: The list

  private func known() throws(StoreError) -> (archives: [ShelvedArchive], generation: Int) {
    try listing.withLock { (listing) throws(StoreError) in
      if listing.generation == 0 { try read(&listing) }
      return (listing.archives, listing.generation)
    }
  }

  /// Reads the list again if it may have changed.
  ///
  /// - Parameter generation: what the asker knew.
  /// - Returns: whether there may be other archives than the caller knew.
  /// - Throws: `archives` when the list is damaged, `system`.
  private func refresh(besides generation: Int) throws(StoreError) -> Bool {
    try listing.withLock { (listing) throws(StoreError) in
      if listing.generation != generation { return true }
      if listing.isSettled, try currentMark() == listing.mark { return false }
      let before = listing.archives.map(\.archive)
      try read(&listing)
      return listing.archives.map(\.archive) != before
    }
  }

  private func currentMark() throws(StoreError) -> Mark? {
    try mapSystem { () throws(SystemError) in
      try store.status(ArchiveRegister.path).map { Mark($0) }
    }
  }

  private func read(_ listing: inout Listing) throws(StoreError) {
    let now = SystemClock.wallMilliseconds() * 1_000_000
    let mark = try currentMark()
    var register = ArchiveRegister()
    if mark != nil {
      do throws(ArchiveRegister.Failure) {
        register = try ArchiveRegister.read(in: store)
      } catch {
        if case .system(let error) = error { throw .system(error) }
        throw .archives(reason: error.description)
      }
    }
    listing.archives = register.archives.map { archive in
      // One that was moved is another file.
      listing.archives.first { $0.archive == archive }
        ?? ShelvedArchive(archive, in: store, cache: cache, counters: counters, unlock: unlock)
    }
    listing.mark = mark
    listing.isSettled = now - (mark?.modified ?? 0) > Self.granularityNanoseconds
    listing.generation += 1
  }

  /// The archives that are registered now, by name.
  ///
  /// - Throws: `archives` when the list is damaged, `system`.
  package func all() throws(StoreError) -> [ShelvedArchive] {
    let (archives, generation) = try known()
    return try refresh(besides: generation) ? known().archives : archives
  }

  /// The archive with a name, as it is registered now.
  ///
  /// - Throws: `archives` when the list is damaged, `system`.
  package func archive(_ name: Digest) throws(StoreError) -> ShelvedArchive? {
    try all().first { $0.archive.name == name }
  }

  /// How often the list was read.
  var generation: Int { listing.withLock(\.generation) }

  // MARK: Objects

  package func contains(_ id: ObjectID) throws(StoreError) -> Bool {
    try contains(id, butNotIn: nil)
  }

  /// Whether a node is in an archive, be its file away or not.
  ///
  /// - Parameters:
  ///   - id: the node.
  ///   - other: the name of an archive that does not count.
  /// - Returns: whether it is; for an archive whose index is damaged and whose file is away, `false`.
  /// - Throws: `archives` when the list is damaged, `system`.
  package func contains(
    _ id: ObjectID, butNotIn other: Digest?
  ) throws(StoreError) -> Bool {
    let (archives, generation) = try known()
    if Self.contains(id, archives, other) { return true }
    guard try refresh(besides: generation) else { return false }
    return Self.contains(id, try known().archives, other)
  }

  private static func contains(
    _ id: ObjectID, _ archives: [ShelvedArchive], _ other: Digest?
  ) -> Bool {
    archives.contains { $0.archive.name != other && (try? $0.contains(id)) == true }
  }

  /// Reads a node.
  ///
  /// A corrupt copy, or one that is away, does not hide a good one in another archive.
  ///
  /// - Parameters:
  ///   - id: the node.
  ///   - workspace: the thread's buffers.
  /// - Returns: `nil` when it is in no archive.
  /// - Throws: `offline` when the file of the archive is away, `corrupt`, `archives` when the list is
  ///   damaged, or the contents of an archive are not known; `system`.
  package func read(
    _ id: ObjectID, _ workspace: inout LooseStore.Workspace
  ) throws(StoreError) -> StoredObject? {
    let (archives, generation) = try known()
    var failure: StoreError?
    do throws(StoreError) {
      if let object = try Self.read(id, archives, &workspace.frames) { return object }
    } catch {
      failure = error
    }
    if try refresh(besides: generation) {
      return try Self.read(id, try known().archives, &workspace.frames)
    }
    if let failure { throw failure }
    return nil
  }

  private static func read(
    _ id: ObjectID, _ archives: [ShelvedArchive], _ inflater: inout FrameInflater
  ) throws(StoreError) -> StoredObject? {
    var failure: StoreError?
    for archive in archives {
      do throws(StoreError) {
        if let object = try archive.read(id, &inflater) { return object }
      } catch {
        // Knowing that a node is in an archive that is away tells more than that it might be in another one.
        if case .archives = error, failure != nil { continue }
        failure = error
      }
    }
    if let failure { throw failure }
    return nil
  }

  /// The ids that begin with some hex digits, in ascending order.
  ///
  /// - Parameter prefix: 0 to 64 lower-case hex digits.
  /// - Returns: the ids, each once.
  /// - Throws: `archives` when the list is damaged, or the contents of an archive are not known;
  ///   `system`.
  package func list(prefix: String) throws(StoreError) -> [ObjectID] {
    let digits = Array(prefix.utf8)
    var ids: [ObjectID] = []
    for archive in try all() { ids += try archive.ids(prefix: digits) }
    return ids.sortedAndUnique()
  }
}
