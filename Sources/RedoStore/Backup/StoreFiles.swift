// The files of a store besides its objects, refs and logs, as a backup takes them: each as a whole. What can be made again
// is not taken; what is secret, or of use to one machine only, is taken only where it will be encrypted.

package import RedoObject

/// What a path below the directory of a store means to a backup.
package enum StoredPath: Equatable, Sendable {
  /// A file that is kept as it is.
  case kept
  /// Part of what a backup says otherwise, or can be made again.
  case covered
  /// A directory with more paths in it.
  case folder
  /// A file that is left out, and why.
  case left(LeftKind)

  /// What is left out of a backup.
  package enum LeftKind: String, CaseIterable, Comparable, Sendable {
    /// Files of the keyring.
    case keys
    /// Files of what clients of the Firestore subset wrote, with their accounts.
    case documents
    /// What is noted about receipts, which has a backup of its own.
    case local
    /// Bytes of what was repaired.
    case lostFound = "lost-found"
    /// What no store has, and what is no regular file.
    case other
    /// Objects that cannot be read.
    case unreadable

    package static func < (one: LeftKind, other: LeftKind) -> Bool {
      one.rawValue < other.rawValue
    }

    /// Whether such files are taken where they will be encrypted.
    package var isSecret: Bool { self == .keys || self == .documents }
  }

  /// Whether a file of this meaning is taken.
  ///
  /// - Parameter isSealed: whether it will be encrypted.
  /// - Returns: whether it is.
  package func isTaken(isSealed: Bool) -> Bool {
    switch self {
    case .kept: true
    case .left(let kind): isSealed && kind.isSecret
    case .covered, .folder: false
    }
  }

  /// The meaning of a path.
  package init(_ path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
      self = .left(.other)
      return
    }
    if parts.last?.hasPrefix("tmp_") == true {
      self = .covered
      return
    }
    switch (parts[0], parts.count) {
    case (Layout.config, 1), (Layout.trust, 1), (Layout.created, 1), (Layout.access, 1):
      self = .kept
    case (Layout.local, 1): self = .left(.local)
    case (Refs.Name.refs, 1), (Refs.Name.journal, 1), (Refs.Name.reflog, 1),
      (Refs.Name.received, 1), (Refs.Name.lock, 1), ("archives", _), (Layout.cache, _):
      self = .covered
    case (Layout.objects, 1), (Layout.hooks, 1), (Layout.remotes, 1), (Layout.remotes, 2),
      (Layout.quarantine, 1), (Layout.keys, 1), (Layout.documents, 1), (Layout.lostFound, 1):
      self = .folder
    case (Layout.objects, 2): self = parts[1] == "info" ? .folder : .covered
    case (Layout.objects, _): self = path == "objects/info/signatures" ? .kept : .covered
    case (Layout.hooks, 2):
      self = HookProcess.names.contains(parts[1]) ? .kept : .left(.other)
    case (Layout.remotes, _): self = Self.remote(parts)
    case (Layout.quarantine, _): self = Self.quarantine(parts)
    case (Layout.keys, _): self = .left(.keys)
    case (Layout.documents, _): self = .left(.documents)
    case (Layout.lostFound, _): self = .left(.lostFound)
    default: self = .left(.other)
    }
  }

  private static func remote(_ parts: [String]) -> StoredPath {
    if parts[2] == Layout.mirror { return .covered }
    let names = ["access", "checkpoint", "heldback", "id", "last"]
    return parts.count == 3 && names.contains(parts[2]) ? .kept : .left(.other)
  }

  private static func quarantine(_ parts: [String]) -> StoredPath {
    switch (parts[1], parts.count) {
    case (Quarantine.lockName, 2), (QuarantineOwners.name, 2): .covered
    case (Quarantine.incomingName, 2), (Quarantine.orphansName, 2),
      (Quarantine.orphansName, 3), (QuarantinedDocuments.name, 2):
      .folder
    case (Quarantine.incomingName, 3), (Quarantine.orphansName, 4),
      (QuarantinedDocuments.name, 3):
      .kept
    // What a hook is shown is nowhere as soon as it has answered.
    default: ShownObjects.isName(parts[1]) ? .covered : .left(.other)
    }
  }
}

