// The graph: the same nodes in the same order as from the nodes themselves, whatever part they are in.

import RedoCrypto
import RedoObject
import TestSupport
import Testing

@testable import RedoHistory

@Suite("Graph")
struct GraphTests {
  private static let mark = [UInt8](repeating: 9, count: 32)

  /// A random history; parents come before children.
  private static func history(_ random: inout SeededRandom, count: Int, isSorted: Bool) -> [Node] {
    var maker = NodeMaker()
    var nodes: [Node] = []
    while nodes.count < count {
      let parents = (0..<random.below(4)).compactMap { _ in nodes.randomElement(using: &random) }
      let greatest = parents.map(\.lamport.value).max() ?? 0
      let lamport = isSorted ? greatest + 1 + UInt64(random.below(3)) : UInt64(1 + random.below(9))
      let node = maker.node(
        task: random.below(4), parents: Set(parents.map(\.id)).sorted(), lamport: lamport,
        milliseconds: Int64(random.below(3) - 1),
        action: random.below(6) == 0 ? "DELETE" : "UPDATE")
      // Two DELETEs may say the same, and are one node then.
      if !nodes.contains(where: { $0.id == node.id }) { nodes.append(node) }
    }
    return nodes
  }

  private static func segment(_ nodes: some Sequence<Node>, on base: GraphSegment? = nil) throws
    -> GraphSegment
  {
    var builder = GraphBuilder()
    for (number, node) in nodes.enumerated() {
      let node = HistoryNode(node)
      builder.add(node, fingerprint: node.fingerprint, received: Int64(number + 7))
    }
    let bytes = try builder.finish(
      on: base, receivedBytes: 100, receivedEnd: [UInt8](repeating: 1, count: 32),
      signatureMark: Self.mark)
    return try #require(GraphSegment(GraphMemory(bytes)))
  }

  private static func compare(_ graph: Graph, _ nodes: [Node], _ seed: UInt64) {
    let order = TotalOrder.positions(of: nodes.map(OrderEntry.init)).map { nodes[$0] }
    #expect(graph.count == nodes.count)
    #expect(graph.check(.all, of: 0..<graph.count))
    for (position, node) in order.enumerated() {
      #expect(graph.id(at: position) == node.id, "seed \(seed)")
      #expect(graph.position(of: node.id) == position)
      #expect(graph.lamport(at: position) == node.lamport)
      #expect(graph.wall(at: position) == node.wall)
      #expect(graph.action(at: position) == node.action)
      let task = graph.task(at: position)
      #expect((task < 0 ? nil : graph.taskID(task)) == node.taskID)
      #expect(graph.author(at: position) == node.userID)
      var data: [UInt8] = []
      graph.appendData(at: position, to: &data)
      #expect(data == Array(node.data))
      var wall: [UInt8] = []
      graph.appendWallText(at: position, to: &wall)
      #expect(wall == Array(node.escapedText(.wall) ?? []))
      #expect(graph.marks(at: position) == .hasFraction)
      #expect(graph.fingerprint(at: position) == NodeFingerprint(id: node.id, signature: nil))
      var parents: [ObjectID] = []
      graph.forEachParent(at: position) { parents.append(graph.id(at: $0)) }
      #expect(parents == node.parents, "seed \(seed)")
    }
  }

  /// Nodes by wall time as the definition says: of those whose children have all been shown, the latest.
  private static func byWall(_ nodes: [Node]) -> [ObjectID] {
    var left = nodes
    var shown: [ObjectID] = []
    while !left.isEmpty {
      let parents = Set(left.flatMap(\.parents))
      let latest = left.filter { !parents.contains($0.id) }.max { one, other in
        if one.wall != other.wall { return one.wall < other.wall }
        if one.lamport != other.lamport { return one.lamport < other.lamport }
        return one.id < other.id
      }
      guard let latest else { break }
      shown.append(latest.id)
      left.removeAll { $0.id == latest.id }
    }
    return shown
  }

  private static func walk(_ graph: Graph) -> [ObjectID] {
    var walk = WholeWallWalk(graph)
    var ids: [ObjectID] = []
    while let position = walk.next() { ids.append(graph.id(at: position)) }
    let isDamaged = walk.isDamaged
    #expect(!isDamaged)
    return ids
  }

