// Finding and opening the store that a command works on, as its options say.

internal import RedoObject
package import RedoStore

/// An open store: a directory `.redo` with nodes, their history and its settings.
///
/// It may be used from several threads, and by several processes at a time. A class, because it holds an open directory
/// that cannot be copied, and all parts that work on the store share it.
public final class Repository: Sendable {
  /// Its directory.
  package let store: StoreDirectory
  /// Its objects, and those that it borrows.
  package let objects: ObjectStore
  /// The trace that records where the time goes.
  package let trace: Trace
  /// The surroundings of the calls of the public interface.
  let effects: Effects
  /// Whether it is opened to hold what it says against the nodes, so that even a stranger's cache is read.
  private let isAudited: Bool

  package init(
    _ store: consuming StoreDirectory, _ objects: ObjectStore, _ trace: Trace = .off,
    _ effects: Effects = Effects(), isAudited: Bool = false
  ) {
    self.store = store
    self.objects = objects
    self.trace = trace
    self.effects = effects
    self.isAudited = isAudited
  }

  /// Whether what was derived from the nodes earlier, in `cache`, is read and kept: in a store that is not known as the
  /// user's own, anybody may have written it; and what a hook is shown must leave nothing behind.
  package var usesCache: Bool { (store.standing.isOwn || isAudited) && objects.shown == nil }

  /// The options for changing refs.
  package func refsOptions() throws -> RefsOptions {
    return try store.config.refsOptions()
  }

  /// Takes a hold on the objects until it goes out of scope: nothing is removed from the store meanwhile.
  ///
  /// Code that writes objects for refs to name takes it before looking anything up.
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
  /// - Throws: `StoreDirectoryError` when there is none, or it cannot or may not be used.
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

  /// Finds and opens the store without its objects, for commands that must work whatever the settings say.
  ///
  /// - Throws: `StoreDirectoryError` when there is none, or it cannot or may not be used.
  package func openStore() throws -> StoreDirectory {
    let opened = try findStore()
    report(passedOverBy: opened, isOther: false)
    return opened
  }

  /// The same for a command that says itself what of the store is passed over.
  ///
  /// - Throws: as `openStore`.
  package func findStore() throws -> StoreDirectory {
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
    let opened = try StoreDirectory.openToAudit(
      path, surroundings.allConfigSources, &findings)
    report(passedOverBy: opened, isOther: false)
    return opened
  }

  /// Reports what of a store is not used because it is not known as the user's own.
  private func report(passedOverBy opened: borrowing StoreDirectory, isOther: Bool) {
    let parts = opened.passedOver()
    guard !parts.isEmpty else { return }
    report(
      .opening(
        .passedOver(parts, path: opened.path, standing: opened.standing, isOther: isOther)))
  }

  /// The objects of a store that may be damaged: only its own if others cannot be reached; `nil` if its own cannot be.
  package func openObjectsToAudit(of opened: borrowing StoreDirectory) -> ObjectStore? {
    if let objects = try? openObjects(of: opened) { return objects }
    let path = surroundings.usual.objectDirectory
    let own = path ?? "\(opened.path)/\(Layout.objects)"
    // A setting that only writers need may be wrong.
    if let objects = try? ObjectStore.open(path: own, counters: trace.counters) { return objects }
    return (try? LooseStore(path: own, counters: trace.counters)).map { ObjectStore(primary: $0) }
  }

  /// Creates a store in addition to the one that the command works on; it has its own objects, whatever the environment
  /// says.
  ///
  /// - Parameter path: its directory, which does not exist yet.
  /// - Returns: the open store.
  /// - Throws: `StoreDirectoryError` when it cannot be created.
  package func makeRepository(_ path: String) throws -> Repository {
    var isNew = false
    let made = try makeStore(path, isNew: &isNew)
    let objects = try openObjects(of: made, isNew: true)
    return Repository(made, objects, trace)
  }

  /// Creates a store without opening its objects, or completes one.
  ///
  /// - Parameters:
  ///   - path: its directory.
  ///   - isNew: receives whether it was no store before.
  /// - Returns: the open store.
  /// - Throws: `StoreDirectoryError` when it cannot be created.
  package func makeStore(_ path: String, isNew: inout Bool) throws -> StoreDirectory {
    let made = try StoreDirectory.create(path, surroundings.allConfigSources, isNew: &isNew)
    if let error = made.unremembered { report(.opening(.unremembered(error))) }
    report(passedOverBy: made, isOther: true)
    return made
  }

  /// Remembers a store as the user's own that has just been given its name.
  ///
  /// - Parameter path: its directory.
  func remember(_ path: String) {
    do {
      _ = try StoreDirectory.open(path, surroundings.allConfigSources).accept()
    } catch StoreDirectoryError.system(let error) {
      report(.opening(.unremembered(error)))
    } catch {
      // The next command says what is wrong with it.
    }
  }

  /// Opens a store for reading, in addition to the one that the command works on.
  ///
  /// - Parameter path: its directory.
  /// - Returns: the open store, with its own objects, whatever the environment says.
  /// - Throws: `StoreDirectoryError` when it cannot or may not be used.
  package func openOther(_ path: String) throws -> Repository {
    let opened = try StoreDirectory.open(
      path, surroundings.allConfigSources)
    report(passedOverBy: opened, isOther: true)
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
    let keys = RegisteredKeys(of: opened, self)
    let path = isNew ? own : surroundings.usual.objectDirectory ?? own
    return try ObjectStore.open(
      path: path, alternatePaths: isNew ? [] : surroundings.usual.alternateObjectDirectories,
      compressionLevel: compression, syncPolicy: policy, bulkLimit: bulkLimit,
      packCacheLimit: cacheLimit, counters: trace.counters, archivesOf: opened.directory.share(),
      unlock: { keys.payloadKey($0) }, shownPath: opened.shown?.path)
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

  /// The store, or `nil` when none is found.
  package func openRepositoryIfPresent() throws -> Repository? {
    try hasStore() ? try openRepository() : nil
  }

  /// Whether a store is named or can be found.
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

  /// The objects of the store, or `nil` when no store is found.
  func openObjectsIfPresent() throws -> ObjectStore? {
    try openRepositoryIfPresent()?.objects
  }
}
