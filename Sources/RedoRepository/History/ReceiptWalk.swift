// The receipts that some tips follow, in their order, and which of them may leave a store without a special word: those
// that say precisely where somebody was may not (receipts, section 5.4).

package import RedoHistory
package import RedoObject
package import RedoStore
internal import Synchronization

/// The receipts of a history, or of a part of it.
package struct ReceiptWalk: Sendable {
  /// Why a receipt does not leave the store.
  package enum Exclusion: Sendable {
    /// It, or what it follows, tells a precise place.
    case precise
    /// Somebody else has shared it, or what it follows.
    case shared
  }

  /// A receipt of the walk.
  package struct Member: Sendable {
    /// The receipt.
    package let id: ObjectID
    /// Where it stands.
    package let place: HistoryPlace
    /// Whether it tells the keys of a device.
    package let isCard: Bool
    /// Why it is left out; `nil` when it is not.
    package let exclusion: Exclusion?
    /// The receipt as it was read, if it was to be kept; its signature has not been looked at.
    let kept: JudgedReceipt?
  }

  /// All receipts, parents before children, then by the claimed time and the id.
  package let members: [Member]

  /// Those that are not left out, in the same order.
  package var ids: [ObjectID] { members.lazy.filter { $0.exclusion == nil }.map(\.id) }
  /// How many were left out: those that tell a precise place, and all that follow them.
  package var leftOut: Int { members.count { $0.exclusion == .precise } }
  /// How many were left out because somebody else shared them, and what follows these.
  package var leftShared: Int { members.count { $0.exclusion == .shared } }

  private struct Entry: Sendable {
    let id: ObjectID
    let place: HistoryPlace
    let isCard: Bool
    let isPrecise: Bool
    let kept: JudgedReceipt?
  }

  /// Walks from tips to the first receipts of their chains.
  ///
  /// - Parameters:
  ///   - tips: where the walk starts.
  ///   - store: where the receipts are.
  ///   - includesPrecise: whether receipts that tell a precise place are among them.
  ///   - shared: receipts that somebody else has shared, which are not to be among them.
  ///   - keptBytes: how many bytes of receipts are kept, so that they need not be read again.
  ///   - progress: receives how many were read.
  /// - Throws: `HistoryFault` or `StoreError` when a receipt is missing or corrupt, or a tip is none.
  package init(
    from tips: [ObjectID], _ store: ObjectStore, includesPrecise: Bool,
    without shared: Set<ObjectID> = [], keeping keptBytes: Int = 0, progress: Progress? = nil
  ) throws {
    let taken = Atomic<Int>(0)
    let entries = try HistoryWalk.reach(
      from: tips, store, of: .receipt, parents: \.place.parents, progress: progress
    ) { object, reader throws -> Entry in
      let judged = ReceiptIntake.judge(object, &reader.places.receipts)
      guard let receipt = judged.receipt else { throw HistoryFault.invalidNode(object.id) }
      let size = object.canonical.count
      let isKept = keptBytes > 0 && taken.add(size, ordering: .relaxed).newValue <= keptBytes
      return Entry(
        id: receipt.id, place: HistoryPlace(receipt), isCard: receipt.card != nil,
        isPrecise: judged.findings.contains { $0.rule == .receiptPrecise },
        kept: isKept ? judged : nil)
    }
    var excluded: [ObjectID: Exclusion] = [:]
    var members: [Member] = []
    members.reserveCapacity(entries.count)
    let order = entries.map { entry in
      OrderEntry(
        id: entry.id, parents: entry.place.parents, lamport: entry.place.lamport,
        wall: entry.place.wall)
    }
    for position in TotalOrder.positions(of: order) {
      let entry = entries[position]
      let above = entry.place.parents.lazy.compactMap { excluded[$0] }
      var exclusion: Exclusion?
      if shared.contains(entry.id) || above.contains(.shared) {
        exclusion = .shared
      } else if !includesPrecise, entry.isPrecise || above.contains(.precise) {
        exclusion = .precise
      }
      if let exclusion { excluded[entry.id] = exclusion }
      members.append(
        Member(
          id: entry.id, place: entry.place, isCard: entry.isCard, exclusion: exclusion,
          kept: entry.kept))
    }
    self.members = members
  }
}

extension ReceiptWalk {
  /// The receipts of the walk as a graph, in which only their places count: each is without a task, an action and an author.
  ///
  /// - Parameter times: when they were received, in milliseconds since 1970.
  /// - Returns: the graph, in which each has all that it follows.
  package func graph(received times: [ObjectID: Int64]) -> Graph {
    var builder = GraphBuilder()
    builder.reserve(members.count)
    for member in members { builder.add(member.id, member.place, received: times[member.id] ?? 0) }
    guard let graph = GraphIndex.passing(builder) else {
      preconditionFailure("BUG: chains that were walked to their ends have no graph")
    }
    return graph
  }
}
