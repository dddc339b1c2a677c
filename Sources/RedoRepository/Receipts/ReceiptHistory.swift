// The receipts of a store's history with their verdicts, and what their chains come to.

package import RedoHistory
package import RedoObject
internal import RedoStore

/// The receipts of a history.
///
/// It takes about 500 bytes a receipt, and up to 32 MiB while it is made.
package struct ReceiptHistory {
  /// In which order receipts are listed.
  package enum Order: String, CaseIterable, Sendable {
    /// What a receipt follows comes before it, then by the time of receipt, which no author's clock decides.
    case causal
    /// By the time of receipt.
    case received
    /// By the time that its author claims.
    case claimed
  }

  /// What is known of a receipt.
  package struct Row: Sendable {
    /// The receipt.
    package let id: ObjectID
    /// Its CID, which decides where nothing else does.
    package let cid: String
    /// What it follows.
    package let parent: ObjectID?
    /// The first one of its chain.
    package let root: ObjectID
    /// Its author.
    package let did: String
    /// What it tells.
    package let type: String
    /// When it was received, in milliseconds since 1970.
    package let received: Int64?
    /// When its author says that it happened, in milliseconds from 1970.
    package let claimed: Int64?
    /// The letter of the verdict on its signature.
    package let letter: Unicode.Scalar
  }

  /// The receipts, in the order of their ids.
  package private(set) var rows: [Row] = []
  /// What their chains come to.
  package let view: ChainView
  /// How many objects of any kind were received.
  let receivedCount: Int
  private let members: [ChainMember]

  /// How many receipts are judged together.
  private static let batchCount = 4096
  /// How many bytes of receipts are kept between the walk and the judging: some 50,000, which are read once then.
  private static let keptBytes = 32 << 20

  /// Reads and judges all receipts of the history.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - cards: the cards by which signatures are checked; all of the store when `nil`.
  ///   - effects: the trust file; receives how far the reading has come.
  ///   - visit: receives all receipts, parents before what follows them, whether they are the last, and when each of the
  ///     history was received, before any signature is looked at.
  /// - Throws: `HistoryFault` or `StoreError` when a receipt is missing or corrupt, `RefsError` when refs or the received log
  ///   cannot be read; what `visit` throws.
  package init(
    _ opened: Repository, cards: [Receipt]? = nil, _ effects: Effects,
    visit: (([Receipt], Bool, [ObjectID: Int64]) throws -> Void)? = nil
  ) throws {
    let heads = try opened.heads(of: .receipt).ids
    let walk = try GroupWalk(
      of: .receipt, from: heads, opened.objects, includesPrecise: true, keeping: Self.keptBytes,
      progress: Progress(.readingNodes, effects)
    )
    let times = try opened.receivedTimes()
    var judging = try GroupJudging(of: .receipt, opened, cards: cards, effects)
    var members: [ChainMember] = []
    let count = walk.members.count
    let batches = stride(from: 0, to: count, by: Self.batchCount).map { start in
      walk.members[start..<min(start + Self.batchCount, count)]
    }
    if let visit {
      for batch in batches {
        try effects.checkInterrupt()
        try visit(
          try judging.read(batch).compactMap(\.receipt), batch.endIndex == count, times)
      }
    }
    for batch in batches {
      try effects.checkInterrupt()
      let judged = try judging.judge(batch)
      for row in judged {
        guard let receipt = row.receipt, let member = judging.member(row) else { continue }
        members.append(member)
        rows.append(
          Row(
            id: receipt.id, cid: receipt.id.cidText(as: .receipt), parent: receipt.parent,
            root: receipt.root, did: receipt.did.text, type: receipt.type,
            received: times[receipt.id], claimed: receipt.claimed,
            letter: VerdictRow(row, .v1).letter))
      }
    }
    rows.sort { $0.id < $1.id }
    view = ChainView(members)
    self.members = members
    receivedCount = times.count
  }

  /// What is known of a receipt; `nil` when the history does not have it.
  package func row(of id: ObjectID) -> Row? {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && rows[low].id == id ? rows[low] : nil
  }

  /// The receipts of a type that speak for what a device makes.
  package func receipts(of type: String, speakingFor device: DeviceName) -> [ObjectID] {
    let ids = Set(rows.filter { $0.type == type && $0.did == device.did }.map(\.id))
    return members.filter { ids.contains($0.id) && $0.speaks(for: device.did, device.deviceID) }
      .map(\.id)
  }

  /// What the chains would come to with one receipt more.
  package func view(adding member: ChainMember) -> ChainView { ChainView(members + [member]) }

  /// Which receipts are listed.
  package struct Filter: Sendable {
    /// Only those of the chain of this receipt.
    package var root: ObjectID?
    /// Only those of this type.
    package var type: String?
    /// Only those of this author.
    package var did: String?
    /// Whether chains that were deleted, or put away here, are among them.
    package var showsDeleted = false
    /// The first receipts of the chains that are put away here.
    package var putAway: Set<ObjectID> = []

    /// All that were not deleted.
    package init() {}
  }

  /// Whether the chain of a receipt was deleted, or is put away by what a filter says.
  package func isDeleted(_ row: Row, _ filter: Filter) -> Bool {
    view.chains[row.root]?.tombstone != nil || filter.putAway.contains(row.root)
  }

  /// The receipts that a filter lets through, in some order.
  package func list(_ filter: Filter, _ order: Order) -> [Row] {
    let chosen = rows.filter { row in
      (filter.root.map { $0 == row.root } ?? true) && (filter.type.map { $0 == row.type } ?? true)
        && (filter.did.map { $0 == row.did } ?? true)
        && (filter.showsDeleted || !isDeleted(row, filter))
    }
    let times: [(time: Int64, cid: String)] = chosen.map { row in
      ((order == .claimed ? row.claimed : row.received) ?? .min, row.cid)
    }
    let isBefore = { (one: Int, other: Int) in times[one] < times[other] }
    guard order == .causal else {
      return chosen.indices.sorted(by: isBefore).map { chosen[$0] }
    }
    let places = Dictionary(
      chosen.enumerated().map { ($0.element.id, $0.offset) },
      uniquingKeysWith: { first, _ in first }
    )
    return TotalOrder.positions(count: chosen.count, isBefore: isBefore) { place, body in
      if let parent = chosen[place].parent.flatMap({ places[$0] }) { body(parent) }
    }.map { chosen[$0] }
  }
}
