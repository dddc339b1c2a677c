// Packs: what goes in comes out byte for byte, the same nodes give the same bytes, and no damage
// passes.

import RedoCrypto
import RedoObject
import RedoStore
import Testing
import TestSupport

@Suite("Packs")
struct PackTests {
  private static let logNames = [
    "actions.ndjson", "delete.ndjson", "digest.ndjson", "diverged.ndjson", "linear.ndjson",
    "merged.ndjson", "mixed-forms.ndjson", "octopus.ndjson", "order.ndjson", "payload.ndjson",
    "parents-in-another-task.ndjson", "task-id-case.ndjson", "unsigned.ndjson",
    "without-key.ndjson", "without-task.ndjson", "missing-parent.ndjson",
  ]

  @Test("logs of the vectors come back", arguments: logNames)
  func logs(_ name: String) throws {
    let nodes = try Packs.log(name)
    #expect(!nodes.isEmpty)
    let bytes = Packs.pack(nodes)
    #expect(try Packs.unpack(bytes) == nodes.map(\.object))
  }

  @Test("every text of the vectors of nodes comes back, be it a node or not")
  func vectors() throws {
    let folder = VectorFolder.own("node")
    var nodes: [PackEntry] = []
    for row in try folder.table() {
      let text = try folder.bytes(row[0])
      if text.count <= PackFormat.nodeLimit { nodes.append(Packs.node(text)) }
      var decoder = NodeDecoder()
      if let node = decoder.decode(text.span) {
        nodes.append(PackEntry(StoredObject(node), node))
      }
    }
    nodes = Packs.distinct(nodes)
    #expect(nodes.count > 100)
    #expect(try Packs.unpack(Packs.pack(nodes)) == nodes.map(\.object))
  }

  @Test("random bodies come back", arguments: SeededRandom.seeds("random packs"))
  func random(_ seed: UInt64) throws {
    var bodies = RandomBodies(seed: seed)
    var nodes: [PackEntry] = []
    for _ in 0..<3000 {
      let body = bodies.next()
      let signature =
        bodies.random.once(in: 3)
        ? nil : Signature(bytes: InlineArray { UInt8(truncatingIfNeeded: $0 &+ body.count) })
      nodes.append(
        Packs.node(
          body, signature: signature, lamport: UInt64(1 + bodies.random.below(9)),
          wall: Int64(bodies.random.below(99))))
    }
    nodes = Packs.distinct(nodes)
    let bytes = Packs.pack(nodes)
    let back = try Packs.unpack(bytes)
    #expect(back.count == nodes.count, "seed \(seed)")
    for (node, found) in zip(nodes, back) where node.object != found {
      Issue.record(
        "seed \(seed): \(string(node.object.canonical)) became \(string(found.canonical))")
      return
    }
    // Other numbers of threads give the same bytes.
    #expect(Packs.pack(nodes, threads: 3) == bytes)
  }

  @Test("a pack of nothing is one")
  func nothing() throws {
    let bytes = Packs.pack([])
    let reader = try PackReader(.memory(bytes))
    #expect(reader.directory.nodes == 0)
    #expect(reader.directory.lamports == nil)
    #expect(try Packs.unpack(bytes) == [])
    #expect(bytes.count == 12 + 60 + 40)
  }

  @Test("the directory tells counts, ranges, prerequisites and a name of the ids alone")
  func directory() throws {
    let nodes = Array(try Packs.log("linear.ndjson").dropFirst())
    let reader = try PackReader(.memory(Packs.pack(nodes)))
    let directory = reader.directory
    #expect(directory.nodes == nodes.count)
    #expect(directory.canonicalBytes == nodes.reduce(0) { $0 + $1.object.canonical.count })
    let lamports = nodes.map(\.lamport.value)
    #expect(directory.lamports == (try #require(lamports.min()))...(try #require(lamports.max())))
    let inside = Set(nodes.map(\.object.id))
    let outside = Set(nodes.flatMap(\.parents)).subtracting(inside)
    #expect(outside.count == 1)
    #expect(directory.prerequisites == outside.sorted())
    var ids: [UInt8] = []
    for node in nodes { node.object.id.appendRaw(to: &ids) }
    #expect(directory.name == SHA256.digest(of: ids.span))
    let unsigned = nodes.map { node in
      var object = node.object
      object.signature = nil
      return PackEntry(
        object, parents: node.parents, lamport: node.lamport, wall: node.wall)
    }
    #expect(try PackReader(.memory(Packs.pack(unsigned))).directory.name == directory.name)
  }

  @Test("a frame is full after 256 KiB, and one node may be larger")
  func frames() throws {
    var nodes = (0..<3).map { Packs.node(Array("{\"n\":\($0)}".utf8)) }
    nodes += (0..<5).map { index in
      Packs.node(Array("{\"x\":\"\(String(repeating: "\(index)", count: 100_000))\"}".utf8))
    }
    nodes.append(Packs.node([UInt8](repeating: UInt8(ascii: "["), count: 1_048_576)))
    nodes.append(Packs.node(Array("{}".utf8)))
    let bytes = Packs.pack(nodes)
    let reader = try PackReader(.memory(bytes))
    #expect(reader.directory.frames.map(\.nodes) == [5, 2, 1, 1, 1])
    #expect(try Packs.unpack(bytes) == nodes.map(\.object))
  }

  @Test("what many nodes share is stored once")
  func size() throws {
    let key = hex([UInt8](repeating: 0x5A, count: 32))
    var nodes: [PackEntry] = []
    var parent = ""
    for index in 0..<1000 {
      let wall = WallTime(milliseconds: 1_700_000_000_000 + Int64(index * 60_000)).text
      let body =
        #"{"action":"SNOOZE","author":{"deviceId":"phone","publicKey":"\#(key)","#
        + #""userId":"\#(key.prefix(32))"},"data":{"fields":{"daysToExtend":\#(index % 7 + 1),"#
        + #""todoTaskId":"550e8400-e29b-41d4-a716-446655440000"}},"parents":[\#(parent)],"#
        + #""taskId":"650e8400-e29b-41d4-a716-446655440000","#
        + #""timestamp":{"lamport":\#(index + 1),"wall":"\#(wall)"},"version":1}"#
      nodes.append(Packs.node(Array(body.utf8)))
      parent = "\"\(nodes[index].object.id.text)\""
    }
    let bytes = Packs.pack(nodes)
    #expect(bytes.count < 2500, "\(bytes.count) bytes for 1000 nodes")
    #expect(try Packs.unpack(bytes) == nodes.map(\.object))
  }
}
