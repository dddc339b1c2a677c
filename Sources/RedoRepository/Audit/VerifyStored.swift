// Nodes and receipts of a store: read, decoded and verified on all processors, answered in the order asked.

internal import RedoCrypto
internal import RedoHistory
package import RedoObject
internal import RedoStore

/// Judges nodes that a store has.
package struct VerifyStored: ~Copyable {
  /// The answer for a node.
  package enum Row {
    /// All is well, and there is nothing more to say.
    case good(ObjectID, SignatureForm)
    /// Anything else.
    case other(VerdictRow)
  }

  private let profile: Profile
  private let store: ObjectStore
  private let saysKeys: Bool
  private var keys: KeyDirectory
  private var hasReadKeys = false
  private var parents: ParentCheck
  private var trust: NodeTrust?
  private var groups: GroupIntake
  private var groupTrust: GroupTrust?

  /// More threads than processors: while some wait for the disk, the others verify.
  package static var threadCount: Int { 2 * Threads.processorCount }

  /// How many shards are judged together.
  private static let shardCount = 64

  /// - Parameters:
  ///   - profile: the rules that apply.
  ///   - opened: the store.
  ///   - trust: the trust file, if there is one.
  ///   - saysKeys: whether rows hold more than the form of a good signature.
  ///   - checksParents: whether parents are looked for if the profile asks for it.
  package init(
    _ profile: Profile, _ opened: Repository, _ trust: NodeTrust?, saysKeys: Bool,
    checksParents: Bool = true
  ) {
    self.trust = trust
    keys = KeyDirectory(trust?.list)
    self.profile = profile
    self.saysKeys = saysKeys
    store = opened.objects
    groups = GroupIntake(
      profile, verifies: true,
      KeySources(store: opened.objects, trust: trust?.list, devices: opened.deviceRows()))
    groupTrust = trust.map { GroupTrust($0.list, opened.objects) }
    parents = ParentCheck(checksParents ? profile : .v1, opened.objects)
  }

  /// The rows of nodes that are named, in their order.
  package mutating func judge(_ names: [ArraySlice<UInt8>]) throws -> [Row] {
    var rows: [Row] = []
    rows.reserveCapacity(names.count)
    var ids: [ObjectID] = []
    for name in names {
      switch try ObjectName.resolve(name, in: store) {
      case .id(let id): ids.append(id)
      case .ambiguous:
        rows += try judge(ids: ids, isAll: false)
        ids = []
        rows.append(.other(VerdictRow(ambiguous: name)))
      case .missing, .malformed:
        rows += try judge(ids: ids, isAll: false)
        ids = []
        rows.append(.other(VerdictRow(named: name, Finding(.objectMissing))))
      }
    }
    rows += try judge(ids: ids, isAll: false)
    return rows
  }

  /// The complete rows of nodes, in their order; only for a value made with `saysKeys`.
  package mutating func judge(_ ids: [ObjectID]) throws -> [VerdictRow] {
    precondition(saysKeys, "BUG: whole rows are asked of one who does not make them")
    return try judge(ids: ids, isAll: false).compactMap { row in
      if case .other(let row) = row { row } else { nil }
    }
  }

  /// Hands on the rows of all nodes, in the order of their ids, then those of packs that cannot be read.
  package mutating func judgeAll(
    _ body: ([Row]) throws -> Void
  ) throws {
    var packed = PackedRows()
    var seen: Set<String> = []
    var damage: [Row] = []
    for first in stride(from: 0, to: 256, by: Self.shardCount) {
      let shards = try judge(
        store.layers.indices.flatMap { layer in
          store.shards(ofLayer: layer)[first..<first + Self.shardCount]
        })
      // An object that left its shard before it was read is in a pack by then.
      try judgePacks(&seen, &packed, &damage)
      for byte in 0..<Self.shardCount {
        let found = stride(from: byte, to: shards.count, by: Self.shardCount).map { shards[$0] }
        try body(try rows(of: found, packed.take(UInt8(first + byte))))
      }
    }
    if !damage.isEmpty { try body(damage) }
  }

  /// Judges the packs that are there and were not judged before.
  private mutating func judgePacks(
    _ seen: inout Set<String>, _ packed: inout PackedRows, _ damage: inout [Row]
  ) throws {
    var offline: [(path: String, ids: [ObjectID])] = []
    func note(_ item: PartItem) {
      if case .offline(let path, let ids) = item, seen.insert(path).inserted {
        offline.append((path, ids))
      }
      guard case .damagedPack(let path, let reason) = item else { return }
      guard seen.insert("\(path) \(reason)").inserted else { return }
      let finding = Finding(.packCorrupt, detail: reason)
      damage.append(.other(VerdictRow(named: Array(path.utf8)[...], finding)))
    }
    for layer in store.partLayers {
      var frames: [ObjectPart] = []
      frames = try store.frames(ofLayer: layer, note)
      var isNew: [String: Bool] = [:]
      frames = frames.filter { part in
        guard case .frame(let pack, _) = part.place else { return false }
        if let known = isNew[pack.path] { return known }
        isNew[pack.path] = seen.insert(pack.path).inserted
        return isNew[pack.path] == true
      }
      for start in stride(from: 0, to: frames.count, by: Self.shardCount) {
        let read = frames[start..<min(start + Self.shardCount, frames.count)]
        let parts = try judge(Array(read))
        for (_, items) in parts { for item in items { note(item) } }
        // Signatures that waited are checked together: all processors have work until the last of them.
        let names = Set(read.compactMap(\.frameName))
        for (id, row, isCorrupt) in try rows(of: parts.flatMap(\.0), isAll: true, names) {
          packed.add(row, of: id, isCorrupt: isCorrupt)
        }
      }
    }
    for (path, ids) in offline {
      for id in ids {
        packed.add(.other(VerdictRow(offline: id, path)), of: id, isCorrupt: true)
      }
    }
  }

  /// Judges parts of the store: what is found, in its order, and packs that cannot be read.
  private func judge(
    _ parts: [ObjectPart]
  ) throws -> [([(ObjectID, Found)], [PartItem])] {
    let store = store
    let options = Intake.Options(profile: profile, identity: .required)
    let saysKeys = saysKeys
    let trust = trust?.list
    let results = Threads.parallelMap(
      parts, threads: Self.threadCount, makeState: { StoredJudge(options, trust) }
    ) { judge, part -> Result<([(ObjectID, Found)], [PartItem]), StoreError> in
      do throws(StoreError) {
        return .success(try Self.found(in: part, store, &judge, saysKeys))
      } catch {
        return .failure(error)
      }
    }
    return try results.map { result throws(StoreError) in try result.get() }
  }

  private enum Found: Sendable {
    /// A row that needs nothing else.
    case row(Row)
    /// A node that waits for a key, or for its parents.
    case judged(Judged)
    /// A receipt or a schema, judged by itself.
    case grouped(JudgedObject)
    case blob
    case missing
    case corrupt(String)
    /// It is in an archive that is away.
    case offline(String)
    case failure(StoreError)

    var isCorrupt: Bool { if case .corrupt = self { true } else { false } }
  }

  private mutating func judge(
    ids: [ObjectID], isAll: Bool
  ) throws -> [Row] {
    let store = store
    let options = Intake.Options(profile: profile, identity: .required)
    let saysKeys = saysKeys
    let trust = trust?.list
    let found = Threads.parallelMap(
      ids, threads: ids.count < 4 ? 1 : Threads.processorCount,
      makeState: { StoredJudge(options, trust) }
    ) { judge, id in
      (id, Self.found(judge.read(id, store), &judge, saysKeys))
    }
    return try rows(of: found, isAll: isAll).map(\.row)
  }

  /// The rows of the loose objects of all layers, and of the packed ones.
  private mutating func rows(
    of shards: [([(ObjectID, Found)], [PartItem])],
    _ packed: [(id: ObjectID, row: Row, isCorrupt: Bool)]
  ) throws -> [Row] {
    // The first readable copy counts: the store's own before others, loose before packed.
    var found = shards.first?.0 ?? []
    if shards.dropFirst().contains(where: { !$0.0.isEmpty }) {
      var chosen: [ObjectID: Found] = [:]
      for (id, one) in shards.flatMap(\.0) where chosen[id]?.isCorrupt ?? true {
        if chosen[id] == nil || !one.isCorrupt { chosen[id] = one }
      }
      found = chosen.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
    }
    guard !packed.isEmpty else { return try rows(of: found, isAll: true).map(\.row) }
    let good = Set(packed.lazy.filter { !$0.isCorrupt }.map(\.id))
    found.removeAll { id, one in one.isCorrupt && good.contains(id) }
    let loose = try rows(of: found, isAll: true)
    let taken = Set(found.map(\.0))
    var all: [Row] = []
    var next = 0
    for entry in packed where !taken.contains(entry.id) {
      while next < loose.count, loose[next].id < entry.id {
        all.append(loose[next].row)
        next += 1
      }
      all.append(entry.row)
    }
    return all + loose[next...].map(\.row)
  }

  /// The rows of what was found, in its order; of blobs only where they were named.
  ///
  /// - Parameters:
  ///   - found: what was found.
  ///   - isAll: whether it is what there is, and not what was named.
  ///   - frames: the frames that hold it, whole, if it is all of some frames.
  /// - Returns: the rows.
  /// - Throws: what reading the store throws.
  private mutating func rows(
    of found: [(ObjectID, Found)], isAll: Bool, _ frames: Set<ObjectPart.FrameName> = []
  ) throws -> [(id: ObjectID, row: Row, isCorrupt: Bool)] {
    var judged: [Judged] = []
    var grouped: [JudgedObject] = []
    for case (_, .judged(let row)) in found { judged.append(row) }
    for case (_, .grouped(let row)) in found { grouped.append(row) }
    try settle(&judged)
    // Cards are what they are under these rules alone.
    if !frames.isEmpty, profile == .v1 { try groups.noteCards(grouped, of: frames) }
    try settle(&grouped)

    var rows: [(id: ObjectID, row: Row, isCorrupt: Bool)] = []
    rows.reserveCapacity(found.count)
    var next = 0
    var settled = grouped.makeIterator()
    for (id, found) in found {
      let row: Row
      switch found {
      case .row(let known): row = known
      case .judged:
        row = .other(VerdictRow(judged[next], profile))
        next += 1
      case .grouped:
        guard let object = settled.next() else { continue }
        row = self.row(of: id, object)
      case .blob:
        guard !isAll else { continue }
        row = .other(VerdictRow(id, Finding(.nodeType)))
      case .missing: row = .other(VerdictRow(id, Finding(.objectMissing)))
      case .corrupt(let reason):
        row = .other(VerdictRow(id, Finding(.objectCorrupt, detail: reason)))
      case .offline(let path): row = .other(VerdictRow(offline: id, path))
      case .failure(let error): throw error
      }
      rows.append((id, row, found.isCorrupt))
    }
    return rows
  }

  private func row(of id: ObjectID, _ judged: JudgedObject) -> Row {
    if case .good(let form) = judged.verdict, judged.findings.isEmpty, !saysKeys,
      judged.standing?.rule == nil
    {
      return .good(id, form)
    }
    return .other(VerdictRow(judged, profile))
  }

  /// Judges what receipts and schemas by themselves do not tell: signatures, and which of them the trust file accepts.
  package mutating func settle(_ judged: inout [JudgedObject]) throws {
    guard !judged.isEmpty else { return }
    try groups.settle(&judged)
    try groupTrust?.stand(&judged)
  }

  /// Judges what a node by itself does not tell: signatures of nodes that do not carry their key, parents if the
  /// profile asks for them, and which nodes a revocation leaves good.
  package mutating func settle(_ judged: inout [Judged]) throws {
    try settleKeys(&judged, Intake.Options(profile: profile, identity: .required))
    try parents.check(&judged)
    for index in judged.indices { try judged[index].stand(&trust) }
  }

  /// Verifies signed nodes that do not carry their key.
  private mutating func settleKeys(
    _ judged: inout [Judged], _ options: Intake.Options
  ) throws {
    for index in judged.indices where judged[index].verdict == nil {
      guard let node = judged[index].node else { continue }
      if !hasReadKeys, keys.trustedKey(of: node.userID) == nil {
        hasReadKeys = true
        try keys.noteAll(in: store)
      }
      let key = keys.key(of: node.userID)
      judged[index].settle(node.verify(key: key), by: key, options)
    }
  }

  /// Judges what was read.
  private static func found(
    _ result: Result<StoredObject?, StoreError>, _ judge: inout StoredJudge, _ saysKeys: Bool
  ) -> Found {
    switch result {
    case .success(nil): return .missing
    case .success(.some(let object)): return found(object, &judge, saysKeys)
    case .failure(.corrupt(_, _, let reason)): return .corrupt(reason)
    case .failure(.offline(_, let path)): return .offline(path)
    case .failure(let error): return .failure(error)
    }
  }

  private static func found(
    _ object: StoredObject, _ judge: inout StoredJudge, _ saysKeys: Bool
  ) -> Found {
    switch object.kind {
    case .receipt, .schema: return .grouped(judge.judge(grouped: object))
    case .blob: return .blob
    case .node: break
    }
    let judged = judge.judge(object)
    if judge.waits(judged) { return .judged(judged) }
    if case .good(let form) = judged.verdict, judged.findings.isEmpty, !saysKeys,
      judged.standing?.rule == nil
    {
      return .row(.good(object.id, form))
    }
    return .row(.other(VerdictRow(judged, judge.options.profile)))
  }

  /// Judges all objects of a part.
  private static func found(
    in part: ObjectPart, _ store: ObjectStore, _ judge: inout StoredJudge, _ saysKeys: Bool
  ) throws(StoreError) -> ([(ObjectID, Found)], [PartItem]) {
    var items: [PartItem] = []
    try store.read(part, &judge.workspace) { items.append($0) }
    var all: [(ObjectID, Found)] = []
    all.reserveCapacity(items.count)
    var damage: [PartItem] = []
    for item in items {
      switch item {
      case .object(let object, _): all.append((object.id, found(object, &judge, saysKeys)))
      case .damaged(let id, let error): all.append((id, found(.failure(error), &judge, saysKeys)))
      case .damagedPack, .offline: damage.append(item)
      }
    }
    return (all, damage)
  }
}
