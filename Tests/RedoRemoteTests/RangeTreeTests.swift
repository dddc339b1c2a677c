// Digests of runs that are kept: they say the same as the nodes, end an exchange of equals before anybody opens a history,
// and are not believed where they do not fit.

import RedoCrypto
import RedoObject
import TestSupport
import Testing

@testable import RedoRemote

@Suite("Range tree")
struct RangeTreeTests {
  private func source(_ items: Set<Item>, keeping: Bool = true) -> MemoryRangeSource {
    var source = MemoryRangeSource(items)
    if keeping { source.tree = RangeTree(of: source) }
    return source
  }

  @Test("kept digests make the same fingerprints as the nodes")
  func same() {
    var random = SeededRandom(seed: 3)
    let items = random.items(3000, spread: 50)
    let kept = source(items)
    let plain = source(items, keeping: false)
    #expect((kept.tree?.pieces.count ?? 0) > 3)
    let digests = RangeDigests(salt: random.salt())
    for _ in 0..<300 {
      let start = random.below(items.count)
      let run = start..<start + 1 + random.below(items.count - start)
      #expect(digests.fingerprint(of: run, in: kept) == digests.fingerprint(of: run, in: plain))
    }
  }

  @Test("another node, another signature or one node less is another root")
  func root() throws {
    var random = SeededRandom(seed: 4)
    let items = random.items(1000, spread: 50)
    let root = try #require(source(items).tree).top.root
    let one = try #require(items.randomElement(using: &random))
    let resigned = Item(place: one.place, fingerprint: NodeFingerprint(digest: random.digest()))
    for other in [
      items.union(random.items(1, spread: 50)), items.subtracting([one]),
      items.subtracting([one]).union([resigned]),
    ] {
      #expect(source(other).tree?.top.root != root)
    }
    #expect(source(items).tree?.top.root == root)
    #expect(RangeTree(of: source(random.items(20, spread: 5))) == nil)
  }

  @Test("a new node changes one piece")
  func local() throws {
    var random = SeededRandom(seed: 5)
    let items = random.items(5000, spread: 500)
    let before = try #require(source(items).tree)
    for _ in 0..<20 {
      let after = try #require(source(items.union(random.items(1, spread: 500))).tree)
      let left = Set(before.pieces.map(\.digest)).subtracting(after.pieces.map(\.digest))
      #expect(left.count <= 1)
    }
  }

  @Test("its bytes say the same again, and nothing when one is missing or another")
  func bytes() throws {
    var random = SeededRandom(seed: 6)
    let tree = try #require(source(random.items(900, spread: 30)).tree)
    let bytes = tree.bytes
    #expect(try RangeTree(decoding: bytes) == tree)
    #expect(try RangeTree.Top(beginning: Array(bytes.prefix(RangeTree.topLimit))) == tree.top)
    for count in 0..<bytes.count where count < 2000 || count % 97 == 0 {
      #expect(throws: RemoteError.self) { try RangeTree(decoding: Array(bytes.prefix(count))) }
    }
    #expect(throws: RemoteError.self) { try RangeTree(decoding: bytes + [0]) }
    // Whatever a stranger writes there: an error, or a tree whose counts fit.
    for _ in 0..<5000 {
      var other = bytes
      for _ in 0...random.below(4) {
        other[random.below(other.count)] = UInt8(truncatingIfNeeded: random.next())
      }
      guard let read = try? RangeTree(decoding: other) else { continue }
      #expect(read.pieces.last?.end == read.top.count)
    }
  }

  @Test("a tree of other places fits no source, whatever its digests say")
  func misfit() throws {
    var random = SeededRandom(seed: 13)
    let items = random.items(600, spread: 40)
    let source = source(items)
    let tree = try #require(source.tree)
    #expect(tree.fits(source))
    func forged(_ change: (inout [RangeTree.Run]) -> Void) -> RangeTree? {
      var opening = tree.top.opening
      change(&opening)
      guard let top = RangeTree.Top(root: tree.top.root, opening: opening) else { return nil }
      let piece = RangeTree.Piece(end: top.count, digest: tree.top.root)
      return RangeTree(top: top, pieces: [piece])
    }
    let last = tree.top.opening.count - 1
    func run(_ run: RangeTree.Run, _ bound: RangeBound, _ end: Int) -> RangeTree.Run {
      RangeTree.Run(bound: bound, end: end, digest: run.digest)
    }
    let longer = try #require(forged { $0[last] = run($0[last], .end, $0[last].end + 1000) })
    let shifted = try #require(forged { $0[0] = run($0[0], $0[0].bound, $0[0].end + 1) })
    let moved = try #require(
      forged { $0[0] = run($0[0], source.place(at: $0[0].end + 1), $0[0].end) })
    for tree in [longer, shifted, moved] { #expect(!tree.fits(source)) }
    #expect(!tree.fits(self.source(items.union(random.items(1, spread: 40)))))
  }

