// Which nodes of a history do not travel, determined from the columns of its index and compared with the rules of
// redo-protocol(7).

import RedoCrypto
import RedoHistory
import RedoObject
import TestSupport
import Testing

@testable import RedoCommands
@testable import RedoReadCommands
@testable import RedoWriteCommands
@testable import RedoRepository
@testable import RedoShell

@Suite("Nodes that do not travel")
struct UnfitNodesTests {
  /// A node, and whether it is signed; parents come before children.
  private struct Item {
    let node: Node
    let isSigned: Bool
    let isBroken: Bool
  }

  private func node(_ number: Int, _ parents: [Node], lamport: UInt64) throws -> Node {
    let key = String(repeating: "5a", count: 32)
    let names = Set(parents.map(\.id)).sorted().map { "\"\($0.text)\"" }.joined(separator: ",")
    let text = """
      {"action":"UPDATE","author":{"deviceId":"d","publicKey":"\(key)","userId":"\(key.prefix(32))"},\
      "data":{"fields":{"title":"\(number)"}},"parents":[\(names)],\
      "taskId":"7a000000-0000-4000-8000-00000000000\(number % 3)",\
      "timestamp":{"lamport":\(lamport),"wall":"2025-10-09T08:53:20.000Z"},"version":1}
      """
    var decoder = NodeDecoder()
    let decoded = decoder.decode(Array(text.utf8).span)
    return try #require(decoded, "\(decoder.findings)")
  }

  private func history(_ random: inout SeededRandom) throws -> [Item] {
    var items: [Item] = []
    for number in 0..<40 {
      let parents = (0..<random.below(3)).compactMap { _ in
        items.randomElement(using: &random)?.node
      }
      let greatest = parents.map(\.lamport.value).max() ?? 0
      let steps: [UInt64] = [1, 1, 2, Lamport.jumpLimit, Lamport.jumpLimit + 1]
      // One in ten clocks goes back or stands still.
      let back = random.once(in: 10) && greatest > 0
      let lamport =
        back
        ? UInt64(1 + random.below(Int(greatest)))
        : greatest + (random.once(in: 6) ? steps[random.below(5)] : 1)
      items.append(
        Item(
          node: try node(number, parents, lamport: lamport), isSigned: !random.once(in: 9),
          isBroken: random.once(in: 15)))
    }
    return items
  }

  private func graph(_ items: [Item]) throws -> Graph {
    var builder = GraphBuilder()
    for item in items {
      var object = StoredObject(item.node)
      if item.isSigned { object.signature = Signature(bytes: InlineArray(repeating: 4)) }
      var decoder = NodeDecoder()
      let decoded = decoder.decode(object)
      let node = try #require(decoded)
      let whole = item.isBroken ? HistoryNode(BrokenNode(node)) : HistoryNode(node)
      builder.add(whole, fingerprint: whole.fingerprint, received: 1)
    }
    let bytes = try builder.finish(
      on: nil, receivedBytes: 1, receivedEnd: [UInt8](repeating: 1, count: 32),
      signatureMark: [UInt8](repeating: 1, count: 32))
    let segment = try #require(GraphSegment(GraphMemory(bytes)))
    return try #require(Graph(base: segment))
  }

  /// The rule that each node breaks, or that its nearest ancestors break, by definition.
  private func expected(
    _ items: [Item], allowsUnsigned: Bool
  ) -> [ObjectID: (own: Rule?, isHeld: Bool)] {
    var found: [ObjectID: (own: Rule?, isHeld: Bool)] = [:]
    for item in items {
      let parents = items.filter { item.node.parents.contains($0.node.id) }
      let greatest = parents.map(\.node.lamport.value).max() ?? 0
      let lamport = item.node.lamport.value
      var own: Rule?
      if item.isBroken {
        own = .nodeType
      } else if !item.isSigned, !allowsUnsigned {
        own = .signatureMissing
      } else if lamport <= greatest {
        own = .lamportNotIncreasing
      } else if lamport > greatest + 1_000_000 {
        own = .lamportJump
      }
      let isHeld = parents.contains { found[$0.node.id].map { $0.own != nil || $0.isHeld } ?? true }
      found[item.node.id] = (own, isHeld)
    }
    return found
  }

  @Test("random histories", arguments: SeededRandom.seeds("unfit nodes", fixed: 1..<30))
  func random(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let items = try history(&random)
    let graph = try graph(items)
    for allowsUnsigned in [false, true] {
      let unfit = UnfitNodes(graph, members: nil, asked: nil, allowsUnsigned: allowsUnsigned)
      let expected = expected(items, allowsUnsigned: allowsUnsigned)
      var entries: [ObjectID: UnfitNodes.Entry] = [:]
      unfit.forEach { entries[$0.id] = $0 }
      #expect(entries.count == unfit.count && unfit.isPresent == (unfit.count > 0))
      for position in 0..<graph.count {
        let id = graph.id(at: position)
        let (own, isHeld) = try #require(expected[id])
        #expect(unfit.contains(position) == (own != nil || isHeld), "seed \(seed)")
        #expect((entries[id] != nil) == unfit.contains(position), "seed \(seed)")
        guard let entry = entries[id] else { continue }
        if let own {
          #expect(entry.rule == own && entry.ancestor == nil, "seed \(seed)")
        } else {
          let ancestor = try #require(entry.ancestor)
          #expect(expected[ancestor]?.own == entry.rule, "seed \(seed)")
        }
      }
    }
  }

  @Test("what is outside of the history is neither compared nor refused")
  func outside() throws {
    let first = Item(node: try node(0, [], lamport: 1), isSigned: true, isBroken: false)
    let second = Item(
      node: try node(1, [first.node], lamport: 2), isSigned: false, isBroken: false)
    let graph = try graph([first, second])
    let unfit = UnfitNodes(
      graph, members: [true, false], asked: nil, allowsUnsigned: false)
    #expect(!unfit.isPresent && unfit.count == 0 && !unfit.contains(1))
  }
}
