// How the user remembers a store of their own: a file in the user's state directory, which no store can bring along.
//
//   <state>/stores/<the first 32 hex digits of the SHA-256 of the store's path>
//
//   redo-store 1 <inode> <birth> <core.id> <settings: 64 hex> <path> LF
//
// The path is that of `.redo`, without symbolic links. Inode and birth, in nanoseconds since 1970, are those of that
// directory; the birth is 0 where the file system does not tell it. So a store that was moved, copied, unpacked or put in
// the place of another is not the one that is remembered. The settings are the SHA-256 over those that only a store of the
// user's own may say and over the addresses of remotes, because a secret is for one address: each a key, NUL, `=` and the
// value if there is one, NUL, in the order of the file.
//
// File and directory are the user's alone, or nothing in them counts.

internal import RedoCrypto
internal import RedoObject

/// The memory of one store.
struct StoreRecord: Sendable {
  private static let folderName = "stores"
  private static let temporaryPrefix = "tmp_store_"
  /// The most bytes of a record: the longest path that the kernel takes, and the rest.
  private static let byteLimit = 8192

  /// The directory of all records.
  private let folder: String
  /// The path of the store's directory.
  private let path: String
  private let inode: UInt64
  private let birthNanoseconds: Int64
  private let sudoUserID: UInt32?

  /// The record of a store, whether or not it exists; none without a state directory, or if the store's directory cannot be
  /// examined.
  ///
  /// - Parameters:
  ///   - directory: the store's directory.
  ///   - sources: says where the state directory is.
  init?(of directory: borrowing Directory, _ sources: ConfigSources) {
    guard let state = sources.stateDirectory, let path = try? directory.realPath(),
      let origin = directory.origin
    else { return nil }
    folder = joinPath(state, Self.folderName)
    self.path = path
    inode = origin.inode
    birthNanoseconds = origin.birthNanoseconds
    sudoUserID = sources.sudoUserID
  }

  private var name: String {
    String(Hex.text(SHA256.digest(of: Array(path.utf8).span).bytes.span).prefix(32))
  }

  // MARK: Text

  /// What stands before the digest of the settings.
  private func start(_ own: [Config.Entry]) -> [UInt8] {
    let id = (try? Config(entries: own).storeID()) ?? nil
    return Array("redo-store 1 \(inode) \(birthNanoseconds) \(id?.text ?? "-") ".utf8)
  }

  /// What stands after it.
  private var end: [UInt8] { Array(" \(path)\n".utf8) }

  /// The digest over the settings that have to be accepted.
  private static func settings(_ own: [Config.Entry]) -> [UInt8] {
    var bytes: [UInt8] = []
    for entry in own where isPinned(entry) {
      bytes += entry.key.utf8
      bytes.append(0)
      if let value = entry.value { bytes += "=\(value)".utf8 }
      bytes.append(0)
    }
    return Array(Hex.text(SHA256.digest(of: bytes.span).bytes.span).utf8)
  }

  private static func isPinned(_ entry: Config.Entry) -> Bool {
    KnownKey.speaker(of: entry) == .ownStore || KnownKey.isAddress(entry.key)
  }

  // MARK: File

  /// What the record says about the store.
  ///
  /// - Parameter own: the settings of the store's file.
  /// - Returns: `stranger` when there is no record, or another store's.
  func standing(of own: [Config.Entry]) -> StoreStanding {
    guard let bytes = read() else { return .stranger }
    let (start, end) = (start(own), end)
    // The digest of the settings may differ, and nothing else.
    guard bytes.count == start.count + 2 * Digest.byteCount + end.count, bytes.starts(with: start),
      Array(bytes.suffix(end.count)) == end
    else { return .stranger }
    return bytes.dropFirst(start.count).starts(with: Self.settings(own)) ? .own : .changed
  }

  private func read() -> [UInt8]? {
    do throws(SystemError) {
      guard let around = try FileStatus.at(folder), around.kind == .directory, isSafe(around) else {
        return nil
      }
      let file = try File.open(joinPath(folder, name), .read, [.noFollow, .nonBlocking])
      let status = try file.status()
      guard status.kind == .regular, isSafe(status) else { return nil }
      return try file.readAll(limit: Self.byteLimit)
    } catch {
      return nil
    }
  }

  /// Whether nobody but the user, or root, can have written it.
  private func isSafe(_ status: FileStatus) -> Bool {
    let user = CurrentProcess.effectiveUserID
    let isOwn = [user, 0].contains(status.userID) || (user == 0 && status.userID == sudoUserID)
    return isOwn && status.mode & 0o022 == 0
  }

  /// Remembers the store as it is now, in one step.
  ///
  /// It is not synced: if a record is lost, the store is accepted again.
  ///
  /// - Parameter own: the settings of the store's file.
  /// - Throws: what a system call answered.
  func write(_ own: [Config.Entry]) throws(SystemError) {
    try Directory.makeDirectories(folder, mode: 0o700)
    let directory = try Directory.open(folder)
    var temporary = try TemporaryFile(in: directory, prefix: Self.temporaryPrefix, mode: 0o600)
    try temporary.file.writeAll(start(own) + Self.settings(own) + end)
    _ = try temporary.commit(as: name, replacing: .always)
    // A directory that others may write to is no memory.
    guard standing(of: own) == .own else {
      throw .unrememberable(folder)
    }
  }

  /// Forgets the store.
  ///
  /// - Returns: whether there was a record.
  /// - Throws: what unlink(2) answered.
  func remove() throws(SystemError) -> Bool {
    guard try FileStatus.at(folder) != nil else { return false }
    return try Directory.open(folder).unlink(name)
  }
}
