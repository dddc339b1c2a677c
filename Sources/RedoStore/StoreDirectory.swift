// A store as a whole: its directory, opened, trusted and of a known format.

/// An open store.
package struct StoreDirectory: ~Copyable, Sendable {
  /// Its directory, `.redo`.
  package let directory: Directory
  /// All settings that are in effect.
  package let config: Config
  /// How the user remembers it; `nil` where nothing can be remembered.
  let record: StoreRecord?
  /// What a hook is shown of what comes; `nil` unless a hook of this store opens it.
  package let shown: ShownPlace?
  /// Why a new store could not be remembered as the user's own; `nil` also where there is no place for it.
  package let unremembered: SystemError?

  /// Whether it is the user's own.
  package var standing: StoreStanding { config.standing }

  /// The path of its directory.
  package var path: String { directory.path }
  /// Another hold on the same open store.
  package func share() -> StoreDirectory {
    StoreDirectory(
      directory: directory.share(), config: config, record: record, shown: shown,
      unremembered: unremembered)
  }

  /// Refuses to write while a hook of this store is asked about what comes: what it writes could stand on objects that
  /// are refused then.
  ///
  /// - Throws: `SystemError.hookRuns`.
  package func checkWritable() throws(SystemError) {
    if shown != nil { throw .hookRuns(path) }
  }

  /// Its refs.
  package var refs: Refs { Refs(in: directory, isFrozen: shown != nil) }
  /// Its received log.
  package var received: Received { Received(in: directory) }
  /// When remotes first had its nodes, as they say.
  package var created: CreatedTimes { CreatedTimes(in: directory, isFrozen: shown != nil) }
  /// What is noted about its receipts.
  package var local: LocalRows { LocalRows(in: directory, isFrozen: shown != nil) }
  /// Which accounts may see its nodes.
  package var access: AccessNotes { AccessNotes(in: directory, isFrozen: shown != nil) }

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
    return try finish(directory, config, sources)
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
    _ directory: consuming Directory, _ config: Config, _ sources: ConfigSources,
    isNew: Bool = false
  ) throws(StoreDirectoryError) -> StoreDirectory {
    do throws(ConfigError) {
      let own = try Config.entries(of: directory)
      let opened = finish(directory, config, own, sources, isNew: isNew)
      try opened.config.checkFormat(file: joinPath(opened.path, Layout.config))
      return opened
    } catch {
      throw .config(error)
    }
  }

  /// A store with its settings, as far as they are in force.
  ///
  /// - Parameters:
  ///   - directory: its directory.
  ///   - config: the settings of the user.
  ///   - own: those of its file.
  ///   - sources: where the user's own stores are remembered.
  ///   - isNew: whether the user has just made it.
  /// - Returns: the open store.
  static func finish(
    _ directory: consuming Directory, _ config: Config, _ own: [Config.Entry],
    _ sources: ConfigSources, isNew: Bool = false
  ) -> StoreDirectory {
    let record = StoreRecord(of: directory, sources)
    let shown = ShownPlace(sources.shownPath, in: directory)
    var standing: StoreStanding = isNew ? .own : record?.standing(of: own) ?? .stranger
    if standing != .own, (try? StoreList(config.all("safe.store")).contains(directory)) ?? false {
      standing = .own
    }
    var unremembered: SystemError?
    if isNew, let record {
      do throws(SystemError) { try record.write(own) } catch { unremembered = error }
    }
    return StoreDirectory(
      directory: directory, config: config.adding(own, of: standing), record: record,
      shown: shown, unremembered: unremembered)
  }

  /// Makes a store, completes one whose creation was interrupted, or adds what is missing.
  ///
  /// The settings are written last: a directory without them is not yet a store. In a finished store only
  /// directories are added; a missing file of refs is damage there, and remains visible. A new store is remembered as
  /// the user's own, unless something that acts was there before; an existing one stays what it is.
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
    // What lies there already may be a stranger's.
    let isBlank = ActingParts(settings: [], in: directory).isEmpty
    if try hasConfig(directory) {
      // Refuse an unknown format before anything is added.
      _ = try finish(directory.share(), config, sources)
      do throws(SystemError) { try makeDirectories(in: directory) } catch { throw .system(error) }
    } else {
      do throws(RefsError) {
        isNew = try fill(directory, refsOptions)
      } catch {
        throw .refs(error)
      }
    }
    return try finish(directory, config, sources, isNew: isNew && isBlank)
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
