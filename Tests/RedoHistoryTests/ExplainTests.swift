// Explanations by hand: who won each member, and the rule by which the others lost.

import RedoHistory
import RedoObject
import TestSupport
import Testing

/// The explanation of task 1 of a log made by hand, its nodes by their places in it.
private struct Told {
  let explanation: Explanation
  private let places: [ObjectID: Int]
  private let log: NodeHistory

  init(_ maker: LogMaker) throws {
    let log = maker.log
    self.log = log
    places = Dictionary(uniqueKeysWithValues: maker.nodes.enumerated().map { ($1.id, $0) })
    let cut = Cut(whole: log)
    let nodes = TaskNodes(log, cut)
    var replay = Replay(log, cut, nodes)
    let task = try #require(nodes.tasks.first { log.taskID($0).text == LogMaker.task(1) })
    explanation = replay.explain(task)
  }

  private func place(_ position: Int) -> Int { places[log.id(at: position)] ?? -1 }

  /// `<winner> <value>` of a member, then `<loser> <rule> [<tie break>] <value>` of each loser.
  func member(_ path: String, todo: Int? = nil) -> [String] {
    let id = todo.map { LogMaker.todo($0) }
    guard
      let found = explanation.members.first(where: {
        string($0.member.path) == path && $0.member.todo?.text == id
      })
    else { return [] }
    func text(_ value: [UInt8]?) -> String { value.map { string($0) } ?? "-" }
    var lines = [
      (found.winner.map { "\(place($0.position))" } ?? "-") + " \(text(found.value))"
        + (found.winner?.isDefault == true ? " default" : "")
        + (found.winner?.strategy.map { " \(string($0))" } ?? "")
    ]
    for part in found.parts { lines.append("+\(place(part.position)) \(text(part.appended))") }
    for loser in found.losers {
      let writer = loser.writer
      var line = "\(place(writer.position)) \(loser.reason.rule)"
      if let tieBreak = loser.reason.tieBreak { line += " \(tieBreak.rawValue)" }
      if let strategy = writer.strategy { line += " \(string(strategy))" }
      if let value = writer.value { line += " \(string(value))" }
      if let days = writer.days { line += " \(days)" }
      lines.append(line)
    }
    return lines
  }

  var skips: [String] {
    explanation.skips.map { "\(place($0.position)) \($0.reason.rawValue)" }
  }

  var deletes: [Int] { explanation.deletes.map(place) }
}

@Suite("Explain")
struct ExplainTests {
  private let todo = #""todoTaskId":"\#(LogMaker.todo(1))""#

