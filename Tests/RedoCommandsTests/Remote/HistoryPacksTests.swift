// Packs of the nodes that another store lacks, and the check of nodes before they are sent.

import RedoCrypto
import RedoHistory
import RedoObject
import RedoRemote
import RedoStore
import TestSupport
import Testing

@testable import RedoCommands
@testable import RedoReadCommands
@testable import RedoWriteCommands
@testable import RedoRepository
@testable import RedoShell

extension HistoryPacks {
  /// The packs of some positions, as bytes.
  func packs(of positions: [Range<Int>]) throws -> [[UInt8]] {
    var packs: [[UInt8]] = [[]]
    try makePacks(of: positions) { piece in
      switch piece {
      case .bytes(let bytes):
        #expect(!bytes.isEmpty)
        packs[packs.count - 1] += bytes
      case .end: packs.append([])
      }
    }
    #expect(packs.removeLast().isEmpty)
    return packs
  }
}

/// The nodes of a pack.
private func nodes(of pack: [UInt8]) throws -> [StoredObject] {
  let reader = try PackReader(.memory(pack))
  _ = try reader.checkBytes()
  var inflater = FrameInflater()
  return try reader.directory.frames.indices.flatMap { frame in
    try reader.nodes(ofFrame: frame, &inflater)
  }
}

extension Pack {
  /// The nodes of a frame.
  fileprivate func nodes(ofFrame frame: Int) throws(PackError) -> [StoredObject] {
    var inflater = FrameInflater()
    return try nodes(ofFrame: frame, &inflater)
  }
}

@Suite("Packs of a history")
struct HistoryPacksTests {
  @Test("any positions: just these nodes, as they are kept, parents first")
  func any() throws {
    let store = try TemporaryStore()
    try store.fill(2, isSigned: false)
    try store.redo("key", "generate")
    try store.fill(10)
    let source = try store.source(allowsUnsigned: true)
    let opened = try store.open()
    var random = SeededRandom(seed: 11)
    for _ in 0..<10 {
      var positions: [Range<Int>] = []
      var next = 0
      while next < source.count {
        let first = next + random.below(4)
        let end = first + 1 + random.below(5)
        if end <= source.count { positions.append(first..<end) }
        next = end + 1
      }
      let packs = try HistoryPacks(source, opened, Effects()).packs(of: positions)
      let found = try packs.flatMap { try nodes(of: $0) }
      #expect(found.map(\.id) == positions.joined().map { source.id(at: $0) })
      for node in found { #expect(try opened.objects.read(node.id) == node) }
    }
    #expect(try HistoryPacks(source, opened, Effects()).packs(of: []).isEmpty)
  }

  @Test("many nodes are several packs, read from a pack of the store")
  func many() throws {
    let store = try TemporaryStore()
    let lines = (0..<25).map { "{\"action\":\"CREATE\",\"fields\":{\"title\":\"\($0)\"}}\n" }
    let input = Array(lines.joined().utf8)
    try store.redo("key", "generate")
    try store.redo("-c", "core.bulkLimit=4", "commit", "-q", "--stdin", input: input)
    let (source, opened) = (try store.source(), try store.open())
    #expect(source.count == 25)
    #expect(try opened.objects.primary.list(prefix: "").isEmpty)
    let packs = try HistoryPacks(source, opened, Effects(), nodeLimit: 10).packs(of: [0..<25])
    #expect(try packs.map { try nodes(of: $0).count } == [10, 10, 5])
    #expect(try HistoryPacks(source, opened, Effects()).packs(of: [0..<25]).count == 1)
  }

  @Test("frames of which all nodes are lacked go as they are, parents first all the same")
  func frames() throws {
    let store = try TemporaryStore()
    let title = String(repeating: "long ", count: 30)
    let lines = (0..<1500).map {
      "{\"action\":\"CREATE\",\"fields\":{\"title\":\"\(title)\($0)\"}}\n"
    }
    try store.redo("key", "generate")
    try store.redo("commit", "-q", "--stdin", input: Array(lines.joined().utf8))
    try store.fill(3)
    let (source, opened) = (try store.source(), try store.open())
    let size = try #require(try opened.objects.packs.all().first?.directory().frames.count)
    #expect(source.count == 1506 && size > 2)
    let all = 0..<source.count
    // The second node is in the first frame.
    let second = try #require(try opened.objects.packs.all().first?.nodes(ofFrame: 0)[1].id)
    let gap = try #require(all.first { source.id(at: $0) == second })
    let graph = source.graph
    for (positions, count) in [([all], size), ([0..<gap, gap + 1..<all.count], size - 1)] {
      let maker = HistoryPacks(source, opened, Effects(), nodeLimit: 700)
      let packs = try maker.packs(of: positions)
      #expect(maker.frameCount == count && maker.nodeCount == positions.joined().count)
      let found = try packs.flatMap { try nodes(of: $0) }
      #expect(packs.count >= 3)
      #expect(Set(found.map(\.id)) == Set(positions.joined().map { source.id(at: $0) }))
      #expect(found.count == positions.joined().count)
      var seen: Set<ObjectID> = []
      for node in found {
        #expect(try opened.objects.read(node.id) == node)
        let place = try #require(graph.position(of: node.id))
        #expect(graph.parentIDs(at: place).allSatisfy { seen.contains($0) })
        seen.insert(node.id)
      }
    }
    // Packs that are to have fewer nodes.
    let maker = HistoryPacks(source, opened, Effects(), nodeLimit: 100)
    _ = try maker.packs(of: [all])
    #expect(maker.frameCount == 0)
  }

  @Test("what stops the other side stops the packs, with its own words")
  func stopped() throws {
    let store = try TemporaryStore()
    try store.fill(1, isSigned: false)
    let source = try store.source(allowsUnsigned: true)
    #expect(throws: RemoteError.closed) {
      try HistoryPacks(source, store.open(), Effects()).makePacks(of: [0..<2]) {
        _ throws(RemoteError) in
        throw .closed
      }
    }
  }

