// Sets of nodes, connections in memory and stores in memory for these tests.

import RedoCrypto
import RedoObject
import RedoRemote
import TestSupport

/// A node as far as it is compared.
struct Item: Hashable, Comparable {
  let place: RangeBound
  let fingerprint: NodeFingerprint

  static func < (left: Item, right: Item) -> Bool {
    left.place != right.place
      ? left.place < right.place : left.fingerprint.digest < right.fingerprint.digest
  }
}

extension SeededRandom {
  mutating func digest() -> Digest {
    let words = (next(), next(), next(), next())
    return ObjectID(words: words).digest
  }

  /// A node whose clocks collide with others' now and then; `spread` 1 makes all of them equal.
  mutating func item(spread: Int) -> Item {
    var id = digest()
    // Neighbours that differ late in their ids, as nobody could make them.
    if once(in: 3) { for place in 0..<31 where place % 7 != 3 { id.bytes[place] = 0 } }
    guard let lamport = Lamport(UInt64(1 + below(spread))) else { preconditionFailure() }
    let wall = WallTime(milliseconds: 1_700_000_000_000 + Int64(below(spread)))
    let place = RangeBound(lamport: lamport, wall: wall, id: ObjectID(digest: id))
    return Item(place: place, fingerprint: NodeFingerprint(digest: digest()))
  }

  mutating func items(_ count: Int, spread: Int) -> Set<Item> {
    Set((0..<count).map { _ in item(spread: spread) })
  }

  mutating func salt() -> RangeSalt {
    RangeSalt { next() }
  }
}

extension MemoryRangeSource {
  init(_ items: Set<Item>) { self.init(items.map { ($0.place, $0.fingerprint) }) }

  func items(_ positions: [Range<Int>]) -> Set<Item> {
    Set(positions.joined().map { Item(place: place(at: $0), fingerprint: fingerprint(at: $0)) })
  }
}

/// What a comparison found, without a wire.
struct Outcome {
  var have: Set<Item> = []
  var want: Set<Item> = []
  /// Of all that the other side has, what was asked for.
  var asked: Set<Item> = []
  var haveCount = 0
  var roundTrips = 0
  var bytes = 0
}

/// Compares two sets, through bytes; each answer may be changed on its way.
func compare(
  _ ours: MemoryRangeSource, _ theirs: MemoryRangeSource, salt: RangeSalt,
  _ change: (inout RangeMessage) -> Void = { _ in }
) throws -> Outcome {
  let digests = RangeDigests(salt: salt)
  var initiator = RangeInitiator(ours, digests)
  let responder = RangeResponder(theirs, digests)
  var outcome = Outcome()
  while let message = try initiator.next() {
    let request = message.bytes
    var answer = try responder.answer(RangeMessage(decoding: request))
    change(&answer)
    let bytes = answer.bytes
    try initiator.take(RangeMessage(decoding: bytes))
    outcome.roundTrips += 1
    outcome.bytes += request.count + bytes.count
  }
  let difference = initiator.difference
  outcome.have = ours.items(difference.have)
  outcome.haveCount = difference.haveCount
  var wanted: [Range<Int>] = []
  for request in difference.want {
    let bytes = request.bytes
    outcome.bytes += bytes.count
    wanted += try responder.positions(
      of: RangeMessage(decoding: bytes), from: wanted.last?.upperBound ?? 0)
  }
  outcome.want = theirs.items(wanted)
  let asked = RangeRequest(difference.want, digests)
  outcome.asked = theirs.items([0..<theirs.count]).filter {
    asked.asksFor($0.fingerprint, at: $0.place)
  }
  return outcome
}

/// A client's end of a connection whose server answers when the client waits for it.
final class LoopStream: ByteStream {
  /// The server's end.
  final class Server: ByteStream {
    var incoming: [UInt8] = []
    var outgoing: [UInt8] = []

    func read(atMost limit: Int) throws(RemoteError) -> [UInt8] {
      let bytes = Array(incoming.prefix(limit))
      incoming.removeFirst(bytes.count)
      return bytes
    }

    func write(_ bytes: [UInt8]) throws(RemoteError) { outgoing += bytes }
  }

  let server = Server()
  /// Lets the server answer what has come.
  var answer: () throws -> Void = {}
  /// Changes what the server has answered in a turn.
  var change: (Int, inout [UInt8]) -> Void = { _, _ in }
  private(set) var turns = 0
  private(set) var sent = 0
  private(set) var received = 0

  func read(atMost limit: Int) throws(RemoteError) -> [UInt8] {
    if server.outgoing.isEmpty, !server.incoming.isEmpty {
      turns += 1
      // What the server reports about its problems is in what it wrote.
      try? answer()
      change(turns, &server.outgoing)
    }
    let bytes = try LoopStream.take(limit, &server.outgoing)
    received += bytes.count
    return bytes
  }

  private static func take(_ limit: Int, _ bytes: inout [UInt8]) throws(RemoteError) -> [UInt8] {
    let next = Array(bytes.prefix(limit))
    bytes.removeFirst(next.count)
    return next
  }

  func write(_ bytes: [UInt8]) throws(RemoteError) {
    sent += bytes.count
    server.incoming += bytes
  }
}

