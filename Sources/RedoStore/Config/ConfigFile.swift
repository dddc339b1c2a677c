// A config file as a file: found by following its links, locked, changed in one step.

/// A file with settings.
package struct ConfigFile: Sendable {
  /// Its path.
  package let path: String
  /// What is noted as the place of its settings.
  package let origin: Config.Origin

  /// What the names of unfinished files begin with.
  static let temporaryPrefix = "tmp_config_"
  /// How long to wait for another writer, in milliseconds; an edit takes far less.
  private static let lockTimeoutMilliseconds = 10_000
  /// How often a file that others keep replacing is locked anew.
  private static let attemptLimit = 1000

  /// A file by its path.
  package init(path: String, origin: Config.Origin) {
    self.path = path
    self.origin = origin
  }

  /// The file of the system.
  package static var system: ConfigFile {
    ConfigFile(path: Config.systemPath, origin: .system(path: Config.systemPath))
  }

  /// The file of the user.
  package static func user(_ path: String) -> ConfigFile {
    ConfigFile(path: path, origin: .user(path: path))
  }

  /// The file of a store.
  ///
  /// - Parameter directory: the path of the store's directory.
  /// - Returns: its file of settings.
  package static func store(_ directory: String) -> ConfigFile {
    let path = joinPath(directory, Layout.config)
    return ConfigFile(path: path, origin: .store(path: path))
  }

  /// Reads the file.
  ///
  /// - Returns: its text, or `nil` when there is no file.
  /// - Throws: `system`, `syntax`.
  package func read() throws(ConfigError) -> ConfigText? {
    let bytes = try Self.system { () throws(SystemError) -> [UInt8]? in
      guard try FileStatus.at(path) != nil else { return nil }
      return try File.open(path, .read, [.nonBlocking]).readAll(limit: Config.maximumCount)
    }
    guard let bytes else { return nil }
    return try ConfigText(bytes, file: path, origin: origin)
  }

  /// Changes the file in one step: readers see the old text or the new one.
  ///
  /// The changed file serves as its own lock. A symbolic link stays, and its target is changed, as git
  /// does it.
  ///
  /// - Parameters:
  ///   - makesDirectories: whether to make the directories that the file lies in.
  ///   - body: changes the text.
  /// - Throws: `system`, `syntax`, `locked`; what the body throws; nothing has changed then.
  package func change(
    makesDirectories: Bool, _ body: (inout ConfigText) throws(ConfigError) -> Void
  ) throws(ConfigError) {
    let (parent, name) = try Self.system { () throws(SystemError) in try place() }
    let directory = try Self.system { () throws(SystemError) in
      if makesDirectories { try Directory.makeDirectories(parent, mode: 0o700) }
      return try Directory.open(parent)
    }
    for _ in 0..<Self.attemptLimit {
      let lock = try Self.system { () throws(SystemError) in
        try LockFile.acquire(
          in: directory, name: name, timeoutMilliseconds: Self.lockTimeoutMilliseconds)
      }
      guard let lock else { throw .locked(file: path) }
      // The previous owner of the lock has replaced the file, and this is the lock of the old one.
      let isCurrent = try Self.system { () throws(SystemError) in
        try lock.isNamed(in: directory, name: name)
      }
      guard isCurrent else { continue }
      let old = try Self.system { () throws(SystemError) in
        try directory.readFile(name, limit: Config.maximumCount)
      }
      var text = try ConfigText(old ?? [], file: path, origin: origin)
      try body(&text)
      if text.bytes == old { return }
      try Self.system { () throws(SystemError) in
        try Self.replace(name, in: directory, with: text.bytes)
      }
      return
    }
    throw .locked(file: path)
  }

  /// The directory and the name of the file, after following symbolic links.
  private func place() throws(SystemError) -> (directory: String, name: String) {
    var target = path
    if try FileStatus.ofLink(at: path)?.kind == .symbolicLink {
      target = try CurrentProcess.realPath(path)
    }
    guard let slash = target.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", target) }
    let parent = slash == target.startIndex ? "/" : String(target[..<slash])
    return (parent, String(target[target.utf8.index(after: slash)...]))
  }

  private static func replace(
    _ name: String, in directory: borrowing Directory, with bytes: [UInt8]
  ) throws(SystemError) {
    let mode = try directory.status(name)?.mode ?? 0o644
    var temporary = try TemporaryFile(in: directory, prefix: temporaryPrefix, mode: 0o600)
    try temporary.file.writeAll(bytes)
    try temporary.file.setMode(mode)
    try temporary.file.sync()
    _ = try temporary.commit(as: name, replacing: .always)
    try directory.sync()
  }

  private static func system<Value: ~Copyable>(
    _ body: () throws(SystemError) -> Value
  ) throws(ConfigError) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw .system(error)
    }
  }
}
