// The receipts of an archive, judged one by one and compared with what the archive says of itself. Keys are those of the
// cards in it: they are looked for first, so that a card counts wherever it stands.

internal import RedoObject
internal import RedoStore

/// Judges the receipts of an archive, and what it says of them.
struct ArchiveReceiptJudge: ~Copyable {
  private let profile: Profile
  private let path: String
  private var intake: ReceiptIntake
  private var decoder = ReceiptDecoder()
  private var tally = PackTally(.receipt)
  private var chains: ChainCheck
  /// What is to be said of each, until its chain is known.
  private var rows: [ObjectID: JudgedReceipt] = [:]
  /// The receipts that no other one of the archive follows.
  private(set) var heads = HeadTally()
  /// All receipts, in the order of the archive.
  private(set) var ids: [ObjectID] = []

  init(_ profile: Profile, _ path: String) {
    self.profile = profile
    self.path = path
    intake = ReceiptIntake(profile, verifies: true, KeySources())
    chains = ChainCheck(profile)
  }

  /// Looks for cards.
  mutating func note(_ receipts: [StoredObject]) {
    for object in receipts where Receipt.mayBeCard(object.canonical.span) {
      if let receipt = decoder.decode(object) { intake.note(receipt) }
    }
  }

  /// Judges the receipts of a frame.
  mutating func judge(_ receipts: [StoredObject], fileBytes: Int) throws {
    let judged = try intake.judge(
      receipts.map { IncomingReceipt($0.canonical, signature: $0.signature) })
    var places = PlaceDecoder()
    var packed: [PackEntry] = []
    for (object, row) in zip(receipts, judged) {
      guard let entry = PackEntry(object, &places) else {
        throw ArchiveExamFault.notANode(object.id, path: path)
      }
      packed.append(entry)
      heads.add(object.id, parents: entry.parents)
      ids.append(object.id)
      if let receipt = row.receipt { chains.add(receipt) }
      if row.verdict?.isGood != true || !row.findings.isEmpty { rows[object.id] = row }
    }
    if let fault = tally.add(packed, fileBytes: fileBytes) {
      throw ArchiveExamFault.misordered(fault, path: path)
    }
  }

  /// The rows of those that need to be reported, in the order of the archive; and compares what was found with what the
  /// archive says of itself.
  consuming func finish(_ stated: PackDirectory) throws -> [VerdictRow] {
    let (profile, path) = (profile, path)
    for (id, findings) in chains.findings() {
      if rows[id] == nil { rows[id] = JudgedReceipt(nil, id: id, []) }
      for finding in findings { rows[id]?.add(finding, profile) }
    }
    let found = tally.finish()
    try ArchiveExamFault.check(found, stated, path: path)
    return ids.compactMap { id in rows[id].map { VerdictRow($0, profile) } }
  }
}
