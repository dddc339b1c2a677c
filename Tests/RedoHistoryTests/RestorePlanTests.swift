// What is planned to bring an earlier state back, done upon the history and replayed: every member has its old value, but
// for those that the plan says it cannot bring back, and it says so of no other.

import RedoHistory
import RedoObject
import TestSupport
import Testing

/// Random histories of a few tasks: branches that meet again, every action, deleted branches, duplicates, broken nodes.
private struct RandomHistory {
  var maker = LogMaker()
  private var ids: [[ObjectID]] = [[], [], []]

  init(_ random: inout SeededRandom, count: Int) {
    for number in 0..<count {
      let task = random.below(ids.count)
      guard let first = ids[task].first else {
        ids[task].append(maker.add("CREATE", Self.create(&random), task: task + 1))
        continue
      }
      let recent = ids[task].count
      let one = ids[task][max(0, recent - 1 - random.below(4))]
      let other = ids[task][max(0, recent - 1 - random.below(4))]
      var parents = one == other || random.below(4) > 0 ? [one] : [one, other].sorted()
      var (action, fields) = Self.change(&random, number)
      if random.below(40) == 0 { (action, fields, parents) = ("CREATE", Self.create(&random), []) }
      if random.below(40) == 0 { parents = [first] }
      // Some changes have a clock that is behind.
      let wall = random.below(5) == 0 ? random.below(number + 1) : number
      ids[task].append(
        maker.add(
          action, fields, parents, task: task + 1, wall: wall, isBroken: random.below(60) == 0))
    }
  }

  private static func todo(_ random: inout SeededRandom) -> String {
    "\"todoTaskId\":\"\(LogMaker.todo(random.below(4)))\""
  }

  private static func time(_ random: inout SeededRandom) -> String {
    "\"2025-04-\(10 + random.below(9))T00:00:00.000Z\""
  }

  private static func create(_ random: inout SeededRandom) -> String {
    var fields = "\"title\":\"t\(random.below(9))\""
    if random.below(2) == 0 {
      fields += ",\"todos\":[{\"title\":\"x\"},{\(todo(&random)),\"completed\":\(time(&random))}]"
    }
    if random.below(3) == 0 { fields += ",\"archived\":\(random.below(3)),\"x\":1" }
    return fields
  }

  private static func change(_ random: inout SeededRandom, _ number: Int) -> (String, String) {
    switch random.below(16) {
    case 0: return ("ARCHIVE", "")
    case 1: return ("UNARCHIVE", "")
    case 2: return ("COMPLETE", "\"completedAt\":\(time(&random))")
    case 3, 4:
      let notes = random.below(2) == 0 ? "\"notes\":\"n\"," : ""
      let deadline = random.below(2) == 0 ? "\"deadline\":\(time(&random))," : ""
      return ("CREATE_TODO", deadline + notes + "\"title\":\"y\"," + todo(&random))
    case 5, 6:
      let notes = random.below(3) == 0 ? "\"notes\":\"m\(number)\"," : ""
      return ("COMPLETE_TODO", "\"completed\":\(time(&random)),\(notes)\(todo(&random))")
    case 7:
      let notes = random.below(3) == 0 ? "\"notes\":\"s\"," : ""
      return ("SNOOZE", "\"daysToExtend\":\(1 + random.below(5)),\(notes)\(todo(&random))")
    case 8: return ("SNOOZE", "\"newDeadline\":\(time(&random)),\(todo(&random))")
    case 9: return ("DELETE", "")
    case 10: return ("UPDATE", "\"title\":\"u\(number)\",\"x\":\(number),\"completedAt\":1")
    case 11: return ("UPDATE", "\"description\":\"d\(number)\",\"y/~z\":[\(number)]")
    default: return ("UPDATE", "\"priority\":\(1 + random.below(5)),\"storyPoints\":\(number)")
    }
  }

