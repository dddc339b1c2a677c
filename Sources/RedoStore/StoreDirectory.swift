// A store as a whole: its directory, opened, trusted and of a known format.

/// An open store.
package struct StoreDirectory: ~Copyable, Sendable {
  /// Its directory, `.redo`.
  package let directory: Directory
  /// All settings that are in effect.
  package let config: Config

  /// The path of its directory.
  package var path: String { directory.path }
  /// Another hold on the same open store.
  package func share() -> StoreDirectory {
    StoreDirectory(directory: directory.share(), config: config)
  }

  /// Its refs.
  package var refs: Refs { Refs(in: directory) }
  /// Its received log.
  package var received: Received { Received(in: directory) }
  /// When remotes first had its nodes, as they say.
  package var created: CreatedTimes { CreatedTimes(in: directory) }

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - path: its directory, as `find` gives it.
  ///   - sources: where settings come from besides.
  /// - Returns: the open store.
  /// - Throws: `notAStore`, `unsafeOwner`, `config`, `system`.
  package static func open(
    _ path: String, _ sources: ConfigSources
  ) throws(StoreDirectoryError) -> StoreDirectory {
    let config = try StoreDirectoryError.config { () throws(ConfigError) in
      try Config.loadProtected(sources)
    }
    let directory: Directory
    do throws(SystemError) {
      directory = try Directory.open(path)
    } catch {
      throw error.isMissing ? .notAStore(path: path) : .system(error)
    }
    // Before anything in it is read: it may belong to somebody else.
    try OwnerCheck(sources, config).check(directory)
    guard try hasConfig(directory) else { throw .notAStore(path: path) }
    return try finish(directory, config)
  }

  private static func hasConfig(
    _ directory: borrowing Directory
  ) throws(StoreDirectoryError) -> Bool {
    do throws(SystemError) {
      return try directory.status(Layout.config, isFollowing: true) != nil
    } catch {
      throw .system(error)
    }
  }

  private static func finish(
    _ directory: consuming Directory, _ config: Config
  ) throws(StoreDirectoryError) -> StoreDirectory {
    do throws(ConfigError) {
      let all = try config.adding(store: directory)
      try all.checkFormat(file: joinPath(directory.path, Layout.config))
      return StoreDirectory(directory: directory, config: all)
    } catch {
      throw .config(error)
    }
  }

  /// Makes a store, completes one whose creation was interrupted, or adds what is missing.
  ///
  /// The settings are written last: a directory without them is not yet a store. In a finished store only
  /// directories are added; a missing file of refs is damage there, and remains visible.
  ///
  /// - Parameters:
  ///   - path: the directory to make; parents that are missing are made too.
  ///   - sources: where settings come from besides.
  ///   - isNew: receives whether it was no store before.
  /// - Returns: the open store.
  /// - Throws: as `open`; `refs(.locked)` when another process is at work on it.
  package static func create(
    _ path: String, _ sources: ConfigSources, isNew: inout Bool
  ) throws(StoreDirectoryError) -> StoreDirectory {
    let config = try StoreDirectoryError.config { () throws(ConfigError) in
      try Config.loadProtected(sources)
    }
    let refsOptions = try StoreDirectoryError.config { () throws(ConfigError) in
      try config.refsOptions()
    }
    let directory: Directory
    do throws(SystemError) {
      try Directory.makeDirectories(path, mode: 0o755)
      directory = try Directory.open(path)
    } catch {
      throw .system(error)
    }
    try OwnerCheck(sources, config).check(directory)
    isNew = false
    if try hasConfig(directory) {
      // Refuse an unknown format before anything is added.
      _ = try finish(directory.share(), config)
      do throws(SystemError) { try makeDirectories(in: directory) } catch { throw .system(error) }
    } else {
      do throws(RefsError) {
        isNew = try fill(directory, refsOptions)
      } catch {
        throw .refs(error)
      }
    }
    return try finish(directory, config)
  }

  private static func makeDirectories(in directory: borrowing Directory) throws(SystemError) {
    for (name, mode) in Layout.directories { try directory.makeDirectory(name, mode: mode) }
  }

  /// Makes everything in a new store.
  private static func fill(
    _ directory: borrowing Directory, _ options: RefsOptions
  ) throws(RefsError) -> Bool {
    let refs = Refs(in: directory)
    return try refs.withLock(options) { () throws(RefsError) in
      do throws(SystemError) {
        // Another process may have been faster while this one waited.
        guard try refs.directory.status(Layout.config, isFollowing: true) == nil else {
          return false
        }
        try makeDirectories(in: refs.directory)
        try refs.createFiles(options)
        let text = Array(Config.firstText(.random()).utf8)
        try refs.directory.writeFile(Layout.config, text, options.sync)
        if options.sync.isSyncing {
          try refs.directory.sync()
          try refs.directory.openSubdirectory("..").sync()
        }
        return true
      } catch {
        throw .system(error)
      }
    }
  }
}
