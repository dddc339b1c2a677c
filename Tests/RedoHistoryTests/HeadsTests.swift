// Heads: what is computed step by step is what the definition says, however a history is split.

import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Heads")
struct HeadsTests {
  /// A random history: some nodes hang on any earlier node, most on a recent one of their task.
  static func history(_ random: inout SeededRandom, count: Int, tasks: Int) -> [Node] {
    var maker = NodeMaker()
    var nodes: [Node] = []
    for index in 0..<count {
      let task = random.below(tasks)
      let own = nodes.filter { $0.taskID == maker.sample(task).taskID }
      var parents: Set<ObjectID> = []
      for _ in 0..<random.below(4) {
        if random.once(in: 3), !nodes.isEmpty {
          parents.insert(nodes[random.below(nodes.count)].id)
        } else if !own.isEmpty {
          parents.insert(own[max(0, own.count - 1 - random.below(3))].id)
        }
      }
      nodes.append(
        maker.node(task: task, parents: parents.sorted(), lamport: UInt64(index + 1)))
    }
    return nodes
  }

  /// Takes nodes into a history, in an order of its own.
  static func admit(
    _ batch: [Node], _ model: inout Model, _ heads: inout [TaskID?: Set<ObjectID>],
    loose: [ObjectID: Node] = [:]
  ) {
    var admission = Admission(profile: .v1)
    for (number, node) in batch.enumerated() { admission.add(node, record: number) }
    let present = heads
    let known = model
    let lookUp = { (id: ObjectID) -> KnownNode? in
      known.lookUp(id) ?? loose[id].map { KnownNode($0, isInHistory: false) }
    }
    let problems = admission.resolve(lookUp)
    #expect(!problems.contains { $0.finding.rule == .parentMissing })
    let changes = admission.headsChanges(
      heads: { (present[$0] ?? []).sorted() }, lookUp: lookUp)
    heads = apply(changes, to: heads)
    for node in batch + admission.ids.compactMap({ loose[$0] }) { model.add(node) }
  }

  @Test("all at once, in any order: the heads of the definition")
  func allAtOnce() {
    for seed in SeededRandom.seeds("heads at once", fixed: 1..<60) {
      var random = SeededRandom(seed: seed)
      let nodes = Self.history(&random, count: 2 + random.below(40), tasks: 1 + random.below(4))
      var model = Model()
      var heads: [TaskID?: Set<ObjectID>] = [:]
      Self.admit(nodes.shuffled(using: &random), &model, &heads)
      #expect(heads == Model(nodes).heads, "seed \(seed)")
    }
  }

  @Test("split into transactions: after each the heads of what is there")
  func transactions() {
    for seed in SeededRandom.seeds("heads in transactions", fixed: 1..<80) {
      var random = SeededRandom(seed: seed)
      let nodes = Self.history(&random, count: 2 + random.below(40), tasks: 1 + random.below(4))
      var model = Model()
      var heads: [TaskID?: Set<ObjectID>] = [:]
      var start = 0
      while start < nodes.count {
        let end = min(nodes.count, start + 1 + random.below(6))
        Self.admit(nodes[start..<end].shuffled(using: &random), &model, &heads)
        start = end
        #expect(heads == Model(nodes[..<end]).heads, "seed \(seed), \(end) of \(nodes.count) nodes")
      }
    }
  }

  @Test("nodes that come again change nothing, whether they are heads or have been built upon")
  func again() {
    for seed in SeededRandom.seeds("heads again", fixed: 1..<80) {
      var random = SeededRandom(seed: seed)
      let nodes = Self.history(&random, count: 2 + random.below(30), tasks: 1 + random.below(3))
      var model = Model()
      var heads: [TaskID?: Set<ObjectID>] = [:]
      var start = 0
      while start < nodes.count {
        let end = min(nodes.count, start + 1 + random.below(6))
        let old = nodes[..<start].shuffled(using: &random).prefix(random.below(4))
        Self.admit((nodes[start..<end] + old).shuffled(using: &random), &model, &heads)
        start = end
        #expect(heads == Model(nodes[..<end]).heads, "seed \(seed), \(end) of \(nodes.count) nodes")
      }
      let settled = heads
      Self.admit(nodes.shuffled(using: &random), &model, &heads)
      #expect(heads == settled, "seed \(seed)")
    }
  }

  @Test("objects that lie in the store outside of the history join it with their descendants")
  func looseObjects() {
    for seed in SeededRandom.seeds("heads with loose objects", fixed: 1..<60) {
      var random = SeededRandom(seed: seed)
      let nodes = Self.history(&random, count: 4 + random.below(30), tasks: 1 + random.below(3))
      let half = nodes.count / 2
      var model = Model()
      var heads: [TaskID?: Set<ObjectID>] = [:]
      Self.admit(Array(nodes[..<half]), &model, &heads)
      // Of the rest some were written without moving a ref; only the others arrive.
      let rest = nodes[half...].map { ($0, random.once(in: 2)) }
      let loose = Dictionary(uniqueKeysWithValues: rest.filter(\.1).map { ($0.0.id, $0.0) })
      Self.admit(rest.filter { !$0.1 }.map(\.0), &model, &heads, loose: loose)
      // Loose nodes without an arriving descendant stay outside.
      let history = nodes.filter { model.nodes[$0.id] != nil }
      #expect(heads == Model(history).heads, "seed \(seed)")
    }
  }

  @Test("an ancestor by way of another task is no head")
  func anotherTask() {
    var maker = NodeMaker()
    let first = maker.node(task: 1)
    let other = maker.node(task: 2, parents: [first.id], lamport: 2)
    let last = maker.node(task: 1, parents: [other.id], lamport: 3)
    var model = Model()
    var heads: [TaskID?: Set<ObjectID>] = [:]
    for node in [first, other, last] { Self.admit([node], &model, &heads) }
    #expect(heads == [first.taskID: [last.id], other.taskID: [other.id]])
  }
}

extension NodeMaker {
  /// A node of a task, made by a copy so that nothing is counted.
  fileprivate func sample(_ task: Int) -> Node {
    var copy = self
    return copy.node(task: task)
  }
}
