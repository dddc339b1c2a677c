// Making checkpoints, and proofs based on them.

import RedoCrypto
import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

@Suite("Proofs and checkpoints")
struct ProofMakerTests {
  private static func checkpoint(
    _ store: VectorStore, beginsLog: Bool = false, isDryRun: Bool = false
  ) throws -> SignedCheckpoint {
    var maker = CheckpointMaker(
      try store.open(), VectorStore.identity(), beginsLog: beginsLog, isDryRun: isDryRun)
    return try maker.make(store.effects)
  }

  private static func prove(
    _ request: ProofMaker.Request, _ store: VectorStore
  ) throws -> [UInt8] {
    try ProofMaker.run(request, try store.open(), store.effects)
  }

  @Test("need a checkpoint; a dry run leaves none")
  func none() throws {
    let store = try VectorStore("linear")
    #expect(try Self.checkpoint(store, isDryRun: true).checkpoint.size == 18)
    let refusal = fault(ProofFault.self) {
      _ = try Self.prove(.inclusion(store.nodes[0].id.text, checkpoint: nil), store)
    }
    guard case .noCheckpoint = refusal else {
      Issue.record()
      return
    }
  }

  @Test("hold for nodes that were received before the checkpoint, and are refused for others")
  func inclusion() throws {
    let store = try VectorStore("linear")
    let signed = try Self.checkpoint(store)
    let bytes = try Self.prove(.inclusion(store.nodes[4].id.text, checkpoint: nil), store)
    #expect(bytes.starts(with: Array(InclusionProof.firstLine.utf8)))
    let late = try VectorStore.nodes(of: "order")
    let stranger = try #require(late.last)
    _ = try store.open().objects.write([ObjectWrite(stranger, key: nil)])
    let outside = fault(ProofFault.self) {
      _ = try Self.prove(.inclusion(stranger.id.text, checkpoint: nil), store)
    }
    guard case .notReceived(stranger.id) = outside else {
      Issue.record()
      return
    }
    try store.add(late)
    let later = fault(ProofFault.self) {
      _ = try Self.prove(.inclusion(stranger.id.text, checkpoint: nil), store)
    }
    guard case .receivedLater(stranger.id, signed.id) = later else {
      Issue.record()
      return
    }
  }

  @Test("hold for a checkpoint and an earlier one, not the other way round")
  func growth() throws {
    let store = try VectorStore("linear")
    let first = try Self.checkpoint(store)
    try store.add(try VectorStore.nodes(of: "order"))
    let second = try Self.checkpoint(store)
    #expect(second.checkpoint.previous == first.id)
    let bytes = try Self.prove(.growth(from: first.id.text, to: nil), store)
    #expect(bytes.starts(with: Array(ConsistencyProof.firstLine.utf8)))
    let refusal = fault(ProofFault.self) {
      _ = try Self.prove(.growth(from: second.id.text, to: first.id.text), store)
    }
    guard case .smaller(first.id, 18, 36) = refusal else {
      Issue.record()
      return
    }
  }

  @Test("are of one log, which a new one ends")
  func newLog() throws {
    let store = try VectorStore("linear")
    let first = try Self.checkpoint(store)
    let second = try Self.checkpoint(store, beginsLog: true)
    #expect(second.checkpoint.store != first.checkpoint.store)
    let refusal = fault(ProofFault.self) {
      _ = try Self.prove(.inclusion(store.nodes[0].id.text, checkpoint: first.id.text), store)
    }
    guard case .foreign(first.id, _) = refusal else {
      Issue.record()
      return
    }
    let rows = try CheckpointAudit.verify(
      [], pinned: VectorStore.identity().publicKey, try store.open(), store.effects)
    #expect(rows.map(\.verdict.letter) == ["G", "P"])
    let others = try CheckpointAudit.verify(
      [], pinned: VectorStore.identity(seed: 8).publicKey, try store.open(), store.effects)
    #expect(others.contains { !$0.isGood })
  }
}
