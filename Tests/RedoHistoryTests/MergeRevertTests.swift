// Merges and reverts over random histories: what is planned does what it is for.

import RedoHistory
import RedoObject
import TestSupport
import Testing

/// Random histories of one task: branches, merges of all living heads, every action that changes values.
private struct RandomTask {
  var maker = LogMaker()
  private var ids: [ObjectID] = []

  init(_ random: inout SeededRandom, count: Int) {
    ids.append(maker.add("CREATE", #""title":"A""#))
    ids.append(
      maker.add(
        "CREATE_TODO",
        "\"deadline\":\"2025-03-02T08:00:00.000Z\",\"todoTaskId\":\"\(LogMaker.todo(1))\"", ids))
    for number in 0..<count {
      // Mostly upon one of the last few, sometimes upon two.
      let one = ids[max(1, ids.count - 1 - random.below(4))]
      let other = ids[max(1, ids.count - 1 - random.below(4))]
      let parents = one == other || random.below(4) > 0 ? [one] : [one, other].sorted()
      let (action, fields) = Self.change(&random, number)
      ids.append(maker.add(action, fields, parents, wall: 5 + random.below(40)))
    }
  }

  private static func change(_ random: inout SeededRandom, _ number: Int) -> (String, String) {
    switch random.below(9) {
    case 0: ("ARCHIVE", "")
    case 1: ("UNARCHIVE", "")
    case 2: ("COMPLETE", "\"completedAt\":\"2025-04-\(10 + random.below(9))T00:00:00.000Z\"")
    case 3:
      ("SNOOZE", "\"daysToExtend\":\(1 + random.below(5)),\"todoTaskId\":\"\(LogMaker.todo(1))\"")
    case 4: ("UPDATE", "\"title\":\"t\(number)\",\"x\":\(number)")
    case 5: ("UPDATE", "\"description\":\"d\(number)\"")
    default: ("UPDATE", "\"priority\":\(1 + random.below(5))")
    }
  }

  /// The history and a new node upon its living heads.
  func adding(_ action: String, _ content: String, _ parents: [ObjectID]) -> LogMaker {
    var maker = maker
    maker.add(action, String(content.dropFirst().dropLast()), parents, wall: 500)
    return maker
  }
}

private func replay(
  _ maker: LogMaker, _ body: (inout Replay<NodeHistory>, NodeHistory) -> Void
) {
  let log = maker.log
  let cut = Cut(whole: log)
  var replay = Replay(log, cut, TaskNodes(log, cut))
  body(&replay, log)
}

/// The state of the one task, without when it was changed.
private func text(_ state: TaskState?) -> String {
  var bytes: [UInt8] = []
  state?.appendJSON(to: &bytes)
  return String(decoding: bytes, as: UTF8.self)
    .replacing(/"(lastUpdated":"[^"]*"|defaulted":\[[^\]]*\]),?/, with: "")
}