  /// The history with the steps of a plan, as a store would write them.
  func doing(_ plan: RestorePlan) -> LogMaker {
    var maker = maker
    for (place, task) in plan.tasks.enumerated() {
      var parents = task.parents
      for (number, step) in task.steps.enumerated() {
        let content = String(decoding: step.content, as: UTF8.self)
        let id = maker.add(
          step.action.rawValue, String(content.dropFirst().dropLast()), parents,
          task: Int(task.task.text.suffix(1)) ?? 0, wall: 1000 + 20 * place + number)
        parents = [id]
      }
    }
    return maker
  }
}

/// A member, as a plan and a difference name it.
private struct Place: Hashable {
  let task: TaskID
  let todo: TaskID?
  let path: String

  init(_ task: TaskID, _ change: DocumentChange) {
    self.task = task
    todo = change.todo
    path = String(decoding: change.path, as: UTF8.self)
  }
}

/// The states of a set, by task.
private func states(_ log: some HistoryLog, _ cut: Cut) -> [TaskID: TaskState] {
  let nodes = TaskNodes(log, cut)
  var replay = Replay(log, cut, nodes)
  var states: [TaskID: TaskState] = [:]
  for task in nodes.tasks { states[log.taskID(task)] = replay.state(of: task) }
  return states
}

/// What differs after a plan was carried out is what the plan lists, and nothing else.
///
/// - Returns: how many members it lists.
private func check(
  _ plan: RestorePlan, _ final: [TaskID: TaskState], _ wanted: [TaskID: TaskState], _ name: Comment
) -> Int {
  var listed: Set<Place> = []
  for task in plan.tasks {
    for lost in task.lost {
      // Of a todo in the place of another, what it should be like is that other one.
      let isOfReplacement =
        lost.change.todo.map { todo in
          task.lost.contains { $0.instead == todo }
            && wanted[task.task]?.todos.place(of: todo) == nil
        } ?? false
      if !isOfReplacement { listed.insert(Place(task.task, lost.change)) }
    }
  }
  var found: Set<Place> = []
  let replacements = Set(plan.tasks.flatMap { $0.lost.compactMap(\.instead) })
  for task in Set(final.keys).union(wanted.keys) where !plan.kept.contains(task) {
    for change in TaskDifference(task, final[task], wanted[task])?.changes ?? [] {
      let place = Place(task, change)
      if place.todo == nil, place.path == "/lastUpdated" { continue }
      if let todo = place.todo, place.path.isEmpty, replacements.contains(todo) { continue }
      found.insert(place)
    }
  }
  #expect(found == listed, name)
  return listed.count
}

/// Which nodes of some count for the states of their tasks: the living heads and what they follow.
private struct Living {
  private let nodes: [ObjectID: HistoryNode]
  /// The nodes.
  private(set) var ids: Set<ObjectID> = []

  init(_ all: [HistoryNode], _ log: NodeHistory, _ members: Set<ObjectID>) {
    nodes = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
    let cut = Cut(of: log, members: (0..<log.count).map { members.contains(log.id(at: $0)) })
    let own = TaskNodes(log, cut)
    var replay = Replay(log, cut, own)
    for task in own.tasks {
      for head in replay.livingHeads(of: task) { ids.formUnion(above(log.id(at: Int(head)))) }
    }
  }

  /// A node and what it follows.
  func above(_ id: ObjectID) -> Set<ObjectID> {
    var found: Set<ObjectID> = []
    var pending = [id]
    while let next = pending.popLast() {
      if found.insert(next).inserted { pending += nodes[next]?.order.parents ?? [] }
    }
    return found
  }

  /// Whether a node is one of them all.
  func isOld(_ id: ObjectID) -> Bool { nodes[id] != nil }

  func task(of id: ObjectID) -> TaskID {
    guard let task = nodes[id]?.taskID else { preconditionFailure("a node without a task") }
    return task
  }
}

