// Changes to refs, judged together under the lock: refusals first.

import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

@Suite("Changes of refs")
struct RefQueueTests {
  private func name(_ text: String) throws -> RefName { try #require(RefName(text)) }

  /// Makes a change; returns the reasons if it is refused.
  private func reasons(
    _ change: RefChange, in store: SmallStore
  ) throws -> [RefRejection.Reason] {
    var queue = RefQueue(store.opened, now: 0, message: "test")
    try queue.add(change)
    let rejections = try queue.prepare()
    if rejections.isEmpty { try queue.commit(store.effects) } else { queue.clear() }
    return rejections.map(\.reason)
  }

  @Test("What no change may say is refused before anything is looked at")
  func check() throws {
    let tag = try name("tags/a")
    #expect {
      try RefChange(verb: .add, name: tag, new: "x", old: nil)
    } throws: { error in
      guard case RefFault.singleValued = error else { return false }
      return true
    }
    #expect {
      try RefChange(verb: .create, name: tag, new: "", old: nil)
    } throws: { error in
      guard case RefFault.zeroNew = error else { return false }
      return true
    }
    #expect {
      try RefChange(verb: .delete, name: tag, new: nil, old: "")
    } throws: { error in
      guard case RefFault.zeroOld = error else { return false }
      return true
    }
  }

  @Test("What stands elsewhere than expected rejects a change")
  func rejections() throws {
    let store = try SmallStore()
    let task = try store.task()
    let head = try store.heads(of: task)[0]
    let tag = try name("tags/a")

    let update = try RefChange(verb: .update, name: tag, new: head.text, old: head.text)
    #expect(try reasons(update, in: store) == [.missing(expected: [head])])
    let create = try RefChange(verb: .create, name: tag, new: head.text, old: nil)
    #expect(try reasons(create, in: store).isEmpty)
    #expect(try reasons(create, in: store) == [.exists(found: [head])])
    #expect(try reasons(update, in: store).isEmpty)
    let unknown = StoredObject(blob: [1]).id
    let other = try RefChange(verb: .update, name: tag, new: unknown.text, old: nil)
    #expect(try reasons(other, in: store) == [.refused(.notInStore(unknown))])
    let moved = try RefChange(verb: .update, name: tag, new: head.text, old: unknown.text)
    #expect(try reasons(moved, in: store) == [.moved(found: [head], expected: [unknown])])
  }

  @Test("A ref is changed once, and only by a value that stands for something")
  func queueing() throws {
    let store = try SmallStore()
    let head = try store.heads(of: store.task())[0]
    let tag = try name("tags/a")
    var queue = RefQueue(store.opened, now: 0, message: "test")
    try queue.add(RefChange(verb: .update, name: tag, new: head.text, old: nil))
    #expect {
      try queue.add(RefChange(verb: .verify, name: tag, new: nil, old: nil))
    } throws: { error in
      guard case RefFault.twice(tag) = error else { return false }
      return true
    }
    #expect {
      try queue.add(
        RefChange(verb: .update, name: try name("tags/b"), new: "nothing", old: nil))
    } throws: { error in
      guard case RefFault.value(let change, _) = error else { return false }
      return change.name.text == "tags/b"
    }
  }

  @Test("A head is a node of its task, and above no other head")
  func targets() throws {
    let store = try SmallStore()
    let (one, other) = (try store.task("a"), try store.task("b"))
    let first = try store.heads(of: one)[0]
    let second = try #require(try store.commit(SmallStore.update(one, "c"))?.first).id
    let targets = RefTargets(store.opened)
    #expect(
      try targets.refusal(of: first, under: .heads(of: other)) == .otherTask(first, one))
    #expect(
      try targets.refusal(of: first, under: name("recovered/a/heads/x")) == .nameOfNoTask)
    var received: [ObjectID] = []
    let history = try HistoryLookUp(store.opened, .v1)
    let refusal = try targets.refusal(
      ofHeads: [first, second], under: .heads(of: one), after: [second], history, &received)
    #expect(refusal == .ancestor(first))
    #expect(received.isEmpty)
  }

  @Test("An entry is undone, unless its refs have moved since")
  func undo() throws {
    let store = try SmallStore()
    let task = try store.task()
    let first = try store.heads(of: task)
    let second = try #require(try store.commit(SmallStore.update(task, "b"))?.first).id
    let undo = ReflogUndo(store.opened, isDryRun: false, reason: nil)
    guard case .refused(.moved(_, let refs)) = try undo.run(.before(1), store.effects) else {
      Issue.record("an entry that others follow was undone")
      return
    }
    #expect(refs.map(\.name) == [.heads(of: task)])
    guard case .done(let moves) = try undo.run(.before(nil), store.effects) else {
      Issue.record("the last entry was not undone")
      return
    }
    #expect(moves.map(\.gone) == [[second]])
    #expect(moves.map(\.back) == [first])
    #expect(try store.heads(of: task) == first)
    #expect {
      try undo.run(.before(99), store.effects)
    } throws: { error in
      guard case RefFault.noEntry(99) = error else { return false }
      return true
    }
  }
}
