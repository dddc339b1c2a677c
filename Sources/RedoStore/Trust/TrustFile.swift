// A trust file as a file: read as a whole, changed in one step under a lock. The changed file serves as its own
// lock, as a config file does; if there is none, the first one that is complete counts, because an empty file
// would say that nobody may sign.

package import RedoObject

/// The file that says who may sign.
package struct TrustFile: Sendable {
  /// Its path, for messages.
  package let path: String
  /// Whether a setting names it, so that it must be there, and may be a symbolic link to be read.
  package let isNamed: Bool
  private let parent: String
  private let name: String

  /// The most bytes of a trust file: some 500,000 nodes that stay good of revoked keys.
  package static let byteLimit = 64 << 20
  /// What the names of unfinished files begin with.
  static let temporaryPrefix = "tmp_trust_"
  /// How often a file that others keep replacing is locked anew.
  private static let attemptLimit = 1000

  /// The file of a store.
  ///
  /// - Parameter directory: the path of the store's directory.
  /// - Returns: its trust file, which need not be there.
  package static func store(_ directory: String) -> TrustFile {
    TrustFile(
      path: joinPath(directory, Layout.trust), isNamed: false, parent: directory,
      name: Layout.trust)
  }

  /// The file that a setting names.
  ///
  /// - Parameter path: absolute, or relative to the directory of the process.
  /// - Returns: the file, which must be there to be read.
  package static func named(_ path: String) -> TrustFile {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      return TrustFile(path: path, isNamed: true, parent: ".", name: path)
    }
    let parent = slash == path.startIndex ? "/" : String(path[..<slash])
    let name = String(path[path.utf8.index(after: slash)...])
    return TrustFile(path: path, isNamed: true, parent: parent, name: name)
  }

  /// What was read.
  package struct Contents: Sendable {
    /// The text.
    package let text: TrustText
    /// Whether others than its owner may write it.
    package let isExposed: Bool
  }

  /// Reads the file.
  ///
  /// - Returns: `nil` when the store has none.
  /// - Throws: `missing` when a setting names a file that does not exist; `form` and the others.
  package func read() throws(TrustError) -> Contents? {
    let directory: Directory
    do throws(SystemError) {
      directory = try Directory.open(parent)
    } catch {
      guard error.isMissing, isNamed else { throw .system(error) }
      throw .missing(path: path)
    }
    let found = try read(in: directory, isFollowing: isNamed)
    guard found != nil || !isNamed else { throw .missing(path: path) }
    return found
  }

  private func read(
    in directory: borrowing Directory, isFollowing: Bool
  ) throws(TrustError) -> Contents? {
    let bytes: [UInt8]
    let mode: UInt32
    do throws(SystemError) {
      // Non-blocking, so that a named pipe in the place of the file cannot hold us up.
      let options: File.Options = isFollowing ? .nonBlocking : [.nonBlocking, .noFollow]
      guard let file = try directory.openFileIfPresent(name, .read, options) else { return nil }
      let status = try file.status()
      guard status.kind == .regular else { throw SystemError.notRegular(path) }
      mode = status.mode
      bytes = try file.readAll(limit: Self.byteLimit)
    } catch {
      throw fault(error)
    }
    do throws(TrustFault) {
      return Contents(text: try TrustText(bytes), isExposed: mode & 0o022 != 0)
    } catch {
      throw .form(path: path, error)
    }
  }

  private func fault(_ error: SystemError) -> TrustError {
    if error.isTooLarge { return .tooLarge(path: path) }
    let isIrregular = error.isSymbolicLink || error.isUnopenable
    if isIrregular || error == .notRegular(path) { return .irregular(path: path) }
    return .system(error)
  }

  // MARK: Changing

  /// The file while nobody else changes it.
  package struct Held: ~Copyable, Sendable {
    /// Its text; empty when there is no file.
    package let text: TrustText
    /// Whether there is no file.
    package let isNew: Bool
    let file: TrustFile
    let directory: Directory
    let lock: LockFile?
    let mode: UInt32

    init(
      _ text: TrustText, isNew: Bool, _ file: TrustFile, _ directory: consuming Directory,
      _ lock: consuming LockFile?, mode: UInt32
    ) {
      self.text = text
      self.isNew = isNew
      self.file = file
      self.directory = directory
      self.lock = lock
      self.mode = mode
    }

    /// Replaces the file in one step: readers see the old text or the new one.
    ///
    /// - Parameters:
    ///   - text: the new text.
    ///   - policy: what to sync.
    /// - Returns: `false` when there was no file, and another process has made one meanwhile; that one stays.
    /// - Throws: `system`; the file is then as it was.
    package consuming func commit(
      _ text: TrustText, _ policy: SyncPolicy
    ) throws(TrustError) -> Bool {
      do throws(SystemError) {
        var temporary = try TemporaryFile(
          in: directory, prefix: TrustFile.temporaryPrefix, mode: isNew ? 0o644 : 0o600)
        try temporary.file.writeAll(text.bytes)
        if !isNew { try temporary.file.setMode(mode) }
        if policy.isSyncing { try temporary.file.sync() }
        let isDone = try temporary.commit(as: file.name, replacing: isNew ? .never : .always)
        if isDone, policy.isSyncing { try directory.sync() }
        return isDone
      } catch {
        throw file.fault(error)
      }
    }
  }

  /// Takes the lock of the file, and reads it; a symbolic link is never followed.
  ///
  /// - Parameter options: how long to wait for another writer.
  /// - Returns: the file; it does not change until the value goes out of scope.
  /// - Throws: `locked`; as `read`.
  package func hold(_ options: RefsOptions) throws(TrustError) -> Held {
    for _ in 0..<Self.attemptLimit {
      let directory = try calling { () throws(SystemError) in try Directory.open(parent) }
      let status = try calling { () throws(SystemError) in try directory.status(name) }
      guard let status else {
        return Held(TrustText(), isNew: true, self, directory, nil, mode: 0)
      }
      guard status.kind == .regular else { throw .irregular(path: path) }
      let lock = try calling { () throws(SystemError) in
        try LockFile.acquire(
          in: directory, name: name, timeoutMilliseconds: options.lockTimeoutMilliseconds,
          options: [.noFollow, .nonBlocking])
      }
      guard let lock else { throw .locked(path: path) }
      // The previous owner of the lock has replaced the file, and this is the lock of the old one.
      let isCurrent = try calling { () throws(SystemError) in
        try lock.isNamed(in: directory, name: name)
      }
      guard isCurrent, let found = try read(in: directory, isFollowing: false) else { continue }
      return Held(found.text, isNew: false, self, directory, lock, mode: status.mode)
    }
    throw .locked(path: path)
  }

  private func calling<Value: ~Copyable>(
    _ body: () throws(SystemError) -> Value
  ) throws(TrustError) -> Value {
    do throws(SystemError) { return try body() } catch { throw fault(error) }
  }
}
