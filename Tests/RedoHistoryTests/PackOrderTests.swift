// The order of nodes in a pack: parents first, tasks together, and nothing but the set decides.

import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("The order of packs")
struct PackOrderTests {
  private func ids(_ nodes: [HistoryNode]) -> [ObjectID] {
    let log = NodeHistory(nodes)
    return PackOrder.positions(of: Cut(whole: log), in: log).map { log.id(at: $0) }
  }

  @Test("nodes of a task stand together, tasks in the order of their first nodes")
  func tasks() {
    var maker = LogMaker()
    let first = maker.add("CREATE", #""title":"a""#, task: 1)
    let second = maker.add("CREATE", #""title":"b""#, task: 2)
    let third = maker.add("UPDATE", #""title":"c""#, [first], task: 1)
    let fourth = maker.add("UPDATE", #""title":"d""#, [second], task: 2)
    let loose = maker.add("NOTE", #""text":"e""#, task: 0)
    let fifth = maker.add("UPDATE", #""title":"f""#, [third], task: 1)
    #expect(ids(maker.nodes) == [first, third, fifth, second, fourth, loose])
  }

  @Test("a parent in another task comes first all the same")
  func crossed() {
    var maker = LogMaker()
    let first = maker.add("CREATE", #""title":"a""#, task: 1)
    let second = maker.add("CREATE", #""title":"b""#, task: 2)
    let third = maker.add("UPDATE", #""title":"c""#, [first, second], task: 1)
    let fourth = maker.add("UPDATE", #""title":"d""#, [third], task: 2)
    let fifth = maker.add("UPDATE", #""title":"e""#, [third], task: 1)
    #expect(ids(maker.nodes) == [first, second, third, fifth, fourth])
  }

  @Test(
    "the same set gives the same order, however it came",
    arguments: SeededRandom.seeds("pack order"))
  func sameSet(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var maker = LogMaker()
    var made: [ObjectID] = []
    for index in 0..<200 {
      let parents = Set(
        (0..<random.below(3)).compactMap { _ in made.randomElement(using: &random) })
      made.append(
        maker.add(
          "UPDATE", #""title":"\#(index)""#, parents.sorted(), task: random.below(6),
          lamport: UInt64(1 + random.below(20)), wall: random.below(50)))
    }
    let order = ids(maker.nodes)
    #expect(Set(order) == Set(made))
    for _ in 0..<3 { #expect(ids(maker.nodes.shuffled(using: &random)) == order, "seed \(seed)") }
    var seen: Set<ObjectID> = []
    let parents = Dictionary(uniqueKeysWithValues: maker.nodes.map { ($0.id, $0.parents) })
    for id in order {
      #expect(seen.isSuperset(of: parents[id] ?? []), "seed \(seed)")
      seen.insert(id)
    }
  }
}
