// Finding damaged and missing objects: every object of the store is read, and everything that the refs, the received
// log and the nodes name is looked for.

internal import RedoHistory
package import RedoObject
package import RedoStore

/// Something that is wrong with an object.
package struct ObjectProblem: Sendable {
  /// The rule that is broken.
  package let rule: Rule
  /// What was found instead, if anything.
  package let damage: RepairDamage?
  /// The readable part of it: a node with a bad signature, or stored as the wrong kind.
  package var present: StoredObject?
  /// The intact object of another name that is in its place.
  var misplaced: StoredObject?
  /// The pack that it is in, below `.redo`; `nil` for a loose object.
  package var pack: String?
  /// A good copy that the store has elsewhere.
  package var other: StoredObject?
}

/// Finds damaged and missing objects.
package struct RepairScan: ~Copyable {
  private let opened: Repository
  package let store: ObjectStore
  private let isThorough: Bool
  /// The keys that receipts are checked with; none in a store that has no receipts.
  package private(set) var devices: DeviceKeys
  /// The objects that are good.
  package private(set) var good: Set<ObjectID> = []
  /// The blobs among them.
  private var blobs: Set<ObjectID> = []
  /// The IDs that must be of a kind with a history: heads, received objects, parents.
  private(set) var wantedNodes: Set<ObjectID> = []
  /// The IDs that are named in any way.
  package private(set) var named: Set<ObjectID> = []
  /// The objects in packs of alternates and in registered archives.
  package var present: Set<ObjectID> = []
  /// The problems that were found.
  package var problems: [ObjectID: ObjectProblem] = [:]
  /// The packs that are damaged, or contain damaged nodes.
  package var packs: [RepairPack] = []
  private var workspace = LooseStore.Workspace()

  /// - Parameters:
  ///   - opened: the store.
  ///   - isThorough: whether also what no change speaks of that is left in the journal is named by the
  ///     received log, because refs are going to be repaired.
  ///   - trust: the trust file, which pins keys of devices.
  package init(_ opened: Repository, isThorough: Bool, _ trust: TrustList?) {
    devices = DeviceKeys(trust, rows: opened.deviceRows())
    self.opened = opened
    self.isThorough = isThorough
    store = opened.objects
  }

  /// The result for one object of the store.
  package enum Found: Sendable {
    /// It is good, or nothing tells that it is not, and has these parents.
    case history([ObjectID])
    case blob
    case problem(ObjectProblem, parents: [ObjectID])
    case failure(StoreError)
  }

  /// Reads everything.
  package mutating func run(_ effects: Effects) throws {
    try readNames(effects)
    if opened.store.config.mayHaveGroups { try devices.noteAll(in: store) }
    for byte in UInt8.min...UInt8.max {
      try effects.checkInterrupt()
      try readShard(byte)
    }
    try readPacks(effects)
    for id in named.sorted() { try look(for: id) }
  }

  /// Notes that something names these objects, and looks for them.
  mutating func want(_ ids: [ObjectID]) throws {
    for id in ids {
      named.insert(id)
      wantedNodes.insert(id)
      try look(for: id)
    }
  }

  /// Notes that an object is good now.
  package mutating func settle(_ object: StoredObject) {
    problems[object.id] = nil
    good.insert(object.id)
    if object.kind == .blob { blobs.insert(object.id) } else { blobs.remove(object.id) }
  }

  /// Whether an object is good.
  package func isGood(_ id: ObjectID) -> Bool { good.contains(id) }

  // MARK: Names

  /// Reads the names in the refs and the received log, as far as possible.
  private mutating func readNames(_ effects: Effects) throws {
    var receivedBytes: Int?
    do throws(RefsError) {
      var snapshot = try opened.store.refs.look()
      // Behind refs, everything that was received is looked for.
      receivedBytes = snapshot.doubt == nil ? snapshot.receivedBytes : nil
      var targets: [(ObjectID, isHead: Bool)] = []
      try snapshot.forEach { (ref) throws(RefsError) in
        targets.append((ref.id, ref.name.isMultiValued))
        return true
      }
      for (id, isHead) in targets {
        named.insert(id)
        if isHead { wantedNodes.insert(id) }
      }
    } catch {
      guard case .corrupt = error else { throw error }
      effects.report(.repairing(.refsUnread(error)))
    }
    let salvaged = try opened.store.received.salvage()
    if salvaged.firstDamage.map({ $0 < receivedBytes ?? .max }) == true {
      effects.report(
        .repairing(
          .receivedDamaged(
            path: "\(opened.store.path)/received", reason: "\(salvaged.damage)")))
    }
    let ids = salvaged.times(to: isThorough ? .max : receivedBytes ?? .max).times.keys
    named.formUnion(ids)
    wantedNodes.formUnion(ids)
  }

  // MARK: Objects

  private mutating func readShard(_ byte: UInt8) throws {
    let ids: [ObjectID]
    do throws(StoreError) {
      ids = try store.primary.openShard(byte)?.ids ?? []
    } catch {
      // A linked directory is not listed; objects in it are still read when they are named.
      guard case .system(let cause) = error, cause.isSymbolicLink || cause.isUnreadable else {
        throw error
      }
      return
    }
    let (primary, devices) = (store.primary, devices)
    let found = Threads.parallelMap(
      ids, threads: ids.count < 4 ? 1 : Threads.processorCount, makeState: { NodeReader() }
    ) { reader, id in Self.judge(id, primary, devices, &reader) }
    for (id, found) in zip(ids, found) { try take(id, found) }
  }

  package mutating func take(_ id: ObjectID, _ found: Found) throws {
    switch found {
    case .history(let parents):
      good.insert(id)
      name(parents)
    case .blob:
      good.insert(id)
      blobs.insert(id)
    case .problem(let problem, let parents):
      problems[id] = problem
      name(parents)
    case .failure(let error): throw error
    }
  }

  private mutating func name(_ parents: [ObjectID]) {
    named.formUnion(parents)
    wantedNodes.formUnion(parents)
  }

  /// Examines one object of the store.
  private static func judge(
    _ id: ObjectID, _ store: LooseStore, _ devices: DeviceKeys, _ reader: inout NodeReader
  ) -> Found {
    let condition: LooseStore.Condition
    do throws(StoreError) {
      condition = try store.condition(of: id, &reader.workspace)
    } catch {
      return .failure(error)
    }
    switch condition {
    case .good(let object): return judge(object, devices, &reader)
    case .missing: return .problem(ObjectProblem(rule: .objectMissing, damage: nil), parents: [])
    case .misplaced(let object):
      return .problem(
        ObjectProblem(
          rule: .objectCorrupt, damage: .holds(object.id), misplaced: object),
        parents: [])
    case .damaged(let reason):
      return .problem(
        ObjectProblem(rule: .objectCorrupt, damage: .bytes(reason: reason)), parents: [])
    }
  }

  /// Judges an object that can be read.
  package static func judge(
    _ object: StoredObject, _ devices: DeviceKeys, _ reader: inout NodeReader
  ) -> Found {
    let (parents, verdict): ([ObjectID], Verdict)
    switch object.kind {
    case .blob: return .blob
    case .node:
      guard let node = reader.decode(object) else { return .history([]) }
      (parents, verdict) = (node.parents, node.verify())
    case .receipt, .schema:
      guard let grouped = reader.places.grouped(object) else { return .history([]) }
      (parents, verdict) = (grouped.place.parents, grouped.verdict(devices).1)
    }
    guard case .bad = verdict else { return .history(parents) }
    return .problem(
      ObjectProblem(rule: .signatureBad, damage: nil, present: object), parents: parents)
  }

  /// Looks for an object that is named.
  private mutating func look(for id: ObjectID) throws {
    guard problems[id] == nil else { return }
    if !good.contains(id) {
      guard !present.contains(id) else {
        good.insert(id)
        return
      }
      guard let found = try elsewhere(id) else {
        problems[id] = problems[id] ?? ObjectProblem(rule: .objectMissing, damage: nil)
        return
      }
      good.insert(id)
      if found.kind == .blob { blobs.insert(id) }
    }
    guard blobs.contains(id), wantedNodes.contains(id) else { return }
    let present = try store.read(id, &workspace)
    problems[id] = ObjectProblem(rule: .nodeType, damage: .blob, present: present)
  }

  /// An object that no shard lists: it is in a linked one, or in an alternate.
  private mutating func elsewhere(_ id: ObjectID) throws -> StoredObject? {
    do throws(StoreError) {
      return try store.read(id, &workspace)
    } catch {
      switch error {
      case .corrupt(_, _, let reason):
        problems[id] = ObjectProblem(rule: .objectCorrupt, damage: .bytes(reason: reason))
        return nil
      case .system(let cause) where cause.isMissing || cause.isUnreadable: return nil
      default: throw error
      }
    }
  }
}
