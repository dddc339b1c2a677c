// Access lists on the wire: they come with the nodes that they are about, and those that have changed come once, to a
// client that asks for them.

import RedoCrypto
import RedoObject
import RedoRemote
import TestSupport
import Testing

@Suite("Access lists on the wire")
struct AccessRowTests {
  private typealias Server = ServerExchange<MemoryRangeSource, LoopStream.Server>

  /// A store that gives and keeps lists.
  private final class ListedStore: PackMaker, PackTaker {
    let store: MemoryStore
    var given: [AccessRow] = []
    private(set) var kept: [AccessRow] = []

    init(_ store: MemoryStore) { self.store = store }

    func makePacks(
      of positions: [Range<Int>], _ send: (PackPiece) throws(RemoteError) -> Void
    ) throws(RemoteError) { try store.makePacks(of: positions, send) }
    func accessLists(of positions: [Range<Int>]) throws(RemoteError) -> [AccessRow] { given }
    func take(_ piece: PackPiece) throws(RemoteError) { try store.take(piece) }
    func take(_ rows: [AccessRow]) throws(RemoteError) { kept += rows }
    func finish() throws(RemoteError) -> Admitted { try store.finish() }
  }

  private func row(_ number: UInt64, _ accounts: [String]?) -> AccessRow {
    AccessRow(id: ObjectID(words: (number, 0, 0, 0)), list: accounts.map { AccessList(of: $0) })
  }

  private func words(_ words: [String]) throws -> WireCapabilities {
    try #require(WireCapabilities(words))
  }

  private let all = ["access-0", WireCapabilities.accessWord]

  /// A whole exchange in which each side lacks something.
  private func exchange(
    client: [String], server: [String], changed: [AccessRow] = [], here: [AccessRow] = [],
    there: [AccessRow] = [], turnLimit: Int? = nil
  ) throws -> (changed: [AccessRow], here: [AccessRow], there: [AccessRow]) {
    var random = SeededRandom(seed: 5)
    let both = random.items(20, spread: 30)
    let ours = ListedStore(MemoryStore(both.union(random.items(3, spread: 30))))
    let theirs = ListedStore(MemoryStore(both.union(random.items(4, spread: 30))))
    (ours.given, theirs.given) = (here, there)
    let stream = LoopStream()
    var exchange = Server(stream.server)
    exchange.begin(
      Server.Service(
        source: theirs.store.source, greeting: .init(store: nil, capabilities: try words(server)),
        maker: theirs, taker: theirs, access: changed))
    stream.answer = { _ = try exchange.answerTurn() }
    var talking = ClientExchange(
      stream, source: ours.store.source,
      hello: ClientHello(salt: random.salt(), capabilities: try words(client)))
    let difference = try talking.compare { _ in }
    _ = try talking.transfer(
      want: difference.want, ours, have: difference.have, ours, turnLimit: turnLimit)
    return (talking.access, ours.kept, theirs.kept)
  }

  @Test("both sides get the lists of what comes, and a client what has changed")
  func bothSides() throws {
    let changed = [row(1, ["ada"]), row(2, nil), row(3, [])]
    let (here, there) = ([row(4, ["bob", "ada"])], [row(5, ["eve"]), row(6, [])])
    let found = try exchange(
      client: all, server: [WireCapabilities.accessWord], changed: changed, here: here, there: there
    )
    #expect(found.changed == changed && found.here == there && found.there == here)
  }

  @Test("many lists come in frames of a bounded size, and in turns of one")
  func many() throws {
    let lists = (0..<2_000).map { row($0, ["ada", String(repeating: "b", count: 100)]) }
    for limit in [nil, 20_000] {
      let found = try exchange(
        client: all, server: [WireCapabilities.accessWord], changed: lists, here: lists,
        there: lists, turnLimit: limit)
      #expect(found.changed == lists && found.here == lists && found.there == lists)
    }
  }

  @Test("a side that does not say the word gets none, and one that was not asked must not send any")
  func unasked() throws {
    let lists = [row(1, ["ada"])]
    let silent = try exchange(client: all, server: [], here: lists)
    #expect(silent.there.isEmpty)
    for (client, server) in [([], [WireCapabilities.accessWord]), (all, [])] {
      #expect(throws: RemoteError.self) {
        try exchange(client: client, server: server, changed: lists)
      }
      #expect(throws: RemoteError.self) {
        try exchange(client: client, server: server, there: lists)
      }
    }
    // Who only keeps lists has not asked for changes.
    #expect(throws: RemoteError.self) {
      try exchange(
        client: [WireCapabilities.accessWord], server: [WireCapabilities.accessWord], changed: lists
      )
    }
  }

  @Test(
    "rows of another form are refused",
    arguments: [
      [], [1], [UInt8](repeating: 0, count: 33), [UInt8](repeating: 0, count: 32) + [3, 0, 1, 97],
      [UInt8](repeating: 0, count: 32) + [1, 0, 0],
      [UInt8](repeating: 0, count: 32) + [4, 0, 1, 98, 1, 97],
      [UInt8](repeating: 0, count: 32) + [0xFF, 0xFF, 0],
    ] as [[UInt8]])
  func malformed(_ bytes: [UInt8]) {
    #expect(throws: RemoteError.self) { try AccessRow.rows(decoding: bytes) }
  }

  @Test("what only the first answer says is asked for once")
  func later() throws {
    let hello = ClientHello(
      salt: RangeSalt { 7 },
      capabilities: try words(all + [WireCapabilities.unfitWord, "unsigned"]))
    let later = hello.later
    #expect(later.capabilities.words == [WireCapabilities.accessWord, "unsigned"])
    #expect(Array(later.bytes.prefix(28)) == Array(hello.bytes.prefix(28)))
    let server = try words(["access-15-ab", "keeps-access", "nodes-3", "tells-unfit", "unsigned"])
    #expect(server.lasting == ["keeps-access", "unsigned"])
  }
}
