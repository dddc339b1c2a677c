import RedoObject
import RedoRemote
import TestSupport
import Testing

@Suite("What a side withholds")
struct WithheldTests {
  private func said(_ words: [String]) throws -> Withheld? {
    Withheld(try #require(WireCapabilities(words)))
  }

  @Test("words say it, and are read again; without them nothing is said")
  func words() throws {
    let withheld = Withheld([
      Withheld.Reason(rule: "signature-missing", count: 2, below: 1, digest: 0xABC),
      Withheld.Reason(rule: "lamport-jump", count: 0, below: 7, digest: .max),
    ])
    #expect(withheld.count == 10)
    #expect(
      withheld.words == [
        "withholds-10", "withheld-lamport-jump-0-7-ffffffffffffffff",
        "withheld-signature-missing-2-1-0000000000000abc",
      ])
    #expect(try said(withheld.words + ["nodes-3"]) == withheld)
    #expect(try said(["withholds-0"]) == Withheld())
    #expect(try said(["nodes-3"]) == nil)
  }

  @Test(
    "words that do not add up say nothing",
    arguments: [
      ["withholds-1"], ["withheld-a-1-0-0000000000000000"], ["withholds-x"], ["withholds-01"],
      ["withholds-1", "withheld-a-2-0-0000000000000000"],
      ["withholds-1", "withheld-a-1-0-000000000000000"],
      ["withholds-0", "withheld-1-0-0000000000000000"],
      ["withholds-1", "withheld-a-1-99999999999999999999-0000000000000000"],
      ["withholds-1", "withholds-2", "withheld-a-1-0-0000000000000000"],
      ["withholds-2", "withheld-a-1-0-0000000000000000", "withheld-a-1-0-0000000000000001"],
    ])
  func nonsense(words: [String]) throws { #expect(try said(words) == nil) }

  @Test("the digest is that of the ids in their order, and of no others")
  func digest() throws {
    var random = SeededRandom(seed: 5)
    let ids = (0..<3).map { _ in
      ObjectID(words: (random.next(), random.next(), random.next(), random.next()))
    }
    func count(_ ids: [ObjectID]) -> Withheld {
      var count = WithheldCount()
      for (number, id) in ids.enumerated() { count.add(id, "a-rule", isBelow: number > 0) }
      return count.withheld
    }
    #expect(count(ids) == count(ids))
    #expect(count(ids).reasons.map(\.count) == [1] && count(ids).reasons.map(\.below) == [2])
    #expect(count(ids) != count(ids.reversed()))
    #expect(count([ids[0], ids[1]]) != count([ids[0], ids[2]]))
    // By another implementation: SHA-256 of the raw ids.
    let zero = ObjectID(words: (0, 0, 0, 0))
    #expect(count([zero]).words.last == "withheld-a-rule-1-0-66687aadf862bd77")
  }

  @Test("nodes that cannot be read are named behind the packs, and only who says the word is told")
  func unsent() throws {
    for says in [true, false] {
      var random = SeededRandom(seed: 9)
      let theirs = MemoryStore(random.items(40, spread: 90))
      let ours = MemoryStore([])
      theirs.unreadable = 3
      let stream = LoopStream()
      let words = try #require(WireCapabilities(says ? [WireCapabilities.unsentWord] : []))
      var server = ServerExchange(
        stream.server, source: theirs.source, greeting: .init(store: nil), maker: theirs,
        taker: theirs)
      stream.answer = { _ = try server.answerTurn() }
      var client = ClientExchange(
        stream, source: ours.source, hello: ClientHello(salt: random.salt(), capabilities: words))
      let difference = try client.compare { _ in }
      if says {
        let answer = try client.transfer(want: difference.want, ours, have: [], NoPacks())
        #expect(answer.unsent.count == 3 && ours.items.count == theirs.items.count - 3)
      } else {
        #expect(throws: RemoteError.self) {
          try client.transfer(want: difference.want, ours, have: [], NoPacks())
        }
      }
    }
  }
}
