// Receipts or schemas of a store with their verdicts: what decides what they do to others in their groups.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// Judges objects of one kind that a store has.
struct GroupJudging: ~Copyable {
  private let kind: ObjectKind
  private let objects: ObjectStore
  private var intake: GroupIntake
  private var trust: GroupTrust?
  private let profile: Profile

  /// - Parameters:
  ///   - kind: the kind of the objects.
  ///   - opened: the store.
  ///   - profile: the rules that apply.
  ///   - cards: the cards by which signatures are checked; all of the store when `nil`.
  ///   - effects: the trust file.
  /// - Throws: `TrustError` when it cannot be read.
  init(
    of kind: ObjectKind, _ opened: Repository, _ profile: Profile = .v1, cards: [Receipt]? = nil,
    _ effects: Effects
  ) throws {
    self.kind = kind
    objects = opened.objects
    self.profile = profile
    let keys = try effects.keySources(opened)
    intake =
      if let cards { GroupIntake(profile, cards: cards, keys) } else {
        GroupIntake(profile, verifies: true, keys)
      }
    trust = keys.trust.map { GroupTrust($0, opened.objects) }
  }

  /// Reads and judges objects, which must be there.
  ///
  /// - Parameter ids: the objects.
  /// - Returns: them with their verdicts, in their order.
  /// - Throws: `HistoryFault` or `StoreError` when one is missing or corrupt.
  mutating func judge(_ ids: [ObjectID]) throws -> [JudgedObject] {
    try settled(try read(ids))
  }

  /// Judges objects of a walk, and reads only those that it has not kept.
  mutating func judge(_ members: ArraySlice<GroupWalk.Member>) throws -> [JudgedObject] {
    try settled(try read(members))
  }

  /// Objects of a walk, whose signatures are not looked at; only those that it has not kept are read.
  func read(_ members: ArraySlice<GroupWalk.Member>) throws -> [JudgedObject] {
    var others = try read(members.filter { $0.kept == nil }.map(\.id)).makeIterator()
    return members.compactMap { $0.kept ?? others.next() }
  }

  private func read(_ ids: [ObjectID]) throws -> [JudgedObject] {
    var read: [JudgedObject] = []
    try HistoryWalk.forEach(ids, objects, of: kind) { object, reader throws in
      GroupIntake.judge(object, &reader.places)
    } _: { row throws in
      read.append(row)
    }
    return read
  }

  private mutating func settled(_ read: [JudgedObject]) throws -> [JudgedObject] {
    var judged = read
    try intake.settle(&judged)
    try trust?.stand(&judged)
    return judged
  }

  /// Why objects are refused, where one that cannot be read does not keep the others from being judged.
  ///
  /// - Parameter ids: the objects.
  /// - Returns: for each the first broken rule, or what the trust file says against its key; `nil` for one that is good.
  /// - Throws: `StoreError` when the store cannot be read at all.
  mutating func findings(_ ids: [ObjectID]) throws -> [Finding?] {
    var found = [Finding?](repeating: nil, count: ids.count)
    var judged: [JudgedObject] = []
    var places: [Int] = []
    var next = 0
    try HistoryWalk.forEachResult(ids, objects, of: kind) { object, reader throws in
      GroupIntake.judge(object, &reader.places)
    } _: { result throws in
      switch result {
      case .success(let row):
        judged.append(row)
        places.append(next)
      case .failure(let error):
        guard let finding = UnreadableNode.finding(error) else { throw error }
        found[next] = finding
      }
      next += 1
    }
    try intake.settle(&judged)
    try trust?.stand(&judged)
    for (place, row) in zip(places, judged) {
      found[place] = row.errors(profile).first ?? row.standing?.rule.map { Finding($0) }
    }
    return found
  }

  /// What a judged receipt is in its chain; `nil` for one that breaks a rule of form.
  func member(_ judged: JudgedObject) -> ChainMember? {
    guard let receipt = judged.receipt else { return nil }
    return ChainMember(
      receipt, isGood: judged.verdict?.isGood == true,
      isBound: receipt.did.keyStart != nil || intake.isPinned(receipt))
  }
}
