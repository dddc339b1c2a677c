// Receipts on their way into a store and out of it: lines come back as they went, what has no parent stays out, and what
// tells a precise place leaves only when that is asked for.

import RedoCrypto
import RedoObject
import RedoStore
import TestSupport
import Testing

@testable import RedoRepository

@Suite("Receipts of a store")
struct ReceiptsOfStoreTests {
  /// The valid receipts of the vectors, by id.
  static func receipts() throws -> [ObjectID: Receipt] {
    let folder = VectorFolder.own("receipt")
    var decoder = ReceiptDecoder()
    var all: [ObjectID: Receipt] = [:]
    for row in try folder.table() where row[1] == "valid" {
      let receipt = try #require(decoder.decode(try folder.bytes(row[0]), signature: nil))
      all[receipt.id] = receipt
    }
    return all
  }

  /// The receipts among some that have all they follow, by the rules alone.
  static func whole(_ all: [ObjectID: Receipt]) -> Set<ObjectID> {
    var whole: Set<ObjectID> = []
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for (id, receipt) in all where !whole.contains(id) {
        if let parent = receipt.parent {
          guard whole.contains(parent), all[parent]?.root == receipt.root else { continue }
        }
        whole.insert(id)
        isGrowing = true
      }
    }
    return whole
  }

  private static func batch(_ receipts: [Receipt]) -> RecordBatch {
    var batch = RecordBatch()
    for (index, receipt) in receipts.enumerated() {
      let line = ReceiptLine.line(StoredObject(receipt), received: index % 2 == 0 ? 7 : nil)
      let start = batch.bytes.count
      batch.bytes += line.dropLast()
      batch.records.append(
        LineRecord(
          range: start..<batch.bytes.count, offset: start, byteCount: line.count,
          number: index + 1, state: .complete))
    }
    return batch
  }

  /// A store with those of the vectors that have all they follow.
  static func store(
    _ all: [ObjectID: Receipt], _ seed: UInt64
  ) throws -> (SmallStore, HistoryIntake.Summary) {
    let store = try SmallStore(hasKey: false)
    var random = SeededRandom(seed: seed)
    let options = NodeTransaction.Options(
      writes: true, updatesHeads: true, salvages: true, isQuiet: true, message: "test")
    var intake = HistoryIntake(
      try NodeTransaction(options, store.opened, store.effects), store.opened, store.effects)
    let source = RecordSources.Source(input: "test", unit: .lines)
    let sorted = all.values.sorted { $0.id < $1.id }.shuffled(using: &random)
    for start in stride(from: 0, to: sorted.count, by: 100) {
      let part = Array(sorted[start..<min(start + 100, sorted.count)])
      for row in try intake.take(Self.batch(part), from: source) {
        intake.refuse(row.findings, of: "test", store.effects)
      }
    }
    return (store, try #require(try intake.finish()))
  }

  /// The store as it is now: its format is raised by the first receipt.
  static func reopen(_ store: SmallStore) throws -> Repository {
    try store.effects.openRepository()
  }

  @Test("a line of a receipt is read back, whatever signature it has")
  func lines() throws {
    for (index, receipt) in try Self.receipts().values.enumerated() {
      var object = StoredObject(receipt)
      if index % 3 > 0 {
        object.signature = Signature(bytes: InlineArray { UInt8(truncatingIfNeeded: $0 + index) })
      }
      let line = ReceiptLine.line(object, received: index % 2 == 0 ? nil : 1_700_000_000_000)
      let isOne = ReceiptLine.isOne(line.span)
      #expect(isOne)
      let back = try ReceiptLine.read(Array(line.dropLast()))
      #expect(back.bytes == receipt.preimage)
      #expect(back.signature == object.signature)
      #expect(back.stated == receipt.id)
    }
    for text in [#"{"action":"CREATE"}"#, #"{"cbor"#, ""] {
      let isOne = ReceiptLine.isOne(Array(text.utf8).span)
      #expect(!isOne)
    }
  }

  @Test(
    "whatever the order, those that have all they follow come in, and the others are refused",
    arguments: SeededRandom.seeds("receipts of a store"))
  func intake(_ seed: UInt64) throws {
    let all = try Self.receipts()
    let whole = Self.whole(all)
    try #require(whole.count > 100 && whole.count < all.count)
    let (store, summary) = try Self.store(all, seed)
    #expect(summary.receipts?.new == whole.count)
    #expect(summary.nodes.refused == all.count - whole.count)
    #expect(try Set(store.opened.objects.list(prefix: "")) == whole)
    #expect(try Set(store.opened.receivedTimes().keys) == whole)
    // A head is what nothing follows.
    let parents = Set(whole.compactMap { all[$0]?.parent })
    let heads = try Self.reopen(store).heads(of: .receipt)
    #expect(Set(heads.ids) == whole.subtracting(parents))
    #expect(heads.groups == Set(whole.compactMap { all[$0]?.root }).count)
  }

  @Test("what tells a precise place, and what follows it, leaves only when that is asked for")
  func precise() throws {
    let all = try Self.receipts()
    let (store, _) = try Self.store(all, 1)
    let opened = try Self.reopen(store)
    let heads = try opened.heads(of: .receipt).ids
    let whole = try GroupWalk(
      of: .receipt, from: heads, opened.objects, includesPrecise: true)
    #expect(Set(whole.ids) == Self.whole(all))
    #expect(whole.leftOut == 0)
    var decoder = ReceiptDecoder()
    var gone: Set<ObjectID> = []
    for id in whole.ids {
      let receipt = try #require(all[id])
      _ = decoder.decode(receipt.preimage, signature: nil)
      let isPrecise = decoder.findings.contains { $0.rule == .receiptPrecise }
      if isPrecise || receipt.parent.map(gone.contains) ?? false { gone.insert(id) }
    }
    #expect(!gone.isEmpty)
    let rest = try GroupWalk(
      of: .receipt, from: heads, opened.objects, includesPrecise: false)
    #expect(rest.ids == whole.ids.filter { !gone.contains($0) })
    #expect(rest.leftOut == gone.count)
  }

  @Test("heads of a chain are set by the rules of heads")
  func heads() throws {
    let all = try Self.receipts()
    let (store, _) = try Self.store(all, 2)
    let opened = try Self.reopen(store)
    let child = try #require(
      Self.whole(all).sorted().compactMap { all[$0] }.first { $0.parent != nil })
    let parent = try #require(child.parent)
    let name = RefName.heads(of: .chain(child.root))
    let targets = RefTargets(opened)
    #expect(try targets.refusal(of: child.id, under: name) == nil)
    #expect(try targets.refusal(of: parent, under: name) == nil)
    let stranger = try #require(Self.whole(all).first { all[$0]?.root != child.root })
    let root = try #require(all[stranger]?.root)
    #expect(try targets.refusal(of: stranger, under: name) == .otherGroup(stranger, .chain(root)))
    let blob = StoredObject(blob: [1])
    _ = try opened.objects.write([ObjectWrite(blob, key: nil)])
    #expect(try targets.refusal(of: blob.id, under: name) == .otherKind(blob.id, wanted: .receipt))
    let history = try HistoryLookUp(opened, .v1)
    var received: [ObjectID] = []
    #expect(
      try targets.refusal(
        ofHeads: [parent, child.id], under: name, after: [child.id], history, &received)
        == .ancestor(parent))
    #expect(
      try targets.refusal(
        ofHeads: [parent], under: name, after: [child.id], history, &received) == nil)
    #expect(received.isEmpty)
  }
}
