// MERGE (protocol, section 4), by hand-made logs.

import RedoHistory
import RedoObject
import Testing

@Suite("Replay of merges")
struct MergeReplayTests {
  /// A task that two branches wrote, and the ids: root, left, right, the last of which came later.
  private func diverged(
    _ left: String, _ right: String, create: String = #""title":"a""#
  ) -> (LogMaker, [ObjectID]) {
    var maker = LogMaker()
    let root = maker.add("CREATE", create)
    let one = maker.add("UPDATE", left, [root])
    let other = maker.add("UPDATE", right, [root])
    return (maker, [root, one, other])
  }

  /// The task after a merge of the branches with a payload.
  private func merged(
    _ left: String, _ right: String, _ payload: String, create: String = #""title":"a""#
  ) throws -> TaskState {
    var (maker, ids) = diverged(left, right, create: create)
    maker.add("MERGE", "", [ids[1], ids[2]], data: #"{"payload":{\#(payload)}}"#)
    return try #require(maker.states[1])
  }

  private func policy(_ name: String) -> String { #""policy":{"defaultStrategy":"\#(name)"}"# }

  private func entry(_ path: String, _ strategy: String, _ more: String = "") -> String {
    #""resolutions":{"task":[{"path":"\#(path)","strategy":"\#(strategy)"\#(more)}]}"#
  }

  @Test("fields apply as an UPDATE's do, completedAt among them")
  func fields() throws {
    var (maker, ids) = diverged(#""title":"left""#, #""title":"right""#)
    maker.add(
      "MERGE", #""color":"red","completedAt":"2025-03-01T09:00:00Z","title":"merged""#,
      [ids[1], ids[2]])
    let state = try #require(maker.states[1])
    #expect(state.text(.title) == #""merged""#)
    #expect(state.text(.completedAt) == #""2025-03-01T09:00:00Z""#)
    #expect(state.other("color") == #""red""#)
  }

  @Test("an automatic merge changes nothing but lastUpdated, so it never undoes an offline device")
  func automatic() throws {
    var (maker, ids) = diverged(#""title":"left""#, #""title":"right""#)
    maker.add(
      "MERGE", "", [ids[1], ids[2]],
      data: #"{"conflictResolution":{"source":"automatic"},"fields":{"title":"right"}}"#)
    maker.add("UPDATE", #""title":"was offline""#, [ids[1]], wall: 2)
    let state = try #require(maker.states[1])
    #expect(state.text(.title) == #""was offline""#)
    #expect(
      state.lastUpdated.map { String(decoding: $0, as: UTF8.self) } == "2025-03-01T08:03:00.000Z")
  }

  @Test("a payload without a policy, or with lww, changes nothing but lastUpdated")
  func lww() throws {
    for payload in ["", policy("lww"), policy("magic"), #""title":"no member of it""#] {
      let state = try merged(#""title":"left""#, #""title":"right""#, payload)
      #expect(state.text(.title) == #""right""#)
      #expect(state.otherMembers.isEmpty)
      #expect(
        state.lastUpdated.map { String(decoding: $0, as: UTF8.self) } == "2025-03-01T08:03:00.000Z")
    }
  }

  @Test("a default strategy decides what more than one side wrote, and nothing else")
  func defaults() throws {
    let left = #""priority":2,"title":"left""#
    let right = #""storyPoints":5,"title":"right""#
    let ours = try merged(left, right, policy("ours"))
    #expect(ours.text(.title) == #""left""#)
    #expect(ours.priorityNumber == 2 && ours.storyPointsNumber == 5)
    #expect(try merged(left, right, policy("theirs")).text(.title) == #""right""#)
    #expect(try merged(left, right, policy("min")).text(.title) == #""left""#)
    #expect(try merged(left, right, policy("max")).text(.title) == #""right""#)
    #expect(try merged(left, right, policy("manual")).text(.title) == #""right""#)
    // A value that is not an array has no union.
    #expect(try merged(left, right, policy("union")).text(.title) == #""right""#)
  }

  @Test("an entry decides its member, and outweighs the default strategy")
  func entries() throws {
    let both = policy("ours") + "," + entry("title", "theirs")
    #expect(try merged(#""title":"left""#, #""title":"right""#, both).text(.title) == #""right""#)
    let one = try merged(#""priority":2"#, #""title":"right""#, entry("priority", "min"))
    #expect(one.priorityNumber == 2)
    let other = try merged(#""priority":2"#, #""title":"right""#, entry("priority", "max"))
    #expect(other.priorityNumber == 3)
    #expect(!other.isDefaulted(.priority))
  }

  @Test("chosenParent turns ours and theirs around; an id that is no parent decides nothing")
  func chosenParent() throws {
    var (maker, ids) = diverged(#""title":"left""#, #""title":"right""#)
    func title(_ strategy: String, _ chosen: ObjectID) throws -> String? {
      var copy = maker
      copy.add(
        "MERGE", "", [ids[1], ids[2]],
        data: #"{"payload":{\#(entry("title", strategy, #","chosenParent":"\#(chosen.text)""#))}}"#)
      return try #require(copy.states[1]).text(.title)
    }
    #expect(try title("ours", ids[1]) == #""left""#)
    #expect(try title("theirs", ids[2]) == #""left""#)
    #expect(try title("ours", ids[0]) == #""right""#)
    // Of three sides no one is the other one.
    let third = maker.add("UPDATE", #""title":"third""#, [ids[0]])
    maker.add(
      "MERGE", "", [ids[1], ids[2], third], data: #"{"payload":{\#(entry("title", "theirs"))}}"#)
    #expect(maker.states[1]?.text(.title) == #""third""#)
  }

  @Test("union: distinct elements of all sides by their canonical form")
  func union() throws {
    let state = try merged(
      #""tags":["b","a",2]"#, #""tags":["c","a",{"y":1,"x":2}]"#, entry("tags", "union"))
    #expect(state.other("tags") == #"["a","b","c",2,{"x":2,"y":1}]"#)
  }

  @Test("max and min of times are of instants, whatever their text")
  func times() throws {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#)
    let one = maker.add("COMPLETE", #""completedAt":"2025-03-01T09:00:00Z""#, [root])
    let other = maker.add("COMPLETE", #""completedAt":"2025-03-01T09:00:00.500Z""#, [root])
    for (strategy, text) in [("max", ".500Z"), ("min", "00Z")] {
      var copy = maker
      copy.add("MERGE", "", [one, other], data: #"{"payload":{\#(policy(strategy))}}"#)
      #expect(copy.states[1]?.text(.completedAt)?.hasSuffix(text + "\"") == true)
    }
  }

  @Test("manual takes a value of the member's type, and no other")
  func manual() throws {
    func title(_ value: String) throws -> String? {
      try merged(
        #""title":"left""#, #""title":"right""#, entry("title", "manual", #","value":\#(value)"#)
      )
      .text(.title)
    }
    #expect(try title(#""by hand""#) == #""by hand""#)
    #expect(try title(#""""#) == #""right""#)
    #expect(try title("null") == #""right""#)
    let done = try merged(
      "\"priority\":1", "\"priority\":2",
      entry("completedAt", "manual", #","value":"2025-03-01T09:00:00Z""#))
    #expect(done.completion != nil)
    for path in ["archived", "guid", "todos"] {
      let state = try merged(
        "\"priority\":1", "\"priority\":2", entry(path, "manual", #","value":true"#))
      #expect(!state.isArchived && state.otherMembers.isEmpty)
    }
  }

  @Test("the base: what came before it was not written since; one that is named counts instead")
  func base() throws {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#)
    let early = maker.add("UPDATE", #""priority":5"#, [root])
    let one = maker.add("UPDATE", #""title":"left""#, [early])
    let other = maker.add("UPDATE", #""priority":1"#, [early])
    var found = maker
    found.add("MERGE", "", [one, other], data: #"{"payload":{\#(policy("ours"))}}"#)
    #expect(found.states[1]?.priorityNumber == 1)
    // Since the root both sides have written priority: the left one with the node both descend from.
    maker.add(
      "MERGE", "", [one, other], data: #"{"payload":{"base":"\#(root.text)",\#(policy("ours"))}}"#)
    #expect(maker.states[1]?.priorityNumber == 5)
  }

  @Test("members of todos are decided as those of the task are")
  func todos() throws {
    let id = "\"todoTaskId\":\"\(LogMaker.todo(1))\""
    var maker = LogMaker()
    let root = maker.add(
      "CREATE", #""title":"a","todos":[{"deadline":"2025-03-05T00:00:00Z",\#(id)}]"#)
    let one = maker.add("SNOOZE", #""daysToExtend":1,"notes":"left",\#(id)"#, [root])
    let other = maker.add("SNOOZE", #""daysToExtend":3,"notes":"right",\#(id)"#, [root])
    #expect(maker.states[1]?.json.contains("2025-03-09T00:00:00.000Z") == true)
    maker.add(
      "MERGE", "", [one, other],
      data:
        #"{"payload":{\#(policy("max")),"resolutions":{"todos":[{"fields":[{"path":"notes","strategy":"manual","value":"both"}],\#(id)}]}}}"#
    )
    let json = try #require(maker.states[1]?.json)
    #expect(json.contains(#""deadline":"2025-03-08T00:00:00.000Z""#))
    #expect(json.contains(#""notes":"both""#))
  }

  @Test("a merge of merges: what the inner one decided is in the states at its descendants")
  func nested() throws {
    var (maker, ids) = diverged(#""title":"left""#, #""title":"right""#)
    let inner = maker.add(
      "MERGE", "", [ids[1], ids[2]], data: #"{"payload":{\#(policy("ours"))}}"#)
    let far = maker.add("UPDATE", #""title":"far""#, [ids[0]], lamport: 7)
    #expect(maker.states[1]?.text(.title) == #""far""#)
    maker.add("MERGE", "", [inner, far], data: #"{"payload":{\#(policy("ours"))}}"#)
    #expect(maker.states[1]?.text(.title) == #""left""#)
  }
}
