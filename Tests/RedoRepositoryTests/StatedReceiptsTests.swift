// Checkpoints of stores with receipts: what they state of them, the list of ids, and copies that are held against both.

import RedoCrypto
import RedoObject
import RedoStore
import TestSupport
import Testing

@testable import RedoRepository

@Suite("Stated receipts")
struct StatedReceiptsTests {
  private static func checkpoint(
    _ store: SmallStore, isDryRun: Bool = true
  ) throws -> (signed: SignedCheckpoint, contents: HistoryContents) {
    var maker = CheckpointMaker(
      try ReceiptsOfStoreTests.reopen(store), VectorStore.identity(), beginsLog: false,
      isDryRun: isDryRun)
    let signed = try maker.make(store.effects)
    let contents = maker.contents
    return (signed, try #require(contents))
  }

  @Test("a checkpoint counts receipts among the entries, and states them in lines of their own")
  func statements() throws {
    let all = try ReceiptsOfStoreTests.receipts()
    let whole = ReceiptsOfStoreTests.whole(all)
    let (store, _) = try ReceiptsOfStoreTests.store(all, 3)
    let (signed, contents) = try Self.checkpoint(store)
    #expect(signed.checkpoint.size == whole.count)
    #expect(signed.checkpoint.statements.map(\.kind) == ["node", "receipt"])
    #expect(signed.checkpoint.statements[0].count == 0)
    let parents = Set(whole.compactMap { all[$0]?.parent })
    #expect(contents[.receipt].ids == whole.sorted())
    #expect(contents[.receipt].heads == whole.subtracting(parents).sorted())
    #expect(signed.checkpoint.statements == contents.statements)
  }

  @Test("without receipts there are no lines about them")
  func nodesAlone() throws {
    let store = try SmallStore(hasKey: false)
    let (signed, contents) = try Self.checkpoint(store)
    #expect(signed.checkpoint.statements.map(\.kind) == ["node"])
    #expect(contents.list.isEmpty)
  }

  @Test("a list of both kinds is read back; one that is of another checkpoint is refused")
  func list() throws {
    let (store, _) = try ReceiptsOfStoreTests.store(try ReceiptsOfStoreTests.receipts(), 4)
    let (signed, contents) = try Self.checkpoint(store)
    let directory = TemporaryDirectory()
    func read(_ text: String) throws -> HistoryContents {
      try directory.write(text, to: "ids")
      return try CheckpointShelf.list(
        directory.path("ids"), of: signed.checkpoint, "it", store.effects)
    }
    let text = String(decoding: contents.list, as: UTF8.self)
    #expect(try read(text) == contents)
    let lines = text.split(separator: "\n").map(String.init)
    let others = [
      lines.dropLast() + [], lines.map { $0.replacing(" receipt", with: "") },
      lines.map { $0.replacing(" head", with: "") },
    ]
    for other in others {
      let refusal = fault(CheckpointFault.self) {
        _ = try read(other.joined(separator: "\n") + "\n")
      }
      guard case .otherList = refusal else {
        Issue.record()
        return
      }
    }
    for rest in [" blob", " node", " receipt ", " head receipt", "  receipt", " receipt head head"]
    {
      let refusal = fault(CheckpointFault.self) { _ = try read(lines[0].prefix(71) + rest + "\n") }
      guard case .badList(_, 1) = refusal else {
        Issue.record("'\(rest)'")
        return
      }
    }
  }

  @Test("a copy without some receipt lacks it, as a head, a parent or what is behind them")
  func completeness() throws {
    let all = try ReceiptsOfStoreTests.receipts()
    let (store, _) = try ReceiptsOfStoreTests.store(all, 5)
    let opened = try ReceiptsOfStoreTests.reopen(store)
    let part = try Self.checkpoint(store).contents[.receipt]
    var whole = HistoryCopy(of: [.receipt])
    try whole.read(opened, .history, store.effects)
    #expect(Completeness(whole, part.statement, nil).verdict == .complete)
    for lost in part.ids {
      var copy = HistoryCopy(of: [.receipt])
      for id in part.ids where id != lost {
        copy.add(id, nil, parents: all[id]?.parent.map { [$0] } ?? [])
      }
      let found = Completeness(copy, part.statement, part)
      #expect(found.kind == .receipt)
      #expect(found.verdict == .incomplete)
      #expect(Completeness(copy, part.statement, nil).verdict == .incomplete)
      #expect((found.heads == [lost]) == part.heads.contains(lost))
      #expect((found.parents.map(\.id) == [lost]) == !part.heads.contains(lost))
      #expect(found.added.isEmpty)
    }
  }

  @Test("each receipt has a proof; one that tells a precise place only if that is asked for")
  func proofs() throws {
    let all = try ReceiptsOfStoreTests.receipts()
    let (store, _) = try ReceiptsOfStoreTests.store(all, 6)
    let (signed, contents) = try Self.checkpoint(store, isDryRun: false)
    let opened = try ReceiptsOfStoreTests.reopen(store)
    func prove(_ id: ObjectID, includesPrecise: Bool) throws -> InclusionProof {
      let request = ProofMaker.Request.inclusion(
        id.cidText(as: .receipt), checkpoint: nil, includesPrecise: includesPrecise)
      return try InclusionProof(decoding: try ProofMaker.run(request, opened, store.effects))
    }
    var decoder = ReceiptDecoder()
    var (preciseCount, count) = (0, 0)
    // Each proof reads the received log.
    for (place, id) in contents[.receipt].ids.enumerated() {
      let receipt = try #require(all[id])
      _ = decoder.decode(receipt.preimage, signature: nil)
      let isPrecise = decoder.findings.contains { $0.rule == .receiptPrecise }
      guard isPrecise || place % 10 == 0 else { continue }
      let proof = try prove(id, includesPrecise: true)
      #expect(proof.object.subject == .receipt(receipt.preimage, nil))
      #expect(proof.checkpoint == signed)
      #expect(proof.holds(for: id))
      if isPrecise {
        preciseCount += 1
        let refusal = fault(ProofFault.self) { _ = try prove(id, includesPrecise: false) }
        guard case .precise(id) = refusal else {
          Issue.record()
          return
        }
      } else {
        count += 1
        #expect(try prove(id, includesPrecise: false) == proof)
      }
    }
    #expect(preciseCount > 3 && count > 10)
  }
}
