// The receipts of a store that are compared with others' (redo-wire(5)): those of the history that pass the profile `sync` with
// all that they follow. What tells a precise place does not pass it, and what somebody else has shared is left out unless it is
// asked for, so neither goes to anybody. Whether signatures are good is checked by the sender (ReceiptCheck), and again by the
// receiver.
//
// Among receipts the order of places is not one of parents before children: an author may claim any time. What is sent is
// sorted again: the cards of devices, by which the others are judged, then parents before what follows them.

package import RedoCrypto
internal import RedoHistory
package import RedoObject
package import RedoRemote
internal import RedoStore

/// The receipts of a history that are compared, by (1, claimed time, id).
///
/// It takes about 250 bytes a receipt.
package struct ReceiptSource: ComparedSource {
  private var range = MemoryRangeSource()
  private var positions: [ObjectID: Int] = [:]
  private var parents: [ObjectID?] = []
  private var roots: [ObjectID] = []
  /// By position, its number in the order in which they are sent.
  private var ranks: [Int] = []
  private let others: Set<ObjectID>
  /// The receipts of the history that are not compared, parents before what follows them.
  package let held: [RefusedNode]
  /// How many receipts the history has, compared or not, as far as they are known.
  package let historyCount: Int

  /// Reads the receipts of a store at this moment.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - includesShared: whether receipts that somebody else has shared are compared, too.
  ///   - effects: the trust file.
  /// - Throws: `RefsError` when the refs cannot be read, `StoreError` when the store cannot be, `LocalFault` when it is not
  ///   known which receipts others have shared.
  package init(_ opened: Repository, includesShared: Bool, _ effects: Effects) throws {
    let read = try HistoryReceipts(opened, effects)
    let shared = includesShared ? [] : try opened.sharedByOthers()
    var held: [RefusedNode] = read.unreadable.map { RefusedNode($0.key, $0.value) }
    held.sort { $0.id < $1.id }
    var causes: [ObjectID: (rule: String, by: ObjectID)] = [:]
    for row in held { causes[row.id] = (row.rule, row.id) }
    var fit: [(member: HistoryReceipts.Member, rank: Int)] = []
    let order = read.parentsFirst
    for (rank, place) in order.enumerated() {
      let member = read.members[place]
      let cause = member.parent.flatMap { causes[$0] }
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
    self.held = held
    historyCount = read.members.count + read.unreadable.count
    others = Set(held.map(\.id))
    fit.sort { $0.member.bound < $1.member.bound }
    for (position, entry) in fit.enumerated() {
      let member = entry.member
      range.append(
        member.bound, NodeFingerprint(id: member.id, signature: member.signature))
      positions[member.id] = position
      parents.append(member.parent)
      roots.append(member.root)
      ranks.append(entry.rank)
    }
  }

  package func position(of id: ObjectID) -> Int? { positions[id] }

  package func contains(_ id: ObjectID) -> Bool { positions[id] != nil || others.contains(id) }

  package func id(at position: Int) -> ObjectID { range.place(at: position).id }

  /// What a receipt follows.
  func parent(at position: Int) -> ObjectID? { parents[position] }

  /// Receipts in the order in which they are sent: cards of devices first, then parents before what follows them.
  func inOrder(_ positions: some Sequence<Int>) -> [Int] {
    positions.sorted { ranks[$0] < ranks[$1] }
  }

  /// The heads among some of the receipts: those that no other of these follows.
  ///
  /// - Parameter has: whether the receipt at a position counts.
  /// - Returns: their refs, in order.
  func heads(_ has: (Int) -> Bool) -> [Ref] {
    let counted = (0..<count).filter(has)
    let followed = Set(counted.compactMap { parents[$0] })
    return counted.filter { !followed.contains(id(at: $0)) }.map {
      Ref(name: .receipts(of: roots[$0]), id: id(at: $0))
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

/// The receipts that the heads of a store reach, as far as they can be read: one that cannot be harms nothing but itself and
/// what follows it.
private struct HistoryReceipts {
  /// A receipt.
  struct Member: Sendable {
    let id: ObjectID
    let parent: ObjectID?
    let root: ObjectID
    let did: String
    let wall: WallTime
    let signature: Signature?
    let device: DeviceName?
    let card: Receipt?
    /// Why the profile `sync` refuses it.
    var finding: Finding?

    var isCard: Bool { card != nil && parent == nil }
    var bound: RangeBound { RangeBound(lamport: Lamport.first, wall: wall, id: id) }
  }

  private(set) var members: [Member] = []
  /// Those that cannot be read, and why.
  private(set) var unreadable: [ObjectID: Finding] = [:]

  init(_ opened: Repository, _ effects: Effects) throws {
    var seen: Set<ObjectID> = []
    // Not by what the settings said when the store was opened: the first receipts may have come since.
    var heads: [ObjectID] = []
    var snapshot = try opened.snapshot()
    try snapshot.forEach(prefix: "\(ObjectKind.receipt.headsFolder ?? "")/") {
      (ref) throws(RefsError) in
      heads.append(ref.id)
      return true
    }
    try read(heads, of: .receipt, opened.objects, &seen)
    // Behind one that cannot be read there may be others, which only the received log names; it names all kinds.
    if !unreadable.isEmpty {
      let rest = try opened.receivedTimes().keys.filter { !seen.contains($0) }
      try read(rest, of: nil, opened.objects, &seen)
    }
    try judge(effects.keySources(opened).deviceKeys)
  }

  /// Reads receipts and all that they follow; without a kind, others of any kind may be among them, which are passed over.
  private mutating func read(
    _ tips: [ObjectID], of kind: ObjectKind?, _ objects: ObjectStore, _ seen: inout Set<ObjectID>
  ) throws {
    var kind = kind
    var level = tips.filter { seen.insert($0).inserted }
    while !level.isEmpty {
      var next: [ObjectID] = []
      var place = 0
      try HistoryWalk.forEachResult(level, objects, of: kind) { object, reader -> Read in
        guard object.kind == .receipt else { return .other }
        guard let receipt = reader.places.receipts.decode(object) else {
          return .broken(reader.places.receipts.findings.first ?? Finding(.receiptForm))
        }
        return .member(Member(receipt, reader.places.receipts.findings))
      } _: { result throws in
        let id = level[place]
        place += 1
        switch result {
        case .success(.member(let member)):
          members.append(member)
          if let parent = member.parent, seen.insert(parent).inserted { next.append(parent) }
        case .success(.broken(let finding)): unreadable[id] = finding
        case .success(.other): break
        case .failure(let error):
          guard let finding = UnreadableNode.finding(error) else { throw error }
          // Of what is named without its kind it is not known whether it is a receipt at all.
          if kind != nil { unreadable[id] = finding }
        }
      }
      kind = .receipt
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
      if let parent = member.parent.flatMap({ byID[$0] }) {
        if parent.root != member.root {
          members[index].finding = Finding(.receiptRootMismatch, detail: parent.root.text)
        } else if parent.did != member.did {
          members[index].finding = Finding(.receiptAuthorChange, detail: parent.did)
        }
      }
      guard members[index].finding == nil else { continue }
      if member.signature == nil {
        members[index].finding = Finding(.signatureMissing)
      } else if member.device.flatMap({ keys.key(of: $0) }) == nil {
        members[index].finding = Finding(.keyUnknown)
      }
    }
  }

  /// The places of the receipts, parents before what follows them, then by the claimed time and the id.
  var parentsFirst: [Int] {
    TotalOrder.positions(
      of: members.map { member in
        OrderEntry(
          id: member.id, parents: member.parent.map { [$0] } ?? [], lamport: Lamport.first,
          wall: member.wall)
      })
  }
}

extension HistoryReceipts.Member {
  fileprivate init(_ receipt: Receipt, _ findings: [Finding]) {
    id = receipt.id
    parent = receipt.parent
    root = receipt.root
    did = receipt.did.text
    wall = HistoryPlace(receipt).wall
    signature = receipt.signature
    device = receipt.device
    card = receipt.card == nil ? nil : receipt
    finding =
      findings.first { $0.rule == .receiptPrecise }
      ?? findings.first { Profile.sync.severity(of: $0) == .error }
  }
}
