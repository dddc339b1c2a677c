// Packs for tests: of vectors, of random bodies, of anything.

import RedoCrypto
import RedoObject
import RedoStore
import TestSupport

/// Makes packs and reads them.
enum Packs {
  /// A node of any body: a pack looks at bytes only.
  static func node(
    _ body: [UInt8], signature: Signature? = nil, parents: [ObjectID] = [], lamport: UInt64 = 1,
    wall: Int64 = 0
  ) -> PackEntry {
    let object = StoredObject(
      id: ObjectID(digest: SHA256.digest(of: body.span)), kind: .node, canonical: body,
      signature: signature)
    return PackEntry(
      object, parents: parents, lamport: Lamport(lamport) ?? Objects.lamport,
      wall: WallTime(milliseconds: wall))
  }

  /// The bytes of a pack.
  static func pack(_ nodes: [PackEntry], threads: Int = 1) -> [UInt8] {
    var writer = PackWriter(threads: threads)
    var bytes: [UInt8] = []
    for node in nodes {
      writer.add(node)
      bytes += writer.take()
    }
    _ = writer.finish()
    return bytes + writer.take()
  }

  /// All nodes of a pack, every byte of which has been checked.
  static func unpack(_ bytes: [UInt8]) throws(PackError) -> [StoredObject] {
    let reader = try PackReader(.memory(bytes))
    var nodes: [StoredObject] = []
    var inflater = FrameInflater()
    for frame in 0..<reader.directory.frames.count {
      nodes += try reader.nodes(ofFrame: frame, &inflater)
    }
    try reader.checkBytes()
    return nodes
  }

  /// The nodes of a vector of logs, parents before children.
  static func log(_ name: String) throws -> [PackEntry] {
    var decoder = NodeDecoder()
    var nodes: [PackEntry] = []
    var seen: Set<ObjectID> = []
    for line in try VectorFolder.own("log").lines(name) {
      guard let node = decoder.decode(line.span), seen.insert(node.id).inserted else { continue }
      nodes.append(PackEntry(StoredObject(node), node))
    }
    return parentsFirst(nodes)
  }

  /// Nodes in an order in which they can be packed.
  private static func parentsFirst(_ nodes: [PackEntry]) -> [PackEntry] {
    var waiting = Set(nodes.map(\.object.id))
    var left = nodes
    var sorted: [PackEntry] = []
    while !left.isEmpty {
      let ready = left.filter { waiting.isDisjoint(with: $0.parents) }
      for node in ready { waiting.remove(node.object.id) }
      left.removeAll { !waiting.contains($0.object.id) }
      sorted += ready
    }
    return sorted
  }

  /// Each node once.
  static func distinct(_ nodes: [PackEntry]) -> [PackEntry] {
    var seen: Set<ObjectID> = []
    return nodes.filter { seen.insert($0.object.id).inserted }
  }
}

extension Objects {
  /// The first logical time.
  static let lamport: Lamport = {
    guard let lamport = Lamport(1) else { preconditionFailure("1 is no lamport") }
    return lamport
  }()
}

/// Makes bodies: JSON of every kind of value, and what only looks like it.
struct RandomBodies {
  var random: SeededRandom
  private var ids: [ObjectID] = []
  private var uuids: [String] = ["550e8400-e29b-41d4-a716-446655440000"]
  private var keys: [String] = [String(repeating: "5a", count: 32)]

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  private static let names = [
    "action", "version", "parents", "lamport", "wall", "taskId", "publicKey", "userId", "title",
    "", "a\\\"b", "\\\\", "ü", "notes", "id",
  ]

  private static let odd = [
    "\"\"", "\"\\n\"", "\"\\\"\"", "0", "-1", "1.5", "1e+21", "9007199254740991",
    "999999999999999", "-999999999999999", "1000000000000000", "-0", "01", "-", "true", "null",
    "\"0001-01-01T00:00:00.000Z\"", "\"9999-12-31T23:59:59.999Z\"", "\"2024-02-30T00:00:00.000Z\"",
    "\"2024-02-29T00:00:00.000Z\"", "\"2024-02-29T00:00:00Z\"", "\"0000-01-01T00:00:00.000Z\"",
    "\"550E8400-e29b-41d4-a716-446655440000\"", "\"日本\"", "{}", "[]", "[[],{}]",
  ]

  /// The text of one value.
  private mutating func value(_ depth: Int) -> String {
    switch random.below(depth > 0 ? 12 : 10) {
    case 0: return "\"\(random.below(5)) words, \(random.below(3)) of them twice\""
    case 1: return "\(random.below(20) - 5)"
    case 2:
      if random.once(in: 3) || ids.isEmpty {
        return "\"sha256:\(hex(random.bytes(32)))\""
      }
      return "\"\(ids[random.below(ids.count)].text)\""
    case 3:
      if random.once(in: 3) {
        var text = TaskID.random { random.next() }.text
        if random.once(in: 4) { text = text.uppercased() }
        uuids.append(text)
      }
      return "\"\(uuids[random.below(uuids.count)])\""
    case 4:
      let wall = WallTime(milliseconds: 1_700_000_000_000 + Int64(random.below(1_000_000_000)))
      return "\"\(wall.text)\""
    case 5:
      if random.once(in: 3) { keys.append(hex(random.bytes(32))) }
      return "\"\(keys[random.below(keys.count)])\""
    case 6: return "\"\(keys[random.below(keys.count)].prefix(32))\""
    case 7: return "\(Double(random.below(1000)) / 8)"
    case 8, 9: return Self.odd[random.below(Self.odd.count)]
    case 10: return object(depth - 1)
    default:
      return "[" + (0..<random.below(4)).map { _ in value(depth - 1) }.joined(separator: ",") + "]"
    }
  }

  private mutating func object(_ depth: Int) -> String {
    let members = (0..<random.below(9)).map { _ in
      "\"\(Self.names[random.below(Self.names.count)])\":\(value(depth))"
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  /// A body, now and then a damaged one.
  mutating func next() -> [UInt8] {
    var body = Array(object(3).utf8)
    if random.once(in: 5) {
      for _ in 0..<1 + random.below(4) { Mutation.apply(to: &body, &random) }
    }
    if random.once(in: 40) { body = random.bytes(random.below(300)) }
    ids.append(ObjectID(digest: SHA256.digest(of: body.span)))
    return body
  }
}
