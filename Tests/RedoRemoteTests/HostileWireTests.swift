import RedoCrypto
import RedoObject
import TestSupport
import Testing

@testable import RedoRemote

@Suite("Frames of a hostile peer")
struct HostileWireTests {
  /// Bytes that are there, and then the end.
  private final class Bytes: ByteStream {
    var incoming: [UInt8]
    var outgoing: [UInt8] = []
    /// How much comes at a time.
    let step: Int
    private(set) var asked = 0

    init(_ incoming: [UInt8], step: Int = 7) {
      self.incoming = incoming
      self.step = step
    }

    func read(atMost limit: Int) throws(RemoteError) -> [UInt8] {
      asked += limit
      let bytes = Array(incoming.prefix(min(limit, step)))
      incoming.removeFirst(bytes.count)
      return bytes
    }

    func write(_ bytes: [UInt8]) throws(RemoteError) { outgoing += bytes }
  }

  private func frame(_ kind: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: UInt32(payload.count))
    return bytes + [kind] + payload
  }

  private let end: [UInt8] = [0, 0, 0, 0, 0]
  private let salt = RangeSalt { 7 }
  private var hello: [UInt8] { frame(1, ClientHello(salt: salt).bytes) }
  private var welcome: [UInt8] { frame(1, ServerHello(version: 1, store: nil).bytes) }

  /// The request for everything.
  private var everything: [UInt8] {
    var request = RangeMessage()
    request.append(.everything, from: .start, to: .end)
    return frame(3, request.bytes)
  }

  private func store(_ count: Int) -> MemoryStore {
    var random = SeededRandom(seed: 1)
    return MemoryStore(random.items(count, spread: 100))
  }

  /// What a server says to some bytes.
  private func serve(_ bytes: [UInt8], _ store: MemoryStore) -> (error: RemoteError?, said: [UInt8])
  {
    let stream = Bytes(bytes)
    var server = ServerExchange(
      stream, source: store.source, greeting: .init(store: nil), maker: store, taker: store)
    do throws(RemoteError) {
      try server.run()
      return (nil, stream.outgoing)
    } catch {
      return (error, stream.outgoing)
    }
  }

  /// What a client says to some bytes, of a server that has everything it wants.
  private func connect(_ bytes: [UInt8], pushing: Bool = false) -> RemoteError? {
    let store = pushing ? self.store(5) : MemoryStore([])
    var client = ClientExchange(
      Bytes(bytes), source: store.source, hello: ClientHello(salt: salt))
    do throws(RemoteError) {
      let difference = try client.compare { _ in }
      _ = try client.transfer(want: difference.want, store, have: difference.have, store)
      return nil
    } catch {
      return error
    }
  }

  @Test("frames come back as they were, in pieces of any size")
  func frames() throws {
    for step in [1, 4, 5, 6, 1000, 1_000_000] {
      let large = [UInt8](repeating: 7, count: 200_000)
      let writing = Bytes([])
      var writer = FrameWriter(writing)
      try writer.write(.pack, [1, 2])
      #expect(writing.outgoing.isEmpty)
      try writer.write(.pack, large)
      try writer.write(.end)
      let stream = Bytes(writing.outgoing, step: step)
      var reader = FrameReader(stream)
      #expect(try reader.next() == WireFrame(kind: .pack, payload: [1, 2]))
      #expect(try reader.next() == WireFrame(kind: .pack, payload: large))
      #expect(try reader.next() == WireFrame(kind: .end, payload: []))
      #expect(try reader.next() == nil)
      #expect(reader.byteCount == writer.byteCount)
      #expect(writer.byteCount == writing.outgoing.count)
    }
  }

  @Test("the cost of an exchange comes back; what is none is refused")
  func cost() throws {
    let cost = TransportCost(
      roundTrips: 1, bytesSent: 300, bytesReceived: 1 << 40, reads: 0, writes: 128, lost: 3)
    #expect(try TransportCost(decoding: cost.bytes) == cost)
    for bytes in [[], Array(cost.bytes.dropLast()), cost.bytes + [0], [0x80, 0, 0, 0, 0, 0, 0]] {
      #expect(throws: RemoteError.self) { _ = try TransportCost(decoding: bytes) }
    }
    let huge = [UInt8](repeating: 0xFF, count: 9) + [1, 0, 0, 0, 0, 0]
    #expect(try TransportCost(decoding: huge).roundTrips == .max)
    for (words, since) in [
      (["known-since-253402300799999"], 253_402_300_799_999),
      (["known-since-253402300800000"], 0), (["known-since-9223372036854775807"], 0),
      (["known-since-3"], 3), (["known-since-x"], 0), (["known-since--3"], 0), ([], nil),
    ] as [([String], Int64?)] {
      #expect(TransportCost.knownSince(WireCapabilities(words) ?? .none) == since, "\(words)")
    }
    for (words, lost) in [(["lacks-3"], 3), (["lacks-0"], 0), (["lacks-x"], 0), ([], 0)] {
      #expect(TransportCost.lost(WireCapabilities(words) ?? .none) == lost)
    }
  }

  @Test("frames that are none")
  func noFrames() {
    func read(_ bytes: [UInt8]) -> RemoteError? {
      var reader = FrameReader(Bytes(bytes))
      do throws(RemoteError) {
        while try reader.next() != nil {}
        return nil
      } catch {
        return error
      }
    }
    #expect(read(frame(2, [1])) == nil)
    #expect(read(frame(12)) == .malformed(offset: 4, reason: "a frame of type 12"))
    #expect(
      read(frame(0, [1])) == .malformed(offset: 0, reason: "an end of a turn with 1 bytes"))
    #expect(read([1, 0, 0x11, 0, 4]) == .limit("a frame of 1114113 bytes, at most 1114112"))
    #expect(
      read([0xFF, 0xFF, 0xFF, 0xFF, 4]) == .limit("a frame of 4294967295 bytes, at most 1114112"))
    for count in 1..<7 { #expect(read(Array(frame(2, [1, 2]).prefix(count))) == .closed) }
    let fault = PeerFault(.denied, "no")
    #expect(read(frame(8, fault.bytes)) == .peer(fault))
    for bytes in [[], [0x20], Array("no blank".utf8) + [0xFF], Array("UP text".utf8)] as [[UInt8]] {
      #expect(read(frame(8, bytes)) == .malformed(offset: 0, reason: "no fault"))
    }
    // HTML with 200.
    #expect(read(Array("<html><body>".utf8)) != nil)
  }

  @Test("what is announced takes no memory before it comes")
  func announced() {
    let stream = Bytes([0, 0, 0x10, 0, 4, 1, 2, 3], step: 100_000)
    var reader = FrameReader(stream)
    #expect(throws: RemoteError.closed) { try reader.next() }
    #expect(stream.asked <= 3 * 65_536)
  }

  @Test("what a server refuses")
  func server() {
    let store = store(30)
    let ranges = frame(2, [1, 0xFF] + [UInt8](repeating: 1, count: 16))
    let pack = frame(4, [UInt8](repeating: 0, count: 80))
    let packEnd = frame(5, [80, 0, 0, 0, 0, 0, 0, 0])
    let other = frame(1, Array("redo-wire\n".utf8) + [2, 3, 4] + [UInt8](repeating: 0, count: 17))
    func unexpected(_ text: String) -> RemoteError { .unexpected(text) }
    let rows: [(bytes: [UInt8], error: RemoteError?)] = [
      ([], nil),
      (hello + ranges + end, nil),
      (hello + ranges + end + ranges + end + end, nil),
      (hello + end + everything + end, nil),
      (end, unexpected("a frame 'end' before a greeting")),
      (ranges + end, unexpected("a frame 'ranges' before a greeting")),
      (hello, .closed),
      (hello + ranges, .closed),
      (hello + hello + end, unexpected("a frame 'hello' at this place")),
      (hello + ranges + ranges + end, unexpected("a frame 'ranges' at this place")),
      (hello + everything + ranges, unexpected("a frame 'ranges' at this place")),
      (hello + everything + everything + end, unexpected("requests that do not ascend")),
      (hello + pack + everything, unexpected("a frame 'want' at this place")),
      (hello + pack + end, unexpected("the end of a turn in the middle of a pack")),
      (
        hello + packEnd + end,
        .malformed(offset: 0, reason: "a pack of 0 bytes that has 80")
      ),
      (
        hello + pack + pack + packEnd + end,
        .malformed(offset: 0, reason: "a pack of 160 bytes that has 80")
      ),
      (
        hello + frame(4) + end,
        .malformed(offset: 0, reason: "a part of a pack without bytes")
      ),
      (hello + frame(7, [0]) + end, unexpected("a frame 'taken' at this place")),
      (hello + frame(8, Array("stopped no".utf8)), .peer(PeerFault(.stopped, "no"))),
      (other + end, .unsupported(versions: [3, 4])),
    ]
    for row in rows {
      let answer = serve(row.bytes, store)
      #expect(answer.error == row.error)
      guard let fault = row.error?.fault else { continue }
      let said = frame(8, fault.bytes)
      #expect(Array(answer.said.suffix(said.count)) == said)
    }
  }

  @Test("what a client refuses")
  func client() {
    let ranges = frame(2, [5, 0xFF])
    let first = welcome + ranges + end
    let pack = frame(4, [UInt8](repeating: 0, count: 80))
    let packEnd = frame(5, [80, 0, 0, 0, 0, 0, 0, 0])
    var row: [UInt8] = []
    RefusedNode(id: ObjectID(words: (1, 2, 3, 4)), rule: "a", detail: "")?.append(to: &row)
    let newer = frame(1, Array("redo-wire\n".utf8) + [3, 0, 0, 0])
    func unexpected(_ name: String) -> RemoteError {
      .unexpected("a frame '\(name)' at this place")
    }
    let rows: [(bytes: [UInt8], pushing: Bool, error: RemoteError?)] = [
      (welcome + frame(2) + end, false, nil),
      (first + end, false, nil),
      ([], false, .closed),
      (welcome, false, .closed),
      (welcome + ranges, false, .closed),
      (first, false, .closed),
      (end, false, unexpected("end")),
      (ranges, false, unexpected("ranges")),
      (welcome + end, false, unexpected("end")),
      (welcome + ranges + ranges, false, unexpected("ranges")),
      (newer + ranges + end, false, .unsupported(versions: [3])),
      (first + welcome, false, unexpected("hello")),
      (first + packEnd, false, unexpected("packEnd")),
      (first + pack + end, false, unexpected("end")),
      (
        first + pack + pack + packEnd + end, false,
        .malformed(offset: 0, reason: "a pack of 160 bytes that has 80")
      ),
      // Bytes that are not a pack: the taker's verdict ends it.
      (first + pack + packEnd + end, false, .stopped("no node")),
      (first + frame(7, [0]), false, unexpected("taken")),
      (first + frame(6, row), false, unexpected("refused")),
      // Only sending: packs were not asked for, and there must be an account.
      (welcome + frame(2, [4, 0xFF]) + end + frame(6, row) + frame(7, [4]) + end, true, nil),
      (welcome + frame(2, [4, 0xFF]) + end + pack, true, unexpected("pack")),
      (
        welcome + frame(2, [4, 0xFF]) + end + end, true,
        .unexpected("a turn that does not say what became of the nodes sent")
      ),
      (
        welcome + frame(2, [4, 0xFF]) + end + frame(7, [4]) + frame(6, row), true,
        unexpected("refused")
      ),
      (
        welcome + frame(2, [4, 0xFF]) + end + frame(6), true,
        .malformed(offset: 0, reason: "it ends too early")
      ),
    ]
    for row in rows {
      #expect(connect(row.bytes, pushing: row.pushing) == row.error, "\(row.bytes)")
    }
  }

  /// Counts what comes.
  private final class Counter: PackTaker {
    var count = 0
    func take(_ piece: PackPiece) throws(RemoteError) {
      if case .bytes(let bytes) = piece { count += bytes.count }
    }
    func finish() throws(RemoteError) -> Admitted { Admitted(taken: 0, refused: []) }
  }

  @Test("a pack beyond the limit is not taken to its end")
  func packLimit() throws {
    let counter = Counter()
    var receiver = PackReceiver()
    let bytes = [UInt8](repeating: 0, count: 1_048_576)
    for _ in 0..<128 { try receiver.take(bytes, counter) }
    #expect(throws: RemoteError.limit("a pack of more than 134217728 bytes")) {
      try receiver.take([0], counter)
    }
    #expect(counter.count == PackPiece.packLimit)
  }

  @Test("what is said of an error, and whether a repetition may help")
  func errors() {
    let rows: [(RemoteError, String, Bool)] = [
      (.closed, "the other side has closed the connection", true),
      (.stream("connection reset"), "connection reset", true),
      (
        .malformed(offset: 3, reason: "an empty list"), "malformed: at byte 3: an empty list", false
      ),
      (.unexpected("a frame 'end'"), "unexpected: a frame 'end'", false),
      (.limit("many"), "beyond a limit: many", false),
      (
        .unsupported(versions: [3, 4]),
        "no version in common: the other side speaks 3, 4, this one 1, 2", false
      ),
      (.peer(PeerFault(.denied, "no")), "the other side says: denied: no", false),
      (.peer(PeerFault(.unavailable, "later")), "the other side says: unavailable: later", true),
      (.stopped("no room"), "no room", false),
    ]
    for (error, text, isTransient) in rows {
      #expect(error.description == text && error.isTransient == isTransient)
    }
  }

  @Test("too many turns")
  func turns() {
    let store = store(3)
    let bytes = hello + (0..<4097).flatMap { _ in end }
    #expect(serve(bytes, store).error == .limit("more than 4096 turns"))
  }

  @Test("greetings come back as they were; malformed ones are refused")
  func greetings() throws {
    let words = try #require(WireCapabilities(["one", "two"]))
    let client = ClientHello(salt: salt, capabilities: words)
    #expect(try ClientHello(decoding: client.bytes) == client)
    let server = ServerHello(
      version: 1, store: [UInt8](1...16), capabilities: words, checkpoint: [1, 2, 3])
    #expect(try ServerHello(decoding: server.bytes) == server)
    for count in 0..<client.bytes.count {
      let cut = Array(client.bytes.prefix(count))
      #expect(throws: RemoteError.self) { try ClientHello(decoding: cut) }
    }
    for count in 0..<server.bytes.count {
      let cut = Array(server.bytes.prefix(count))
      #expect(throws: RemoteError.self) { try ServerHello(decoding: cut) }
    }
    #expect(throws: RemoteError.self) { try ClientHello(decoding: client.bytes + [0]) }
    #expect(throws: RemoteError.self) { try ServerHello(decoding: server.bytes + [0]) }
    for text in ["two one", "one one", "one  two", " one", "One", "o_e"] {
      var bytes = ClientHello(salt: salt).bytes.dropLast()
      bytes.append(UInt8(text.utf8.count))
      #expect(throws: RemoteError.self, "\(text)") {
        try ClientHello(decoding: Array(bytes) + text.utf8)
      }
    }
    #expect(WireCapabilities(["a b"]) == nil && WireCapabilities([""]) == nil)
  }

  @Test("rows come back as they were; malformed ones are refused")
  func rows() throws {
    let id = ObjectID(words: (1, 2, 3, 4))
    let row = try #require(RefusedNode(id: id, rule: "parent-missing", detail: "ä\n"))
    var bytes: [UInt8] = []
    for _ in 0..<3 { row.append(to: &bytes) }
    #expect(try RefusedNode.rows(decoding: bytes) == [row, row, row])
    let length = bytes.count / 3
    for count in 0..<bytes.count where count % length != 0 || count == 0 {
      #expect(throws: RemoteError.self) {
        try RefusedNode.rows(decoding: Array(bytes.prefix(count)))
      }
    }
    bytes[length - 1] = 0xFF
    #expect(throws: RemoteError.self) { try RefusedNode.rows(decoding: bytes) }
    #expect(RefusedNode(id: id, rule: "A b", detail: "") == nil)
    #expect(RefusedNode(id: id, rule: "", detail: "") == nil)
    let long = String(repeating: "a", count: 1025)
    #expect(RefusedNode(id: id, rule: "a", detail: long) == nil)
    #expect(PeerFault(.stopped, long).text.utf8.count <= PeerFault.textLimit)
  }

  @Test("damaged bytes end in an error, on either side", arguments: SeededRandom.seeds("wire"))
  func damaged(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let common = random.items(300, spread: 60)
    let (ours, theirs) = (random.items(9, spread: 60), random.items(9, spread: 60))
    for _ in 0..<60 {
      var pair = Pair(common.union(ours), common.union(theirs), salt: random.salt())
      let turn = 1 + random.below(4)
      let isCut = random.once(in: 4)
      pair.stream.change = { index, bytes in
        guard index == turn, !bytes.isEmpty else { return }
        if isCut {
          bytes.removeLast(1 + random.below(bytes.count))
        } else {
          Mutation.apply(to: &bytes, &random)
        }
      }
      do { _ = try pair.sync() } catch is RemoteError {}
      // And any bytes at all to a server.
      var bytes = hello + frame(2, [4, 0xFF]) + end + everything + end
      Mutation.apply(to: &bytes, &random)
      _ = serve(bytes, MemoryStore(theirs))
    }
  }
}
