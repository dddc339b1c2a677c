// Recovering the history as of a point in time: refusals first.

import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

@Suite("Recoveries")
struct RecoveryTests {
  private func point(_ text: String) throws -> HistoryPoint {
    try HistoryPoint(text, policy: nil, now: 0)
  }

  @Test("Refs are named by one component, and stay what they are")
  func refs() throws {
    #expect {
      try RecoverRefs("a/b", isForced: false)
    } throws: { error in
      guard case RecoverFault.invalidName("a/b") = error else { return false }
      return true
    }
    let store = try SmallStore()
    let task = try store.task()
    let first = try store.heads(of: task)
    _ = try store.commit(SmallStore.update(task, "b"))
    let recovery = Recovery(
      point: try point("lamport:1"), destination: .refs(try RecoverRefs("x", isForced: false)))
    let outcome = try store.opened.recover(recovery, store.effects)
    #expect([outcome.nodeCount, outcome.taskCount, outcome.left.count] == [1, 1, 1])
    let name = try #require(RefName("recovered/x/heads/" + task.text))
    var snapshot = try store.opened.snapshot()
    #expect(try snapshot.ids(of: name) == first)
    #expect {
      try store.opened.recover(recovery, store.effects)
    } throws: { error in
      guard case RecoverFault.refsExist("recovered/x/") = error else { return false }
      return RedoError(error).code == .refused
    }
  }

  @Test("A store is made in an empty directory, outside of others")
  func stores() throws {
    let store = try SmallStore()
    let task = try store.task()
    let head = try store.heads(of: task)
    func recover(to path: String) throws -> Recovery.Outcome {
      try store.opened.recover(
        Recovery(
          point: try point("lamport:9"), destination: .store(RecoverStore(path: path))),
        store.effects)
    }
    #expect {
      try recover(to: ".redo/objects")
    } throws: { error in
      guard case RecoverFault.insideStore(".redo/objects") = error else { return false }
      return true
    }
    #expect {
      try recover(to: ".")
    } throws: { error in
      guard case RecoverFault.notEmpty(".") = error else { return false }
      return true
    }
    #expect(try recover(to: "new").nodeCount == 1)
    let made = try store.effects.openOther(store.path + "/new/.redo")
    var snapshot = try made.snapshot()
    #expect(try snapshot.ids(of: .heads(of: task)) == head)
  }
}
