import RedoCrypto
import RedoObject
import RedoRemote
import TestSupport
import Testing

@Suite("Nodes that a server has and does not offer")
struct UnfitTests {
  private typealias Server = ServerExchange<MemoryRangeSource, LoopStream.Server>

  /// What a client hears of some rows, where each side says the word or not.
  private func told(
    _ rows: [RefusedNode], client: Bool, server: Bool,
    _ change: @escaping (Int, inout [UInt8]) -> Void = { _, _ in }
  ) throws -> (rows: [RefusedNode], turns: Int, difference: RangeDifference) {
    var random = SeededRandom(seed: 9)
    let theirs = MemoryStore(random.items(100, spread: 50))
    let ours = MemoryStore(random.items(100, spread: 50))
    let stream = LoopStream()
    stream.change = change
    let word = try #require(WireCapabilities([WireCapabilities.unfitWord]))
    var exchange = Server(stream.server)
    exchange.begin(
      Server.Service(
        source: theirs.source, greeting: .init(store: nil, capabilities: server ? word : .none),
        maker: theirs, taker: theirs, unfit: rows))
    stream.answer = { _ = try exchange.answerTurn() }
    var talking = ClientExchange(
      stream, source: ours.source,
      hello: ClientHello(salt: random.salt(), capabilities: client ? word : .none))
    let difference = try talking.compare { _ in }
    return (talking.unfit, talking.turnCount, difference)
  }

  private func row(_ number: UInt64, _ detail: String = "so it is") throws -> RefusedNode {
    try #require(
      RefusedNode(
        id: ObjectID(words: (number, 0, 0, 0)), rule: "hash-mismatch", detail: detail))
  }

  @Test("they are told once, before anything is compared, and cost no round trip")
  func once() throws {
    let rows = try [row(1), row(1, "and another thing"), row(2)]
    let with = try told(rows, client: true, server: true)
    #expect(with.rows == rows)
    let without = try told([], client: true, server: true)
    #expect(without.rows.isEmpty && without.turns == with.turns)
    #expect(without.difference.haveCount == with.difference.haveCount)
  }

  @Test("a side that does not say the word neither tells nor is told")
  func unasked() throws {
    let rows = try [row(1)]
    #expect(try told(rows, client: false, server: true).rows.isEmpty)
    #expect(try told(rows, client: true, server: false).rows.isEmpty)
  }

  @Test("many of them come in frames of a bounded size")
  func many() throws {
    let rows = try (1...5_000).map { try row($0, String(repeating: "x", count: 500)) }
    var sizes: [Int] = []
    let heard = try told(rows, client: true, server: true) { turn, bytes in
      guard turn == 1 else { return }
      sizes = Self.frames(bytes).filter { $0.kind == 9 }.map(\.count)
    }
    #expect(heard.rows == rows)
    #expect(sizes.count > 30 && sizes.allSatisfy { $0 <= 65_536 })
  }

  @Test("at another place, and where nobody has asked, they end the exchange")
  func misplaced() throws {
    let frame = try Self.frame(9, payload(of: row(1)))
    // After the ranges, right before the end of the turn.
    #expect(throws: RemoteError.self) {
      try told([], client: true, server: true) { _, bytes in
        bytes.insert(contentsOf: frame, at: bytes.count - 5)
      }
    }
    // Before the ranges, but without the word.
    #expect(throws: RemoteError.self) {
      try told([], client: false, server: true) { turn, bytes in
        let hello = 5 + Self.frames(bytes)[0].count
        if turn == 1 { bytes.insert(contentsOf: frame, at: hello) }
      }
    }
    // Nothing in it.
    #expect(throws: RemoteError.self) {
      try told([], client: true, server: true) { turn, bytes in
        let hello = 5 + Self.frames(bytes)[0].count
        if turn == 1 { bytes.insert(contentsOf: Self.frame(9, []), at: hello) }
      }
    }
  }

  // MARK: Frames as bytes

  private func payload(of row: RefusedNode) -> [UInt8] {
    var bytes: [UInt8] = []
    row.id.appendRaw(to: &bytes)
    bytes.append(UInt8(row.rule.utf8.count))
    bytes += row.rule.utf8
    bytes.append(UInt8(row.detail.utf8.count))
    return bytes + row.detail.utf8
  }

  private static func frame(_ kind: UInt8, _ payload: [UInt8]) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: payload.count >> (8 * $0)) } + [kind] + payload
  }

  private static func frames(_ bytes: [UInt8]) -> [(kind: UInt8, count: Int)] {
    var frames: [(kind: UInt8, count: Int)] = []
    var place = 0
    while place < bytes.count {
      let count = (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
      frames.append((bytes[place + 4], count))
      place += 5 + count
    }
    return frames
  }
}
