// Recording changes, all or none: refusals first.

import RedoObject
import Testing

@testable import RedoRepository

@Suite("Commits")
struct CommitWriterTests {
  @Test("A change of a task that is not there is refused")
  func noTask() throws {
    let store = try SmallStore()
    let task = TaskID.random { 7 }
    #expect {
      try store.commit(SmallStore.update(task, "b"))
    } throws: { error in
      guard case CommitFault.noTask(task) = error else { return false }
      return RedoError(error).code == .missing && RedoError(error).subject == task.text
    }
  }

  @Test("What was found out about other heads is not recorded")
  func movedMeanwhile() throws {
    let store = try SmallStore()
    let task = try store.task()
    var request = SmallStore.update(task, "b")
    request.parents = []
    #expect {
      try store.commit(request)
    } throws: { error in
      guard case CommitFault.movedMeanwhile(task) = error else { return false }
      return RedoError(error).code == .unavailable
    }
  }

  @Test("A fault names the change that it is in, and one bad change keeps all out")
  func inChange() throws {
    let store = try SmallStore()
    let task = try store.task()
    let before = try store.heads(of: task)
    var bad = SmallStore.create("b")
    bad.task = task
    bad.subject = "line 2"
    #expect {
      try store.commit(SmallStore.update(task, "b"), bad)
    } throws: { error in
      guard case CommitFault.inChange("line 2", CommitFault.taskIsThere(task)) = error else {
        return false
      }
      return true
    }
    #expect(try store.heads(of: task) == before)
  }

  @Test("A node that breaks a rule is told of, and nothing is written")
  func brokenRule() throws {
    let store = try SmallStore()
    let nodes = try store.commit(ChangeRequest(action: "UPDATE"))
    #expect(nodes == nil)
    let isTold = store.events.events.contains {
      if case .writing(.refused(_, of: "UPDATE")) = $0 { true } else { false }
    }
    #expect(isTold)
  }

  @Test("Each change follows the one before it; a dry run writes nothing")
  func chain() throws {
    let store = try SmallStore()
    let task = try store.task()
    let first = try store.heads(of: task)
    let nodes = try #require(
      try store.commit(SmallStore.update(task, "b"), SmallStore.update(task, "c")))
    #expect(nodes[0].parents == first)
    #expect(nodes[1].parents == [nodes[0].id])
    #expect(try store.heads(of: task) == [nodes[1].id])
    #expect(try store.commit(SmallStore.update(task, "d"), isDryRun: true)?.count == 1)
    #expect(try store.heads(of: task) == [nodes[1].id])
  }

  @Test(
    "A line that is no change says why",
    arguments: [
      ("[]", ChangeFlaw.noObject),
      (#"{"action":1}"#, .noText(member: "action")),
      (#"{"action":"UPDATE","fields":[]}"#, .content),
      (#"{"action":"UPDATE","more":"x"}"#, .unknownMember("more")),
      (#"{"fields":{}}"#, .noAction),
      (#"{"action":"UPDATE","taskId":"x"}"#, .task("x")),
      (#"{"action":"UPDATE","wall":"x"}"#, .wall("x")),
    ])
  func flaws(line: String, flaw: ChangeFlaw) {
    #expect {
      try ChangeRequest(line: Array(line.utf8).span, "line 1")
    } throws: { error in
      guard case CommitFault.malformed("line 1", flaw) = error else { return false }
      return true
    }
  }

  @Test("A member is set once, to JSON")
  func content() throws {
    var content = ChangeContent()
    try content.set("a", text: "\"")
    try content.set("b", json: "[1]")
    #expect(content.object == Array(#"{"a":"\"","b":[1]}"#.utf8))
    #expect(throws: ContentFault.repeated(name: "a")) { try content.set("a", text: "x") }
    #expect {
      try content.set("c", json: "{")
    } throws: { error in
      guard case ContentFault.noJSON(_, "{") = error else { return false }
      return true
    }
    #expect(!content.has("c"))
  }
}
