// What undo takes for the last transactions, in stores whose clock stands still.

import RedoObject
import Testing

@testable import RedoRepository

@Suite("Undo")
struct UndoTests {
  private func undo(_ count: Int = 1, in store: SmallStore) throws -> Undo.Outcome {
    try store.opened.undo(Undo(count: count, recording: CommitWriter.Options()), store.effects)
  }

  @Test("Transactions of one millisecond are told apart")
  func oneMillisecond() throws {
    let store = try SmallStore()
    let task = try store.task()
    var nodes: [Node] = []
    for title in ["b", "c", "d"] {
      nodes += try #require(try store.commit(SmallStore.update(task, title)))
    }
    let first = try undo(in: store)
    #expect(first.undone.map(\.ids) == [[nodes[2].id]])
    #expect(first.hasMore)
    let second = try undo(3, in: store)
    #expect(second.undone.map(\.ids).dropFirst() == [[nodes[2].id], [nodes[1].id]])
    #expect(second.undone.map(\.entry) == [5, 4, 3])
  }

  @Test("What was taken in is no transaction of this store, even if it was made on this device")
  func takenIn() throws {
    let store = try SmallStore()
    let task = try store.task()
    let made = try #require(try store.commit(SmallStore.update(task, "b"), isDryRun: true))
    #expect(try store.take(made) == [nil])
    #expect(try undo(in: store).undone.map(\.entry) == [1])
  }

  @Test("Nothing that was written here is found in a store without a device")
  func nobody() throws {
    let store = try SmallStore(hasKey: false)
    #expect {
      try undo(in: store)
    } throws: { error in
      guard case CommitFault.notWrittenHere(asked: 1, found: 0) = error else { return false }
      return true
    }
  }
}
