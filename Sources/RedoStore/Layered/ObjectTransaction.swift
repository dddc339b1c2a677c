// Many objects at once. A few new ones become loose objects, many of one kind with a history become one pack, because a
// file for each costs more than the object in it. Neither can be seen before the transaction is committed.

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
  /// The kind of the objects that may become part of a pack: that of the first ones that come.
  private var packedKind: ObjectKind?
  /// New nodes about which nothing was decided yet, as they came.
  private var waiting: [Waiting] = []
  private var waitingBytes = 0
  /// The new nodes so far, each with a number that distinguishes its signature from others.
  private var fresh: [ObjectID: UInt64] = [:]
  /// The keys of nodes in the pack that do not carry them.
  private var keys: [ObjectID: PublicKey] = [:]
  private var left: Set<ObjectID> = []
  /// The packs that were there before anything was looked for.
  private let packsBefore: Set<Digest>
  private var decoder = PlaceDecoder()

  /// How many nodes are to come, if that is known.
  private var expectedCount = 0

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
    /// The pack that was written, if any.
    package var pack: Digest?
  }

  /// A transaction without objects.
  ///
  /// - Parameters:
  ///   - store: the store to write to.
  ///   - isSingle: whether there will be only one object, which is then synced by itself.
  package init(_ store: ObjectStore, isSingle: Bool = false) {
    self.store = store
    self.isSingle = isSingle
    loose = LooseTransaction(store.primary, isSingle: isSingle)
    // What cannot be listed now is an error when an object is looked for.
    let packs = isSingle ? nil : try? store.packs.known()
    packsBefore = Set((packs ?? []).map(\.name))
  }

  /// Makes room for nodes.
  ///
  /// - Parameter count: how many are to come.
  package mutating func expect(_ count: Int) {
    expectedCount = count
    fresh.reserveCapacity(count)
  }

  /// Nodes that came together.
  private struct Waiting {
    var writes: [ObjectWrite]
    /// The frame that has these nodes, if they are all that it has.
    var frame: WholeFrame?
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
    /// It is in the store under a temporary name, or needs nothing.
    case staged(LooseStore.Staged)
    case failed(StoreError)
  }

  /// Adds objects.
  ///
  /// - Parameters:
  ///   - writes: the objects; large nodes and blobs are written at once, under temporary names.
  ///   - frames: the frames that some of them came in, by the place of their first node; the others follow
  ///     it. If all of these are new, a pack takes the frame as it is.
  /// - Returns: for each whether the store had it already.
  /// - Throws: `system`, `tooLarge`; the transaction can only be dropped then.
  package mutating func add(
    _ writes: [ObjectWrite], frames: [Int: WholeFrame] = [:]
  ) throws(StoreError) -> [Bool] {
    let found = try look(writes)
    var known: [Bool] = []
    known.reserveCapacity(writes.count)
    var failure: StoreError?
    var whole = 0
    for (index, write) in writes.enumerated() {
      switch found[index] {
      case .fresh:
        known.append(false)
        guard failure == nil, index >= whole else { continue }
        do throws(StoreError) {
          if let frame = frames[index], try take(frame, writes[index...], found[index...]) {
            whole = index + frame.count
          } else {
            try take(write)
          }
        } catch {
          failure = error
        }
      case .staged(let staged):
        known.append(staged.isKnown)
        loose.add(staged)
      case .failed(let error): failure = failure ?? error
      }
    }
    // Everything that was staged belongs to the transaction now, which removes it again.
    if let failure { throw failure }
    return known
  }

  /// Looks for objects in the store, and stages those that do not become part of a pack.
  private mutating func look(_ writes: [ObjectWrite]) throws(StoreError) -> [Found] {
    let store = store
    let isSingle = isSingle
    packedKind = packedKind ?? writes.first { $0.object.kind.packNumber != nil }?.object.kind
    let lacking = isSingle ? [] : try lacking(writes)
    guard lacking.isEmpty || lacking.contains(false) else {
      return Array(repeating: .fresh, count: writes.count)
    }
    return Threads.parallelMap(
      Array(writes.indices), threads: writes.count < Self.fewObjects ? 1 : Threads.processorCount,
      makeState: { Worker(store) }
    ) { worker, index in
      guard isSingle || !lacking[index] else { return .fresh }
      do throws(StoreError) {
        return .staged(
          try store.stage(
            writes[index], &worker.compressor, &worker.workspace, isSingle: isSingle))
      } catch {
        return .failed(error)
      }
    }
  }

  /// How many objects a thread looks for in one go.
  private static let lookCount = 256
  /// From how many objects on a thread is worth it to look for some of them.
  private static let manyObjects = 1024

  /// Which objects are such that no layer has them, and they may become part of a pack.
  private func lacking(_ writes: [ObjectWrite]) throws(StoreError) -> [Bool] {
    let (store, kind) = (store, packedKind)
    let starts = Array(stride(from: 0, to: writes.count, by: Self.lookCount))
    let parts = Threads.parallelMap(
      starts, threads: writes.count < Self.manyObjects ? 1 : Threads.processorCount,
      makeState: { LooseStore.Workspace() }
    ) { workspace, start -> Result<[Bool], StoreError> in
      let part = writes[start..<min(start + Self.lookCount, writes.count)]
      do throws(StoreError) {
        let isHere = try store.contains(part.map(\.object.id), &workspace)
        return .success(
          zip(part, isHere).map { write, isHere in
            !isHere && write.object.kind == kind
              && write.object.canonical.count <= PackFormat.nodeLimit
          })
      } catch {
        return .failure(error)
      }
    }
    var lacking: [Bool] = []
    for part in parts { lacking += try part.get() }
    return lacking
  }

  /// Takes the nodes of a frame.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - writes: its nodes, and what follows them.
  ///   - found: what was found about each.
  /// - Returns: `false` when some of them are not new: then they are to be taken one by one.
  /// - Throws: `system` when they cannot be written.
  private mutating func take(
    _ frame: WholeFrame, _ writes: ArraySlice<ObjectWrite>, _ found: ArraySlice<Found>
  ) throws(StoreError) -> Bool {
    let writes = writes.prefix(frame.count)
    guard writes.count == frame.count, writes.allSatisfy({ $0.node != nil }),
      found.prefix(frame.count).allSatisfy({ if case .fresh = $0 { true } else { false } })
    else { return false }
    for (index, write) in zip(writes.indices, writes) {
      let mark = Self.mark(of: write.object.signature)
      guard let other = fresh.updateValue(mark, forKey: write.object.id) else { continue }
      // It came before, perhaps in this same frame.
      fresh[write.object.id] = other
      for earlier in writes[..<index] where earlier.object.id != write.object.id {
        fresh[earlier.object.id] = nil
      }
      if writes[..<index].contains(where: { $0.object.id == write.object.id }) {
        fresh[write.object.id] = nil
      }
      return false
    }
    if pack != nil {
      try addToPack(Waiting(writes: Array(writes), frame: frame))
    } else {
      try wait(Waiting(writes: Array(writes), frame: frame))
    }
    return true
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
    if pack != nil { try addToPack(write) } else { try wait(Waiting(writes: [write])) }
  }

  /// Lets nodes wait until it is known whether they are many.
  private mutating func wait(_ nodes: Waiting) throws(StoreError) {
    waiting.append(nodes)
    waitingBytes += nodes.writes.reduce(0) { $0 + $1.object.canonical.count }
    if fresh.count > store.bulkLimit {
      pack = try PackTransaction(
        store.packs, packedKind ?? .node, .quick, expecting: expectedCount)
      let all = waiting
      waiting = []
      for nodes in all { try addToPack(nodes) }
    } else if waitingBytes > Self.waitingLimitBytes {
      try stageWaiting()
    }
  }

  /// A number that distinguishes two signatures: they are random bits.
  private static func mark(of signature: Signature?) -> UInt64 {
    guard let signature else { return 0 }
    var mark: UInt64 = 1
    for index in 0..<16 { mark = mark &* 257 ^ UInt64(signature.bytes[index * 4]) }
    return mark
  }

  private mutating func addToPack(_ nodes: Waiting) throws(StoreError) {
    guard let frame = nodes.frame else {
      for write in nodes.writes { try addToPack(write) }
      return
    }
    var packed: [PackEntry] = []
    for write in nodes.writes {
      guard let node = write.node else { preconditionFailure("BUG: a frame of unknown nodes") }
      noteKey(of: write)
      packed.append(PackEntry(write.object, node))
    }
    try pack?.add(frame, packed)
  }

  /// Notes the key of a node that does not carry it.
  private mutating func noteKey(of write: ObjectWrite) {
    if let key = write.key, write.node?.publicKey == nil { keys[write.object.id] = key }
  }

  private mutating func addToPack(_ write: ObjectWrite) throws(StoreError) {
    let node: PackEntry? =
      if let node = write.node { PackEntry(write.object, node) } else {
        PackEntry(write.object, &decoder)
      }
    guard let node else {
      try stage([write])
      return
    }
    noteKey(of: write)
    try pack?.add(node)
  }

  private mutating func stageWaiting() throws(StoreError) {
    let all = waiting.flatMap(\.writes)
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
    for index in waiting.indices {
      guard waiting[index].writes.contains(where: { ids.contains($0.object.id) }) else { continue }
      waiting[index].writes.removeAll { ids.contains($0.object.id) }
      waiting[index].frame = nil
    }
  }

  /// Gives everything its name, and waits for the disk as the policy says.
  ///
  /// - Returns: what was done in addition to writing new objects.
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

  /// Writes the nodes of a pack whose name exists as if there were no packs: most are known.
  private mutating func stageNodes(of pack: borrowing PackTransaction) throws(StoreError) {
    try mapSystem { () throws(SystemError) in _ = try store.packs.refresh(isForced: true) }
    try pack.forEachFrame { (nodes) throws(StoreError) in
      var writes: [ObjectWrite] = []
      for node in nodes { writes.append(ObjectWrite(node, key: key(of: node))) }
      try stage(writes)
    }
  }

  private mutating func key(of object: StoredObject) -> PublicKey? {
    keys[object.id] ?? decoder.nodes.decode(object)?.publicKey
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
      // No node is read from a pack that cannot be read.
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