@Suite("Merges and reverts")
struct MergeRevertTests {
  @Test("an automatic merge changes nothing, and is the same in whatever order nodes came")
  func automatic() {
    var merged = 0
    for seed in SeededRandom.seeds("merge plans", fixed: 1..<150) {
      var random = SeededRandom(seed: seed)
      let task = RandomTask(&random, count: 2 + random.below(14))
      replay(task.maker) { run, log in
        guard let plan = run.mergePlan(of: 0) else { return }
        merged += 1
        let fields = plan.ofTask.compactMap { field in
          field.winner.map {
            "\"\(String(decoding: field.name, as: UTF8.self))\":\(String(decoding: $0, as: UTF8.self))"
          }
        }
        let before = text(run.state(of: 0))
        var maker = task.maker
        let content = "\"fields\":{\(fields.joined(separator: ","))}"
        maker.add(
          "MERGE", "", plan.parents,
          data: "{\"conflictResolution\":{\"preservedFields\":[],\"source\":\"automatic\","
            + "\"strategy\":\"union\"},\(content)}", wall: 500)
        replay(maker) { after, _ in #expect(text(after.state(of: 0)) == before, "seed \(seed)") }
        // As if a person had decided the same: it takes effect, and gives the same state.
        var decided = task.maker
        decided.add("MERGE", "", plan.parents, data: "{\(content)}", wall: 500)
        replay(decided) { after, _ in #expect(text(after.state(of: 0)) == before, "seed \(seed)") }

        let shuffled = NodeHistory(task.maker.nodes.shuffled(using: &random))
        let cut = Cut(whole: shuffled)
        var other = Replay(shuffled, cut, TaskNodes(shuffled, cut))
        let again = other.mergePlan(of: 0)
        #expect(again?.parents == plan.parents && again?.base == plan.base, "seed \(seed)")
        #expect(again?.fields.map(\.name) == plan.fields.map(\.name), "seed \(seed)")
        #expect(again?.fields.map(\.winner) == plan.fields.map(\.winner), "seed \(seed)")
        #expect(again?.fields.map(\.values) == plan.fields.map(\.values), "seed \(seed)")
      }
    }
    #expect(merged > 30)
  }

  @Test("a revert gives every member that the change wrote the value before it")
  func reverts() {
    var reverted = 0
    for seed in SeededRandom.seeds("revert plans", fixed: 1..<120) {
      var bits = SeededRandom(seed: seed)
      let random = RandomTask(&bits, count: 2 + bits.below(12))
      replay(random.maker) { run, log in
        for position in 0..<log.count {
          let plan = ReversalPlan(
            log, without: (0..<log.count).map { $0 == position }, isForced: true)
          guard let task = plan.restored.tasks.first, !task.steps.isEmpty,
            log.action(at: position) != .create
          else { continue }
          var changes: [StateChange] = []
          run.steps(of: 0) { place, before, after in
            if place == position { changes = StateChange.between(before, after) }
          }
          var maker = random.maker
          var parents = task.parents
          for (number, step) in task.steps.enumerated() {
            let content = String(decoding: step.content, as: UTF8.self)
            parents = [
              maker.add(
                step.action.rawValue, String(content.dropFirst().dropLast()), parents,
                wall: 500 + number)
            ]
          }
          replay(maker) { after, _ in
            let state = after.state(of: 0)
            for change in changes {
              let isLost = task.lost.contains { lost in
                lost.change.todo == change.todo
                  && lost.change.path.split(separator: UInt8(ascii: "/")).last.map { Array($0) }
                    == change.name
              }
              if isLost { continue }
              reverted += 1
              #expect(
                value(change, in: state) == change.old, "seed \(seed), change \(position)")
            }
          }
        }
      }
    }
    #expect(reverted > 300)
  }

  /// The present value of the member that a change concerns.
  private func value(_ change: StateChange, in state: TaskState?) -> [UInt8]? {
    // What differs from nothing is what there is.
    guard let state else { return nil }
    if change.todo == nil, change.name.elementsEqual("archived".utf8) {
      return Array((state.isArchived ? "true" : "false").utf8)
    }
    var found: [UInt8]?
    for member in StateChange.between(nil, state)
    where member.todo == change.todo && member.name == change.name {
      found = member.new
    }
    if let found { return found }
    let defaults = ["description": "\"\"", "priority": "3"]
    return defaults[String(decoding: change.name, as: UTF8.self)].map { Array($0.utf8) }
  }

  @Test("what was written again since is named, with the change that wrote it last")
  func later() {
    var maker = LogMaker()
    let first = maker.add("CREATE", #""title":"A""#)
    let second = maker.add("UPDATE", #""title":"B","priority":4"#, [first])
    let third = maker.add("UPDATE", #""title":"C""#, [second])
    let fourth = maker.add("UPDATE", #""title":"D""#, [third])
    replay(maker) { _, log in
      guard let position = log.position(of: second) else { return }
      let isGone = (0..<log.count).map { $0 == position }
      let plan = ReversalPlan(log, without: isGone, isForced: true)
      #expect(plan.kept.map { String(decoding: $0.name, as: UTF8.self) } == ["title"])
      #expect(plan.kept.map { log.id(at: $0.position) } == [fourth])
      let steps = plan.restored.tasks.first?.steps
      #expect(steps?.map(\.action) == [.update])
      #expect(steps?.first?.content == Array(#"{"priority":3,"title":"A"}"#.utf8))
      // Without force, what was written again since is kept.
      let mild = ReversalPlan(log, without: isGone, isForced: false).restored.tasks.first?.steps
      #expect(mild?.first?.content == Array(#"{"priority":3}"#.utf8))
    }
  }
}
