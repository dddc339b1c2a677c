// The receipts that some tips follow, in their order, and which of them may leave a store without a special word: those
// that say precisely where somebody was may not (receipts, section 5.4).

internal import RedoHistory
package import RedoObject
package import RedoStore

/// The receipts of a history, or of a part of it.
package struct ReceiptWalk: Sendable {
  /// The receipts, parents before children, then by the claimed time and the id.
  package let ids: [ObjectID]
  /// How many were left out: those that tell a precise place, and all that follow them.
  package let leftOut: Int
  /// How many were left out because somebody else shared them, and what follows these.
  package let leftShared: Int

  private struct Entry: Sendable {
    let order: OrderEntry
    let isPrecise: Bool
  }

  /// Walks from tips to the first receipts of their chains.
  ///
  /// - Parameters:
  ///   - tips: where the walk starts.
  ///   - store: where the receipts are.
  ///   - includesPrecise: whether receipts that tell a precise place are among them.
  ///   - shared: receipts that somebody else has shared, which are not to be among them.
  ///   - progress: receives how many were read.
  /// - Throws: `HistoryFault` or `StoreError` when a receipt is missing or corrupt, or a tip is none.
  package init(
    from tips: [ObjectID], _ store: ObjectStore, includesPrecise: Bool,
    without shared: Set<ObjectID> = [], progress: Progress? = nil
  ) throws {
    let entries = try HistoryWalk.reach(
      from: tips, store, of: .receipt, parents: \.order.parents, progress: progress
    ) { object, reader throws -> Entry in
      guard let receipt = reader.places.receipts.decode(object) else {
        throw HistoryFault.invalidNode(object.id)
      }
      let place = HistoryPlace(receipt)
      return Entry(
        order: OrderEntry(
          id: receipt.id, parents: place.parents, lamport: place.lamport, wall: place.wall),
        isPrecise: reader.places.receipts.findings.contains { $0.rule == .receiptPrecise })
    }
    var (gone, others): (Set<ObjectID>, Set<ObjectID>) = ([], shared)
    var ids: [ObjectID] = []
    var leftShared = 0
    for position in TotalOrder.positions(of: entries.map(\.order)) {
      let entry = entries[position]
      let (id, parents) = (entry.order.id, entry.order.parents)
      if others.contains(id) || parents.contains(where: others.contains) {
        others.insert(id)
        leftShared += 1
      } else if !includesPrecise, entry.isPrecise || parents.contains(where: gone.contains) {
        gone.insert(id)
      } else {
        ids.append(id)
      }
    }
    self.ids = ids
    self.leftShared = leftShared
    leftOut = gone.count
  }
}
