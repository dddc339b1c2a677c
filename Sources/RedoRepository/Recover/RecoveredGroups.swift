// The receipts or schemas of a point in time: those whose author claims a time until then, or that were received until then, with
// all that they follow; or one and what it follows. The cards of devices come with receipts, whatever time they claim: without
// its card nobody can tell whether a receipt is good.

package import RedoHistory
package import RedoObject
internal import RedoStore

/// The objects of one kind of a point in time, ready to enter a history.
package struct RecoveredGroups {
  /// Their kind.
  package let kind: ObjectKind
  /// All such objects of the history that they are taken from; only their places count.
  package let graph: Graph
  /// For each position whether the object counts at the point.
  package let members: [Bool]
  /// Those that do not, in order.
  package let left: [LeftOut]
  /// How many of those that count do so only because they are cards.
  package let cardCount: Int
  /// The group of each.
  private let groups: [ObjectID: HistoryPlace.Group]

  /// Reads the objects of a history.
  ///
  /// - Parameters:
  ///   - kind: their kind.
  ///   - opened: the store.
  ///   - point: the point in time: an instant, the present, or one of the objects.
  ///   - effects: receives how far the reading has come.
  /// - Throws: `PointFault` when the point is not in the history; `HistoryFault` or `StoreError` when an object is
  ///   missing or corrupt.
  init(
    of kind: ObjectKind, _ opened: Repository, _ point: HistoryPoint, _ effects: Effects
  ) throws {
    self.kind = kind
    let walk = try GroupWalk(
      of: kind, from: try opened.heads(of: kind).ids, opened.objects, includesPrecise: true,
      progress: Progress(.readingNodes, effects))
    graph = walk.graph(received: try opened.receivedTimes())
    var members =
      try point.allowingEmpty(true).members(of: graph, opened)
      ?? [Bool](repeating: true, count: graph.count)
    let left = try point.place(in: graph, opened)?.leftOut(of: graph, members: members) ?? []
    var cards: Set<Int> = []
    for member in walk.members where member.isCard && members.contains(true) {
      guard member.place.parents.isEmpty, let position = graph.position(of: member.id),
        !members[position]
      else { continue }
      cards.insert(position)
    }
    for position in cards { members[position] = true }
    self.members = members
    self.left = left.filter { !cards.contains($0.position) }
    cardCount = cards.count
    var groups: [ObjectID: HistoryPlace.Group] = [:]
    for member in walk.members { groups[member.id] = member.place.group }
    self.groups = groups
  }

  /// How many there are.
  package var count: Int { members.count { $0 } }
  /// How many groups they are of.
  package var groupCount: Int { heads.count }

  /// The objects, parents before children.
  var ids: [ObjectID] {
    (0..<graph.count).filter { members[$0] }.map { graph.id(at: $0) }
  }

  /// The heads of each group.
  var heads: [HistoryPlace.Group: [ObjectID]] { heads(members) }

  /// The heads of each group of the whole history.
  var presentHeads: [HistoryPlace.Group: [ObjectID]] {
    heads([Bool](repeating: true, count: graph.count))
  }

  private func heads(_ members: [Bool]) -> [HistoryPlace.Group: [ObjectID]] {
    var isParent = [Bool](repeating: false, count: graph.count)
    for position in 0..<graph.count where members[position] {
      graph.forEachParent(at: position) { if $0 >= 0 { isParent[$0] = true } }
    }
    var heads: [HistoryPlace.Group: [ObjectID]] = [:]
    for position in 0..<graph.count where members[position] && !isParent[position] {
      let id = graph.id(at: position)
      if let group = groups[id] { heads[group, default: []].append(id) }
    }
    return heads.mapValues { $0.sorted() }
  }

  /// How many are judged together.
  private static let batchCount = 1024

  /// Reads, hashes and verifies each object.
  ///
  /// - Parameters:
  ///   - opened: the store that has them.
  ///   - effects: the trust file; says whether the work is cancelled.
  ///   - body: receives them in batches, in their order.
  /// - Throws: `RecoverFault` or `StoreError` for an object that is missing, corrupt, or breaks a rule; what the body throws.
  func check(
    _ opened: Repository, _ effects: Effects, _ body: ([JudgedObject]) throws -> Void
  ) throws {
    var judging = try GroupJudging(of: kind, opened, .v1, effects)
    let ids = ids
    for start in stride(from: 0, to: ids.count, by: Self.batchCount) {
      try effects.checkInterrupt()
      let judged = try judging.judge(Array(ids[start..<min(start + Self.batchCount, ids.count)]))
      for row in judged {
        guard let id = row.id, row.isRefused else { continue }
        guard let finding = row.errors(.v1).first else { throw RecoverFault.invalidNode(id) }
        if case .bad(let finding) = row.verdict { throw RecoverFault.badSignature(id, finding) }
        throw RecoverFault.brokenNode(id, finding)
      }
      try body(judged)
    }
  }

  /// Writes them, and the heads of their groups, into a new store.
  ///
  /// - Throws: as `check`; the error when they cannot be written.
  func write(
    to made: Repository, _ message: String, _ source: Repository, _ effects: Effects
  ) throws {
    guard count > 0 else { return }
    var options = GroupTransaction.Options(profile: .v1, updatesHeads: true, message: message)
    for position in 0..<graph.count where members[position] {
      options.receivedTimes[graph.id(at: position)] = graph.received(at: position)
    }
    var transaction = try GroupTransaction(of: kind, options, made, KeySources())
    try check(source, effects) { try transaction.add($0) }
    if let problem = try transaction.problems().first(where: { $0.isError(.v1) }) {
      throw RecoverFault.brokenNode(problem.id, problem.finding)
    }
    _ = try transaction.commit(effects)
  }
}
