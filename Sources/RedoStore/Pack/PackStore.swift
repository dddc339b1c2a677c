// The packs of a directory of objects, `objects/pack/pack-<64 hex>.pack` (redo-pack(5)).

package import RedoCrypto
internal import RedoObject
internal import Synchronization

/// The packs of one directory of objects.
///
/// A class, because the threads of a pipeline share the open packs.
package final class PackStore: Sendable {
  /// The directory of objects.
  let directory: Directory
  /// How much a write waits for the disk.
  let syncPolicy: SyncPolicy
  /// Where decoded frames are kept.
  package let cache: FrameCache
  let counters: StoreCounters?
  private let listing = Mutex(Listing())
  /// How often other packs were found: a search for an object elsewhere first compares it.
  private let changes = Atomic<Int>(0)

  private struct Listing {
    /// In the order of their names.
    var packs: [Pack] = []
    /// When the directory had last changed at that time; `nil` when it did not exist.
    var modified: Int64?
    /// Whether a change after the listing would have another time.
    var isSettled = false
  }

  /// The packs of a directory of objects; nothing is read yet.
  ///
  /// - Parameters:
  ///   - directory: the directory of objects.
  ///   - syncPolicy: how much a write waits for the disk.
  ///   - cache: where decoded frames are kept.
  ///   - counters: where reads and writes are counted.
  package init(
    in directory: borrowing Directory, syncPolicy: SyncPolicy = .batch,
    cache: FrameCache = FrameCache(), counters: StoreCounters? = nil
  ) {
    self.directory = directory.share()
    self.syncPolicy = syncPolicy
    self.cache = cache
    self.counters = counters
  }

  /// The name of the directory of packs in the directory of objects.
  package static let folder = "pack"
  /// What the name of an unfinished pack or index begins with.
  package static let temporaryPrefix = "tmp_pack_"
  /// The lock for replacing packs, in the directory of packs.
  package static let lockName = "lock"

  /// The path of the directory of packs.
  package var path: String { joinPath(directory.path, Self.folder) }

  /// The name of a pack's file, `pack-<64 hex>.pack`.
  package static func fileName(_ name: Digest) -> String {
    "pack-\(Hex.text(name.bytes.span)).pack"
  }

  /// The name of a pack's index, `pack-<64 hex>.idx`.
  package static func indexName(_ name: Digest) -> String {
    "pack-\(Hex.text(name.bytes.span)).idx"
  }

  /// The name of the pack that a file is named after.
  ///
  /// - Parameters:
  ///   - file: the name of a file.
  ///   - ending: `.pack` or `.idx`.
  /// - Returns: `nil` for any other file.
  package static func packName(_ file: String, ending: String = ".pack") -> Digest? {
    guard file.hasPrefix("pack-"), file.hasSuffix(ending) else { return nil }
    let digits = Array(file.utf8.dropFirst(5).dropLast(ending.utf8.count))
    return Hex.decode32(digits.span).map { Digest(bytes: $0) }
  }

  // MARK: The list

  /// How long after a change of the directory another change could have the same time.
  private static let granularityNanoseconds: Int64 = 2_000_000_000

  /// The packs that are known, listed now if they never were.
  ///
  /// - Returns: the packs in the order of their names.
  /// - Throws: what listing the directory answers.
  func known() throws(SystemError) -> [Pack] {
    try listing.withLock { (listing) throws(SystemError) in
      if generation == 0 { _ = try list(&listing) }
      return listing.packs
    }
  }

  /// The same, without a lock as long as they are the same.
  ///
  /// - Parameter last: what the thread knew last.
  /// - Returns: the packs in the order of their names.
  /// - Throws: what listing the directory answers.
  func known(_ last: inout KnownPacks) throws(SystemError) -> [Pack] {
    let now = generation
    if last.store === self, last.generation == now, now > 0 { return last.packs }
    last.packs = try known()
    last.store = self
    // Listed again meanwhile, they may be newer than this: then they are asked once more.
    last.generation = max(now, 1)
    return last.packs
  }

  /// How often other packs were there than at the last look, the first one included.
  var generation: Int { changes.load(ordering: .acquiring) }

  /// The packs that exist now.
  ///
  /// - Returns: the packs in the order of their names.
  /// - Throws: what listing the directory answers.
  package func all() throws(SystemError) -> [Pack] {
    try refresh()
    return try known()
  }

  /// Lists the directory again if it may have changed.
  ///
  /// - Parameter isForced: whether to list it whatever its time says.
  /// - Returns: whether other packs are there than before.
  /// - Throws: what listing the directory answers.
  @discardableResult
  package func refresh(isForced: Bool = false) throws(SystemError) -> Bool {
    try listing.withLock { (listing) throws(SystemError) in
      if !isForced, generation > 0, listing.isSettled {
        let modified = try directory.status(Self.folder)?.modifiedNanoseconds
        if modified == listing.modified { return false }
      }
      return try list(&listing)
    }
  }

  /// Lists the directory.
  ///
  /// - Returns: whether other packs are there than before.
  private func list(_ listing: inout Listing) throws(SystemError) -> Bool {
    let before = listing.packs.map(\.name)
    let now = SystemClock.wallMilliseconds() * 1_000_000
    let modified = try directory.status(Self.folder)?.modifiedNanoseconds
    var names: [(name: Digest, file: String)] = []
    if modified != nil {
      do throws(SystemError) {
        let folder = try directory.openSubdirectory(Self.folder)
        for file in try folder.list() {
          if let name = Self.packName(file) { names.append((name, file)) }
        }
        names.sort { $0.name < $1.name }
        var packs: [Pack] = []
        for (name, file) in names {
          if let pack = listing.packs.first(where: { $0.name == name }) {
            packs.append(pack)
            continue
          }
          let files = Pack.Files(
            directory: folder, file: file, indexDirectory: folder,
            indexFile: Self.indexName(name), kinds: ObjectKind.packed)
          packs.append(Pack(name: name, files, cache: cache, counters: counters))
        }
        listing.packs = packs
      } catch {
        guard error.isMissing else { throw error }
        listing.packs = []
      }
    } else {
      listing.packs = []
    }
    listing.modified = modified
    listing.isSettled = now - (modified ?? 0) > Self.granularityNanoseconds
    let isSame = listing.packs.map(\.name) == before
    if !isSame || generation == 0 { changes.add(1, ordering: .releasing) }
    return !isSame
  }
}

/// The packs of a directory as a thread knew them last.
struct KnownPacks {
  var store: PackStore?
  var generation = 0
  var packs: [Pack] = []
}