  @Test("a fingerprint of the index that is not that of the node: the index is made anew")
  func stale() throws {
    let store = try TemporaryStore()
    try store.fill(2, isSigned: false)
    let ids = try store.log()
    let before = try store.source(allowsUnsigned: true)
    // As if the objects had been replaced by a copy.
    let mark = store.path + "/.redo/objects/info/signatures"
    try store.sign(ids[0], 3)
    let directory = try Directory.open(store.path + "/.redo/objects/info")
    try directory.unlink("signatures")
    #expect(
      try store.source(allowsUnsigned: true).fingerprint(at: 0) == before.fingerprint(at: 0),
      "\(mark)")
    _ = try HistoryPacks(before, store.open(), Effects()).packs(of: [0..<1])
    #expect(try store.source(allowsUnsigned: true).fingerprint(at: 0) != before.fingerprint(at: 0))
  }
}

@Suite("Check before sending")
struct PushCheckTests {
  private func check(
    _ store: TemporaryStore, _ positions: [Range<Int>]? = nil, allowsUnsigned: Bool = false
  ) throws -> PushCheck.Outcome {
    let effects = store.context().effects
    let source = try store.source(allowsUnsigned: allowsUnsigned)
    return try PushCheck.run(
      positions ?? [0..<source.count], of: source, store.open(), allowsUnsigned: allowsUnsigned,
      effects)
  }

  @Test("good nodes are sent, whichever are asked for")
  func good() throws {
    let store = try TemporaryStore()
    try store.redo("key", "generate")
    try store.fill(5)
    let all = try check(store)
    #expect(all.positions == [0..<10] && all.rows.isEmpty)
    #expect(try check(store, [1..<3, 3..<4, 7..<9]).positions == [1..<4, 7..<9])
    #expect(try check(store, []).count == 0)
  }

  @Test("a signature of an unknown key is refused and holds back what stands upon it, nothing else")
  func unknown() throws {
    let store = try TemporaryStore()
    try store.fill(2, isSigned: false)
    let ids = try store.log()
    // The first node of one task.
    let roots = try store.log("--action=CREATE")
    try store.sign(roots[0], 1)
    let source = try store.source(allowsUnsigned: true)
    let outcome = try check(store, allowsUnsigned: true)
    let refused = try #require(ids.firstIndex(of: roots[0]))
    #expect(outcome.count == 2)
    try #require(outcome.rows.count == 2)
    #expect(outcome.rows[0].id == ids[refused])
    #expect(outcome.rows[0].rule == .keyUnknown && outcome.rows[0].ancestor == nil)
    #expect(outcome.rows[1].ancestor == roots[0])
    #expect(
      Set(outcome.positions.joined().map { source.id(at: $0) } + outcome.rows.map(\.id))
        == Set(ids))
    // Only the given positions are checked: the child alone is not held back.
    let child = try #require(ids.firstIndex(of: outcome.rows[1].id))
    #expect(try check(store, [child..<child + 1], allowsUnsigned: true).rows.isEmpty)
  }

  @Test("a key that the trust file does not know")
  func untrusted() throws {
    let store = try TemporaryStore()
    try store.redo("key", "generate")
    try store.fill(1)
    let other = try TemporaryStore()
    try other.redo("key", "generate")
    let file = try other.redo("key", "show", "--public").split(separator: "\n")[0]
    try store.redo("trust", "add", String(file))
    let outcome = try check(store)
    #expect(outcome.count == 0)
    #expect(outcome.rows.map(\.rule) == [.keyUntrusted, .keyUntrusted])
  }
}