/// A store in memory: its packs are places and fingerprints of 72 bytes a node, and filling for the rest that
/// nodes have.
final class MemoryStore: PackMaker, PackTaker {
  let source: MemoryRangeSource
  let filling: Int
  private(set) var items: Set<Item>
  private(set) var packCounts: [Int] = []
  private(set) var finishCount = 0
  private var incoming: [UInt8] = []
  private var arrived: [Item] = []
  /// What is not taken.
  var refuses: (Item) -> Bool = { _ in false }
  /// How many nodes, the last ones, cannot be read.
  var unreadable = 0
  private(set) var unsent: [RefusedNode] = []
  /// The most nodes of a pack.
  var packLimit = PackPiece.nodeLimit

  init(_ items: Set<Item>, filling: Int = 0) {
    self.items = items
    self.filling = filling
    source = MemoryRangeSource(items)
  }

  /// A store whose nodes are too many to be held as a set; those that come are.
  init(_ source: MemoryRangeSource, filling: Int) {
    items = []
    self.filling = filling
    self.source = source
  }

  func makePacks(
    of positions: [Range<Int>], _ send: (PackPiece) throws(RemoteError) -> Void
  ) throws(RemoteError) {
    let wanted = Array(positions.joined())
    let all = wanted.dropLast(unreadable)
    unsent += wanted.suffix(unreadable).compactMap {
      RefusedNode(id: source.place(at: $0).id, rule: "object-corrupt", detail: "no")
    }
    for start in stride(from: 0, to: all.count, by: packLimit) {
      let part = all[start..<min(start + packLimit, all.count)]
      packCounts.append(part.count)
      for position in part {
        let place = source.place(at: position)
        var bytes: [UInt8] = []
        for shift in stride(from: 0, to: 64, by: 8) {
          bytes.append(UInt8(truncatingIfNeeded: place.lamport >> UInt64(shift)))
        }
        place.id.appendRaw(to: &bytes)
        bytes.append(source.fingerprint(at: position).digest.bytes.span)
        let wall = UInt64(bitPattern: place.wall)
        for shift in stride(from: 0, to: 64, by: 8) {
          bytes.append(UInt8(truncatingIfNeeded: wall >> UInt64(shift)))
        }
        try send(.bytes(bytes + [UInt8](repeating: 0, count: filling)))
      }
      try send(.end)
    }
  }

  func take(_ piece: PackPiece) throws(RemoteError) {
    switch piece {
    case .bytes(let bytes): incoming += bytes
    case .end:
      for start in stride(from: 0, to: incoming.count, by: 80 + filling) {
        let bytes = Array(incoming[start..<start + 80])
        func number(_ at: Int) -> UInt64 {
          (0..<8).reduce(0) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) }
        }
        guard let lamport = Lamport(number(0)),
          let id = Digest(raw: Array(bytes[8..<40]).span),
          let fingerprint = Digest(raw: Array(bytes[40..<72]).span)
        else { throw .stopped("no node") }
        let wall = WallTime(milliseconds: Int64(bitPattern: number(72)))
        let place = RangeBound(lamport: lamport, wall: wall, id: ObjectID(digest: id))
        arrived.append(Item(place: place, fingerprint: NodeFingerprint(digest: fingerprint)))
      }
      incoming = []
    }
  }

  func finish() throws(RemoteError) -> Admitted {
    finishCount += 1
    var refused: [RefusedNode] = []
    for item in arrived {
      if refuses(item) {
        if let row = RefusedNode(id: item.place.id, rule: "signature-bad", detail: "no") {
          refused.append(row)
        }
      } else {
        items.insert(item)
      }
    }
    let taken = arrived.count - refused.count
    arrived = []
    return Admitted(taken: UInt64(taken), refused: refused)
  }
}

/// Two stores and a connection between them.
struct Pair {
  let stream = LoopStream()
  let ours: MemoryStore
  let theirs: MemoryStore
  var client: ClientExchange<MemoryRangeSource, LoopStream>

  init(
    _ ours: Set<Item>, _ theirs: Set<Item>, filling: Int = 0, salt: RangeSalt,
    greeting: ServerExchange<MemoryRangeSource, LoopStream.Server>.Greeting = .init(store: nil)
  ) {
    self.init(
      MemoryStore(ours, filling: filling), MemoryStore(theirs, filling: filling), salt: salt,
      greeting: greeting)
  }

  init(
    _ ours: MemoryStore, _ theirs: MemoryStore, salt: RangeSalt,
    greeting: ServerExchange<MemoryRangeSource, LoopStream.Server>.Greeting = .init(store: nil)
  ) {
    self.ours = ours
    self.theirs = theirs
    var server = ServerExchange(
      stream.server, source: theirs.source, greeting: greeting, maker: theirs, taker: theirs)
    stream.answer = { _ = try server.answerTurn() }
    client = ClientExchange(stream, source: ours.source, hello: ClientHello(salt: salt))
  }

  /// Compares, then fetches and pushes all that differs.
  mutating func sync(turnLimit: Int? = nil) throws -> (
    here: Admitted?, there: Admitted?, unsent: [RefusedNode]
  ) {
    let difference = try client.compare { _ in }
    return try client.transfer(
      want: difference.want, ours, have: difference.have, ours, turnLimit: turnLimit)
  }
}
