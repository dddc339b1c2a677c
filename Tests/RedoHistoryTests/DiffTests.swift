// Differences between states: by hand, and as patches that another program applies.

internal import Foundation
import RedoHistory
import RedoObject
import TestSupport
import Testing

/// What differs between two sets of a log.
private struct Compared {
  var before: [TaskID: TaskState] = [:]
  var after: [TaskID: TaskState] = [:]
  var found: [TaskDifference] = []

  init(_ log: some HistoryLog, _ left: Cut, _ right: Cut) {
    func states(_ cut: Cut) -> [TaskID: TaskState] {
      let nodes = TaskNodes(log, cut)
      var replay = Replay(log, cut, nodes)
      var states: [TaskID: TaskState] = [:]
      for task in nodes.tasks { states[log.taskID(task)] = replay.state(of: task) }
      return states
    }
    before = states(left)
    after = states(right)
    let touched = TouchedTasks.between(
      log, (0..<log.count).map { left.contains($0) }, (0..<log.count).map { right.contains($0) })
    for task in (touched ?? []).map({ log.taskID($0) }) {
      if let one = TaskDifference(task, before[task], after[task]) { found.append(one) }
    }
  }

  /// The patch, RFC 8785.
  var patch: String {
    var output: [UInt8] = []
    for difference in found {
      if !output.isEmpty { output += ",".utf8 }
      difference.appendPatch(to: &output)
    }
    return "[\(String(decoding: output, as: UTF8.self))]"
  }

  /// The object of the tasks by their ids, RFC 8785.
  static func document(_ states: [TaskID: TaskState]) -> String {
    let members = states.keys.sorted().map { "\"\($0.text)\":\(states[$0]?.json ?? "")" }
    return "{\(members.joined(separator: ","))}"
  }

  /// `<op> <path> <todo or -> <old or -> <new or ->`, a line a change.
  var rows: [String] {
    found.flatMap(\.changes).map { change in
      func text(_ value: [UInt8]?) -> String { value.map { string($0) } ?? "-" }
      return
        "\(change.operation.rawValue) \(string(change.path)) \(change.todo?.text.suffix(1) ?? "-") "
        + "\(text(change.old)) \(text(change.new))"
    }
  }
}

@Suite("Diff")
struct DiffTests {
  /// The difference between what a log was after some of its nodes and what it is.
  private func compare(_ maker: LogMaker, after count: Int) -> Compared {
    let log = maker.log
    let early = Set(maker.nodes.prefix(count).map(\.id))
    let members = (0..<log.count).map { early.contains(log.id(at: $0)) }
    return Compared(log, Cut(of: log, members: members), Cut(whole: log))
  }

