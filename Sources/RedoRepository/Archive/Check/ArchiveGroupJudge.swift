// The receipts or schemas of an archive, judged one by one and compared with what the archive says of itself. Keys of receipts are
// those of the cards in it: they are looked for first, so that a card counts wherever it stands.

internal import RedoObject
internal import RedoStore

/// Judges the objects of an archive that has no nodes, and what it says of them.
struct ArchiveGroupJudge: ~Copyable {
  private let profile: Profile
  private let path: String
  private var intake: GroupIntake
  private var decoder: PlaceDecoder
  private var tally: PackTally
  private var relations: GroupRelations
  /// What is to be said of each, until its group is known.
  private var rows: [ObjectID: JudgedObject] = [:]
  /// The objects that no other one of the archive follows.
  private(set) var heads = HeadTally()
  /// All of them, in the order of the archive.
  private(set) var ids: [ObjectID] = []

  init(of kind: ObjectKind, _ profile: Profile, _ path: String) {
    self.profile = profile
    self.path = path
    intake = GroupIntake(profile, verifies: true, KeySources())
    decoder = PlaceDecoder(profile: profile)
    tally = PackTally(kind)
    relations = GroupRelations(profile)
  }

  /// Looks for cards.
  mutating func note(_ objects: [StoredObject]) {
    for object in objects
    where object.kind == .receipt && Receipt.mayBeCard(object.canonical.span) {
      if let receipt = decoder.receipts.decode(object) { intake.note(receipt) }
    }
  }

  /// Judges the objects of a frame.
  mutating func judge(_ objects: [StoredObject], fileBytes: Int) throws {
    var judged = objects.map { GroupIntake.judge($0, &decoder) }
    try intake.settle(&judged)
    var places = PlaceDecoder()
    var packed: [PackEntry] = []
    for (object, row) in zip(objects, judged) {
      guard let entry = PackEntry(object, &places) else {
        throw ArchiveExamFault.invalid(object.id, object.kind, path: path)
      }
      packed.append(entry)
      heads.add(object.id, parents: entry.parents)
      ids.append(object.id)
      if let grouped = row.object { relations.add(grouped) }
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
    for (id, findings) in relations.findings() {
      if rows[id] == nil { rows[id] = JudgedObject(nil, id: id, []) }
      for finding in findings { rows[id]?.add(finding, profile) }
    }
    let found = tally.finish()
    try ArchiveExamFault.check(found, stated, path: path)
    return ids.compactMap { id in rows[id].map { VerdictRow($0, profile) } }
  }
}
