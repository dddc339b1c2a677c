// Nodes that are packed together and are not a closed history: the order is still that of packs.

import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Sets of nodes that are packed")
struct PackSetTests {
  private func log(_ seed: UInt64) -> [HistoryNode] {
    var random = SeededRandom(seed: seed)
    var maker = LogMaker()
    var made: [ObjectID] = []
    for index in 0..<150 {
      let parents = Set(
        (0..<random.below(3)).compactMap { _ in made.randomElement(using: &random) })
      made.append(
        maker.add(
          "UPDATE", #""title":"\#(index)""#, parents.sorted(), task: random.below(6),
          lamport: UInt64(1 + random.below(20)), wall: random.below(50)))
    }
    return maker.nodes
  }

  @Test(
    "any part of a log has the order that its cut has",
    arguments: SeededRandom.seeds("pack set"))
  func sameOrder(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let nodes = log(seed)
    let history = NodeHistory(nodes)
    var set = PackSet()
    for node in nodes.shuffled(using: &random) {
      let isNew = set.add(node.id, node.place)
      #expect(isNew)
    }
    for node in nodes.prefix(5) {
      let isNew = set.add(node.id, node.place)
      #expect(!isNew)
    }
    #expect(set.count == nodes.count)
    for part in [1, 2, 5] {
      let members = Set(nodes.map(\.id).filter { _ in random.below(part) == 0 })
      let cut = Cut(
        of: history, members: (0..<history.count).map { members.contains(history.id(at: $0)) })
      let expected = PackOrder.positions(of: cut, in: history).map { history.id(at: $0) }
      let found = set.order { members.contains(set.id($0)) }.map { set.id($0) }
      #expect(found == expected, "seed \(seed), one of \(part)")
    }
  }

  @Test("what is kept of a node")
  func parts() {
    for node in log(7) {
      var set = PackSet()
      set.add(node.id, node.place)
      #expect(set.number(of: node.id) == 0)
      #expect(Array(set.parents(0)) == node.parents)
      #expect(set.lamport(0) == node.order.lamport)
      #expect(set.wall(0) == node.order.wall)
    }
  }

  @Test("receipts: parents first, then the claimed time, then the id, whatever their chains")
  func receipts() throws {
    let folder = VectorFolder.own("receipt")
    var decoder = ReceiptDecoder()
    var places: [ObjectID: HistoryPlace] = [:]
    for row in try folder.table() where row[1] == "valid" {
      guard let receipt = decoder.decode(try folder.bytes(row[0]), signature: nil) else { continue }
      places[receipt.id] = HistoryPlace(receipt)
    }
    #expect(places.count > 300)
    var set = PackSet()
    var random = SeededRandom(seed: 3)
    for (id, place) in places.shuffled(using: &random) { set.add(id, place) }
    // Kahn's algorithm with a list that is sorted anew for each receipt.
    var left = Set(places.keys)
    var expected: [ObjectID] = []
    while !left.isEmpty {
      let ready = left.filter { id in
        places[id].map { $0.parents.allSatisfy { !left.contains($0) } } ?? false
      }
      let next = try #require(
        ready.min { one, other in
          let walls = (places[one]?.wall.milliseconds ?? 0, places[other]?.wall.milliseconds ?? 0)
          return walls.0 == walls.1 ? one < other : walls.0 < walls.1
        })
      expected.append(next)
      left.remove(next)
    }
    #expect(set.order { _ in true }.map { set.id($0) } == expected)
    let followers = places.values.filter { place in
      place.parents.contains { places[$0] != nil }
    }
    #expect(!followers.isEmpty)
  }
}
