// The heads of tasks in a log, against the definition; what a node changed, against the states.

import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Heads of a log")
struct TaskHeadsTests {
  private static func heads(
    of log: NodeHistory, _ members: [Bool]?
  ) -> [TaskID?: Set<ObjectID>] {
    var heads: [TaskID?: Set<ObjectID>] = [:]
    for (position, isHead) in TaskHeads.marks(of: log, members: members).enumerated() where isHead {
      let task = log.task(at: position)
      heads[task < 0 ? nil : log.taskID(task), default: []].insert(log.id(at: position))
    }
    return heads
  }

  @Test("of the whole, and of what each node stands on")
  func definition() {
    for seed in SeededRandom.seeds("heads of a log", fixed: 1..<80) {
      var random = SeededRandom(seed: seed)
      let nodes = HeadsTests.history(
        &random, count: 2 + random.below(40), tasks: 1 + random.below(4))
      let log = NodeHistory(nodes.map { HistoryNode($0) })
      #expect(Self.heads(of: log, nil) == Model(nodes).heads, "seed \(seed)")
      let members = PointInTime.node(random.below(log.count)).members(of: log)
      let part = nodes.filter { node in log.position(of: node.id).map { members[$0] } ?? false }
      #expect(Self.heads(of: log, members) == Model(part).heads, "seed \(seed), a part")
    }
  }
}

@Suite("What a node changed")
struct StateChangeTests {
  private static func steps(_ maker: LogMaker) -> [[String]] {
    let log = maker.log
    let cut = Cut(whole: log)
    let nodes = TaskNodes(log, cut)
    var replay = Replay(log, cut, nodes)
    var steps: [[String]] = []
    for task in nodes.tasks {
      replay.steps(of: task) { _, before, after in
        steps.append(
          StateChange.between(before, after).map { change in
            func text(_ value: [UInt8]?) -> String {
              value.map { String(decoding: $0, as: UTF8.self) } ?? "-"
            }
            let todo = change.todo.map { "\($0.text.suffix(1))." } ?? ""
            return "\(todo)\(text(change.name)) \(text(change.old)) \(text(change.new))"
          })
      }
    }
    return steps
  }

  @Test("members of the task: before and after, and no defaults of a CREATE")
  func task() {
    var maker = LogMaker()
    let first = maker.add("CREATE", #""title":"A","priority":3"#)
    let second = maker.add("UPDATE", #""priority":4,"storyPoints":2,"x":[1]"#, [first])
    let third = maker.add("ARCHIVE", "", [second])
    let fourth = maker.add("UPDATE", #""priority":4,"x":null"#, [third])
    maker.add("COMPLETE", #""completedAt":"2025-03-01T09:00:00.000Z""#, [fourth])
    #expect(
      Self.steps(maker) == [
        ["priority - 3", #"title - "A""#],
        ["priority 3 4", "storyPoints 1 2", "x - [1]"],
        ["archived false true"],
        ["x [1] null"],
        [#"completedAt - "2025-03-01T09:00:00.000Z""#],
      ])
  }

  @Test("members of todos, and one of which nothing is said")
  func todos() {
    var maker = LogMaker()
    let first = maker.add("CREATE", #""title":"A""#)
    let second = maker.add("CREATE_TODO", "\"todoTaskId\":\"\(LogMaker.todo(1))\"", [first])
    let third = maker.add(
      "CREATE_TODO",
      "\"deadline\":\"2025-03-02T08:00:00.000Z\",\"todoTaskId\":\"\(LogMaker.todo(2))\"", [second])
    let fourth = maker.add(
      "SNOOZE", "\"daysToExtend\":1,\"notes\":\"n\",\"todoTaskId\":\"\(LogMaker.todo(2))\"", [third]
    )
    maker.add(
      "COMPLETE_TODO",
      "\"completed\":\"2025-03-02T08:00:00.000Z\",\"todoTaskId\":\"\(LogMaker.todo(1))\"", [fourth])
    #expect(
      Self.steps(maker) == [
        [#"title - "A""#], ["1. - -"], [#"2.deadline - "2025-03-02T08:00:00.000Z""#],
        [
          #"2.deadline "2025-03-02T08:00:00.000Z" "2025-03-03T08:00:00.000Z""#, #"2.notes - "n""#,
        ],
        [#"1.completed - "2025-03-02T08:00:00.000Z""#],
      ])
  }

  @Test("what came before a DELETE is seen as it was, and a broken node is not seen")
  func tombstones() {
    var maker = LogMaker()
    let first = maker.add("CREATE", #""title":"A""#)
    let second = maker.add("UPDATE", #""title":"B""#, [first])
    maker.add("DELETE", "", [second])
    maker.add("UPDATE", #""title":"C""#, [first], isBroken: true)
    #expect(Self.steps(maker) == [[#"title - "A""#], [#"title "A" "B""#], []])
    #expect(maker.states.isEmpty)
  }
}
