// Moves nodes that nothing knows about into an archive: the file exists and was read again before any of them is
// removed. A node is known if the refs name it, ever named it, or it was received. Objects of other kinds stay.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// The removal of unknown nodes; the caller must hold the locks of objects and packs.
struct GcExpiry {
  private let opened: Repository
  private let limit: Int64
  private let path: String
  private let isDryRun: Bool
  private var scan: RepackScan
  private var packs: [Pack] = []

  /// - Parameters:
  ///   - opened: the store.
  ///   - limit: the instant before which a node must have been written, in milliseconds since 1970.
  ///   - path: the file that they are moved to.
  ///   - isDryRun: whether they are only listed.
  ///   - effects: receives how far the work has come.
  init(
    _ opened: Repository, before limit: Int64, to path: String, isDryRun: Bool, _ effects: Effects
  ) {
    scan = RepackScan(.node, effects)
    self.opened = opened
    self.limit = limit
    self.path = path
    self.isDryRun = isDryRun
  }

  /// Moves them.
  ///
  /// - Parameters:
  ///   - effects: says whether the work is cancelled.
  ///   - tell: receives each node that is moved, and each obstacle.
  /// - Throws: when something cannot be read or written; `Interruption`.
  mutating func run(
    _ effects: Effects, _ tell: (TidyStep) throws -> Void
  ) throws {
    guard try readAll(effects, tell), let isKnown = try known(tell) else {
      try tell(.damaged(.unknownNodes))
      return
    }
    let isOld = try old(isKnown)
    let numbers = scan.set.order { isOld[$0] }
    guard !numbers.isEmpty else { return }
    if !isDryRun { try move(numbers, effects) }
    for number in numbers { try tell(.expired(scan.set.id(number))) }
  }

  /// Reads all nodes of the store.
  ///
  /// - Returns: whether nothing is damaged that might name other nodes.
  private mutating func readAll(
    _ effects: Effects, _ tell: (TidyStep) throws -> Void
  ) throws -> Bool {
    var isSound = true
    var scans = [scan]
    for damage in try RepackScan.addLoose(opened.objects.primary, to: &scans, effects) {
      try tell(.damaged(damage))
      isSound = false
    }
    scan = scans[0]
    for pack in try opened.objects.packs.all() {
      try effects.checkInterrupt()
      do throws(PackError) {
        guard try pack.directory().kind == scan.kind else { continue }
        try scan.add(pack, packs.count)
        packs.append(pack)
      } catch {
        if case .system = error { throw RepackRun.failure(error, pack) }
        try tell(.damaged(.pack(error, path: pack.path)))
        isSound = false
      }
    }
    scan.finish()
    return isSound
  }

  // MARK: What is known

  /// Which of the nodes are known; `nil` when the ancestors of some cannot be followed.
  private func known(_ tell: (TidyStep) throws -> Void) throws -> [Bool]? {
    var isKnown = [Bool](repeating: false, count: scan.set.count)
    var elsewhere: Set<ObjectID> = []
    let roots = try roots()
    var pending = Array(roots)
    var reader = NodeReader()
    while let id = pending.popLast() {
      if let number = scan.set.number(of: id) {
        guard !isKnown[number] else { continue }
        isKnown[number] = true
        pending += scan.set.parents(number)
        continue
      }
      // It is in an alternate or a registered archive; a wiped node is nowhere, and nobody's parent.
      guard elsewhere.insert(id).inserted else { continue }
      let found: StoredObject?
      do throws(StoreError) {
        found = try opened.objects.read(id, &reader.workspace)
      } catch {
        try tell(.damaged(.unreadable(error)))
        return nil
      }
      guard let object = found else {
        if roots.contains(id) { continue }
        try tell(.damaged(.missing(id)))
        return nil
      }
      guard object.kind == .node else { continue }
      if let node = reader.decode(object) {
        pending += node.parents
      } else if let broken = reader.decoder.decodeBroken(object) {
        pending += broken.parents
      }
    }
    return isKnown
  }

  /// The IDs that refs name or have ever named, and those that were received.
  private func roots() throws -> Set<ObjectID> {
    var roots: Set<ObjectID> = []
    var snapshot = try opened.store.refs.snapshot()
    try snapshot.forEach { ref throws(RefsError) in
      roots.insert(ref.id)
      return true
    }
    _ = try opened.store.refs.forEachEntry { entry throws(RefsError) in
      for ref in entry.additions + entry.removals { roots.insert(ref.id) }
      return true
    }
    // This includes what was taken back: an unfinished wipe continues by itself.
    try opened.store.received.forEach(to: snapshot.receivedBytes) { id, _ in
      roots.insert(id)
      return true
    }
    return roots
  }

  /// Which nodes are unknown and have only old copies.
  private func old(_ isKnown: [Bool]) throws -> [Bool] {
    var isOld = isKnown.map { !$0 }
    let (nanoseconds, isOver) = limit.multipliedReportingOverflow(by: 1_000_000)
    guard !isOver else { return isOld.map { _ in false } }
    let packTimes = try packs.map { pack throws(SystemError) in
      try opened.objects.packs.modifiedNanoseconds(of: pack) ?? .max
    }
    for copy in scan.copies where isOld[Int(copy.number)] {
      let time: Int64?
      if let pack = copy.place.packNumber {
        time = packTimes[pack]
      } else {
        let id = scan.set.id(Int(copy.number))
        time = try opened.objects.primary.modifiedNanoseconds(of: id)
      }
      if (time ?? .max) >= nanoseconds { isOld[Int(copy.number)] = false }
    }
    return isOld
  }

  // MARK: The archive

  /// Writes nodes into the archive, reads it again, and removes them from the store.
  private func move(_ numbers: [Int], _ effects: Effects) throws {
    let trust = (try? effects.trustList(opened)) ?? nil
    let objects = opened.objects
    // This waits for the disk whatever the settings say: nodes are removed next.
    var target = try ArchiveTarget(path, isForced: false, syncs: true, effects)
    var writer = PackWriter()
    try scan.forEachNode(
      numbers, objects.primary, packs, spillingIn: objects.packs,
      CopyChooser(trust, objects, rows: opened.deviceRows()),
      effects
    ) { node throws in
      writer.add(node)
      let bytes = writer.take()
      if !bytes.isEmpty { try target.write(bytes) }
    }
    let directory = writer.finish()
    try target.write(writer.take())
    try target.commit()

    let file = try ArchiveFile(path, effects)
    try file.check()
    guard file.reader.directory == directory else {
      throw GcFault.differs(path: path)
    }
    var isThere: Set<ObjectID> = []
    try file.forEachFrame(effects) { nodes, _ in
      for node in nodes { isThere.insert(node.id) }
    }
    guard numbers.allSatisfy({ isThere.contains(scan.set.id($0)) }) else {
      throw GcFault.differs(path: path)
    }
    // The whole archive could be read: its nodes may be removed.
    var workspace = LooseStore.Workspace()
    var shards: Set<UInt8> = []
    try file.forEachFrame(effects) { nodes, _ in
      for id in try objects.primary.removePacked(nodes, &workspace) { shards.insert(id[0]) }
    }
    try objects.primary.syncShards(shards)
    _ = try PackRewrite.remove(isThere, from: packs, of: objects.packs)
  }
}
