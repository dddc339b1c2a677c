// Replay by hand-made logs: one rule of protocol section 3 a test, each with what it must not do.

import RedoHistory
import RedoObject
import Testing

@Suite("Replay")
struct ReplayTests {
  private let todo1 = "\"todoTaskId\":\"\(LogMaker.todo(1))\""
  private let todo2 = "\"todoTaskId\":\"\(LogMaker.todo(2))\""

  @Test("a CREATE alone: every default is said to be one")
  func defaults() throws {
    var maker = LogMaker()
    maker.add("CREATE", #""title":"a""#)
    #expect(
      maker.states[1]?.json
        == #"{"archived":false,"created":"2025-03-01T08:00:00.000Z","defaulted":["description","frequencyDays","priority","privacy","storyPoints"],"description":"","fields":{},"frequencyDays":0,"guid":"7a000000-0000-4000-8000-000000000001","priority":3,"privacy":false,"storyPoints":1,"title":"a","todoTasks":[],"userId":"5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"}"#
    )
  }

  @Test("what is set to the value of its default is no default any more")
  func setDefaults() throws {
    var maker = LogMaker()
    let first = maker.add("CREATE", #""priority":3,"title":"a""#)
    maker.add("UPDATE", #""description":"""#, [first])
    #expect(maker.states[1]?.isDefaulted(.priority) == false)
    #expect(maker.states[1]?.isDefaulted(.description) == false)
    #expect(maker.states[1]?.isDefaulted(.storyPoints) == true)
  }

  @Test("the last writer in total order wins, field by field")
  func lastWriter() throws {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#)
    maker.add("UPDATE", #""priority":1,"title":"high lamport""#, [root], lamport: 9, wall: 1)
    maker.add("UPDATE", #""description":"kept","title":"late wall""#, [root], lamport: 2, wall: 50)
    let state = try #require(maker.states[1])
    #expect(state.text(.title) == #""high lamport""#)
    #expect(state.text(.description) == #""kept""#)
    #expect(
      state.lastUpdated.map { String(decoding: $0, as: UTF8.self) } == "2025-03-01T08:01:00.000Z")
  }

  @Test("what has no effect is counted with its reason, and nothing else suffers")
  func skips() throws {
    var maker = LogMaker()
    maker.add("UPDATE", #""title":"too early""#)  // 0
    let twice = #""title":"a","todos":[{\#(todo1)},{\#(todo1)}]"#
    let root = maker.add("CREATE", twice, lamport: 2)  // 1
    maker.add("CREATE", #""title":"again""#, [root])  // 2
    maker.add("ADD_TODO", todo1, [root])  // 3
    maker.add("COMPLETE_TODO", #""completed":"2025-03-01T09:00:00Z",\#(todo2)"#, [root])  // 4
    maker.add("SNOOZE", #""daysToExtend":1,\#(todo1)"#, [root])  // 5
    let due = maker.add("SNOOZE", #""newDeadline":"9999-12-31T00:00:00Z",\#(todo1)"#, [root])  // 6
    maker.add("SNOOZE", #""notes":"lost","snoozeDays":2,\#(todo1)"#, [due])  // 7
    maker.add("REMIND", "", [root])  // 8
    maker.add("UPDATE", #""title":"b""#, task: 0)  // 9
    maker.add("REMIND", "", task: 0)  // 10
    #expect(
      maker.skips.sorted { Int($0.prefix { $0 != " " })! < Int($1.prefix { $0 != " " })! } == [
        "0 task-missing", "1 todo-duplicate", "2 create-duplicate", "3 todo-duplicate",
        "4 todo-missing", "5 deadline-missing", "7 deadline-range", "8 action-unknown",
        "9 task-id-missing", "10 action-unknown",
      ])
    let state = try #require(maker.states[1])
    #expect(state.text(.title) == #""a""#)
    #expect(state.todos.items.count == 1)
    #expect(state.todos.items[0].value(.notes) == Array(#""""#.utf8))
    #expect(state.lastUpdated == nil)
  }

  @Test("SNOOZE by days moves by 86,400 seconds and writes three decimals; notes are lines")
  func snooze() throws {
    var maker = LogMaker()
    var last = maker.add(
      "CREATE", #""title":"a","todos":[{"deadline":"2025-02-28T10:00:00Z",\#(todo1)}]"#)
    #expect(maker.states[1]?.json.contains(#""deadline":"2025-02-28T10:00:00Z""#) == true)
    last = maker.add("SNOOZE", #""daysToExtend":1,"notes":"one",\#(todo1)"#, [last])
    last = maker.add("SNOOZE", #""notes":"","snoozeDays":36500,\#(todo1)"#, [last])
    last = maker.add("SNOOZE", #""daysToExtend":1,"notes":"\"two\"",\#(todo1)"#, [last])
    let json = try #require(maker.states[1]?.json)
    #expect(json.contains(#""deadline":"2125-02-06T10:00:00.000Z""#))
    #expect(json.contains(#""notes":"one\n\"two\"""#))
  }

  @Test("todos of a CREATE without ids get theirs from the node")
  func derived() throws {
    var maker = LogMaker()
    maker.add(
      "CREATE", #""title":"a","todos":[{},{\#(todo1)},{"completed":"2025-03-01T09:00:00Z"}]"#)
    let todos = try #require(maker.states[1]).todos.items
    let node = maker.nodes[0].order.id
    #expect(
      todos.map(\.id.text) == [
        TaskID(ofTodo: 0, in: node).text, LogMaker.todo(1), TaskID(ofTodo: 2, in: node).text,
      ])
    #expect(todos[2].completed != nil)
    #expect(maker.states[1]?.currentTodo?.id.text == LogMaker.todo(1))
  }

  @Test("COMPLETE leaves the todos alone; UNARCHIVE clears what ARCHIVE set")
  func complete() throws {
    var maker = LogMaker()
    var last = maker.add("CREATE", #""title":"a","todos":[{},{}]"#)
    last = maker.add("COMPLETE", #""completedAt":"2025-03-01T09:00:00Z""#, [last])
    last = maker.add("ARCHIVE", "", [last])
    #expect(maker.states[1]?.isArchived == true)
    maker.add("UNARCHIVE", "", [last])
    let state = try #require(maker.states[1])
    #expect(!state.isArchived && state.text(.completedAt) == #""2025-03-01T09:00:00Z""#)
    #expect(state.todos.items.allSatisfy { $0.completed == nil })
  }

  @Test("a DELETE ends its own branch; a branch beside it lives with all its ancestors")
  func delete() throws {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#)
    let delete = maker.add("DELETE", "", [root])
    #expect(maker.states[1] == nil && maker.skips == ["0 not-living"])
    maker.add("UPDATE", #""title":"after""#, [delete])
    #expect(maker.states[1] == nil)
    let other = maker.add("UPDATE", #""title":"beside""#, [root])
    #expect(maker.states[1]?.text(.title) == #""beside""#)
    #expect(maker.skips == ["2 after-delete"])
    maker.add("MERGE", #""title":"merged""#, [delete, other])
    #expect(maker.states[1]?.text(.title) == #""beside""#)
  }

  @Test("a path through another task counts, but only nodes of the task are touched")
  func otherTasks() throws {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#)
    let delete = maker.add("DELETE", "", [root])
    let other = maker.add("CREATE", #""title":"other""#, [delete], task: 2)
    maker.add("UPDATE", #""title":"behind""#, [other])
    #expect(maker.states[1] == nil)
    #expect(maker.states[2]?.text(.title) == #""other""#)
    #expect(maker.skips == ["0 not-living", "3 after-delete"])
  }

  @Test(
    "a broken node is left out with its descendants in the task, and its ancestors never suffer")
  func broken() throws {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#)
    let bad = maker.add("UPDATE", #""title":"bad""#, [root], isBroken: true)
    maker.add("UPDATE", #""title":"behind""#, [bad])
    let other = maker.add("CREATE", #""title":"other""#, [bad], task: 2)
    maker.add("UPDATE", #""priority":1"#, [root])
    #expect(maker.states[1]?.text(.title) == #""a""#)
    #expect(maker.states[1]?.priorityNumber == 1)
    #expect(maker.states[2]?.text(.title) == #""other""#)
    #expect(maker.skips == ["1 broken-branch", "2 broken-branch"])
    maker.add("UPDATE", #""title":"far behind""#, [other])
    #expect(maker.states[1]?.text(.title) == #""a""#)
  }

  @Test("unknown members are kept under fields in the order of RFC 8785")
  func unknown() throws {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""\ufb33":1,"title":"a","z":[1,{"b":1,"a":2}]"#)
    maker.add("UPDATE", #""a\nb":null,"😀":2,"completedAt":"2025-03-01T09:00:00Z""#, [root])
    #expect(
      maker.states[1]?.json.contains(
        #""fields":{"a\nb":null,"completedAt":"2025-03-01T09:00:00Z","z":[1,{"a":2,"b":1}],"😀":2,"דּ":1}"#
      ) == true)
    #expect(maker.states[1]?.completion == nil)
  }
}
