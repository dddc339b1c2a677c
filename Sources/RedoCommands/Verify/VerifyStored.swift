// Nodes of a store: read, decoded and verified on all processors, answered in the order asked.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// Judges nodes that a store has.
struct VerifyStored: ~Copyable {
  private let profile: Profile
  private let store: ObjectStore
  private var keys = KeyDirectory()
  private var hasReadKeys = false
  private var parents: ParentCheck

  /// How many nodes are judged together.
  private static let batchCount = 4096

  init(_ profile: Profile, _ opened: OpenRepository) {
    self.profile = profile
    store = opened.objects
    parents = ParentCheck(profile, opened.objects)
  }

  /// The rows of nodes that are named, in their order.
  mutating func judge(_ names: [ArraySlice<UInt8>]) throws(CommandError) -> [VerdictRow] {
    var rows: [VerdictRow] = []
    rows.reserveCapacity(names.count)
    var ids: [ObjectID] = []
    for name in names {
      switch try ObjectName.resolve(name, in: store) {
      case .id(let id): ids.append(id)
      case .ambiguous:
        rows += try judge(ids: ids, isAll: false)
        ids = []
        rows.append(VerdictRow(ambiguous: name))
      case .missing, .malformed:
        rows += try judge(ids: ids, isAll: false)
        ids = []
        rows.append(VerdictRow(named: name, Finding(.objectMissing)))
      }
    }
    rows += try judge(ids: ids, isAll: false)
    return rows
  }

  /// Hands on the rows of all nodes, in the order of their ids.
  mutating func judgeAll(
    _ body: ([VerdictRow]) throws(CommandError) -> Void
  ) throws(CommandError) {
    let ids: [ObjectID]
    do throws(StoreError) {
      ids = try store.list(prefix: "")
    } catch {
      throw .fatal(error)
    }
    for start in stride(from: 0, to: ids.count, by: Self.batchCount) {
      try body(
        try judge(ids: Array(ids[start..<min(start + Self.batchCount, ids.count)]), isAll: true))
    }
  }

  private enum Found: Sendable {
    case judged(Judged)
    case blob
    case missing
    case corrupt(String)
    case failure(StoreError)
  }

  private mutating func judge(
    ids: [ObjectID], isAll: Bool
  ) throws(CommandError) -> [VerdictRow] {
    let store = store
    let options = Intake.Options(profile: profile, verifies: true)
    let found = Threads.parallelMap(
      ids, threads: ids.count < 4 ? 1 : Threads.processorCount,
      makeState: { StoredJudge(options) }
    ) { judge, id in
      judge.judge(id, store)
    }
    var judged: [Judged] = []
    for case .judged(let row) in found { judged.append(row) }
    try settleKeys(&judged, options)
    try parents.check(&judged)

    var rows: [VerdictRow] = []
    rows.reserveCapacity(found.count)
    var next = 0
    for (id, found) in zip(ids, found) {
      switch found {
      case .judged:
        rows.append(VerdictRow(judged[next], profile))
        next += 1
      case .blob: if !isAll { rows.append(VerdictRow(id, Finding(.nodeType))) }
      case .missing: rows.append(VerdictRow(id, Finding(.objectMissing)))
      case .corrupt(let reason):
        rows.append(VerdictRow(id, Finding(.objectCorrupt, detail: reason)))
      case .failure(let error): throw .fatal(error)
      }
    }
    return rows
  }

  /// Verifies signed nodes that do not carry their key.
  private mutating func settleKeys(
    _ judged: inout [Judged], _ options: Intake.Options
  ) throws(CommandError) {
    for index in judged.indices where judged[index].verdict == nil {
      guard let node = judged[index].node else { continue }
      if !hasReadKeys {
        hasReadKeys = true
        do throws(StoreError) {
          try keys.noteAll(in: store)
        } catch {
          throw .fatal(error)
        }
      }
      judged[index].settle(node.verify(key: keys.key(of: node.userID)), options)
    }
  }

  /// What one thread needs to judge stored nodes.
  private struct StoredJudge: ~Copyable {
    private let options: Intake.Options
    private var workspace = LooseStore.Workspace()
    private var decoder: NodeDecoder

    init(_ options: Intake.Options) {
      self.options = options
      decoder = NodeDecoder(profile: options.profile)
    }

    mutating func judge(_ id: ObjectID, _ store: ObjectStore) -> Found {
      do throws(StoreError) {
        guard let object = try store.read(id, &workspace) else { return .missing }
        guard object.kind == .node else { return .blob }
        return .judged(Intake.judge(decoder.decode(object), decoder, options))
      } catch {
        if case .corrupt(_, _, let reason) = error { return .corrupt(reason) }
        return .failure(error)
      }
    }
  }
}