@Suite("Restore plans")
struct RestorePlanTests {
  @Test("an earlier point: what differs after the plan was carried out is what it lists")
  func points() {
    var counts = (steps: 0, lost: 0, revived: 0)
    for seed in SeededRandom.seeds("restore plans", fixed: 1..<1000) {
      var random = SeededRandom(seed: seed)
      let history = RandomHistory(&random, count: 4 + random.below(40))
      let log = history.maker.log
      let wall = WallTime(
        milliseconds: 1_740_816_000_000 + Int64(random.below(log.count)) * 60_000)
      let members = PointInTime.instant(wall, .closed).members(of: log)
      let isExact = random.below(2) == 0
      let plan = RestorePlan(log, to: members, isExact: isExact)
      let target = states(log, Cut(of: log, members: members))
      let after = history.doing(plan).log
      let final = states(after, Cut(whole: after))
      counts.lost += check(plan, final, target, "seed \(seed)")
      counts.steps += plan.tasks.reduce(0) { $0 + $1.steps.count }
      counts.revived += plan.tasks.count { !$0.revived.isEmpty }
      let present = states(log, Cut(whole: log))
      for task in plan.kept {
        #expect(target[task] == nil && present[task] != nil && !isExact, "seed \(seed)")
        #expect(json(final[task]) == json(present[task]), "seed \(seed)")
      }
    }
    #expect(counts.steps > 300 && counts.lost > 300 && counts.revived > 50, "\(counts)")
  }

  @Test("some changes taken back: the state is the one without them, but for what is listed")
  func reversals() {
    var counts = (steps: 0, lost: 0, deleted: 0, shared: 0)
    for seed in SeededRandom.seeds("reversal plans", fixed: 1..<1000) {
      var random = SeededRandom(seed: seed)
      let history = RandomHistory(&random, count: 4 + random.below(30))
      let log = history.maker.log
      let share = 2 + random.below(8)
      let isGone = (0..<log.count).map { _ in random.below(share) == 0 }
      let plan = ReversalPlan(log, without: isGone, isForced: false)
      let without = LogWithout(log, isGone: isGone)
      var target = states(without, without.cut)
      let present = states(log, Cut(whole: log))
      // A task that others have written to keeps the CREATE that made it.
      var stays = isGone
      let shared = Set(plan.kept.filter(\.name.isEmpty).map(\.task))
      for task in shared {
        let create = (0..<log.count).first { position in
          log.task(at: position) >= 0 && log.taskID(log.task(at: position)) == task
            && log.action(at: position) == .create && !log.isBroken(at: position)
        }
        if let create { stays[create] = false }
      }
      let held = LogWithout(log, isGone: stays)
      let holding = states(held, held.cut)
      for task in shared { target[task] = holding[task] ?? present[task] }
      counts.shared += shared.count { holding[$0] != nil && json(holding[$0]) != json(present[$0]) }
      let tasks = Set(isGone.indices.filter { isGone[$0] }.map { log.taskID(log.task(at: $0)) })
      let after = history.doing(plan.restored).log
      let final = states(after, Cut(whole: after))
      counts.lost += check(
        plan.restored, final.filter { tasks.contains($0.key) },
        target.filter { tasks.contains($0.key) }, "seed \(seed)")
      for task in Set(present.keys).union(final.keys) where !tasks.contains(task) {
        #expect(json(final[task]) == json(present[task]), "seed \(seed)")
      }
      counts.steps += plan.restored.tasks.reduce(0) { $0 + $1.steps.count }
      counts.deleted += plan.restored.tasks.count { $0.steps.first?.action == .delete }
    }
    #expect(counts.steps > 300 && counts.lost > 100 && counts.deleted > 10, "\(counts)")
    #expect(counts.shared > 10, "\(counts)")
  }

