// Which receipts go into an archive, and which count at a point in time: by rules that are written down here once more.

import RedoHistory
import RedoObject
import RedoStore
import TestSupport
import Testing

@testable import RedoRepository

@Suite("Receipts of archives and of points in time")
struct ReceiptsOfPointTests {
  private let all: [ObjectID: Receipt]
  private let whole: Set<ObjectID>
  private let store: SmallStore
  private let opened: Repository
  private let precise: Set<ObjectID>

  init() throws {
    all = try ReceiptsOfStoreTests.receipts()
    whole = ReceiptsOfStoreTests.whole(all)
    (store, _) = try ReceiptsOfStoreTests.store(all, 3)
    opened = try ReceiptsOfStoreTests.reopen(store)
    var decoder = ReceiptDecoder()
    var precise: Set<ObjectID> = []
    for id in whole {
      _ = decoder.decode(all[id]?.preimage ?? [], signature: nil)
      if decoder.findings.contains(where: { $0.rule == .receiptPrecise }) { precise.insert(id) }
    }
    self.precise = precise
  }

  /// A receipt and all that it follows.
  private func line(_ id: ObjectID) -> [ObjectID] {
    var line = [id]
    while let last = line.last, let parent = all[last]?.parent { line.append(parent) }
    return line
  }

  private func claimed(_ id: ObjectID) -> Int64 {
    all[id].map { HistoryPlace($0).wall.milliseconds } ?? 0
  }

  private func set(
    _ names: [String] = [], precise: Bool = false
  ) throws -> ArchiveSet {
    var leaving = ArchiveSet.Leaving()
    leaving.includesPrecise = precise
    return try ArchiveSet(of: .receipt, opened, names, leaving, store.effects)
  }

  @Test("an archive has all receipts but those that tell a precise place, and counts these")
  func leaving() throws {
    let leaves = whole.filter { id in !line(id).contains(where: precise.contains) }
    try #require(leaves.count < whole.count)
    let set = try set()
    #expect(Set(set.ids) == leaves)
    #expect(set.preciseCount == whole.count - leaves.count)
    #expect(set.sharedCount == 0)
    #expect(try Set(self.set(precise: true).ids) == whole)
    #expect(
      try ArchiveSet(opened, usesCache: false).chainCount == opened.heads(of: .receipt).groups)
  }

  @Test("parents come first, then the claimed time and the id")
  func order() throws {
    let ids = try set(precise: true).ids
    var done: Set<ObjectID> = []
    for id in ids {
      #expect(all[id]?.parent.map(done.contains) ?? true)
      // Nothing that could have stood here comes before it in the order of time and id.
      let ready = whole.subtracting(done).filter { all[$0]?.parent.map(done.contains) ?? true }
      let least = ready.min { (claimed($0), $0) < (claimed($1), $1) }
      #expect(id == least)
      done.insert(id)
    }
  }

  @Test("names bring what they follow, and '^' leaves it out")
  func names() throws {
    for id in whole.sorted().prefix(60) {
      let line = line(id)
      #expect(try Set(set([id.text], precise: true).ids) == Set(line))
      if let parent = all[id]?.parent {
        #expect(try set([id.cidText(as: .receipt), "^\(parent.text)"], precise: true).ids == [id])
      }
      #expect(try Set(set(["^\(id.text)"], precise: true).ids) == whole.subtracting(line))
    }
  }

  @Test("what is from before an instant comes with all that it follows, or not at all")
  func before() throws {
    let times = Set(whole.map(claimed)).sorted()
    try #require(times.count > 3)
    for limit in times {
      var set = try set(precise: true)
      set.keep(before: limit, by: .wall)
      let expected = whole.filter { id in line(id).allSatisfy { claimed($0) < limit } }
      #expect(Set(set.ids) == expected)
      let late = whole.filter { claimed($0) < limit }.subtracting(expected)
      #expect(Set(set.left.map { set.graph.id(at: $0.position) }) == late)
    }
  }

  @Test("a file for each year: each with those before it has all that its receipts follow")
  func split() throws {
    let set = try set(precise: true)
    let split = try ArchiveSplit(set, by: .year, "part.pack")
    var done: Set<ObjectID> = []
    for index in split.paths.indices {
      let part = split.part(index, heads: true)
      for id in part.ids {
        #expect(line(id).dropFirst().allSatisfy { done.contains($0) || part.ids.contains($0) })
      }
      let parents = Set(part.ids.compactMap { all[$0]?.parent })
      #expect(Set(part.heads) == Set(part.ids).subtracting(parents))
      #expect(done.isDisjoint(with: part.ids))
      done.formUnion(part.ids)
    }
    #expect(done == whole)
  }

  private func receipts(at text: String, _ policy: PointPolicy? = nil) throws -> RecoveredGroups {
    try RecoveredGroups(
      of: .receipt, opened, try HistoryPoint(text, policy: policy, now: 4_102_444_800_000),
      store.effects)
  }

  @Test(
    "at a time count those that claim it or an earlier one, with all they follow, and all cards")
  func instants() throws {
    let cards = whole.filter { all[$0]?.card != nil && all[$0]?.parent == nil }
    let times = Set(whole.map(claimed)).sorted()
    for time in times.filter({ $0 > 0 && $0 < 4_102_444_800_000 }) {
      let found = try receipts(at: WallTime(milliseconds: time).text)
      let own = whole.filter { id in line(id).allSatisfy { claimed($0) <= time } }
      let expected = own.union(own.isEmpty ? [] : cards)
      #expect(Set(found.ids) == expected)
      #expect(found.cardCount == expected.subtracting(own).count)
      #expect(found.left.count == whole.count - expected.count)
      let parents = Set(expected.compactMap { all[$0]?.parent })
      #expect(Set(found.heads.values.joined()) == expected.subtracting(parents))
      for (group, heads) in found.heads {
        for id in heads { #expect(all[id].map { .chain($0.root) } == group) }
      }
    }
  }

  @Test("receipts have no place at a logical time, and do not come back by new changes")
  func unplaced() throws {
    let recording = CommitWriter.Options()
    let places: [(String, RecoverDestination)] = [
      ("lamport:3", .none), ("now", .inPlace(RecoverInPlace(isExact: false, recording: recording))),
    ]
    for (text, destination) in places {
      let point = try HistoryPoint(text, policy: nil, now: 4_102_444_800_000)
      let recovery = Recovery(
        point: point, destination: destination, kind: .receipt, isDryRun: true)
      let fault = #expect(throws: RecoverFault.self) {
        _ = try opened.recover(recovery, store.effects)
      }
      guard case .unplaced(.receipt) = fault else {
        Issue.record()
        return
      }
    }
  }

  @Test("a receipt is a point: it, what it follows, and all cards")
  func one() throws {
    let cards = whole.filter { all[$0]?.card != nil && all[$0]?.parent == nil }
    for id in whole.sorted().prefix(40) {
      #expect(try Set(receipts(at: id.text).ids) == Set(line(id)).union(cards))
    }
    #expect(throws: (any Error).self) {
      try receipts(at: "sha256:" + String(repeating: "0", count: 64))
    }
  }
}
