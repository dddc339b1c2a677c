// The store that a command works on, found and opened as its options say.

internal import RedoObject
package import RedoStore

/// An open store: a directory `.redo` with nodes, their history and its settings.
///
/// It may be used from several threads, and by several processes at a time. A class, because it holds an
/// open directory that cannot be copied, and is shared by all that work on it.
public final class Repository: Sendable {
  /// Its directory.
  package let store: StoreDirectory
  /// Its objects, and those that it borrows.
  package let objects: ObjectStore
  /// Where the time goes.
  package let trace: Trace
  /// The surroundings of what the public interface does.
  let effects: Effects

  package init(
    _ store: consuming StoreDirectory, _ objects: ObjectStore, _ trace: Trace = .off,
    _ effects: Effects = Effects()
  ) {
    self.store = store
    self.objects = objects
    self.trace = trace
    self.effects = effects
  }

  /// How refs are changed.
  package func refsOptions() throws -> RefsOptions {
    return try store.config.refsOptions()
  }

  /// A hold on the objects until it goes out of scope: what is in the store stays there.
  ///
  /// Taken by whoever writes objects that refs are to name, before anything is looked for.
  ///
  /// - Throws: `RefsError` when a wipe takes too long.
  package func holdObjects(_ mode: LockFile.Mode = .shared) throws -> LockFile {
    let options = try refsOptions()
    return try store.refs.holdObjects(mode, options)
  }

  /// All refs at this moment.
  package func snapshot() throws -> RefsSnapshot {
    return try trace.measure("refs.read") { () throws(RefsError) in
      try store.refs.snapshot()
    }
  }
}

extension Effects {
  /// Finds and opens the store.
  ///
  /// - Throws: `StoreDirectoryError` when there is none, or it may or can not be used.
  package func openRepository() throws -> Repository {
    let opened = try trace.measure("open") { try openAll() }
    for path in opened.objects.missingAlternates {
      report(.opening(.alternateMissing(path: path)))
    }
    return opened
  }

  private func openAll() throws -> Repository {
    let opened = try openStore()
    let objects = try openObjects(of: opened)
    return Repository(opened, objects, trace)
  }

  /// Finds and opens the store, without its objects: for what must work whatever the settings say.
  ///
  /// - Throws: `StoreDirectoryError` when there is none, or it may or can not be used.
  package func openStore() throws -> StoreDirectory {
    let start =
      surroundings.workingDirectory == "." ? nil : try absolute(surroundings.workingDirectory)
    let path = try StoreDirectory.find(
      surroundings.namedStorePath, from: start)
    return try StoreDirectory.open(
      path, surroundings.allConfigSources)
  }

  /// Finds and opens a store that may be damaged, to look at everything in it.
  ///
  /// - Parameter findings: receives what is wrong with its settings.
  /// - Returns: the open store.
  /// - Throws: `StoreDirectoryError` when there is none, or it may not be used.
  package func openStoreToAudit(_ findings: inout [StoreFinding]) throws -> StoreDirectory {
    let start =
      surroundings.workingDirectory == "." ? nil : try absolute(surroundings.workingDirectory)
    let path = try StoreDirectory.find(
      surroundings.namedStorePath, from: start)
    return try StoreDirectory.openToAudit(
      path, surroundings.allConfigSources, &findings)
  }

  /// The objects of a store that may be damaged: those of its own where others cannot be reached;
  /// `nil` where its own cannot be.
  package func openObjectsToAudit(of opened: borrowing StoreDirectory) -> ObjectStore? {
    if let objects = try? openObjects(of: opened) { return objects }
    let path = surroundings.objectDirectory
    let own = path ?? "\(opened.path)/\(Layout.objects)"
    // A setting may be wrong that only writers need.
    if let objects = try? ObjectStore.open(path: own, counters: trace.counters) { return objects }
    return (try? LooseStore(path: own, counters: trace.counters)).map { ObjectStore(primary: $0) }
  }

  /// Makes a store besides the one that the command works on; it has its own objects, whatever the
  /// environment says.
  ///
  /// - Parameter path: its directory, which is not there yet.
  /// - Returns: the open store.
  /// - Throws: `StoreDirectoryError` when it cannot be made.
  package func makeRepository(_ path: String) throws -> Repository {
    var isNew = false
    let made = try StoreDirectory.create(
      path, surroundings.allConfigSources, isNew: &isNew)
    let objects = try openObjects(of: made, isNew: true)
    return Repository(made, objects, trace)
  }

  /// Opens a store besides the one that the command works on, to be read.
  ///
  /// - Parameter path: its directory.
  /// - Returns: the open store, with its own objects, whatever the environment says.
  /// - Throws: `StoreDirectoryError` when it may or can not be used.
  package func openOther(_ path: String) throws -> Repository {
    let opened = try StoreDirectory.open(
      path, surroundings.allConfigSources)
    let objects = try openObjects(of: opened, isNew: true)
    return Repository(opened, objects, trace)
  }

  private func openObjects(
    of opened: borrowing StoreDirectory, isNew: Bool = false
  ) throws -> ObjectStore {
    let compression: Int
    let policy: SyncPolicy
    let bulkLimit: Int
    let cacheLimit: Int
    compression = try opened.config.compression()
    policy = try opened.config.syncPolicy()
    bulkLimit = try opened.config.bulkLimit()
    cacheLimit = try opened.config.packCacheLimit()
    let own = "\(opened.path)/\(Layout.objects)"
    let path = isNew ? own : surroundings.objectDirectory ?? own
    return try ObjectStore.open(
      path: path, alternatePaths: isNew ? [] : surroundings.alternateObjectDirectories,
      compressionLevel: compression, syncPolicy: policy, bulkLimit: bulkLimit,
      packCacheLimit: cacheLimit, counters: trace.counters, archivesOf: opened.directory.share())
  }

  private func absolute(_ path: String) throws(StoreDirectoryError) -> String {
    do throws(SystemError) {
      return path.hasPrefix("/")
        ? path : try CurrentProcess.workingDirectory() + "/" + path
    } catch {
      throw .system(error)
    }
  }

  /// The objects of the store.
  package func openObjects() throws -> ObjectStore { try openRepository().objects }

  /// The store, or nothing where none is near.
  package func openRepositoryIfPresent() throws -> Repository? {
    try hasStore() ? try openRepository() : nil
  }

  /// Whether a store is named, or near.
  package func hasStore() throws -> Bool {
    if surroundings.namedStorePath != nil { return true }
    do throws(StoreDirectoryError) {
      let start =
        surroundings.workingDirectory == "." ? nil : try absolute(surroundings.workingDirectory)
      _ = try StoreDirectory.find(nil, from: start)
      return true
    } catch {
      if case .notFound = error { return false }
      throw error
    }
  }

  /// The objects of the store, or nothing where no store is near.
  func openObjectsIfPresent() throws -> ObjectStore? {
    try openRepositoryIfPresent()?.objects
  }
}
