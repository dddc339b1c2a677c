// Receipts of a store with their verdicts: what decides what they do to others in their chains.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// Judges receipts that a store has.
struct ReceiptJudging: ~Copyable {
  private let objects: ObjectStore
  private var intake: ReceiptIntake
  private var trust: ReceiptTrust?

  /// - Parameters:
  ///   - opened: the store.
  ///   - cards: the cards by which signatures are checked; all of the store when `nil`.
  ///   - effects: the trust file.
  /// - Throws: `TrustError` when it cannot be read.
  init(_ opened: Repository, cards: [Receipt]? = nil, _ effects: Effects) throws {
    objects = opened.objects
    let keys = try effects.keySources(opened)
    intake =
      if let cards { ReceiptIntake(.v1, cards: cards, keys) } else {
        ReceiptIntake(.v1, verifies: true, keys)
      }
    trust = keys.trust.map { ReceiptTrust($0, opened.objects) }
  }

  /// Reads and judges receipts, which must be there.
  ///
  /// - Parameter ids: the receipts.
  /// - Returns: them with their verdicts, in their order.
  /// - Throws: `HistoryFault` or `StoreError` when one is missing or corrupt.
  mutating func judge(_ ids: [ObjectID]) throws -> [JudgedReceipt] {
    var judged: [JudgedReceipt] = []
    try HistoryWalk.forEach(ids, objects, of: .receipt) { object, reader throws in
      ReceiptIntake.judge(object, &reader.places.receipts)
    } _: { row throws in
      judged.append(row)
    }
    try intake.settle(&judged)
    try trust?.stand(&judged)
    return judged
  }

  /// What a judged receipt is in its chain; `nil` for one that breaks a rule of form.
  func member(_ judged: JudgedReceipt) -> ChainMember? {
    guard let receipt = judged.receipt else { return nil }
    return ChainMember(
      receipt, isGood: judged.verdict?.isGood == true,
      isBound: receipt.did.keyStart != nil || intake.isPinned(receipt))
  }
}