  @Test("taking back what took something back does it again")
  func twice() {
    var done = 0
    for seed in SeededRandom.seeds("reversal of reversals", fixed: 1..<400) {
      var random = SeededRandom(seed: seed)
      var history = RandomHistory(&random, count: 4 + random.below(20))
      let present = states(history.maker.log, Cut(whole: history.maker.log))
      let before = history.maker.nodes.count
      let log = history.maker.log
      let gone = random.below(log.count)
      let first = ReversalPlan(
        log, without: (0..<log.count).map { $0 == gone }, isForced: false)
      history.maker = history.doing(first.restored)
      guard history.maker.nodes.count > before else { continue }
      done += 1
      let second = history.maker.log
      let own = Set(history.maker.nodes[before...].map(\.id))
      let again = ReversalPlan(
        second, without: (0..<second.count).map { own.contains(second.id(at: $0)) }, isForced: false
      )
      let final = states(
        history.doing(again.restored).log, Cut(whole: history.doing(again.restored).log))
      _ = check(again.restored, final, present, "seed \(seed)")
    }
    #expect(done > 80)
  }

  @Test("what was deleted at the point stays deleted")
  func deletedBefore() {
    var buried = 0
    for seed in SeededRandom.seeds("deleted branches", fixed: 1..<1000) {
      var random = SeededRandom(seed: seed)
      let history = RandomHistory(&random, count: 4 + random.below(40))
      let log = history.maker.log
      let wall = WallTime(
        milliseconds: 1_740_816_000_000 + Int64(random.below(log.count)) * 60_000)
      let members = PointInTime.instant(wall, .closed).members(of: log)
      let plan = RestorePlan(log, to: members, isExact: false)
      let there = Set((0..<log.count).filter { members[$0] }.map { log.id(at: $0) })
      let then = Living(history.maker.nodes, log, there)
      let now = Living(history.maker.nodes, log, Set(history.maker.nodes.map(\.id)))
      let after = history.doing(plan)
      let end = Living(after.nodes, after.log, Set(after.nodes.map(\.id)))
      // What was written since brings back what it follows.
      var since: Set<ObjectID> = []
      for id in end.ids.subtracting(now.ids) where !there.contains(id) && now.isOld(id) {
        since.formUnion(now.above(id))
      }
      let dead = there.subtracting(then.ids).subtracting(now.ids).subtracting(since)
      #expect(end.ids.isDisjoint(with: dead), "seed \(seed)")
      let tasks = Set(plan.tasks.filter { !$0.revived.isEmpty }.map(\.task))
      let back = then.ids.filter { tasks.contains(now.task(of: $0)) }
      #expect(back.isSubset(of: end.ids), "seed \(seed)")
      if dead.contains(where: { tasks.contains(now.task(of: $0)) }) { buried += 1 }
    }
    #expect(buried > 10)
  }