  @Test("earlier: the winner descends from the loser; newest first")
  func earlier() throws {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#)
    let one = maker.add("UPDATE", #""title":"b""#, [root])
    maker.add("UPDATE", #""title":"c""#, [one])
    let told = try Told(maker)
    #expect(told.member("/title") == [#"2 "c""#, #"1 earlier "b""#, #"0 earlier "a""#])
    #expect(
      told.member("/lastUpdated") == [
        #"2 "2025-03-01T08:02:00.000Z""#, #"1 earlier "2025-03-01T08:01:00.000Z""#,
      ])
    #expect(told.member("/created") == [#"0 "2025-03-01T08:00:00.000Z""#])
    #expect(told.member("/userId").count == 1)
  }

  @Test("defaults: they stand until something is set; then they have lost to it")
  func defaults() throws {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#)
    let one = maker.add("UPDATE", #""priority":3"#, [root])
    maker.add("ARCHIVE", "", [one])
    let told = try Told(maker)
    #expect(told.member("/storyPoints") == ["0 1 default"])
    #expect(told.member("/priority") == ["1 3", "0 default 3"])
    #expect(told.member("/archived") == ["2 true", "0 default false"])
  }

  @Test("concurrent: the greater lamport, the later wall time, the greater id")
  func concurrent() throws {
    for (lamports, walls, rule) in [
      ((2, 3), (9, 1), "lamport"), ((2, 2), (1, 2), "wall"), ((2, 2), (1, 1), "id"),
    ] {
      var maker = LogMaker()
      let root = maker.add("CREATE", #""title":"a""#)
      let ids = [
        maker.add(
          "UPDATE", #""title":"b""#, [root], lamport: UInt64(lamports.0), wall: walls.0),
        maker.add(
          "UPDATE", #""title":"c""#, [root], lamport: UInt64(lamports.1), wall: walls.1),
      ]
      let last = rule == "id" && ids[0] > ids[1] ? 1 : 2
      let lines = try Told(maker).member("/title")
      #expect(
        lines == [
          "\(last) \"\(last == 1 ? "b" : "c")\"",
          "\(3 - last) concurrent \(rule) \"\(last == 1 ? "c" : "b")\"", #"0 earlier "a""#,
        ])
    }
  }

  @Test("concurrent: clocks that would put it first, but parents that come later")
  func parents() throws {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#)
    let late = maker.add("UPDATE", #""priority":1"#, [root], lamport: 9)
    maker.add("UPDATE", #""title":"b""#, [late], lamport: 3)
    maker.add("UPDATE", #""title":"c""#, [root], lamport: 5)
    #expect(
      try Told(maker).member("/title") == [
        #"2 "b""#, #"3 concurrent parents "c""#, #"0 earlier "a""#,
      ])
  }

  @Test("a path through another task makes the loser earlier")
  func throughAnother() throws {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#)
    let one = maker.add("UPDATE", #""title":"b""#, [root])
    let other = maker.add("CREATE", #""title":"x""#, [one], task: 2)
    maker.add("UPDATE", #""title":"c""#, [other])
    #expect(try Told(maker).member("/title").dropFirst().first == #"1 earlier "b""#)
  }

  @Test("merges: fields and decisions win with their strategy, automatic ones have no effect")
  func merges() throws {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#)
    let one = maker.add("UPDATE", #""priority":2,"title":"b""#, [root])
    let two = maker.add("UPDATE", #""priority":4,"title":"c""#, [root])
    let sides = [one, two]
    var copy = maker
    copy.add(
      "MERGE", "", sides,
      data:
        #"{"conflictResolution":{"source":"automatic","strategy":"union"},"fields":{"title":"c"}}"#)
    #expect(
      try Told(copy).member("/title") == [
        #"2 "c""#, #"3 automatic-merge union "c""#, #"1 concurrent wall "b""#, #"0 earlier "a""#,
      ])
    #expect(try Told(copy).member("/lastUpdated").first == #"3 "2025-03-01T08:03:00.000Z""#)
    copy = maker
    copy.add(
      "MERGE", "", sides,
      data:
        #"{"payload":{"policy":{"defaultStrategy":"ours"},"resolutions":{"task":[{"path":"priority","strategy":"max"}]}}}"#
    )
    #expect(
      try Told(copy).member("/title") == [
        #"3 "b" ours"#, #"2 earlier "c""#, #"1 earlier "b""#, #"0 earlier "a""#,
      ])
    #expect(try Told(copy).member("/priority").first == "3 4 max")
    copy = maker
    copy.add(
      "MERGE", "", sides,
      data:
        #"{"conflictResolution":{"source":"manual","strategy":"manual"},"fields":{"title":"d"}}"#)
    #expect(try Told(copy).member("/title").first == #"3 "d" manual"#)
  }

  @Test("create-duplicate: what another CREATE says of the task, and of todos")
  func createDuplicate() throws {
    var maker = LogMaker()
    maker.add("CREATE", #""title":"a""#)
    maker.add("CREATE", #""title":"b","todos":[{\#(todo)}]"#)
    let told = try Told(maker)
    #expect(told.member("/title") == [#"0 "a""#, #"1 create-duplicate "b""#])
    #expect(told.member("/created").last == #"1 create-duplicate "2025-03-01T08:01:00.000Z""#)
    #expect(told.member("/priority") == ["0 3 default"])
    #expect(told.member("/created", todo: 1).last?.hasPrefix("1 create-duplicate") == true)
    #expect(told.skips == ["1 create-duplicate"])
  }

  @Test(
    "DELETE: what comes behind it, and branches that do not live; the DELETEs of a task without state"
  )
  func deletes() throws {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#)
    let one = maker.add("UPDATE", #""title":"b""#, [root])
    let delete = maker.add("DELETE", "", [one])
    maker.add("UPDATE", #""title":"c""#, [delete])
    let gone = try Told(maker)
    #expect(gone.explanation.state == nil && gone.explanation.members.isEmpty)
    #expect(gone.deletes == [2])
    #expect(gone.skips == ["0 not-living", "1 not-living", "3 after-delete"])
    maker.add("UPDATE", #""title":"d""#, [root])
    #expect(
      try Told(maker).member("/title") == [
        #"4 "d""#, #"3 after-delete "c""#, #"1 not-living "b""#, #"0 earlier "a""#,
      ])
  }

  @Test("broken-branch: the broken node says nothing, what descends from it says it in vain")
  func broken() throws {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#)
    let broken = maker.add("UPDATE", #""title":"b""#, [root], isBroken: true)
    maker.add("UPDATE", #""title":"c""#, [broken])
    let told = try Told(maker)
    #expect(told.member("/title") == [#"0 "a""#, #"2 broken-branch "c""#])
    #expect(told.skips == ["1 broken-branch", "2 broken-branch"])
  }

  @Test("todos: duplicates, what is missing, deadlines that cannot be moved")
  func todos() throws {
    var maker = LogMaker()
    maker.add("UPDATE", #""title":"early""#, lamport: 1, wall: -1)
    let root = maker.add(
      "CREATE", #""title":"a","todos":[{"notes":"one",\#(todo)},{"notes":"two",\#(todo)}]"#,
      lamport: 2)
    let add = maker.add("ADD_TODO", #""notes":"three","title":"t",\#(todo)"#, [root])
    let days = maker.add("SNOOZE", #""daysToExtend":7,\#(todo)"#, [add])
    let set = maker.add("SNOOZE", #""newDeadline":"9999-12-30T00:00:00Z",\#(todo)"#, [days])
    let far = maker.add("SNOOZE", #""daysToExtend":7,\#(todo)"#, [set])
    maker.add(
      "COMPLETE_TODO",
      #""completed":"2025-03-05T00:00:00Z","todoTaskId":"\#(LogMaker.todo(2))""#, [far])
    let told = try Told(maker)
    #expect(told.member("/title") == [#"1 "a""#, #"0 task-missing "early""#])
    #expect(
      told.member("/notes", todo: 1) == [
        #"1 "one""#, #"2 todo-duplicate "three""#, #"1 todo-duplicate "two""#,
      ])
    #expect(
      told.member("/deadline", todo: 1) == [
        #"4 "9999-12-30T00:00:00Z""#, "5 deadline-range 7", "3 deadline-missing 7",
      ])
    #expect(
      told.member("/completed", todo: 2) == ["- -", #"6 todo-missing "2025-03-05T00:00:00Z""#])
    #expect(told.member("/fields/title", todo: 1) == ["- -", #"2 todo-duplicate "t""#])
  }

  @Test("notes are of all who appended to them; a decision about them replaces all")
  func notes() throws {
    var maker = LogMaker()
    let root = maker.add(
      "CREATE", #""title":"a","todos":[{"deadline":"2025-03-09T00:00:00Z","notes":"one",\#(todo)}]"#
    )
    let left = maker.add("SNOOZE", #""daysToExtend":1,"notes":"x",\#(todo)"#, [root])
    let two = maker.add(
      "COMPLETE_TODO", #""completed":"2025-03-05T00:00:00Z","notes":"two",\#(todo)"#, [root])
    let three = maker.add(
      "COMPLETE_TODO", #""completed":"2025-03-06T00:00:00Z","notes":"three",\#(todo)"#, [two])
    #expect(
      try Told(maker).member("/notes", todo: 1) == [
        #"3 "one\nx\ntwo\nthree""#, "+0 -", #"+1 "x""#, #"+2 "two""#, #"+3 "three""#,
      ])
    maker.add(
      "MERGE", "", [left, three],
      data:
        #"{"payload":{"resolutions":{"todos":[{"fields":[{"path":"notes","strategy":"manual","value":"all"}],\#(todo)}]}}}"#
    )
    #expect(
      try Told(maker).member("/notes", todo: 1) == [
        #"4 "all" manual"#, #"3 earlier "one\nx\ntwo\nthree""#, #"2 earlier "one\nx\ntwo""#,
        #"1 earlier "one\nx""#, #"0 earlier "one""#,
      ])
  }
}
