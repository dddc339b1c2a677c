// Which of the nodes that another store lacks may be sent: each is read again and judged as `redo verify
// --profile=sync` judges it, including its signature and the trust file. A refused node holds back its descendants, and
// nothing else.

internal import RedoHistory
package import RedoObject
internal import RedoRemote
internal import RedoStore

/// The check of nodes before they are sent.
package struct PushCheck {
  /// A node that is not sent.
  package struct Row: Equatable, Sendable {
    /// The node.
    package let id: ObjectID
    /// The rule that it, or its ancestor, breaks.
    package let rule: Rule
    /// Details for people; text from the node is unescaped.
    package let detail: String
    /// The ancestor that is refused, if the node itself was not judged.
    package let ancestor: ObjectID?
  }

  /// Which nodes may be sent, and which may not.
  package struct Outcome: Sendable {
    /// The positions of the nodes that may be sent, ascending, neighbours together.
    package var positions: [Range<Int>] = []
    /// The nodes that may not, ancestors before descendants.
    package var rows: [Row] = []

    /// The number of nodes that may be sent.
    package var count: Int { positions.reduce(0) { $0 + $1.count } }

    package mutating func take(_ position: Int) {
      if let last = positions.last, last.upperBound == position {
        positions[positions.count - 1] = last.lowerBound..<position + 1
      } else {
        positions.append(position..<position + 1)
      }
    }
  }

  /// The number of nodes that are read in one go, and for which knowledge about signers is kept.
  private static let partCount = 65_536
  /// How many nodes are judged together.
  private static let batchCount = 1024

  private let source: HistorySource
  private let store: ObjectStore
  private let allowsUnsigned: Bool
  private var outcome = Outcome()
  /// By position in the index: the nodes that are held back, with the refused node.
  private var held: [Int: (ancestor: ObjectID, rule: Rule)] = [:]

  private init(_ source: HistorySource, _ store: ObjectStore, allowsUnsigned: Bool) {
    self.source = source
    self.store = store
    self.allowsUnsigned = allowsUnsigned
  }

  /// Checks nodes.
  ///
  /// - Parameters:
  ///   - positions: the nodes of the source, ascending, with all ancestors that the other side lacks.
  ///   - source: where they are.
  ///   - opened: the store it was made of.
  ///   - allowsUnsigned: whether nodes without a signature are sent too.
  ///   - effects: where the trust file is found.
  /// - Returns: what may be sent.
  /// - Throws: `TrustError` when the trust file cannot be read, `StoreError` when nodes cannot be read at all;
  ///   `Interruption`.
  package static func run(
    _ positions: [Range<Int>], of source: HistorySource, _ opened: Repository,
    allowsUnsigned: Bool, _ effects: Effects
  ) throws -> Outcome {
    let trust = try effects.nodeTrust(opened)
    var check = PushCheck(source, opened.objects, allowsUnsigned: allowsUnsigned)
    let all = positions.flatMap { Array($0) }
    for start in stride(from: 0, to: all.count, by: partCount) {
      let part = Array(all[start..<min(start + partCount, all.count)])
      var verify = VerifyStored(.sync, opened, trust, saysKeys: true, checksParents: false)
      try check.judge(part, &verify, trust?.list, effects)
    }
    return check.outcome
  }

  private mutating func judge(
    _ part: [Int], _ verify: inout VerifyStored, _ trust: TrustList?, _ effects: Effects
  ) throws {
    let ids = part.map { source.id(at: $0) }
    var reading: OrderedReading?
    reading = try store.ordered(ids)
    var next = 0
    while next < ids.count {
      try effects.checkInterrupt()
      var found: [StoredObject?] = []
      if reading != nil {
        found = try reading?.read() ?? []
      } else {
        found = Array(repeating: nil, count: min(Self.batchCount, ids.count - next))
      }
      let batch = next..<next + found.count
      try judge(Array(part[batch]), Array(ids[batch]), found, &verify, trust)
      next = batch.upperBound
    }
  }

  /// What was found about a node.
  private enum Found: Sendable {
    case judged(Judged)
    case finding(Finding)
    case failure(StoreError)
  }

  private mutating func judge(
    _ positions: [Int], _ ids: [ObjectID], _ objects: [StoredObject?],
    _ verify: inout VerifyStored, _ trust: TrustList?
  ) throws {
    let options = Intake.Options(profile: .sync, identity: .required)
    let store = store
    let found = Threads.parallelMap(
      Array(zip(ids, objects)), threads: ids.count < 4 ? 1 : Threads.processorCount,
      makeState: { StoredJudge(options, trust) }
    ) { judge, entry in
      // A node that could not be read with others is read alone, which reports what is wrong.
      Self.found(entry.1.map { .success($0) } ?? judge.read(entry.0, store), &judge)
    }
    var judged: [Judged] = []
    for case .judged(let one) in found { judged.append(one) }
    try verify.settle(&judged)
    var next = 0
    for (place, found) in found.enumerated() {
      var finding: Finding?
      switch found {
      case .judged:
        finding = self.finding(judged[next], at: positions[place])
        next += 1
      case .finding(let one): finding = one
      case .failure(let error): throw error
      }
      decide(positions[place], finding)
    }
  }

  private static func found(
    _ result: Result<StoredObject?, StoreError>, _ judge: inout StoredJudge
  ) -> Found {
    switch result {
    case .success(let object):
      guard let object else { return .finding(Finding(.objectMissing)) }
      return object.kind == .node ? .judged(judge.judge(object)) : .finding(Finding(.nodeType))
    case .failure(.corrupt(_, _, let reason)):
      return .finding(Finding(.objectCorrupt, detail: reason))
    case .failure(.offline(_, let path)): return .finding(Finding(.archiveOffline, detail: path))
    case .failure(let error): return .failure(error)
    }
  }

  /// Why a judged node is not sent; `nil` when it is.
  private func finding(_ judged: Judged, at position: Int) -> Finding? {
    for error in judged.errors(.sync) {
      if allowsUnsigned, error.rule == .signatureMissing { continue }
      return error
    }
    guard let node = judged.node else { return Finding(.nodeType) }
    if let rule = judged.standing?.rule { return Finding(rule) }
    // Parents and clocks were checked in the index: so they must be those of the node.
    let place = source.graphPosition(at: position)
    guard source.graph.lamport(at: place) == node.lamport,
      source.graph.parentIDs(at: place) == node.parents
    else { return Finding(.cacheWrong, detail: "the index of the history has other parents") }
    return nil
  }

  private mutating func decide(_ position: Int, _ finding: Finding?) {
    let place = source.graphPosition(at: position)
    let id = source.id(at: position)
    var cause: (ancestor: ObjectID, rule: Rule)?
    if !held.isEmpty { source.graph.forEachParent(at: place) { cause = cause ?? held[$0] } }
    if let finding {
      held[place] = (id, finding.rule)
      outcome.rows.append(
        Row(id: id, rule: finding.rule, detail: finding.detail, ancestor: nil))
    } else if let cause {
      held[place] = cause
      outcome.rows.append(Row(id: id, rule: cause.rule, detail: "", ancestor: cause.ancestor))
    } else {
      outcome.take(position)
    }
  }
}