  @Test("members of the task: set, changed, and in the place of an earlier value")
  func members() {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""color":"red","title":"a""#)
    maker.add("UPDATE", #""a/b~c":[1],"color":"blue","priority":4"#, [root])
    let found = compare(maker, after: 1)
    #expect(
      found.rows == [
        #"replace /defaulted - ["description","frequencyDays","priority","privacy","storyPoints"] ["description","frequencyDays","privacy","storyPoints"]"#,
        #"add /fields/a~1b~0c - - [1]"#, #"replace /fields/color - "red" "blue""#,
        #"add /lastUpdated - - "2025-03-01T08:01:00.000Z""#, #"replace /priority - 3 4"#,
      ])
    #expect(
      found.patch.contains(
        #"{"op":"add","path":"/7a000000-0000-4000-8000-000000000001/fields/a~1b~0c","value":[1]}"#))
  }

  @Test("a task that came, and one that went, as a whole")
  func tasks() {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#)
    maker.add("DELETE", "", [root])
    maker.add("CREATE", #""title":"b""#, task: 2)
    let found = compare(maker, after: 1)
    #expect(found.found.map { $0.task.text.suffix(1) } == ["1", "2"])
    #expect(found.rows.map { $0.prefix(10) } == [#"remove  - "#, #"add  - - {"#])
    #expect(
      found.patch.hasPrefix(
        #"[{"op":"remove","path":"/7a000000-0000-4000-8000-000000000001"},{"op":"add","path":"#))
  }

  @Test("todos: one that came, and a member of one that stayed at its place")
  func todos() {
    var maker = LogMaker()
    let id = #""todoTaskId":"\#(LogMaker.todo(1))""#
    let root = maker.add("CREATE", #""title":"a","todos":[{\#(id)}]"#)
    let done = maker.add(
      "COMPLETE_TODO", #""completed":"2025-03-05T00:00:00Z","notes":"well",\#(id)"#, [root])
    maker.add("ADD_TODO", #""todoTaskId":"\#(LogMaker.todo(2))""#, [done])
    let found = compare(maker, after: 1)
    #expect(
      found.rows.dropFirst() == [
        #"add /completed 1 - "2025-03-05T00:00:00Z""#, #"replace /notes 1 "" "well""#,
      ])
    #expect(
      found.patch.contains(
        #""op":"add","path":"/7a000000-0000-4000-8000-000000000001/todoTasks/1""#))
    #expect(found.patch.contains("/todoTasks/0/notes"))
  }

  @Test("todos in another order: the fewest are moved")
  func order() throws {
    // An earlier branch makes todo 3 first; it was not there before.
    var maker = LogMaker()
    func todo(_ number: Int) -> String { #""todoTaskId":"\#(LogMaker.todo(number))""# }
    let root = maker.add("CREATE", #""title":"a""#)
    let one = maker.add("ADD_TODO", todo(1), [root], lamport: 5)
    let two = maker.add("ADD_TODO", todo(2), [one], lamport: 6)
    maker.add("ADD_TODO", todo(3), [two], lamport: 7)
    maker.add("ADD_TODO", todo(3), [root], lamport: 2, wall: 9)
    let found = compare(maker, after: 4)
    #expect(found.rows.contains { $0.hasPrefix("replace /todoTasks - [") })
    let moved = found.patch.components(separatedBy: "/todoTasks/")
    #expect(moved.count == 3)
    #expect(moved[1].hasPrefix("2\"") && moved[2].hasPrefix("0\""))
  }

  @Test("the same set has no difference")
  func same() {
    var maker = LogMaker()
    maker.add("CREATE", #""title":"a""#)
    #expect(compare(maker, after: 1).found.isEmpty)
    #expect(compare(maker, after: 1).patch == "[]")
  }

  @Test("what is not touched is not asked for: a branch of another task")
  func touched() {
    var maker = LogMaker()
    let one = maker.add("CREATE", #""title":"a""#)
    maker.add("CREATE", #""title":"b""#, task: 2)
    maker.add("UPDATE", #""title":"c""#, [one])
    let log = maker.log
    let right = [Bool](repeating: true, count: 3)
    let left = (0..<3).map { log.action(at: $0) == .create }
    #expect(
      TouchedTasks.between(log, left, right)?.map { log.taskID($0).text.suffix(1) } == ["1"])
    #expect(TouchedTasks.between(log, left, left) == [])
  }

  @Test("a path through another task that is in one set only touches what is below it")
  func path() {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#)
    let delete = maker.add("DELETE", "", [root])
    let between = maker.add("CREATE", #""title":"b""#, [delete], task: 2)
    maker.add("UPDATE", #""title":"c""#, [root, between])
    let log = maker.log
    let left = (0..<4).map { log.id(at: $0) != between }
    let right = [Bool](repeating: true, count: 4)
    let found = Compared(log, Cut(of: log, members: left), Cut(whole: log))
    #expect(found.before.count == 1 && found.after.count == 1)
    #expect(TouchedTasks.between(log, left, right)?.count == 2)
    #expect(found.found.count == 2)
  }

  @Test("a MERGE that names a base in another task, which is in one set only")
  func base() throws {
    // As in the test of bases of merges: since `early` both sides have written priority only where the
    // node of task 2, which descends from it, does not count.
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#)
    let early = maker.add("UPDATE", #""priority":5"#, [root])
    let other = maker.add("CREATE", #""title":"x""#, [early], task: 2)
    let one = maker.add("UPDATE", #""title":"left""#, [early])
    let two = maker.add("UPDATE", #""priority":1"#, [early])
    maker.add(
      "MERGE", "", [one, two],
      data: #"{"payload":{"base":"\#(other.text)","policy":{"defaultStrategy":"ours"}}}"#)
    let log = maker.log
    let left = (0..<log.count).map { log.id(at: $0) != other }
    let found = Compared(log, Cut(of: log, members: left), Cut(whole: log))
    #expect(found.rows.contains("replace /priority - 5 1"))
  }
}

@Suite("Diff oracle", .enabled(if: Oracle.isPresent, "SKIPPED: no python3 with rfc8785 and nacl"))
struct DiffOracleTests {
  @Test(
    "a patch applied to the state at one point is the state at another: 150 histories, 12 pairs each"
  )
  func patches() throws {
    let seeds = SeededRandom.seeds("diff oracle", fixed: 30_000..<30_001)
    for (seed, count) in zip(seeds, seeds.count == 1 ? [1] : [120, 30]) {
      var random = SeededRandom(seed: seed)
      let made = try Oracle.ask("make_history.py", ["--seed", "\(seed)", "--count", "\(count)"])
      try #require(made.lines.count == count)
      var asked: [UInt8] = []
      var expected: [String] = []
      var differing = 0
      for line in made.lines {
        let given = try ReplayCase(line)
        let log = given.log
        let cuts = given.queries.map { $0.cut(of: log) }
        for pair in 0..<12 {
          let left = cuts[random.below(cuts.count)]
          let right = pair == 0 ? left : cuts[random.below(cuts.count)]
          let compared = Compared(log, left, right)
          let (before, after) = (
            Compared.document(compared.before), Compared.document(compared.after)
          )
          #expect(compared.found.isEmpty == (before == after), "seed \(given.seed)")
          if pair == 0 { #expect(compared.patch == "[]") }
          if before != after { differing += 1 }
          asked += "{\"document\":\(before),\"patch\":\(compared.patch)}\n".utf8
          expected.append(after)
        }
      }
      #expect(differing > count)
      let answer = try Oracle.ask("apply_patch.py", input: asked)
      try #require(answer.status == 0 && answer.lines.count == expected.count)
      for (found, wanted) in zip(answer.lines, expected) {
        #expect(string(found) == wanted, "seed \(seed)")
      }
    }
  }
}
