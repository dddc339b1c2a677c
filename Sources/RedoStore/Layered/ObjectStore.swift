// The objects of a repository: its own loose objects and packs first, then those of its alternates,
// which are only read.

package import RedoObject

/// A store with layers: the loose files of the first are written, all are read.
///
/// A class, because the threads of a pipeline share it.
package final class ObjectStore: ObjectWriter, Sendable {
  /// The store's own loose objects and packs.
  package let own: Layer
  /// The layers that are read after it, in this order.
  package let alternates: [Layer]
  /// All layers in the order in which they are read.
  package let layers: [Layer]

  /// What a hook is shown of what comes: objects that are read by their names, and are in no list of what there is.
  package let shown: Layer?

  /// Directories that are named as alternates but do not exist.
  package let missingAlternates: [String]
  /// How many new nodes of a transaction are written as loose objects; more of them become a pack.
  package let bulkLimit: Int

  /// The usual limit.
  package static let usualBulkLimit = 1000

  /// The registered archives of the store, which are read after all layers.
  package let archives: ArchiveShelf?
  /// All registered archives: its own, then those of the stores that alternates belong to.
  let shelves: [ArchiveShelf]

  /// Layers a store over others.
  package init(
    own: Layer, alternates: [Layer] = [], missingAlternates: [String] = [],
    bulkLimit: Int = usualBulkLimit, archives: ArchiveShelf? = nil,
    alternateArchives: [ArchiveShelf] = [], shown: Layer? = nil
  ) {
    self.own = own
    self.shown = shown
    self.bulkLimit = bulkLimit
    self.alternates = alternates
    layers = [own] + alternates
    self.missingAlternates = missingAlternates
    self.archives = archives
    shelves = (archives.map { [$0] } ?? []) + alternateArchives
  }

  /// Layers a store over others, with the packs of each.
  package convenience init(primary: LooseStore, alternates: [LooseStore] = []) {
    let cache = FrameCache()
    self.init(
      own: Layer(primary, cache: cache), alternates: alternates.map { Layer($0, cache: cache) })
  }

  /// The loose objects that are written.
  package var primary: LooseStore { own.loose }
  /// The store's own packs.
  package var packs: PackStore { own.packs }

  /// Opens a directory of objects with the alternates that it and the environment name.
  ///
  /// - Parameters:
  ///   - path: the directory of objects.
  ///   - alternatePaths: directories of objects to read after those named in `info/alternates`.
  ///   - compressionLevel: the level for new objects, 0 to 9.
  ///   - syncPolicy: how much a write waits for the disk.
  ///   - bulkLimit: how many new nodes of a transaction are written as loose objects.
  ///   - packCacheLimit: the most bytes of decoded frames that are kept.
  ///   - counters: where reads and writes of all layers are counted.
  ///   - store: the directory of the store whose registered archives are read, too.
  ///   - unlock: finds the keys of registered archives that are encrypted.
  ///   - shownPath: a directory of objects that a hook is shown.
  /// - Returns: the store.
  /// - Throws: `system` when one of the directories cannot be opened.
  package static func open(
    path: String, alternatePaths: [String] = [], compressionLevel: Int = 1,
    syncPolicy: SyncPolicy = .batch, bulkLimit: Int = usualBulkLimit,
    packCacheLimit: Int = FrameCache.usualLimitBytes,
    counters: StoreCounters? = nil, archivesOf store: consuming Directory? = nil,
    unlock: @escaping AgeUnlocking = { _ in nil }, shownPath: String? = nil
  ) throws(StoreError) -> ObjectStore {
    let cache = FrameCache(limitBytes: packCacheLimit)
    let primary = try LooseStore(
      path: path, compressionLevel: compressionLevel, syncPolicy: syncPolicy, counters: counters,
      keeping: store?.share())
    var alternates: [Layer] = []
    var shelves: [ArchiveShelf] = []
    var pending = try alternateNames(of: primary) + alternatePaths
    var missing: [String] = []
    var seen: Set<String> = [path]
    var depth = 0
    while !pending.isEmpty, depth < alternateDepthLimit {
      let names = pending
      pending = []
      for name in names where seen.insert(name).inserted {
        do throws(StoreError) {
          let store = try LooseStore(path: name, counters: counters)
          pending += try alternateNames(of: store)
          alternates.append(Layer(store, cache: cache))
          if let above = try? store.directory.openSubdirectory("..") {
            shelves.append(
              ArchiveShelf(of: above, cache: cache, counters: counters, unlock: unlock))
          }
        } catch {
          guard case .system(let cause) = error, cause.isMissing else { throw error }
          missing.append(name)
        }
      }
      depth += 1
    }
    var archives: ArchiveShelf?
    if let store {
      archives = ArchiveShelf(of: store, cache: cache, counters: counters, unlock: unlock)
    }
    let shown: Layer?
    if let shownPath {
      shown = Layer(try LooseStore(path: shownPath, counters: counters), cache: cache)
    } else {
      shown = nil
    }
    return ObjectStore(
      own: Layer(primary, cache: cache), alternates: alternates, missingAlternates: missing,
      bulkLimit: bulkLimit, archives: archives, alternateArchives: shelves, shown: shown)
  }

  /// How far alternates of alternates are followed, as git does.
  private static var alternateDepthLimit: Int { 5 }
  /// The largest `info/alternates` in bytes.
  private static var alternatesSizeLimit: Int { 1 << 20 }

  private static func alternateNames(of store: LooseStore) throws(StoreError) -> [String] {
    let bytes = try mapSystem { () throws(SystemError) in
      try store.directory.readFile("info/alternates", limit: alternatesSizeLimit)
    }
    guard let bytes else { return [] }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    return lines.filter { $0.first != UInt8(ascii: "#") }.map { line in
      joinPath(store.path, String(decoding: line, as: UTF8.self))
    }
  }

  package func contains(_ id: ObjectID) throws(StoreError) -> Bool {
    try contains(id, butNotIn: nil)
  }

  package func read(_ id: ObjectID) throws(StoreError) -> StoredObject? {
    var workspace = LooseStore.Workspace()
    return try read(id, &workspace)
  }

  /// Reads an object with the buffers of a thread.
  ///
  /// A corrupt copy does not hide a good one in a later layer; without any, its error is thrown.
  package func read(
    _ id: ObjectID, _ workspace: inout LooseStore.Workspace
  ) throws(StoreError) -> StoredObject? {
    var damage: StoreError?
    let generation = archivesGeneration
    if let object = try readLayers(id, &workspace, &damage) { return object }
    if let object = try readArchives(id, &workspace, &damage) { return object }
    // What was brought back out of an archive meanwhile is in the layers now.
    if archivesGeneration != generation,
      let object = try readLayers(id, &workspace, &damage)
    {
      return object
    }
    if let damage { throw damage }
    return nil
  }

  /// Reads what must be a node, with the buffers of a thread.
  ///
  /// A small file that claims to be a huge blob is refused as corrupt by its header: it is not read to its end to learn
  /// whether it is one, as `read` does.
  package func readNode(
    _ id: ObjectID, _ workspace: inout LooseStore.Workspace
  ) throws(StoreError) -> StoredObject? {
    workspace.isForHistory = true
    defer { workspace.isForHistory = false }
    return try read(id, &workspace)
  }

  private func readLayers(
    _ id: ObjectID, _ workspace: inout LooseStore.Workspace, _ damage: inout StoreError?
  ) throws(StoreError) -> StoredObject? {
    for layer in layers {
      do throws(StoreError) {
        if let object = try layer.read(id, &workspace) { return object }
      } catch {
        guard case .corrupt = error else { throw error }
        damage = damage ?? error
      }
    }
    return try shown?.read(id, &workspace)
  }

  package func list(prefix: String) throws(StoreError) -> [ObjectID] {
    let generation = archivesGeneration
    let ids = try listLayers(prefix)
    let archived = try listArchives(prefix)
    let isChanged = archivesGeneration != generation
    guard isChanged && !shelves.isEmpty || !archived.isEmpty else { return ids }
    return (ids + archived + (isChanged ? try listLayers(prefix) : [])).sortedAndUnique()
  }

  private func listLayers(_ prefix: String) throws(StoreError) -> [ObjectID] {
    let ids = try own.list(prefix: prefix)
    guard !alternates.isEmpty else { return ids }
    var all = ids
    for layer in alternates { all += try layer.list(prefix: prefix) }
    return all.sortedAndUnique()
  }

  package func write(_ objects: [ObjectWrite]) throws(StoreError) -> [WriteOutcome] {
    let isSingle = objects.count == 1
    var transaction = LooseTransaction(primary, isSingle: isSingle)
    var compressor = primary.makeCompressor()
    var workspace = LooseStore.Workspace()
    for object in objects {
      transaction.add(try stage(object, &compressor, &workspace, isSingle: isSingle))
    }
    return try transaction.commit()
  }

  /// Stages an object in the primary store, unless a layer has it already; see `LooseStore.stage`.
  package func stage(
    _ write: ObjectWrite, _ compressor: inout LooseStore.Compressor,
    _ workspace: inout LooseStore.Workspace, isSingle: Bool
  ) throws(StoreError) -> LooseStore.Staged {
    try primary.stage(
      write, &compressor, &workspace, isSingle: isSingle, behind: placesBehind)
  }

  /// The places that are read after the loose files that are written.
  private var placesBehind: ObjectPlaces {
    ObjectPlaces(all: [own.packs] + alternates + shelves, ownCount: 1)
  }
}
