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
