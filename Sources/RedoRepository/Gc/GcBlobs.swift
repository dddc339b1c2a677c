// Removes blobs that nothing names: no ref, no entry of the reflog, no object of any kind, no row that is noted. They are
// in no archive and on no remote, so nothing that may name one is left unread: while anything is damaged, missing or away, all stay.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// The removal of blobs; the caller must hold the locks of objects and packs.
struct GcBlobs {
  private let opened: Repository
  private let nanoseconds: Int64
  private let isDryRun: Bool

  /// - Parameters:
  ///   - opened: the store.
  ///   - limit: the instant before which a blob must have been written, in milliseconds since 1970.
  ///   - isDryRun: whether they are only listed.
  init(_ opened: Repository, before limit: Int64, isDryRun: Bool) {
    self.opened = opened
    let (nanoseconds, isOver) = limit.multipliedReportingOverflow(by: 1_000_000)
    self.nanoseconds = isOver ? .min : nanoseconds
    self.isDryRun = isDryRun
  }

  /// Removes them.
  ///
  /// - Parameters:
  ///   - effects: says whether the work is cancelled.
  ///   - tell: receives each blob, then how many there are, and each obstacle.
  /// - Throws: `LocalFault` when not all rows can be read that may name one; the error when something cannot be read or
  ///   removed; `Interruption`.
  func run(_ effects: Effects, _ tell: (TidyStep) throws -> Void) throws {
    // Nobody notes a name between here and the removal.
    let hold = isDryRun ? nil : try opened.store.local.hold(try opened.refsOptions())
    defer { extendLifetime(hold) }
    let rows = try opened.localRows()
    var reading = Reading(try old(effects))
    guard !reading.blobs.left.isEmpty else { return }
    for row in rows.rows(of: nil) { reading.blobs.keep(namedIn: row) }
    if rows.tornBytes > 0 { reading.damage.append(.cut(path: Layout.local)) }
    try readRefs(&reading)
    try reading.read(opened.objects, effects)
    if let waiting = try waiting() {
      try reading.read(ObjectStore(primary: waiting), effects)
    }
    try reading.readKept(in: opened.objects, effects)
    guard !reading.blobs.left.isEmpty else { return }
    guard reading.damage.isEmpty, reading.missing.isEmpty else {
      for damage in reading.damage { try tell(.damaged(damage)) }
      for id in reading.missing.sorted().prefix(1) { try tell(.damaged(.missing(id))) }
      try tell(.damaged(.blobs))
      return
    }
    var ids = reading.blobs.left.keys.sorted()
    if !isDryRun {
      try effects.checkInterrupt()
      var workspace = LooseStore.Workspace()
      ids = try opened.objects.primary.removeBlobs(ids, before: nanoseconds, &workspace)
    }
    var bytes = 0
    for id in ids {
      let size = reading.blobs.left[id] ?? 0
      bytes += size
      try tell(.blob(id, bytes: size))
    }
    if !ids.isEmpty { try tell(.blobs(count: ids.count, bytes: bytes)) }
  }

  /// The store's own blobs that are old enough.
  private func old(_ effects: Effects) throws -> [ObjectID: Int] {
    let loose = opened.objects.primary
    let nanoseconds = nanoseconds
    var blobs: [ObjectID: Int] = [:]
    var failure: (any Error)?
    let store = ObjectStore(primary: loose)
    ObjectScan.forEach(
      store.shards(ofLayer: 0), inBatchesOf: Self.shardCount,
      makeState: { LooseStore.Workspace() }
    ) { workspace, part -> Result<[ObjectID: Int], any Error> in
      Result {
        var sizes: [ObjectID: Int] = [:]
        try store.read(part, &workspace) { item in
          if case .object(let object, _) = item, object.kind == .blob {
            sizes[object.id] = object.canonical.count
          }
        }
        for id in sizes.keys {
          let time = try loose.modifiedNanoseconds(of: id) ?? .max
          if time >= nanoseconds { sizes[id] = nil }
        }
        return sizes
      }
    } _: { part in
      do {
        try effects.checkInterrupt()
        blobs.merge(try part.get()) { size, _ in size }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return blobs
  }

  private static let shardCount = 16

  /// Keeps what refs name, or have named, and what was received, whatever it is kept as.
  private func readRefs(_ reading: inout Reading) throws {
    var snapshot = try opened.store.refs.snapshot()
    var ids = try opened.store.received.load(to: snapshot.receivedBytes)
    try snapshot.forEach { ref throws(RefsError) in
      ids.insert(ref.id)
      return true
    }
    reading.missing = ids
    _ = try opened.store.refs.forEachEntry { entry throws(RefsError) in
      for ref in entry.additions + entry.removals { ids.insert(ref.id) }
      return true
    }
    for id in ids { reading.blobs.keep(id) }
  }

  /// What waits in the quarantine.
  private func waiting() throws -> LooseStore? {
    guard try opened.store.directory.status(Layout.quarantine)?.kind == .directory else {
      return nil
    }
    return try QuarantineShelf(opened).waiting
  }

  /// The reading of everything that may name a blob.
  private struct Reading {
    /// The blobs.
    var blobs: UnnamedBlobs
    /// What should be in the store, and was not seen so far.
    var missing: Set<ObjectID> = []
    /// What cannot be read, and may name some of them.
    var damage: [TidyDamage] = []

    init(_ blobs: [ObjectID: Int]) { self.blobs = UnnamedBlobs(blobs) }

    /// What a part of the store has.
    private struct Found: Sendable {
      var ids: [ObjectID] = []
      var names: [ObjectID] = []
      var damage: [TidyDamage] = []
    }

    /// Reads everything in a store, but the blobs that may go.
    mutating func read(_ store: ObjectStore, _ effects: Effects) throws {
      let known = blobs.left
      var all = Found()
      var failure: (any Error)?
      let closed = try ObjectScan.forEach(store, makeState: { LooseStore.Workspace() }) {
        workspace, part -> Result<Found, any Error> in
        Result {
          var found = Found()
          try store.read(part, &workspace) { item in
            guard case .object(let object, _) = item else {
              found.damage += Self.damage(item)
              return
            }
            found.ids.append(object.id)
            guard known[object.id] == nil else { return }
            found.names += UnnamedBlobs.names(in: object.canonical.span, among: known)
          }
          return found
        }
      } _: { part in
        do {
          try effects.checkInterrupt()
          let found = try part.get()
          all.ids += found.ids
          all.names += found.names
          all.damage += found.damage
        } catch {
          failure = failure ?? error
        }
      }
      if let failure { throw failure }
      for name in all.names { blobs.keep(name) }
      missing.subtract(all.ids)
      damage += all.damage
      for item in closed { damage += Self.damage(item) }
      damage += store.missingAlternates.map { .away(path: $0) }
    }

    /// Reads the blobs that are kept because of what was read before.
    mutating func readKept(in store: ObjectStore, _ effects: Effects) throws {
      var workspace = LooseStore.Workspace()
      while let id = blobs.next() {
        try effects.checkInterrupt()
        guard let object = try store.read(id, &workspace) else { continue }
        blobs.keep(namedIn: object.canonical.span)
      }
    }

    private static func damage(_ item: PartItem) -> [TidyDamage] {
      switch item {
      case .object: []
      case .damaged(_, let error): [.object(error)]
      case .damagedPack(let path, let reason): [.part(path: path, reason: reason)]
      case .offline(let path, _): [.away(path: path)]
      }
    }
  }
}
