// The receipts or schemas of a store that are compared with others' (redo-wire(5)): those of the history that pass the profile
// `sync` with all that they follow. A receipt that tells a precise place does not pass it, and what somebody else has shared is
// left out unless it is asked for, so neither goes to anybody. Whether signatures are good is checked by the sender
// (GroupCheck), and again by the receiver.
//
// Among receipts the order of places is not one of parents before children: an author may claim any time. What is sent is
// sorted again: the cards of devices, by which the others are judged, then parents before what follows them.

package import RedoCrypto
internal import RedoHistory
package import RedoObject
package import RedoRemote
internal import RedoStore

/// The objects of one kind of a history that are compared, by (lamport, wall time, id).
///
/// It takes about 300 bytes an object.
package struct GroupSource: ComparedSource {
  /// Their kind.
  let kind: ObjectKind
  private var range = MemoryRangeSource()
  private var positions: [ObjectID: Int] = [:]
  private var parents: [[ObjectID]] = []
  private var groups: [HistoryPlace.Group] = []
  /// By position, its number in the order in which they are sent.
  private var ranks: [Int] = []
  private let others: Set<ObjectID>
  /// The objects of the history that are not compared, parents before what follows them.
  package let held: [RefusedNode]
  /// How many objects the history has, compared or not, as far as they are known.
  package let historyCount: Int

  /// Reads the objects of a store at this moment.
  ///
  /// - Parameters:
  ///   - kind: the kind of the objects.
  ///   - opened: the store.
  ///   - includesShared: whether receipts that somebody else has shared are compared, too.
  ///   - effects: the trust file.
  /// - Throws: `RefsError` when the refs cannot be read, `StoreError` when the store cannot be, `LocalFault` when it is not
  ///   known which receipts others have shared.
  package init(
    of kind: ObjectKind, _ opened: Repository, includesShared: Bool, _ effects: Effects
  ) throws {
    let read = try GroupedHistory(of: kind, opened, effects)
    let shared = includesShared || kind != .receipt ? [] : try opened.sharedByOthers()
    var held: [RefusedNode] = read.unreadable.map { RefusedNode($0.key, $0.value) }
    held.sort { $0.id < $1.id }
    var causes: [ObjectID: (rule: String, by: ObjectID)] = [:]
    for row in held { causes[row.id] = (row.rule, row.id) }
    var fit: [(member: GroupedHistory.Member, rank: Int)] = []
    let order = read.parentsFirst
    for (rank, place) in order.enumerated() {
      let member = read.members[place]
      let cause = member.place.parents.lazy.compactMap { causes[$0] }.first
      // What is private counts as that, whatever else is wrong with it: nobody else is told which ones these are.
      let isBelowPrivate = cause.map { HeldBack.isPrivate($0.rule) } ?? false
      if shared.contains(member.id) {
        held.append(RefusedNode(member.id, rule: HeldBack.shared, ""))
        causes[member.id] = (HeldBack.shared, member.id)
      } else if let finding = member.finding, finding.rule == .receiptPrecise || !isBelowPrivate {
        held.append(RefusedNode(member.id, finding))
        causes[member.id] = (finding.rule.id, member.id)
      } else if let cause {
        held.append(RefusedNode(member.id, rule: cause.rule, following: cause.by))
        causes[member.id] = cause
      } else {
        // Cards follow nothing, so they can all go first.
        fit.append((member, member.isCard ? rank - order.count : rank))
      }
    }
    self.kind = kind
    self.held = held
    historyCount = read.members.count + read.unreadable.count
    others = Set(held.map(\.id))
    fit.sort { $0.member.bound < $1.member.bound }
    for (position, entry) in fit.enumerated() {
      let member = entry.member
      range.append(
        member.bound, NodeFingerprint(id: member.id, signature: member.signature))
      positions[member.id] = position
      parents.append(member.place.parents)
      groups.append(member.group)
      ranks.append(entry.rank)
    }
  }

  package func position(of id: ObjectID) -> Int? { positions[id] }

  package func contains(_ id: ObjectID) -> Bool { positions[id] != nil || others.contains(id) }

  package func id(at position: Int) -> ObjectID { range.place(at: position).id }

  /// What an object follows.
  func parents(at position: Int) -> [ObjectID] { parents[position] }

  /// Objects in the order in which they are sent: cards of devices first, then parents before what follows them.
  func inOrder(_ positions: some Sequence<Int>) -> [Int] {
    positions.sorted { ranks[$0] < ranks[$1] }
  }

  /// The heads among some of the objects: those that no other of these follows.
  ///
  /// - Parameter has: whether the object at a position counts.
  /// - Returns: their refs, in order.
  func heads(_ has: (Int) -> Bool) -> [Ref] {
    let counted = (0..<count).filter(has)
    let followed = Set(counted.flatMap { parents[$0] })
    return counted.filter { !followed.contains(id(at: $0)) }.map {
      Ref(name: .heads(of: groups[$0]), id: id(at: $0))
    }.sorted()
  }

  // MARK: RangeSource

  package var count: Int { range.count }

  package func place(at position: Int) -> RangeBound { range.place(at: position) }

  package func fingerprint(at position: Int) -> NodeFingerprint { range.fingerprint(at: position) }

  package func hashFingerprints(of positions: Range<Int>, into hash: inout SHA256) {
    range.hashFingerprints(of: positions, into: &hash)
  }
}