  @Test("a branch that was deleted before the point does not come back with another one")
  func oneBranch() throws {
    var maker = LogMaker()
    let first = maker.add("CREATE", #""title":"A""#)
    let one = maker.add("UPDATE", #""title":"B","x":1"#, [first])
    let other = maker.add("UPDATE", #""priority":5"#, [first])
    maker.add("DELETE", "", [one])
    let point = maker.nodes.count
    let last = maker.add("UPDATE", #""description":"later""#, [other])
    maker.add("DELETE", "", [last])
    let log = maker.log
    let members = (0..<log.count).map { $0 < point }
    let task = try #require(RestorePlan(log, to: members, isExact: false).tasks.first)
    #expect(task.parents == [last])
    #expect(
      task.steps.map { String(decoding: $0.content, as: UTF8.self) } == [#"{"description":""}"#])
    #expect(!task.lost.contains { $0.isValue })
  }

  @Test("a head that was deleted at the point, and again since with another, stays out")
  func sharedDelete() throws {
    var maker = LogMaker()
    let first = maker.add("CREATE", #""title":"A""#)
    let one = maker.add("UPDATE", #""title":"B","x":1"#, [first])
    let other = maker.add("UPDATE", #""priority":5"#, [first])
    maker.add("DELETE", "", [one])
    let point = maker.nodes.count
    // Written where the first DELETE had not come.
    maker.add("DELETE", "", [one, other].sorted())
    let log = maker.log
    let members = (0..<log.count).map { $0 < point }
    let task = try #require(RestorePlan(log, to: members, isExact: false).tasks.first)
    #expect(task.parents == [other])
    #expect(!task.lost.contains { $0.isValue })
  }

  @Test("more heads than a node has parents: several DELETEs, and several changes beside them")
  func manyHeads() throws {
    for count in [64, 65, 127, 128, 129, 200] {
      var maker = LogMaker()
      let first = maker.add("CREATE", #""title":"A""#)
      let heads = (0..<count).map { maker.add("UPDATE", "\"x\":\($0)", [first]) }
      var log = maker.log
      let nothing = [Bool](repeating: false, count: log.count)
      let end = try #require(RestorePlan(log, to: nothing, isExact: true).tasks.first)
      #expect(end.steps.map(\.action) == [Action](repeating: .delete, count: (count + 63) / 64))
      #expect(end.parents.count == 64)
      let point = maker.nodes.count
      for start in stride(from: 0, to: count, by: 64) {
        maker.add("DELETE", "", heads[start..<min(start + 64, count)].sorted())
      }
      log = maker.log
      let members = (0..<log.count).map { log.wall(at: $0).milliseconds < Self.wall(point) }
      let task = try #require(RestorePlan(log, to: members, isExact: false).tasks.first)
      #expect(task.revived.joined().sorted() == heads.sorted())
      #expect(task.revived.allSatisfy { $0.count <= 64 } && task.steps.count >= task.revived.count)
      #expect(task.revived.dropFirst().allSatisfy { $0.count < 64 })
    }
  }

  private static func wall(_ number: Int) -> Int64 { 1_740_816_000_000 + Int64(number) * 60_000 }

  @Test("a task in which others have written keeps its CREATE; the rest is taken back")
  func sharedTask() throws {
    var maker = LogMaker()
    let first = maker.add("CREATE", #""title":"A""#)
    let bad = maker.add("UPDATE", #""priority":5,"title":"bad""#, [first])
    let other = maker.add("UPDATE", #""description":"mine""#, [bad])
    let last = maker.add("UPDATE", #""title":"worse""#, [other])
    let gone = Set([first, bad, last])
    let log = maker.log
    let plan = ReversalPlan(
      log, without: (0..<log.count).map { gone.contains(log.id(at: $0)) }, isForced: false)
    #expect(plan.kept.map(\.name) == [[]])
    let task = try #require(plan.restored.tasks.first)
    #expect(
      task.steps.map { String(decoding: $0.content, as: UTF8.self) }
        == [#"{"priority":3,"title":"A"}"#])
    let forced = ReversalPlan(
      log, without: (0..<log.count).map { gone.contains(log.id(at: $0)) }, isForced: true)
    #expect(forced.restored.tasks.first?.steps.map(\.action) == [.delete])
  }

  @Test("a task that was deleted with the rest comes back for what others have written in it")
  func sharedDeleted() throws {
    var maker = LogMaker()
    let first = maker.add("CREATE", #""title":"A""#)
    let other = maker.add("UPDATE", #""description":"mine""#, [first])
    let end = maker.add("DELETE", "", [other])
    let gone = Set([first, end])
    let log = maker.log
    let plan = ReversalPlan(
      log, without: (0..<log.count).map { gone.contains(log.id(at: $0)) }, isForced: false)
    #expect(plan.kept.map { log.id(at: $0.position) } == [other])
    let task = try #require(plan.restored.tasks.first)
    #expect(task.parents == [other])
    #expect(task.after?.text(.title) == #""A""#)
  }

  @Test("the living heads are the same by the graph and by the replay")
  func livingHeads() {
    var deleted = 0
    for seed in SeededRandom.seeds("living heads", fixed: 1..<800) {
      var random = SeededRandom(seed: seed)
      let history = RandomHistory(&random, count: 4 + random.below(30))
      let log = history.maker.log
      let cut = Cut(whole: log)
      var replay = Replay(log, cut, TaskNodes(log, cut))
      let nodes = Dictionary(history.maker.nodes.map { ($0.id, $0) }) { first, _ in first }
      for task in 0..<log.taskCount {
        let id = log.taskID(task)
        let found = LivingHeads(of: id, tips: nodes.values.filter { $0.taskID == id }.map(\.id)) {
          name in
          guard let position = log.position(of: name), let node = nodes[name] else {
            preconditionFailure("an unknown node")
          }
          return TaskNode(
            order: node.order, task: node.taskID, isDelete: log.action(at: position) == .delete,
            isBroken: log.isBroken(at: position))
        }
        let expected = replay.livingHeads(of: task).map { log.id(at: Int($0)) }
        #expect(found.heads.map(\.id) == expected, "seed \(seed)")
        if expected.isEmpty { deleted += 1 }
      }
    }
    #expect(deleted > 30)
  }

  private func json(_ state: TaskState?) -> String? { state?.json }

  @Test("a change that nobody else's DELETE depended on leaves the task deleted")
  func deletedByOthers() {
    var maker = LogMaker()
    let first = maker.add("CREATE", #""title":"A""#)
    let second = maker.add("UPDATE", #""title":"B""#, [first])
    maker.add("DELETE", "", [second])
    let log = maker.log
    let plan = ReversalPlan(
      log, without: (0..<log.count).map { log.id(at: $0) == second }, isForced: false)
    #expect(plan.restored.isEmpty)
    #expect(plan.deleted != nil)
  }

  @Test("a DELETE is taken back by a change that follows what it followed")
  func revived() throws {
    var maker = LogMaker()
    let first = maker.add("CREATE", #""title":"A""#)
    let one = maker.add("UPDATE", #""title":"B""#, [first])
    let other = maker.add("UPDATE", #""priority":5"#, [first])
    let end = maker.add("DELETE", "", [one, other].sorted())
    let log = maker.log
    let plan = ReversalPlan(
      log, without: (0..<log.count).map { log.id(at: $0) == end }, isForced: false)
    let task = try #require(plan.restored.tasks.first)
    #expect(task.revived.map { $0.sorted() } == [[one, other].sorted()])
    #expect(task.parents == [one, other].sorted())
    #expect(task.steps.map(\.action) == [.update])
    #expect(task.lost.isEmpty)
  }

  @Test("a completed todo comes back once, as the same one wherever that is done")
  func replacement() throws {
    var maker = LogMaker()
    let first = maker.add("CREATE", #""title":"A""#)
    let todo = LogMaker.todo(1)
    let made = maker.add(
      "CREATE_TODO", "\"notes\":\"n\",\"title\":\"y\",\"todoTaskId\":\"\(todo)\"", [first])
    let time = "\"completed\":\"2025-04-10T00:00:00.000Z\""
    maker.add("COMPLETE_TODO", "\(time),\"todoTaskId\":\"\(todo)\"", [made])
    let log = maker.log
    let members = PointInTime.node(log.position(of: made) ?? 0).members(of: log)
    let plan = RestorePlan(log, to: members, isExact: false)
    let task = try #require(plan.tasks.first)
    let instead = "509f86f0-2be6-c91f-fb5d-444c137dc65e"
    #expect(task.lost.map(\.instead?.text) == [instead])
    #expect(
      String(decoding: task.steps[0].content, as: UTF8.self)
        == "{\"notes\":\"n\",\"title\":\"y\",\"todoTaskId\":\"\(instead)\"}")
  }
}
