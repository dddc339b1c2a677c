// Undoing changes by recording new ones: refusals first.

import RedoObject
import Testing

@testable import RedoRepository

@Suite("Reverts")
struct RevertTests {
  private func revert(
    _ id: ObjectID, in store: SmallStore, isForced: Bool = false
  ) throws -> Reversal.Outcome {
    try store.opened.revert(
      Reversal(.one(id), isForced: isForced, recording: CommitWriter.Options()), store.effects)
  }

  @Test("What was written again since is not undone, unless that is forced")
  func writtenAgain() throws {
    let store = try SmallStore()
    let task = try store.task()
    let nodes = try #require(
      try store.commit(SmallStore.update(task, "b"), SmallStore.update(task, "c")))
    let refused = try revert(nodes[0].id, in: store)
    guard case .writtenAgain = refused.refusal else {
      Issue.record("it was undone")
      return
    }
    let later = refused.kept
    #expect(later.map(\.id) == [nodes[1].id])
    #expect(later.map(\.name) == [Array("title".utf8)])
    let new = try #require(try revert(nodes[0].id, in: store, isForced: true).nodes)
    #expect(new.count == 1)
    #expect(new.first?.parents == [nodes[1].id])
  }

  @Test("A change that is not in the history is not undone")
  func notInHistory() throws {
    let store = try SmallStore()
    let task = try store.task()
    let node = try #require(try store.commit(SmallStore.update(task, "b"), isDryRun: true)?.first)
    let stored = try NodeTransaction.each(
      [.node(Judged(node: node), key: nil)], NodeTransaction.Options(writes: true), store.opened,
      store.effects)
    #expect(stored == [nil])
    #expect {
      try revert(node.id, in: store)
    } throws: { error in
      guard case CommitFault.notInHistory(node.id) = error else { return false }
      return true
    }
  }

  @Test("Whether it has come true is seen by a replay of what is there afterwards")
  func missed() throws {
    let store = try SmallStore()
    let task = try store.task()
    let node = try #require(try store.commit(SmallStore.update(task, "b"))?.first)
    let outcome = try revert(node.id, in: store)
    #expect(outcome.missed.isEmpty)
    _ = try store.commit(SmallStore.update(task, "c"))
    #expect(try store.opened.missed(outcome.plan) == [task])
  }
}