  @Test("by wall time, children first: in one part, in two, and for some of the nodes")
  func walls() throws {
    for seed in SeededRandom.seeds("graph walls", fixed: 1..<60) {
      var random = SeededRandom(seed: seed)
      let isSorted = seed % 4 != 0
      let nodes = Self.history(&random, count: 2 + random.below(60), isSorted: isSorted)
      let expected = Self.byWall(nodes)
      let whole = try #require(Graph(base: try Self.segment(nodes.shuffled(using: &random))))
      #expect(Self.walk(whole) == expected, "seed \(seed)")
      #expect(whole.base.fault(on: nil) == nil)
      if isSorted {
        let base = try Self.segment(nodes[..<(1 + random.below(nodes.count - 1))])
        let graph = try #require(
          Graph(base: base, tail: try Self.segment(nodes[base.count...], on: base)))
        #expect(Self.walk(graph) == expected, "seed \(seed)")
      }
      let members = (0..<whole.count).map { _ in random.once(in: 2) }
      var some = GraphWallWalk(whole, members: members)
      var ids: [ObjectID] = []
      while let position = some.next() { ids.append(whole.id(at: position)) }
      let wanted = Set((0..<whole.count).filter { members[$0] }.map { whole.id(at: $0) })
      #expect(ids == Self.byWall(nodes.filter { wanted.contains($0.id) }), "seed \(seed)")
    }
  }

  @Test("two large parts: as one, with many nodes in the small one")
  func manyNew() throws {
    var random = SeededRandom(seed: 5)
    var maker = NodeMaker()
    var nodes: [Node] = []
    while nodes.count < 1500 {
      let parents = nodes.isEmpty ? [] : [nodes[random.below(nodes.count)]]
      nodes.append(
        maker.node(
          task: nodes.count % 7, parents: parents.map(\.id),
          lamport: (parents.first?.lamport.value ?? 0) + 1 + UInt64(random.below(3)),
          milliseconds: Int64(random.below(5000)) + Int64(nodes.count)))
    }
    let base = try Self.segment(nodes[..<1100])
    let whole = try #require(Graph(base: try Self.segment(nodes)))
    for count in [1, 200, 256, 400] {
      let tail = try Self.segment(nodes[1100..<1100 + count], on: base)
      let graph = try #require(Graph(base: base, tail: tail))
      if count == 400 {
        Self.compare(graph, nodes, 5)
        #expect(Self.walk(graph) == Self.walk(whole))
      } else {
        Self.compare(graph, Array(nodes[..<(1100 + count)]), 5)
        let part = try #require(Graph(base: try Self.segment(nodes[..<(1100 + count)])))
        #expect(Self.walk(graph) == Self.walk(part))
      }
    }
  }

  @Test("another order by wall time than its own is a fault")
  func wrongWallOrder() throws {
    var random = SeededRandom(seed: 9)
    let nodes = Self.history(&random, count: 20, isSorted: true)
    var builder = GraphBuilder()
    for node in nodes {
      builder.add(HistoryNode(node), fingerprint: HistoryNode(node).fingerprint, received: 1)
    }
    var bytes = try builder.finish(
      on: nil, receivedBytes: 1, receivedEnd: [UInt8](repeating: 1, count: 32),
      signatureMark: Self.mark)
    let start = try #require(GraphSegment(GraphMemory(bytes))).starts[
      GraphSection.wallOrder.rawValue]
    for index in 0..<4 { bytes.swapAt(start + index, start + 4 + index) }
    let segment = try #require(GraphSegment(GraphMemory(bytes)))
    #expect(segment.fault(on: nil) == "the order of its wall times is wrong")
    bytes[start + 3] = 0x7F
    let outside = try #require(GraphSegment(GraphMemory(bytes)))
    #expect(outside.fault(on: nil) != nil)
    var walk = WholeWallWalk(try #require(Graph(base: outside)))
    #expect(walk.next() == nil)
    let isDamaged = walk.isDamaged
    #expect(isDamaged)
  }

  @Test("one part: the total order, whatever order the nodes come in, clocks right or wrong")
  func onePart() throws {
    for seed in SeededRandom.seeds("graph", fixed: 1..<40) {
      var random = SeededRandom(seed: seed)
      let nodes = Self.history(&random, count: random.below(50), isSorted: seed % 2 == 0)
      let segment = try Self.segment(nodes.shuffled(using: &random))
      Self.compare(try #require(Graph(base: segment)), nodes, seed)
    }
  }

  @Test("two parts: as one, wherever the new nodes belong")
  func twoParts() throws {
    for seed in SeededRandom.seeds("graph parts", fixed: 1..<60) {
      var random = SeededRandom(seed: seed)
      let nodes = Self.history(&random, count: 2 + random.below(50), isSorted: true)
      let split = 1 + random.below(nodes.count - 1)
      let base = try Self.segment(nodes[..<split])
      let tail = try Self.segment(nodes[split...], on: base)
      #expect(tail.stands(on: base))
      let graph = try #require(Graph(base: base, tail: tail))
      Self.compare(graph, nodes, seed)

      // And put together again, with and without the small part.
      var builder = GraphBuilder()
      builder.add(base, on: nil)
      builder.add(tail, on: base)
      let bytes = try builder.finish(
        on: nil, receivedBytes: 100, receivedEnd: [UInt8](repeating: 1, count: 32),
        signatureMark: Self.mark)
      let whole = try #require(GraphSegment(GraphMemory(bytes)))
      Self.compare(try #require(Graph(base: whole)), nodes, seed)
      #expect(graph.received(at: 0) == Graph(base: whole)?.received(at: 0))
    }
  }

  @Test(
    "fingerprints: of nodes as they are kept, one by one and of any neighbours, wherever they lie")
  func fingerprints() throws {
    for seed in SeededRandom.seeds("graph fingerprints", fixed: 1..<20) {
      var random = SeededRandom(seed: seed)
      let nodes = Self.history(&random, count: 2 + random.below(60), isSorted: true)
      let split = 1 + random.below(nodes.count - 1)
      var signatures: [ObjectID: Signature] = [:]
      for node in nodes where random.once(in: 2) {
        let bytes = random.bytes(64)
        signatures[node.id] = Signature(bytes: InlineArray { bytes[$0] })
      }
      func segment(_ nodes: some Sequence<Node>, on base: GraphSegment?) throws -> GraphSegment {
        var builder = GraphBuilder()
        for node in nodes {
          builder.add(
            HistoryNode(node),
            fingerprint: NodeFingerprint(id: node.id, signature: signatures[node.id]), received: 1)
        }
        let bytes = try builder.finish(
          on: base, receivedBytes: 100, receivedEnd: [UInt8](repeating: 1, count: 32),
          signatureMark: Self.mark)
        return try #require(GraphSegment(GraphMemory(bytes)))
      }
      let base = try segment(nodes[..<split], on: nil)
      #expect(base.signatureMark == Self.mark)
      let tail = try segment(nodes[split...], on: base)
      let whole = try segment(nodes, on: nil)
      for graph in [Graph(base: base, tail: tail), Graph(base: whole)] {
        let graph = try #require(graph)
        #expect(graph.check(.fingerprints, of: 0..<graph.count))
        var expected: [UInt8] = []
        for position in 0..<graph.count {
          let id = graph.id(at: position)
          let fingerprint = NodeFingerprint(id: id, signature: signatures[id])
          #expect(graph.fingerprint(at: position) == fingerprint, "seed \(seed)")
          fingerprint.appendRaw(to: &expected)
        }
        for _ in 0..<20 {
          let first = random.below(graph.count + 1)
          let end = first + random.below(graph.count + 1 - first)
          var bytes: [UInt8] = [7]
          graph.appendFingerprints(of: first..<end, to: &bytes)
          #expect(bytes == [7] + expected[32 * first..<32 * end], "seed \(seed)")
        }
      }
    }
  }

  @Test("a part whose clocks run back is not put above another")
  func unsorted() throws {
    var maker = NodeMaker()
    let first = maker.node(task: 1, lamport: 5)
    let second = maker.node(task: 1, parents: [first.id], lamport: 2)
    let base = try Self.segment([first])
    let tail = try Self.segment([second], on: base)
    #expect(!tail.isSorted)
    #expect(Graph(base: base, tail: tail) == nil)
  }

  @Test("a missing parent is an error, not a hole")
  func missing() throws {
    var maker = NodeMaker()
    let first = maker.node(task: 1)
    let second = maker.node(task: 1, parents: [first.id], lamport: 2)
    #expect(throws: GraphBuilder.Failure.self) { _ = try Self.segment([second]) }
  }

  @Test("no prefix of a part, and no part with a byte of its head changed, is taken for one")
  func damage() throws {
    var maker = NodeMaker()
    let first = maker.node(task: 1)
    var builder = GraphBuilder()
    builder.add(HistoryNode(first), fingerprint: HistoryNode(first).fingerprint, received: 1)
    let bytes = try builder.finish(
      on: nil, receivedBytes: 1, receivedEnd: [UInt8](repeating: 1, count: 32),
      signatureMark: Self.mark)
    for count in 0..<bytes.count {
      #expect(GraphSegment(GraphMemory(Array(bytes[..<count]))) == nil)
    }
  }

  @Test("a graph has no fault, and says of every node what the node says")
  func sound() throws {
    for seed in UInt64(1)...6 {
      var random = SeededRandom(seed: seed)
      let nodes = Self.history(&random, count: 60, isSorted: true)
      let base = try Self.segment(nodes.prefix(40))
      let tail = try Self.segment(nodes.dropFirst(40), on: base)
      #expect(base.fault(on: nil) == nil)
      #expect(tail.fault(on: base) == nil)
      if tail.head.parentCount > 0 { #expect(tail.fault(on: nil) != nil) }
      let graph = try #require(Graph(base: base, tail: tail))
      for (number, node) in nodes.enumerated() {
        let position = try #require(graph.position(of: node.id))
        let received = Int64((number < 40 ? number : number - 40) + 7)
        let node = HistoryNode(node)
        #expect(graph.difference(at: position, from: node, received: received) == nil)
        #expect(
          graph.difference(at: position, from: node, received: received + 1) == "time of receipt")
        let signed = StoredObject(
          id: node.id, kind: .node, canonical: nodes[number].body,
          signature: Signature(bytes: InlineArray(repeating: 5)))
        var decoder = NodeDecoder()
        let decoded = decoder.decode(signed)
        let upgraded = HistoryNode(try #require(decoded))
        #expect(
          graph.difference(at: position, from: upgraded, received: nil) == "whether it is signed")
        let other = HistoryNode(nodes[(number + 1) % nodes.count])
        #expect(graph.difference(at: position, from: other, received: nil) != nil)
      }
    }
  }
}
