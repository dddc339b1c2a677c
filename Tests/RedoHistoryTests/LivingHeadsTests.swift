// The living heads of a task: what a DELETE ends, and what continues beside it.

import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Living heads")
struct LivingHeadsTests {
  static func living(_ nodes: [Node], task: Int = 1, broken: Set<ObjectID> = []) -> LivingHeads {
    let all = Dictionary(uniqueKeysWithValues: nodes.map { ($0.id, $0) })
    let model = Model(nodes)
    let taskID = nodes.first { $0.taskID?.text.last == Character("\(task)") }?.taskID
    let tips = (model.heads[taskID] ?? []).sorted()
    return LivingHeads(of: taskID, tips: tips) { id in
      guard let node = all[id] else { preconditionFailure("a parent is missing") }
      return TaskNode(
        order: OrderEntry(node), task: node.taskID, isDelete: node.action == .delete,
        isBroken: broken.contains(id))
    }
  }

  /// By the words of section 3.
  static func byDefinition(
    _ nodes: [Node], _ task: TaskID?, broken: Set<ObjectID>
  ) -> Set<ObjectID> {
    let all = Dictionary(uniqueKeysWithValues: nodes.map { ($0.id, $0) })
    func ancestors(_ id: ObjectID) -> Set<ObjectID> {
      var seen: Set<ObjectID> = []
      var pending = all[id]?.parents ?? []
      while let next = pending.popLast() {
        if seen.insert(next).inserted { pending += all[next]?.parents ?? [] }
      }
      return seen
    }
    let own = nodes.filter { $0.taskID == task }
    var rest = own.filter { node in
      !broken.contains(node.id)
        && !ancestors(node.id).contains { broken.contains($0) && all[$0]?.taskID == task }
    }
    rest = rest.filter { node in
      !ancestors(node.id).contains { all[$0]?.taskID == task && all[$0]?.action == .delete }
    }
    return Set(
      rest.filter { node in
        node.action != .delete && !rest.contains { ancestors($0.id).contains(node.id) }
      }.map(\.id))
  }

  @Test("without a DELETE they are the heads")
  func heads() {
    var maker = NodeMaker()
    let create = maker.node(task: 1)
    let left = maker.node(task: 1, parents: [create.id], lamport: 2)
    let right = maker.node(task: 1, parents: [create.id], lamport: 3)
    #expect(Self.living([create]).heads.map(\.id) == [create.id])
    let found = Self.living([create, right, left])
    #expect(found.heads.map(\.id) == [left.id, right.id])
    #expect(found.chain == [create.id, left.id, right.id])
  }

  @Test("a DELETE ends its branch, and nothing revives it")
  func delete() {
    var maker = NodeMaker()
    let create = maker.node(task: 1)
    let delete = maker.node(task: 1, parents: [create.id], lamport: 2, action: "DELETE")
    #expect(Self.living([create, delete]).heads.isEmpty)
    let late = maker.node(task: 1, parents: [delete.id], lamport: 3)
    #expect(Self.living([create, delete, late]).heads.isEmpty)
  }

  @Test("what was concurrent to a DELETE lives on")
  func concurrent() {
    var maker = NodeMaker()
    let create = maker.node(task: 1)
    let delete = maker.node(task: 1, parents: [create.id], lamport: 2, action: "DELETE")
    let update = maker.node(task: 1, parents: [create.id], lamport: 2)
    #expect(Self.living([create, delete, update]).heads.map(\.id) == [update.id])
  }

  @Test("a node that follows a DELETE and a living node is dead, and what it follows lives again")
  func afterDelete() {
    var maker = NodeMaker()
    let create = maker.node(task: 1)
    let delete = maker.node(task: 1, parents: [create.id], lamport: 2, action: "DELETE")
    let update = maker.node(task: 1, parents: [create.id], lamport: 2)
    let merge = maker.node(
      task: 1, parents: [delete.id, update.id].sorted(), lamport: 3)
    #expect(Self.living([create, delete, update, merge]).heads.map(\.id) == [update.id])
  }

  @Test("a path through another task counts")
  func otherTask() {
    var maker = NodeMaker()
    let create = maker.node(task: 1)
    let delete = maker.node(task: 1, parents: [create.id], lamport: 2, action: "DELETE")
    let other = maker.node(task: 2, parents: [delete.id], lamport: 3)
    let own = maker.node(task: 1, parents: [other.id], lamport: 4)
    #expect(Self.living([create, delete, other, own]).heads.isEmpty)
    // A DELETE of another task ends nothing here.
    let foreign = maker.node(task: 2, parents: [create.id], lamport: 2, action: "DELETE")
    let after = maker.node(task: 1, parents: [foreign.id], lamport: 3)
    #expect(Self.living([create, foreign, after]).heads.map(\.id) == [after.id])
  }

  @Test("a broken branch goes with its descendants, its ancestors stay")
  func broken() {
    var maker = NodeMaker()
    let create = maker.node(task: 1)
    let bad = maker.node(task: 1, parents: [create.id], lamport: 2)
    let after = maker.node(task: 1, parents: [bad.id], lamport: 3)
    let found = Self.living([create, bad, after], broken: [bad.id])
    #expect(found.heads.map(\.id) == [create.id])
  }

  @Test("random histories: as the definition says, always")
  func definition() {
    for seed in SeededRandom.seeds("living heads", fixed: 1..<120) {
      var random = SeededRandom(seed: seed)
      var maker = NodeMaker()
      var nodes: [Node] = []
      for _ in 0..<(1 + random.below(30)) {
        let parents = Set(
          (0..<random.below(4)).compactMap { _ in nodes.randomElement(using: &random)?.id })
        let action = random.below(5) == 0 ? "DELETE" : "UPDATE"
        nodes.append(
          maker.node(
            task: 1 + random.below(3), parents: parents.sorted(),
            lamport: UInt64(1 + random.below(9)), milliseconds: Int64(nodes.count), action: action))
      }
      var broken: Set<ObjectID> = []
      for node in nodes where random.below(12) == 0 { broken.insert(node.id) }
      for task in 1...3 {
        guard let id = nodes.first(where: { $0.taskID?.text.last == Character("\(task)") })
        else { continue }
        let expected = Self.byDefinition(nodes, id.taskID, broken: broken)
        let found = Self.living(nodes, task: task, broken: broken)
        #expect(Set(found.heads.map(\.id)) == expected, "seed \(seed)")
        #expect(found.heads.count == expected.count, "seed \(seed)")
      }
    }
  }
}