  /// An exchange of two stores that keep trees; the sources are counted when they are made.
  private func exchange(
    _ ours: Set<Item>, _ theirs: Set<Item>, saying root: Digest? = nil, versions: [UInt8] = [1, 2],
    meanwhile: Set<Item> = []
  ) throws -> (difference: RangeDifference, here: MemoryRangeSource, made: [String]) {
    var random = SeededRandom(seed: 7)
    let (here, there) = (source(ours.union(meanwhile)), source(theirs))
    let top = try #require(source(ours).tree).top
    var made: [String] = []
    let stream = LoopStream()
    var server = ServerExchange<MemoryRangeSource, LoopStream.Server>(stream.server)
    stream.answer = {
      if server.client == nil {
        _ = try server.hello()
        server.begin(
          .init(
            root: there.tree?.top.root, greeting: .init(store: nil), taker: MemoryStore([])
          ) { () throws(RemoteError) in
            made.append("there")
            return (there, MemoryStore([]))
          })
      }
      _ = try server.answerTurn()
    }
    let words = WireCapabilities([WireCapabilities.word(root: root ?? top.root)]) ?? .none
    var client = ClientExchange<MemoryRangeSource, LoopStream>(
      stream, top: top,
      source: { () throws(RemoteError) in
        made.append("here")
        return here
      }, hello: ClientHello(versions: versions, salt: random.salt(), capabilities: words))
    let difference = try client.compare { _ in }
    return (difference, here, made)
  }

  @Test("where both have the same, nobody opens a history")
  func equal() throws {
    var random = SeededRandom(seed: 8)
    let items = random.items(700, spread: 30)
    let equal = try exchange(items, items)
    #expect(equal.difference.isEmpty && equal.made.isEmpty)
    // Without the word the server looks; the client need not.
    let silent = try exchange(items, items, saying: random.digest())
    #expect(silent.difference.isEmpty && silent.made == ["there"])
  }

  @Test("where something differs, it is found", arguments: [[1, 2], [2]] as [[UInt8]])
  func different(_ versions: [UInt8]) throws {
    var random = SeededRandom(seed: 9)
    let items = random.items(3000, spread: 100)
    let (few, others) = (random.items(5, spread: 100), random.items(7, spread: 100))
    let found = try exchange(items.union(few), items.union(others), versions: versions)
    #expect(found.here.items(found.difference.have) == few && !found.difference.want.isEmpty)
    #expect(Set(found.made) == ["here", "there"] && found.made.count == 2)
  }

  @Test("what came since the tree was read is compared too")
  func meanwhile() throws {
    var random = SeededRandom(seed: 10)
    let items = random.items(3000, spread: 100)
    let (new, others) = (random.items(3, spread: 100), random.items(4, spread: 100))
    let found = try exchange(items, items.union(others), meanwhile: new)
    #expect(found.here.items(found.difference.have) == new && !found.difference.want.isEmpty)
  }

  @Test("a client of the first version is answered in it")
  func older() throws {
    var random = SeededRandom(seed: 11)
    let items = random.items(500, spread: 30)
    let (few, others) = (random.items(5, spread: 30), random.items(7, spread: 30))
    let (here, there) = (source(items.union(few)), source(items.union(others)))
    let digests = RangeDigests(salt: random.salt(), version: 1)
    var initiator = RangeInitiator(here, digests)
    let stream = LoopStream()
    var server = ServerExchange(
      stream.server, source: there, greeting: .init(store: nil), maker: MemoryStore([]),
      taker: MemoryStore([]))
    stream.answer = { _ = try server.answerTurn() }
    var writer = FrameWriter(stream)
    var reader = FrameReader(stream)
    let hello = ClientHello(versions: [1], salt: digests.salt, capabilities: .none)
    while let message = try initiator.next() {
      let isFirst = initiator.messageCount == 1
      if isFirst { try writer.write(.hello, hello.bytes) }
      try writer.write(.ranges, message.bytes)
      try writer.write(.end)
      if isFirst {
        let frame = try #require(try reader.next())
        #expect(try ServerHello(decoding: frame.payload).version == 1)
      }
      let frame = try #require(try reader.next())
      try initiator.take(RangeMessage(decoding: frame.payload))
      _ = try reader.next()
    }
    #expect(here.items(initiator.difference.have) == few)
    #expect(initiator.messageCount < 5)
  }

  @Test("a server of the first version is asked in it")
  func olderServer() throws {
    var random = SeededRandom(seed: 12)
    let items = random.items(500, spread: 30)
    let (few, others) = (random.items(5, spread: 30), random.items(7, spread: 30))
    let (here, there) = (source(items.union(few)), source(items.union(others)))
    let salt = random.salt()
    let responder = RangeResponder(there, RangeDigests(salt: salt, version: 1))
    let stream = LoopStream()
    var reader = FrameReader(stream.server)
    var writer = FrameWriter(stream.server)
    var isFirst = true
    stream.answer = {
      var answer = RangeMessage()
      while let frame = try reader.next(), frame.kind != .end {
        guard frame.kind == .ranges else { continue }
        answer = try responder.answer(RangeMessage(decoding: frame.payload))
      }
      if isFirst { try writer.write(.hello, ServerHello(version: 1, store: nil).bytes) }
      isFirst = false
      try writer.write(.ranges, answer.bytes)
      try writer.write(.end)
    }
    let top = here.tree?.top
    var client = ClientExchange<MemoryRangeSource, LoopStream>(
      stream, top: top, source: { here }, hello: ClientHello(salt: salt))
    let difference = try client.compare { _ in }
    #expect(here.items(difference.have) == few)
    var wanted: [Range<Int>] = []
    for request in difference.want {
      wanted += try responder.positions(of: request, from: wanted.last?.upperBound ?? 0)
    }
    #expect(there.items(wanted) == others)
  }
}
