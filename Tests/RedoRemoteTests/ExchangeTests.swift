import RedoCrypto
import RedoObject
import RedoRemote
import TestSupport
import Testing

@Suite("A client and a server")
struct ExchangeTests {
  @Test("both sides end with the same nodes", arguments: SeededRandom.seeds("exchange"))
  func converge(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for (both, few, many) in [(0, 0, 0), (0, 0, 50), (50, 30, 0), (500, 7, 40), (0, 200, 200)] {
      let common = random.items(both, spread: 60)
      let ours = common.union(random.items(few, spread: 60))
      let theirs = common.union(random.items(many, spread: 60))
      var pair = Pair(ours, theirs, salt: random.salt())
      let outcome = try pair.sync()
      #expect(pair.ours.items == ours.union(theirs))
      #expect(pair.theirs.items == ours.union(theirs))
      let (new, sent) = (theirs.subtracting(ours), ours.subtracting(theirs))
      #expect(outcome.here == (new.isEmpty ? nil : Admitted(taken: UInt64(new.count), refused: [])))
      #expect(
        outcome.there == (sent.isEmpty ? nil : Admitted(taken: UInt64(sent.count), refused: [])))
      #expect(pair.client.turnCount == pair.stream.turns)
      #expect(pair.client.sentByteCount == pair.stream.sent)
      #expect(pair.client.receivedByteCount == pair.stream.received)
    }
  }

  @Test("packs have at most 10,000 nodes")
  func packs() throws {
    var random = SeededRandom(seed: 1)
    let many = random.items(25_000, spread: 100_000)
    var pair = Pair([], many, salt: random.salt())
    _ = try pair.sync()
    #expect(pair.theirs.packCounts == [10_000, 10_000, 5000])
    #expect(pair.ours.items.count == 25_000)
    #expect(pair.ours.finishCount == 1 && pair.theirs.finishCount == 0)
    // Nothing was listed: one turn to compare, one to fetch.
    #expect(pair.stream.turns == 2 && pair.stream.sent < 100)
  }

  @Test("the server says who it is, before anything that it says counts")
  func greeting() throws {
    var random = SeededRandom(seed: 1)
    let store = random.bytes(16)
    let words = try #require(WireCapabilities(["refuse", "accounts", "a-b-9"]))
    #expect(words.words == ["a-b-9", "accounts", "refuse"])
    let greeting = ServerExchange<MemoryRangeSource, LoopStream.Server>.Greeting(
      store: store, capabilities: words, checkpoint: Array("a note\n".utf8))
    let items = random.items(30, spread: 10)
    var pair = Pair(MemoryStore(items), MemoryStore(items), salt: random.salt(), greeting: greeting)
    let difference = try pair.client.compare { (hello) throws(RemoteError) in
      #expect(hello.version == 2 && hello.store == store && hello.capabilities == words)
      #expect(hello.checkpoint == Array("a note\n".utf8))
    }
    #expect(difference.isEmpty)

    let another = RemoteError.stopped("another store")
    pair = Pair(MemoryStore(items), MemoryStore([]), salt: random.salt(), greeting: greeting)
    #expect(throws: another) {
      try pair.client.compare { (_) throws(RemoteError) in throw another }
    }
    #expect(pair.stream.turns == 1)
  }

  @Test("what is refused is told, row by row")
  func refused() throws {
    var random = SeededRandom(seed: 1)
    let items = random.items(300, spread: 1000)
    let bad = Set(items.prefix(120))
    var pair = Pair(items, [], salt: random.salt())
    pair.theirs.refuses = { bad.contains($0) }
    let outcome = try pair.sync()
    let there = try #require(outcome.there)
    #expect(there.taken == 180 && outcome.here == nil)
    #expect(Set(there.refused.map(\.id)) == Set(bad.map(\.place.id)))
    #expect(there.refused.allSatisfy { $0.rule == "signature-bad" && $0.detail == "no" })
    #expect(pair.theirs.items == items.subtracting(bad))
  }

  @Test("what is more than a turn may have is sent in several", arguments: [0, 300])
  func turns(new count: Int) throws {
    var random = SeededRandom(seed: 1)
    let (ours, theirs) = (random.items(1000, spread: 9), random.items(count, spread: 9))
    // 100 nodes are 8,000 bytes.
    for (limit, turns) in [(30_000, 4), (20_000, 5), (5, 10), (1_000_000, 1)] {
      var pair = Pair(ours, theirs, salt: random.salt())
      let bad = Set(ours.prefix(120))
      pair.theirs.refuses = { bad.contains($0) }
      pair.ours.packLimit = 100
      let outcome = try pair.sync(turnLimit: limit)
      #expect(outcome.here == (count > 0 ? Admitted(taken: UInt64(count), refused: []) : nil))
      #expect(outcome.there?.taken == 880)
      #expect(Set(outcome.there?.refused.map(\.id) ?? []) == Set(bad.map(\.place.id)))
      #expect(pair.ours.finishCount == (count > 0 ? 1 : 0))
      #expect(pair.theirs.finishCount == turns, "limit \(limit)")
      #expect(pair.client.turnCount == pair.stream.turns)
      #expect(pair.theirs.items == theirs.union(ours).subtracting(bad))
      #expect(pair.ours.items == ours.union(theirs))
    }
  }

  @Test("more than one transfer in one connection")
  func again() throws {
    var random = SeededRandom(seed: 1)
    var pair = Pair(random.items(40, spread: 9), random.items(40, spread: 9), salt: random.salt())
    let difference = try pair.client.compare { _ in }
    let fetched = try pair.client.transfer(
      want: difference.want, pair.ours, have: [], NoPacks())
    #expect(fetched.here?.taken == 40 && fetched.there == nil)
    let pushed = try pair.client.transfer(
      want: [], NoPacks(), have: difference.have, pair.ours)
    #expect(pushed.here == nil && pushed.there?.taken == 40)
    let nothing = try pair.client.transfer(want: [], NoPacks(), have: [], NoPacks())
    #expect(nothing.here == nil && nothing.there == nil)
    #expect(pair.ours.items == pair.theirs.items)
  }

  @Test("a trouble of the server's own is told with its reason, unless that is not for this client")
  func stopped() throws {
    for (hides, told) in [(false, "nothing is sent here"), (true, "cannot go on")] {
      var random = SeededRandom(seed: 1)
      let (ours, theirs) = (MemoryStore([]), MemoryStore(random.items(5, spread: 9)))
      var pair = Pair(ours, theirs, salt: random.salt())
      var server = ServerExchange(
        pair.stream.server, source: theirs.source, greeting: .init(store: nil), maker: NoPacks(),
        taker: NoPacks())
      server.hidesReasons = hides
      var reasons: [RemoteError] = []
      pair.stream.answer = {
        do throws(RemoteError) { _ = try server.answerTurn() } catch { reasons.append(error) }
      }
      #expect(throws: RemoteError.peer(PeerFault(.stopped, told))) { try pair.sync() }
      #expect(reasons == [.stopped("nothing is sent here")])
    }
  }

  // MARK: Costs

  @Test("nothing new: one round trip, less than 2 KB")
  func nothingNew() throws {
    var random = SeededRandom(seed: 1)
    let items = random.items(10_000, spread: 1_000_000)
    var pair = Pair(items, items, salt: random.salt())
    _ = try pair.sync()
    #expect(pair.stream.turns == 1)
    print("nothing new among 10,000: \(pair.stream.sent) + \(pair.stream.received) bytes")
    #expect(pair.stream.sent + pair.stream.received < 700)
  }

  @Test(
    "ten new nodes on each side of a million: four round trips, less than 40 KB",
    arguments: [1_000_000, 20])
  func million(newest: Int) throws {
    let count = 1_000_000
    var random = SeededRandom(seed: 1)
    // Ten of the nodes are only here, ten only there: at random places, or the last ones of all.
    let places = Array((count - newest..<count).shuffled(using: &random).prefix(20))
    let (onlyOurs, onlyTheirs) = (Set(places[0..<10]), Set(places[10..<20]))
    var ours = MemoryRangeSource()
    var theirs = MemoryRangeSource()
    for index in 0..<count {
      // Sixteen tasks at a time, with clocks that differ by some minutes.
      guard let lamport = Lamport(UInt64(index / 16 + 1)) else { continue }
      let wall = WallTime(milliseconds: 1_700_000_000_000 + Int64(index) * 60_000)
      let words = (random.next(), random.next(), random.next(), random.next())
      let place = RangeBound(lamport: lamport, wall: wall, id: ObjectID(words: words))
      let fingerprint = NodeFingerprint(
        digest: ObjectID(words: (words.1, words.2, words.3, words.0)).digest)
      if !onlyTheirs.contains(index) { ours.append(place, fingerprint) }
      if !onlyOurs.contains(index) { theirs.append(place, fingerprint) }
    }
    var pair = Pair(
      MemoryStore(ours, filling: 320), MemoryStore(theirs, filling: 320), salt: random.salt())
    let difference = try pair.client.compare { _ in }
    let compared = pair.stream.sent + pair.stream.received
    let outcome = try pair.client.transfer(
      want: difference.want, pair.ours, have: difference.have, pair.ours)
    #expect(outcome.here?.taken == 10 && outcome.there?.taken == 10)
    let bytes = pair.stream.sent + pair.stream.received
    print(
      "10 + 10 of the last \(newest) of \(count): \(pair.stream.turns) round trips, \(compared) of \(bytes) bytes"
    )
    #expect(pair.stream.turns <= 4)
    #expect(bytes < 40_000)
  }
}
