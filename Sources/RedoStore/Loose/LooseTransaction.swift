// Several loose objects at once: all temporaries, one sync, the names, the directories.

internal import RedoCrypto
package import RedoObject

/// Staged objects that get their names together.
///
/// Until `commit` nothing is visible, and dropping the transaction removes its temporaries.
package struct LooseTransaction: ~Copyable {
  private let store: LooseStore
  private let isSingle: Bool
  private var staged: [LooseStore.Staged] = []
  private var named = 0
  private var workspace = LooseStore.Workspace()

  /// A transaction without objects.
  ///
  /// - Parameters:
  ///   - store: where the objects were staged.
  ///   - isSingle: whether it will have one object only.
  package init(_ store: LooseStore, isSingle: Bool = false) {
    self.store = store
    self.isSingle = isSingle
  }

  deinit {
    for object in staged[named...] {
      if let name = object.temporary { _ = try? store.directory.unlink(name) }
    }
  }

  /// The number of objects.
  package var count: Int { staged.count }

  /// Takes over a staged object.
  package mutating func add(_ object: LooseStore.Staged) {
    staged.append(object)
  }

  /// Takes objects back, with their temporaries.
  package mutating func remove(_ ids: Set<ObjectID>) {
    staged.removeAll { object in
      guard ids.contains(object.id) else { return false }
      if let name = object.temporary { _ = try? store.directory.unlink(name) }
      return true
    }
  }

  /// Gives all objects their names, and waits for the disk as the policy says.
  ///
  /// - Returns: one outcome for each object, in the order they were added.
  package mutating func commit() throws(StoreError) -> [WriteOutcome] {
    if !isSingle, store.syncPolicy == .batch, staged.contains(where: { $0.temporary != nil }) {
      try mapSystem { () throws(SystemError) in try store.directory.syncFileSystem() }
    }
    if staged.contains(where: { $0.temporary != nil && $0.planned.replacesSignature }) {
      try mapSystem { () throws(SystemError) in
        try SignatureMark.renew(in: store.directory, store.syncPolicy)
      }
    }
    var outcomes: [WriteOutcome] = []
    outcomes.reserveCapacity(staged.count)
    var touched: Set<UInt8> = []
    while named < staged.count {
      let object = staged[named]
      outcomes.append(try name(object))
      named += 1
      // The name of an object that was there may be another writer's, and not on the disk yet.
      touched.insert(object.id[0])
    }
    if outcomes.contains(where: \.replacesSignature) {
      // What was read since the first time may be old.
      try mapSystem { () throws(SystemError) in
        try SignatureMark.renew(in: store.directory, store.syncPolicy)
      }
    }
    if store.syncPolicy != .none {
      try mapSystem { () throws(SystemError) in
        for byte in touched.sorted() { try sync(shard: byte) }
        // The process that made a shard may not have synced its name yet.
        if !touched.isEmpty { try store.directory.sync() }
      }
    }
    return outcomes
  }

  /// Waits until the names of a shard are on the disk.
  private func sync(shard byte: UInt8) throws(SystemError) {
    do throws(SystemError) {
      try store.directory.openSubdirectory(Layout.shard(byte)).sync()
    } catch {
      // An object that only an alternate has needs no shard here.
      guard error.isMissing else { throw error }
    }
  }

  /// Gives an object its name, or merges it with the one that has the name.
  ///
  /// A corrupt one is replaced, a better signature or label is taken, both under a lock, so that of two
  /// writers neither undoes the other's choice.
  private mutating func name(_ object: LooseStore.Staged) throws(StoreError) -> WriteOutcome {
    guard let temporary = object.temporary else { return .known }
    let name = Layout.loose(object.id)
    if let packs = object.rivals, try !store.contains(object.id) {
      guard let arriving = try store.read(object.id, at: temporary, &workspace) else {
        throw .system(.missing(joinPath(store.path, temporary)))
      }
      if try packs.compare(arriving, key: object.key, &workspace) == .known {
        try mapSystem { () throws(SystemError) in _ = try store.directory.unlink(temporary) }
        return .known
      }
    }
    let isNamed = try mapSystem { () throws(SystemError) in
      try store.directory.renameNoReplace(temporary, to: name)
    }
    // What was known and is named here makes a copy in another place better, or heals it.
    if isNamed { return object.planned }

    let lock = try mapSystem { () throws(SystemError) in
      try LockFile.acquire(
        in: store.directory, name: Self.lockName,
        timeoutMilliseconds: Self.lockTimeoutMilliseconds)
    }
    guard lock != nil else { throw .locked(path: joinPath(store.path, Self.lockName)) }
    guard let arriving = try store.read(object.id, at: temporary, &workspace) else {
      throw .system(.missing(joinPath(store.path, temporary)))
    }
    let outcome = try store.compare(arriving, key: object.key, &workspace)
    try mapSystem { () throws(SystemError) in
      if outcome == .healed { try keepDamaged(object.id) }
      if outcome == .known {
        try store.directory.unlink(temporary)
      } else {
        try store.directory.rename(temporary, to: name)
      }
    }
    return outcome
  }

  /// Gives a damaged file a second name in `lost-found`.
  private func keepDamaged(_ id: ObjectID) throws(SystemError) {
    guard let around = store.keeping?.share() else { return }
    let now = SystemClock.wallMilliseconds()
    let lostFound = try LostFound(in: around, at: now, store.syncPolicy)
    _ = try lostFound.keep(Layout.loose(id), in: store.directory, as: "object-\(id.hex)")
  }

  /// The lock for replacing an object's file.
  static var lockName: String { "lock" }
  /// How long one of them waits for another.
  static var lockTimeoutMilliseconds: Int { 10_000 }
}

extension WriteOutcome {
  /// Whether another signature may be kept than before.
  fileprivate var replacesSignature: Bool { self == .upgraded || self == .healed }
}
