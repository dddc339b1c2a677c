// Nodes that are taken in one by one: a refused node does not keep the others out.

import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

@Suite("Nodes one by one")
struct NodeTransactionEachTests {
  @Test("A node without its parents is refused, and those beside it are taken")
  func parents() throws {
    let store = try SmallStore()
    let task = try store.task()
    let chain = try #require(
      try store.commit(
        SmallStore.update(task, "b"), SmallStore.update(task, "c"), isDryRun: true))
    let single = try #require(try store.commit(SmallStore.create("x"), isDryRun: true))
    let found = try store.take([chain[1], single[0], chain[0]])
    #expect(found[0]?.rule == .parentMissing)
    #expect(found[1] == nil)
    #expect(found[2] == nil)
    #expect(try store.heads(of: task) == [chain[0].id])
    #expect(try store.heads(of: single[0].taskID) == [single[0].id])
    #expect(try !store.opened.contains(chain[1].id))
    // Taking it again changes nothing.
    #expect(try store.take([chain[0]]) == [nil])
    #expect(try store.heads(of: task) == [chain[0].id])
  }

  @Test("What comes after the first that is refused is not written")
  func untilRefused() throws {
    let store = try SmallStore()
    let task = try store.task()
    let chain = try #require(
      try store.commit(
        SmallStore.update(task, "b"), SmallStore.update(task, "c"), isDryRun: true))
    let single = try #require(try store.commit(SmallStore.create("x"), isDryRun: true))
    let options = NodeTransaction.Options(writes: true, updatesHeads: true, message: "test")
    let candidates = [single[0], chain[1], chain[0]].map {
      NodeTransaction.Candidate.node(Judged(node: $0), key: $0.publicKey)
    }
    let refused = try NodeTransaction.eachUntilRefused(
      candidates, options, store.opened, store.effects)
    #expect(refused?.count == 1)
    #expect(refused?.finding.rule == .parentMissing)
    #expect(try store.opened.contains(single[0].id))
    #expect(try !store.opened.contains(chain[0].id))
  }

  @Test("Bytes are written without a history")
  func blobs() throws {
    let store = try SmallStore(hasKey: false)
    let blob = StoredObject(blob: Array("x".utf8))
    let found = try NodeTransaction.each(
      [.blob(blob)], NodeTransaction.Options(writes: true), store.opened, store.effects)
    #expect(found == [nil])
    #expect(try store.opened.contains(blob.id))
  }
}