/// The objects of one kind that the heads of a store reach, as far as they can be read: one that cannot be harms nothing but
/// itself and what follows it.
private struct GroupedHistory {
  /// An object.
  struct Member: Sendable {
    let id: ObjectID
    let place: HistoryPlace
    let group: HistoryPlace.Group
    let signature: Signature?
    /// What the rules about parents look at.
    let link: GroupLink
    let device: DeviceName?
    let card: Receipt?
    /// Why the profile `sync` refuses it.
    var finding: Finding?

    var isCard: Bool { card != nil && place.parents.isEmpty }
    var bound: RangeBound { RangeBound(lamport: place.lamport, wall: place.wall, id: id) }
  }

  private let kind: ObjectKind

  private(set) var members: [Member] = []
  /// Those that cannot be read, and why.
  private(set) var unreadable: [ObjectID: Finding] = [:]

  init(of kind: ObjectKind, _ opened: Repository, _ effects: Effects) throws {
    self.kind = kind
    var seen: Set<ObjectID> = []
    // Not by what the settings said when the store was opened: the first of them may have come since.
    var heads: [ObjectID] = []
    var snapshot = try opened.snapshot()
    try snapshot.forEach(prefix: "\(kind.headsFolder ?? "")/") {
      (ref) throws(RefsError) in
      heads.append(ref.id)
      return true
    }
    try read(heads, of: kind, opened.objects, &seen)
    // Behind one that cannot be read there may be others, which only the received log names; it names all kinds.
    if !unreadable.isEmpty {
      let rest = try opened.receivedTimes().keys.filter { !seen.contains($0) }
      try read(rest, of: nil, opened.objects, &seen)
    }
    try judge(effects.keySources(opened).deviceKeys)
  }

  /// Reads objects and all that they follow; without a kind, others of any kind may be among them, which are passed over.
  private mutating func read(
    _ tips: [ObjectID], of known: ObjectKind?, _ objects: ObjectStore,
    _ seen: inout Set<ObjectID>
  ) throws {
    let wanted = kind
    var kind = known
    var level = tips.filter { seen.insert($0).inserted }
    while !level.isEmpty {
      var next: [ObjectID] = []
      var place = 0
      try HistoryWalk.forEachResult(level, objects, of: kind) { object, reader -> Read in
        guard object.kind == wanted else { return .other }
        let decoded = reader.places.grouped(object)
        let findings = reader.places.findings(of: wanted)
        guard let decoded, let member = Member(decoded, findings) else {
          return .broken(findings.first ?? Finding(wanted.formRule))
        }
        return .member(member)
      } _: { result throws in
        let id = level[place]
        place += 1
        switch result {
        case .success(.member(let member)):
          members.append(member)
          for parent in member.place.parents where seen.insert(parent).inserted {
            next.append(parent)
          }
        case .success(.broken(let finding)): unreadable[id] = finding
        case .success(.other): break
        case .failure(let error):
          guard let finding = UnreadableNode.finding(error) else { throw error }
          // Of what is named without its kind it is not known whether it is of this one at all.
          if kind != nil { unreadable[id] = finding }
        }
      }
      kind = wanted
      level = next
    }
  }

  private enum Read: Sendable {
    case member(Member)
    case broken(Finding)
    case other
  }

  /// Finds what the profile `sync` refuses, but for bad signatures.
  private mutating func judge(_ known: DeviceKeys) {
    var keys = known
    for member in members { if let card = member.card { keys.note(card) } }
    let byID = Dictionary(members.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for index in members.indices where members[index].finding == nil {
      let member = members[index]
      let parents = member.place.parents.compactMap { byID[$0]?.link }
      if parents.count == member.place.parents.count {
        members[index].finding = member.link.refusal(after: parents, .sync)
      }
      guard members[index].finding == nil else { continue }
      if member.signature == nil {
        members[index].finding = Finding(.signatureMissing)
      } else if kind == .receipt, member.device.flatMap({ keys.key(of: $0) }) == nil {
        members[index].finding = Finding(.keyUnknown)
      }
    }
  }

  /// The places of the objects, parents before what follows them, then by lamport, wall time and id.
  var parentsFirst: [Int] {
    TotalOrder.positions(
      of: members.map { member in
        OrderEntry(
          id: member.id, parents: member.place.parents, lamport: member.place.lamport,
          wall: member.place.wall)
      })
  }
}

extension GroupedHistory.Member {
  fileprivate init?(_ object: GroupedObject, _ findings: [Finding]) {
    id = object.id
    place = object.place
    guard let group = place.group else { return nil }
    self.group = group
    signature = object.signature
    link = GroupLink(object, isInHistory: true)
    device = object.receipt?.device
    card = object.receipt?.card == nil ? nil : object.receipt
    finding =
      findings.first { $0.rule == .receiptPrecise }
      ?? findings.first { Profile.sync.severity(of: $0) == .error }
  }
}
