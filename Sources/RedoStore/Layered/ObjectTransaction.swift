// Many objects at once. Few new nodes become loose objects, many become one pack: files of their own
// cost more than the nodes in them. Nothing of either can be seen before the transaction is committed.

package import RedoCrypto
package import RedoObject

/// Objects that get their names together.
///
/// Dropping it removes what was written.
package struct ObjectTransaction: ~Copyable {
  private let store: ObjectStore
  private let isSingle: Bool
  private var loose: LooseTransaction
  private var pack: PackTransaction?
  /// New nodes about which nothing was decided yet.
  private var waiting: [ObjectWrite] = []
  private var waitingBytes = 0
  /// The new nodes so far, each with something that tells one signature from another.
  private var fresh: [ObjectID: UInt64] = [:]
  /// The keys of nodes in the pack that do not carry them.
  private var keys: [ObjectID: PublicKey] = [:]
  private var left: Set<ObjectID> = []
  /// The packs that were there before anything was looked for.
  private let packsBefore: Set<Digest>
  private var decoder = NodeDecoder()

  /// How many bytes of new nodes wait until it is known whether they are many.
  private static let waitingLimitBytes = 16 << 20
  /// From how many objects on threads are worth it.
  private static let fewObjects = 8

  /// What a transaction has done.
  package struct Summary: Equatable, Sendable {
    /// Objects that were there, with a worse signature or under another label.
    package var upgraded = 0
    /// Objects whose bytes were corrupt.
    package var healed = 0
    /// The pack that was written, if there is one.
    package var pack: Digest?
  }

  /// A transaction without objects.
  ///
  /// - Parameters:
  ///   - store: where they are written.
  ///   - isSingle: whether there will be one object only, which is then synced by itself.
  package init(_ store: ObjectStore, isSingle: Bool = false) {
    self.store = store
    self.isSingle = isSingle
    loose = LooseTransaction(store.primary, isSingle: isSingle)
    // What cannot be listed now is an error of whoever looks for an object.
    let packs = isSingle ? nil : try? store.packs.known()
    packsBefore = Set((packs ?? []).map(\.name))
  }

  private struct Worker: ~Copyable {
    var compressor: LooseStore.Compressor
    var workspace = LooseStore.Workspace()

    init(_ store: ObjectStore) { compressor = store.primary.makeCompressor() }
  }

  /// What a thread found about an object.
  private enum Found: Sendable {
    /// It is a node that no layer has.
    case fresh
    /// It lies in the store under a temporary name, or needs nothing.
    case staged(LooseStore.Staged)
    case failed(StoreError)
  }

  /// Adds objects.
  ///
  /// - Parameter writes: the objects; large nodes and blobs are written at once, under temporary names.
  /// - Returns: for each whether the store had it already.
  /// - Throws: `system`, `tooLarge`; the transaction can only be dropped then.
  package mutating func add(_ writes: [ObjectWrite]) throws(StoreError) -> [Bool] {
    let found = look(writes)
    var known: [Bool] = []
    known.reserveCapacity(writes.count)
    var failure: StoreError?
    for (write, found) in zip(writes, found) {
      switch found {
      case .fresh:
        known.append(false)
        guard failure == nil else { continue }
        do throws(StoreError) { try take(write) } catch { failure = error }
      case .staged(let staged):
        known.append(staged.isKnown)
        loose.add(staged)
      case .failed(let error): failure = failure ?? error
      }
    }
    // All that was staged belongs to the transaction by now, which takes it away again.
    if let failure { throw failure }
    return known
  }

  /// Looks for objects in the store, and stages those that do not become part of a pack.
  private func look(_ writes: [ObjectWrite]) -> [Found] {
    let store = store
    let isSingle = isSingle
    return Threads.parallelMap(
      writes, threads: writes.count < Self.fewObjects ? 1 : Threads.processorCount,
      makeState: { Worker(store) }
    ) { worker, write in
      do throws(StoreError) {
        if !isSingle, write.object.kind == .node,
          write.object.canonical.count <= PackFormat.nodeLimit,
          try !store.contains(write.object.id)
        {
          return .fresh
        }
        return .staged(
          try store.stage(write, &worker.compressor, &worker.workspace, isSingle: isSingle))
      } catch {
        return .failed(error)
      }
    }
  }

  /// Takes a node that no layer has.
  private mutating func take(_ write: ObjectWrite) throws(StoreError) {
    let mark = Self.mark(of: write.object.signature)
    let id = write.object.id
    if let other = fresh.updateValue(mark, forKey: id) {
      guard other != mark else { return }
      var compressor = store.primary.makeCompressor()
      loose.add(try store.primary.stageRival(write, &compressor, of: store.packs))
      return
    }
    if pack != nil {
      try addToPack(write)
      return
    }
    waiting.append(write)
    waitingBytes += write.object.canonical.count
    if fresh.count > store.bulkLimit {
      pack = try PackTransaction(store.packs, .quick)
      let all = waiting
      waiting = []
      for write in all { try addToPack(write) }
    } else if waitingBytes > Self.waitingLimitBytes {
      try stageWaiting()
    }
  }

  /// A number by which two signatures are told apart: they are random bits.
  private static func mark(of signature: Signature?) -> UInt64 {
    guard let signature else { return 0 }
    var mark: UInt64 = 1
    for index in 0..<16 { mark = mark &* 257 ^ UInt64(signature.bytes[index * 4]) }
    return mark
  }

  private mutating func addToPack(_ write: ObjectWrite) throws(StoreError) {
    let node: PackNode? =
      if let node = write.node { PackNode(write.object, node) } else {
        PackNode(write.object, &decoder)
      }
    guard let node else {
      try stage([write])
      return
    }
    if let key = write.key, write.node?.publicKey == nil { keys[write.object.id] = key }
    try pack?.add(node)
  }

  private mutating func stageWaiting() throws(StoreError) {
    let all = waiting
    waiting = []
    waitingBytes = 0
    try stage(all)
  }

  /// Stages nodes as loose objects.
  private mutating func stage(_ writes: [ObjectWrite]) throws(StoreError) {
    let store = store
    let isSingle = isSingle
    let results = Threads.parallelMap(
      writes, threads: writes.count < Self.fewObjects ? 1 : Threads.processorCount,
      makeState: { Worker(store) }
    ) { worker, write -> Found in
      do throws(StoreError) {
        return .staged(
          try store.stage(write, &worker.compressor, &worker.workspace, isSingle: isSingle))
      } catch {
        return .failed(error)
      }
    }
    var failure: StoreError?
    for result in results {
      switch result {
      case .staged(let staged): loose.add(staged)
      case .failed(let error): failure = failure ?? error
      case .fresh: break
      }
    }
    if let failure { throw failure }
  }

  /// Takes nodes back.
  ///
  /// - Parameter ids: nodes that are left out.
  package mutating func remove(_ ids: Set<ObjectID>) {
    left.formUnion(ids)
    loose.remove(ids)
    waiting.removeAll { ids.contains($0.object.id) }
  }

  /// Gives everything its name, and waits for the disk as the policy says.
  ///
  /// - Returns: what was done besides writing new objects.
  /// - Throws: `system`, `locked`, `unwritten`.
  package mutating func commit() throws(StoreError) -> Summary {
    var summary = Summary()
    try stageWaiting()
    if var pack = pack.take() {
      switch try pack.commit(leavingOut: left) {
      case .named(let name): summary.pack = name
      case .taken: try stageNodes(of: pack)
      case .empty: break
      }
      try mapSystem { () throws(SystemError) in _ = try store.packs.refresh(isForced: true) }
    }
    for outcome in try loose.commit() {
      if outcome == .upgraded { summary.upgraded += 1 }
      if outcome == .healed { summary.healed += 1 }
    }
    if let name = summary.pack { try settle(name) }
    return summary
  }

  /// Writes the nodes of a pack whose name is taken as they would be without packs: most are known.
  private mutating func stageNodes(of pack: borrowing PackTransaction) throws(StoreError) {
    try mapSystem { () throws(SystemError) in _ = try store.packs.refresh(isForced: true) }
    try pack.forEachFrame { (nodes) throws(StoreError) in
      var writes: [ObjectWrite] = []
      for node in nodes { writes.append(ObjectWrite(node, key: key(of: node))) }
      try stage(writes)
    }
  }

  private mutating func key(of object: StoredObject) -> PublicKey? {
    keys[object.id] ?? decoder.decode(object)?.publicKey
  }

  /// Looks for nodes of the new pack that others wrote meanwhile: where theirs is read first and ours
  /// has the better signature, ours is written once more.
  ///
  /// Others do the same after their own names, so that of two writers the later one sees both.
  private mutating func settle(_ name: Digest) throws(StoreError) {
    var doubles: Set<ObjectID> = []
    for id in try store.primary.list(prefix: "") where fresh[id] != nil { doubles.insert(id) }
    let packs = try mapSystem { () throws(SystemError) in try store.packs.all() }
    guard let own = packs.first(where: { $0.name == name }) else { return }
    for other in packs where !packsBefore.contains(other.name) && other !== own {
      // Of a pack that cannot be read nobody reads a node.
      let ids = try? other.asking { index throws(PackIndexDamage) in try index.ids(prefix: []) }
      for id in ids ?? [] where fresh[id] != nil { doubles.insert(id) }
    }
    guard !doubles.isEmpty else { return }
    var inflater = FrameInflater()
    var writes: [ObjectWrite] = []
    for id in doubles.sorted() {
      guard let copy = (try? own.read(id, &inflater)) ?? nil else { continue }
      writes.append(ObjectWrite(copy, key: key(of: copy)))
    }
    loose = LooseTransaction(store.primary)
    try stage(writes)
    _ = try loose.commit()
  }
}
