// The receipts of a point in time: those whose author claims a time until then, or that were received until then, with all
// that they follow; or a receipt and what it follows. The cards of devices come with them, whatever time they claim: without
// its card nobody can tell whether a receipt is good.

package import RedoHistory
internal import RedoObject
internal import RedoStore

/// The receipts of a point in time, ready to enter a history.
package struct RecoveredReceipts {
  /// All receipts of the history that they are taken from; only their places count.
  package let graph: Graph
  /// For each position whether the receipt counts at the point.
  package let members: [Bool]
  /// Those that do not, in order.
  package let left: [LeftOut]
  /// How many of those that count do so only because they are cards.
  package let cardCount: Int
  /// The first receipt of the chain of each.
  private let roots: [ObjectID: ObjectID]

  /// Reads the receipts of a history.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - point: the point in time: an instant, the present, or a receipt.
  ///   - effects: receives how far the reading has come.
  /// - Throws: `PointFault` when the point is no receipt of the history; `HistoryFault` or `StoreError` when a receipt is
  ///   missing or corrupt.
  init(_ opened: Repository, _ point: HistoryPoint, _ effects: Effects) throws {
    let walk = try ReceiptWalk(
      from: try opened.receiptHeads().ids, opened.objects, includesPrecise: true,
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
    var roots: [ObjectID: ObjectID] = [:]
    for member in walk.members {
      if case .chain(let root) = member.place.group { roots[member.id] = root }
    }
    self.roots = roots
  }

  /// How many there are.
  package var count: Int { members.count { $0 } }
  /// How many chains they are of.
  package var chainCount: Int { heads.count }

  /// The receipts, parents before children.
  var ids: [ObjectID] {
    (0..<graph.count).filter { members[$0] }.map { graph.id(at: $0) }
  }

  /// The heads of each chain, by its first receipt.
  var heads: [ObjectID: [ObjectID]] { heads(members) }

  /// The heads of each chain of the whole history.
  var presentHeads: [ObjectID: [ObjectID]] {
    heads([Bool](repeating: true, count: graph.count))
  }

  private func heads(_ members: [Bool]) -> [ObjectID: [ObjectID]] {
    var isParent = [Bool](repeating: false, count: graph.count)
    for position in 0..<graph.count where members[position] {
      graph.forEachParent(at: position) { if $0 >= 0 { isParent[$0] = true } }
    }
    var heads: [ObjectID: [ObjectID]] = [:]
    for position in 0..<graph.count where members[position] && !isParent[position] {
      let id = graph.id(at: position)
      heads[roots[id] ?? id, default: []].append(id)
    }
    return heads.mapValues { $0.sorted() }
  }

  /// How many receipts are judged together.
  private static let batchCount = 1024

  /// Reads, hashes and verifies each receipt.
  ///
  /// - Parameters:
  ///   - opened: the store that has them.
  ///   - effects: the trust file; says whether the work is cancelled.
  ///   - body: receives them in batches, in their order.
  /// - Throws: `RecoverFault` or `StoreError` for a receipt that is missing, corrupt, or breaks a rule; what the body throws.
  func check(
    _ opened: Repository, _ effects: Effects, _ body: ([JudgedReceipt]) throws -> Void
  ) throws {
    var judging = try ReceiptJudging(opened, .v1, effects)
    let ids = ids
    for start in stride(from: 0, to: ids.count, by: Self.batchCount) {
      try effects.checkInterrupt()
      let judged = try judging.judge(Array(ids[start..<min(start + Self.batchCount, ids.count)]))
      for row in judged {
        guard let id = row.id, row.receipt == nil || row.isRefused else { continue }
        guard let finding = row.errors(.v1).first else { throw RecoverFault.invalidNode(id) }
        if case .bad(let finding) = row.verdict { throw RecoverFault.badSignature(id, finding) }
        throw RecoverFault.brokenNode(id, finding)
      }
      try body(judged)
    }
  }

  /// Writes them, and the heads of their chains, into a new store.
  ///
  /// - Throws: as `check`; the error when they cannot be written.
  func write(
    to made: Repository, _ message: String, _ source: Repository, _ effects: Effects
  ) throws {
    guard count > 0 else { return }
    var options = ReceiptTransaction.Options(profile: .v1, updatesHeads: true, message: message)
    for position in 0..<graph.count where members[position] {
      options.receivedTimes[graph.id(at: position)] = graph.received(at: position)
    }
    var transaction = try ReceiptTransaction(options, made, KeySources())
    try check(source, effects) { try transaction.add($0) }
    if let problem = try transaction.problems().first(where: {
      Profile.v1.severity(of: $0.finding) == .error
    }) {
      throw RecoverFault.brokenNode(problem.id, problem.finding)
    }
    _ = try transaction.commit(effects)
  }
}