/// The files of a store that a backup takes as they are.
package struct StoreFiles: Sendable {
  /// A file.
  package struct Item: Sendable {
    /// Its path below the store's directory.
    package let path: String
    /// Its bytes.
    package let bytes: [UInt8]
    /// Whether it can be run.
    package let isProgram: Bool
    /// Whether only its owner can do anything with it.
    package let isPrivate: Bool

    /// A file of all its parts.
    package init(path: String, bytes: [UInt8], isProgram: Bool, isPrivate: Bool) {
      self.path = path
      self.bytes = bytes
      self.isProgram = isProgram
      self.isPrivate = isPrivate
    }

    /// Its permissions in a new store, before the umask.
    fileprivate var mode: UInt32 { (isProgram ? 0o755 : 0o644) & (isPrivate ? 0o700 : 0o777) }
  }

  /// The files, by their paths.
  package private(set) var items: [Item] = []
  /// How many files are left out.
  package private(set) var left: [StoredPath.LeftKind: Int] = [:]
  /// The paths of those among them that would be kept if they were no links, or the like.
  package private(set) var irregular: [String] = []

  /// Whether only its owner can do anything with the store.
  package let isPrivate: Bool

  /// The largest file in bytes.
  private static let byteLimit = 1 << 30

  /// Reads the files of a store.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - isSealed: whether they will be encrypted, so that secret ones are taken, too.
  /// - Throws: what the calls answered.
  package init(of store: borrowing StoreDirectory, isSealed: Bool) throws(SystemError) {
    isPrivate = try store.directory.status().isPrivate
    try add(store.directory, "", isSealed)
    items.sort { $0.path < $1.path }
  }

  private mutating func add(
    _ directory: borrowing Directory, _ prefix: String, _ isSealed: Bool
  ) throws(SystemError) {
    for name in try directory.list().sorted() {
      let path = prefix + name
      let meaning = StoredPath(path)
      if meaning == .covered { continue }
      // A link is followed where whoever reads the store follows it, and nowhere else.
      let isFollowing = path == Layout.config || path == Layout.objects
      // What has vanished meanwhile is not there.
      guard let status = try directory.status(name, isFollowing: isFollowing) else { continue }
      switch (status.kind, meaning) {
      case (.directory, .folder):
        try add(
          try directory.openSubdirectory(name, isFollowing: isFollowing), path + "/", isSealed)
      case (.directory, .left) where meaning.isTaken(isSealed: isSealed):
        try add(try directory.openSubdirectory(name, isFollowing: false), path + "/", isSealed)
      case (.directory, .left(let kind)) where kind != .other:
        try count(kind, in: try directory.openSubdirectory(name, isFollowing: false))
      case (.regular, _) where meaning.isTaken(isSealed: isSealed):
        guard
          let bytes = try directory.readFile(
            name, limit: Self.byteLimit, isFollowing: isFollowing)
        else { continue }
        items.append(
          Item(
            path: path, bytes: bytes, isProgram: status.mode & 0o100 != 0,
            isPrivate: status.isPrivate))
      case (.regular, .left(let kind)): left[kind, default: 0] += 1
      case (_, .folder):
        if case .left(let kind) = StoredPath("\(path)/x"), kind != .other {
          left[kind, default: 0] += 1
          continue
        }
        left[.other, default: 0] += 1
        irregular.append(path)
      case (_, _) where meaning.isTaken(isSealed: isSealed):
        left[.other, default: 0] += 1
        irregular.append(path)
      default: left[.other, default: 0] += 1
      }
    }
  }

  /// The name that a store with these files has; `nil` when it has none.
  package static func storeID(_ items: [Item]) -> StoreID? {
    let path = Layout.config
    guard let config = items.first(where: { $0.path == path }),
      let text = try? ConfigText(config.bytes, file: path, origin: .store(path: path))
    else { return nil }
    return (try? Config(entries: text.entries).storeID()) ?? nil
  }

  /// Counts the files in a directory, however deep.
  private mutating func count(
    _ kind: StoredPath.LeftKind, in directory: borrowing Directory
  ) throws(SystemError) {
    for name in try directory.list() {
      if try directory.status(name)?.kind == .directory {
        try count(kind, in: try directory.openSubdirectory(name, isFollowing: false))
      } else {
        left[kind, default: 0] += 1
      }
    }
  }

  /// Makes a new store one that only its owner can do anything with.
  ///
  /// - Parameter store: the store.
  /// - Throws: what the call answered.
  package static func makePrivate(_ store: borrowing StoreDirectory) throws(SystemError) {
    try store.directory.setMode(0o700)
  }

  /// Writes a file into a new store.
  ///
  /// - Parameters:
  ///   - item: the file, the path of which a backup may have.
  ///   - store: the store.
  ///   - sync: what to wait for.
  /// - Throws: what the calls answered.
  package static func write(
    _ item: Item, to store: borrowing StoreDirectory, _ sync: SyncPolicy
  ) throws(SystemError) {
    let meaning = StoredPath(item.path)
    precondition(meaning.isTaken(isSealed: true), "BUG: a backup has a file that it cannot have")
    var parts = item.path.split(separator: "/").map(String.init)
    let name = parts.removeLast()
    var folder = store.directory.share()
    for part in parts {
      try folder.makeDirectory(part, mode: meaning == .kept ? 0o755 : 0o700)
      folder = try folder.openSubdirectory(part, isFollowing: false)
    }
    var temporary = try TemporaryFile(
      in: folder, prefix: "tmp_restored_", mode: item.mode)
    try temporary.file.writeAll(item.bytes)
    if sync.isSyncing { try temporary.file.sync() }
    _ = try temporary.commit(as: name, replacing: .always)
    if sync.isSyncing { try folder.sync() }
  }
}

extension FileStatus {
  /// Whether nobody but its owner can do anything with it.
  fileprivate var isPrivate: Bool { mode & 0o077 == 0 }
}
