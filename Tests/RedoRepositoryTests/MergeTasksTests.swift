// Merging diverged tasks: refusals first.

import RedoHistory
import RedoObject
import Testing

@testable import RedoRepository

@Suite("Merges")
struct MergeTasksTests {
  @Test("What is to be ours is a head of the task")
  func noHead() throws {
    let store = try SmallStore()
    let task = try store.divergedTask()
    let heads = try store.heads(of: task)
    let other = try #require(try store.commit(SmallStore.create("x"))?.first).id
    let merge = TaskMerge(
      tasks: [task.text], decider: MergeDecider(rule: .ours), own: other.text)
    #expect {
      try store.opened.diverged(merge, store.effects)
    } throws: { error in
      guard case MergeFault.noHead(other, task, heads) = error else { return false }
      return RedoError(error).code == .missing
    }
  }

  @Test("A task that is not there cannot be merged")
  func noTask() throws {
    let store = try SmallStore()
    let task = TaskID.random { 7 }
    let merge = TaskMerge(tasks: [task.text], decider: MergeDecider(rule: nil), own: nil)
    #expect {
      try store.opened.diverged(merge, store.effects)
    } throws: { error in
      guard case MergeFault.noTask(task) = error else { return false }
      return true
    }
  }

  @Test("A merge unites the heads, and says who decided")
  func merge() throws {
    let store = try SmallStore()
    let task = try store.divergedTask()
    let heads = try store.heads(of: task)
    #expect(heads.count == 2)
    let merge = TaskMerge(
      tasks: [],
      decider: MergeDecider(rule: nil, values: Array(#"{"title":"d"}"#.utf8)), own: nil)
    let outcome = try store.opened.merge(merge, CommitWriter.Options(), store.effects)
    #expect(outcome.found.map(\.plan.task) == [task])
    let node = try #require(outcome.nodes?.first)
    #expect(node.parents == heads)
    #expect(try store.heads(of: task) == [node.id])
    let text = String(decoding: StoredObject(node).canonical, as: UTF8.self)
    #expect(text.contains(#""preservedFields":["title"],"source":"manual","strategy":"manual""#))
    #expect(try store.opened.diverged(merge, store.effects).isEmpty)
  }
}
