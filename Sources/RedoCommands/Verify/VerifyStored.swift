// Nodes of a store: read, decoded and verified on all processors, answered in the order asked.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// Judges nodes that a store has.
struct VerifyStored: ~Copyable {
  /// A node's answer.
  enum Row {
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

  /// More threads than processors: while some wait for the disk, the others verify.
  static var threadCount: Int { 2 * Threads.processorCount }

  /// How many shards are judged together.
  private static let shardCount = 64

  /// - Parameters:
  ///   - profile: the rules that apply.
  ///   - opened: the store.
  ///   - trust: the trust file, if there is one.
  ///   - saysKeys: whether rows have more than the form of a good signature.
  init(
    _ profile: Profile, _ opened: OpenRepository, _ trust: NodeTrust?, saysKeys: Bool
  ) {
    self.trust = trust
    keys = KeyDirectory(trust?.list)
    self.profile = profile
    self.saysKeys = saysKeys
    store = opened.objects
    parents = ParentCheck(profile, opened.objects)
  }

  /// The rows of nodes that are named, in their order.
  mutating func judge(_ names: [ArraySlice<UInt8>]) throws(CommandError) -> [Row] {
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

  /// The whole rows of nodes, in their order; whoever asks has said that they have more than a form.
  mutating func judge(_ ids: [ObjectID]) throws(CommandError) -> [VerdictRow] {
    precondition(saysKeys, "BUG: whole rows are asked of one who does not make them")
    return try judge(ids: ids, isAll: false).compactMap { row in
      if case .other(let row) = row { row } else { nil }
    }
  }

  /// Hands on the rows of all nodes, in the order of their ids.
  mutating func judgeAll(
    _ body: ([Row]) throws(CommandError) -> Void
  ) throws(CommandError) {
    let store = store
    let profile = profile
    let options = Intake.Options(profile: profile, identity: .required)
    let saysKeys = saysKeys
    let trust = trust?.list
    for first in stride(from: 0, to: 256, by: Self.shardCount) {
      let shards = Threads.parallelMap(
        Array(first..<first + Self.shardCount), threads: Self.threadCount,
        makeState: { StoredJudge(options, trust) }
      ) { judge, byte -> Result<[(ObjectID, Found)], StoreError> in
        do throws(StoreError) {
          return .success(try Self.judgeShard(UInt8(byte), store, &judge, saysKeys))
        } catch {
          return .failure(error)
        }
      }
      for shard in shards {
        switch shard {
        case .success(let found): try body(try rows(of: found, isAll: true))
        case .failure(let error): throw .fatal(error)
        }
      }
    }
  }

  private enum Found: Sendable {
    /// A row that needs nothing else.
    case row(Row)
    /// A node that waits for a key, or for its parents.
    case judged(Judged)
    case blob
    case missing
    case corrupt(String)
    case failure(StoreError)
  }

  private mutating func judge(
    ids: [ObjectID], isAll: Bool
  ) throws(CommandError) -> [Row] {
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
    return try rows(of: found, isAll: isAll)
  }

  private mutating func rows(
    of found: [(ObjectID, Found)], isAll: Bool
  ) throws(CommandError) -> [Row] {
    var judged: [Judged] = []
    for case (_, .judged(let row)) in found { judged.append(row) }
    try settle(&judged)

    var rows: [Row] = []
    rows.reserveCapacity(found.count)
    var next = 0
    for (id, found) in found {
      switch found {
      case .row(let row): rows.append(row)
      case .judged:
        rows.append(.other(VerdictRow(judged[next], profile)))
        next += 1
      case .blob: if !isAll { rows.append(.other(VerdictRow(id, Finding(.nodeType)))) }
      case .missing: rows.append(.other(VerdictRow(id, Finding(.objectMissing))))
      case .corrupt(let reason):
        rows.append(.other(VerdictRow(id, Finding(.objectCorrupt, detail: reason))))
      case .failure(let error): throw .fatal(error)
      }
    }
    return rows
  }

  /// Judges what a node alone does not tell: signatures of nodes that do not carry their key, parents
  /// where the profile asks for them, and what a revocation lets stand.
  mutating func settle(_ judged: inout [Judged]) throws(CommandError) {
    try settleKeys(&judged, Intake.Options(profile: profile, identity: .required))
    try parents.check(&judged)
    for index in judged.indices { try judged[index].stand(&trust) }
  }

  /// Verifies signed nodes that do not carry their key.
  private mutating func settleKeys(
    _ judged: inout [Judged], _ options: Intake.Options
  ) throws(CommandError) {
    for index in judged.indices where judged[index].verdict == nil {
      guard let node = judged[index].node else { continue }
      if !hasReadKeys, keys.trustedKey(of: node.userID) == nil {
        hasReadKeys = true
        do throws(StoreError) {
          try keys.noteAll(in: store)
        } catch {
          throw .fatal(error)
        }
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
    case .success(.some(let object)):
      guard object.kind == .node else { return .blob }
      let judged = judge.judge(object)
      if judge.waits(judged) { return .judged(judged) }
      if case .good(let form) = judged.verdict, judged.findings.isEmpty, !saysKeys,
        judged.standing?.rule == nil
      {
        return .row(.good(object.id, form))
      }
      return .row(.other(VerdictRow(judged, judge.options.profile)))
    case .failure(.corrupt(_, _, let reason)): return .corrupt(reason)
    case .failure(let error): return .failure(error)
    }
  }

  /// Judges all objects of a shard, and of its alternates.
  private static func judgeShard(
    _ byte: UInt8, _ store: ObjectStore, _ judge: inout StoredJudge, _ saysKeys: Bool
  ) throws(StoreError) -> [(ObjectID, Found)] {
    guard store.alternates.isEmpty else {
      return try store.list(prefix: Layout.shard(byte)).map {
        ($0, found(judge.read($0, store), &judge, saysKeys))
      }
    }
    var all: [(ObjectID, Found)] = []
    guard let shard = try store.primary.openShard(byte) else { return all }
    all.reserveCapacity(shard.ids.count)
    for id in shard.ids {
      all.append((id, found(judge.read(id, in: shard, store.primary), &judge, saysKeys)))
    }
    return all
  }
}
