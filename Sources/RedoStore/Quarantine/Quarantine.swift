// `quarantine/`: what was received and is not yet part of the store. Readers of the store see nothing of it.
//
//   lock                   one synchronisation at a time, and one process that takes nodes in
//   incoming/<16 hex>.pack packs as they came, not checked; what an account sends begins with its 8 digits
//   orphans/ab/<62 hex>    nodes whose parents are not here, and what the trust file keeps out, as loose objects
//   owners                 which account sent those, and how large they are
//   hook-<16 hex>/         what a hook is shown of what comes, as long as it runs

internal import RedoObject

/// The quarantine of a store.
///
/// A class, because a receiver, its packs and its locks share the open directory.
package final class Quarantine: Sendable {
  /// The directory `quarantine`.
  private let directory: Directory
  private let sync: SyncPolicy

  /// The lock's name.
  static let lockName = "lock"
  /// The names of its two directories.
  static let incomingName = "incoming"
  static let orphansName = "orphans"
  /// The most nodes that are kept: a peer that sends nodes without their parents cannot fill the disk.
  package static let nodeLimit = 100_000

  /// The part of the quarantine that a lock covers.
  package enum Right: Int, Sendable {
    /// For synchronising this store with another one.
    case synchronising = 0
    /// To take nodes in.
    case admitting = 1
  }

  /// Opens the quarantine of a store, and makes it where a wipe or a hand has taken it away.
  ///
  /// - Parameters:
  ///   - store: the store's directory.
  ///   - sync: what to sync.
  /// - Throws: what the calls answered.
  package init(in store: borrowing Directory, _ sync: SyncPolicy) throws(SystemError) {
    try store.makeDirectory(Layout.quarantine)
    directory = try store.openSubdirectory(Layout.quarantine, isFollowing: false)
    self.sync = sync
  }

  /// Takes a right that only one process, or part of one, has at a time.
  ///
  /// - Parameters:
  ///   - right: which.
  ///   - timeoutMilliseconds: how long to wait; 0 tries once.
  /// - Returns: `nil` when another process still has it after that time.
  /// - Throws: what the calls answered.
  package func acquire(
    _ right: Right, timeoutMilliseconds: Int
  ) throws(SystemError) -> LockFile? {
    try LockFile.acquire(
      in: directory, name: Self.lockName, part: .byte(right.rawValue),
      timeoutMilliseconds: timeoutMilliseconds)
  }

  /// The path of its lock, for messages.
  package var lockPath: String { joinPath(directory.path, Self.lockName) }

  // MARK: Packs that come

  /// The directory of packs that come, made if it is missing.
  func openIncoming() throws(SystemError) -> Directory {
    try directory.makeDirectory(Self.incomingName)
    return try directory.openSubdirectory(Self.incomingName, isFollowing: false)
  }

  /// Begins a pack that comes.
  ///
  /// - Parameters:
  ///   - isKept: whether it has a name, so that what has come is there after a crash.
  ///   - owner: whose it is, where that is of interest.
  /// - Returns: the pack, without bytes.
  /// - Throws: what the calls answered.
  package func makePack(
    isKept: Bool = true, of owner: QuarantineOwner? = nil
  ) throws(SystemError) -> IncomingPack {
    let folder = try openIncoming()
    guard isKept else { return try IncomingPack(unnamedIn: folder) }
    while true {
      // At least 32 random bits: a collision is unlikely, and another name costs nothing.
      let digits = Random.hex16()
      let name = owner.map { $0.digits + digits.dropFirst($0.digits.utf8.count) } ?? digits
      if let pack = try IncomingPack(new: name + IncomingPack.ending, in: folder) { return pack }
    }
  }

  /// How many bytes the packs of an account have, those among them that come now.
  ///
  /// - Parameter owner: the account.
  /// - Returns: the sum of their sizes.
  /// - Throws: what the calls answered.
  package func packBytes(of owner: QuarantineOwner) throws(SystemError) -> Int {
    guard try directory.status(Self.incomingName)?.kind == .directory else { return 0 }
    let folder = try directory.openSubdirectory(Self.incomingName, isFollowing: false)
    var bytes = 0
    for name in try folder.list() where IncomingPack.isName(name) && name.hasPrefix(owner.digits) {
      bytes += try folder.status(name)?.size ?? 0
    }
    return bytes
  }

  /// The packs that an interrupted run left, and that nobody else is about to take in.
  ///
  /// - Returns: the packs, by name; they are held until they go.
  /// - Throws: what the calls answered.
  package func leftPacks() throws(SystemError) -> [IncomingPack] {
    guard try directory.status(Self.incomingName)?.kind == .directory else { return [] }
    let folder = try directory.openSubdirectory(Self.incomingName, isFollowing: false)
    var packs: [IncomingPack] = []
    for name in try folder.list().sorted() where IncomingPack.isName(name) {
      if let pack = try IncomingPack(left: name, in: folder) { packs.append(pack) }
    }
    return packs
  }

  /// How many packs an interrupted run has left, or another process is receiving now.
  ///
  /// - Throws: what the calls answered.
  package func packCount() throws(SystemError) -> Int {
    guard try directory.status(Self.incomingName)?.kind == .directory else { return 0 }
    return try directory.openSubdirectory(Self.incomingName, isFollowing: false).list()
      .count { IncomingPack.isName($0) }
  }

  /// Makes a directory of objects that a hook is shown; the right to take nodes in is held.
  ///
  /// - Throws: what the calls answered.
  package func show() throws(SystemError) -> ShownObjects { try ShownObjects(in: directory) }

  /// Removes what crashes have left of such directories.
  ///
  /// - Throws: what the calls answered.
  package func removeShown() throws(SystemError) { try ShownObjects.sweep(directory) }

  // MARK: Nodes without their parents

  /// Which accounts have sent the nodes that wait; none where nobody has noted it, or the note is damaged.
  ///
  /// - Throws: what the calls answered.
  package func owners() throws(SystemError) -> QuarantineOwners {
    guard
      let bytes = try directory.readFile(
        QuarantineOwners.name, limit: QuarantineOwners.byteLimit, isFollowing: false)
    else { return QuarantineOwners() }
    return QuarantineOwners(decoding: bytes) ?? QuarantineOwners()
  }

  /// How many bytes of nodes that an account has sent wait for their parents.
  ///
  /// - Parameter owner: the account.
  /// - Returns: the sum of their canonical bytes.
  /// - Throws: `system`.
  package func waitingBytes(of owner: QuarantineOwner) throws(StoreError) -> Int {
    var owners: QuarantineOwners
    do throws(SystemError) { owners = try self.owners() } catch { throw .system(error) }
    guard owners.bytes(of: owner) > 0, let waiting = try orphans() else { return 0 }
    owners.keep(Set(try waiting.list(prefix: "")))
    return owners.bytes(of: owner)
  }

  /// Notes which accounts have sent the nodes that wait.
  ///
  /// Only whoever takes nodes in does that.
  ///
  /// - Parameter owners: all of them.
  /// - Throws: what the calls answered.
  package func note(_ owners: QuarantineOwners) throws(SystemError) {
    var temporary = try TemporaryFile(in: directory, prefix: "tmp_owners_", mode: 0o600)
    try temporary.file.writeAll(owners.bytes)
    if sync.isSyncing { try temporary.file.sync() }
    _ = try temporary.commit(as: QuarantineOwners.name, replacing: .always)
    if sync.isSyncing { try directory.sync() }
  }

  /// The nodes whose parents are not here.
  ///
  /// - Parameter makes: whether to create the directory if it is missing.
  /// - Returns: `nil` when there is no directory.
  /// - Throws: `system`.
  package func orphans(makes: Bool = false) throws(StoreError) -> LooseStore? {
    do throws(SystemError) {
      if makes {
        if try directory.makeDirectory(Self.orphansName), sync.isSyncing { try directory.sync() }
      } else if try directory.status(Self.orphansName)?.kind != .directory {
        return nil
      }
    } catch {
      throw .system(error)
    }
    return try LooseStore(path: joinPath(directory.path, Self.orphansName), syncPolicy: sync)
  }
}
