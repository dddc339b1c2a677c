// The server's side of one connection: it answers turn after turn until the client ends it.

package import RedoCrypto

/// Answers one client.
package struct ServerExchange<Source: RangeSource, Stream: ByteStream> {
  /// How many turns are answered.
  package static var turnLimit: Int { 4096 }

  /// What a server says about itself; the version is chosen from the client's.
  package struct Greeting: Sendable {
    /// The setting `core.id`, 16 bytes.
    package let store: [UInt8]?
    /// What the server can do.
    package let capabilities: WireCapabilities
    /// Its last checkpoint.
    package let checkpoint: [UInt8]?

    /// What a server says about itself.
    ///
    /// - Parameters:
    ///   - store: the setting `core.id`, 16 bytes, if the store has one.
    ///   - capabilities: what it can do.
    ///   - checkpoint: its last checkpoint, if it has one.
    package init(
      store: [UInt8]?, capabilities: WireCapabilities = .none, checkpoint: [UInt8]? = nil
    ) {
      self.store = store
      self.capabilities = capabilities
      self.checkpoint = checkpoint
    }
  }

  /// What a client gets to talk to, once it has introduced itself.
  package struct Service {
    let root: Digest?
    let parts: () throws(RemoteError) -> (source: Source, maker: any PackMaker)
    let greeting: Greeting
    let taker: any PackTaker
    let unfit: [RefusedNode]
    let access: [AccessRow]

    /// What a client is given to talk to.
    ///
    /// - Parameters:
    ///   - source: what the client may see.
    ///   - greeting: the answer to the client's greeting.
    ///   - maker: makes the packs that the client wants.
    ///   - taker: takes packs that it sends.
    ///   - unfit: nodes that are there but not offered; a client that asks for them gets them, if the
    ///     greeting repeats its word.
    ///   - access: access lists that have changed since a client that keeps them has seen them.
    package init(
      source: Source, greeting: Greeting, maker: any PackMaker, taker: any PackTaker,
      unfit: [RefusedNode] = [], access: [AccessRow] = []
    ) {
      self.init(
        root: source.tree?.top.root, greeting: greeting, taker: taker, unfit: unfit, access: access
      ) { (source, maker) }
    }

    /// What a client is given to talk to, where what it may see is made only if it has something else.
    ///
    /// - Parameters:
    ///   - root: the digest of all that the client may see.
    ///   - greeting: the answer to the client's greeting.
    ///   - taker: takes packs that it sends.
    ///   - unfit: nodes that are there but not offered.
    ///   - access: access lists that have changed since a client that keeps them has seen them.
    ///   - parts: makes the source, and what makes packs of it; called once.
    package init(
      root: Digest?, greeting: Greeting, taker: any PackTaker, unfit: [RefusedNode] = [],
      access: [AccessRow] = [],
      parts: @escaping () throws(RemoteError) -> (source: Source, maker: any PackMaker)
    ) {
      self.root = root
      self.parts = parts
      self.unfit = unfit
      self.access = access
      self.greeting = greeting
      self.taker = taker
    }
  }

  private var service: Service?
  /// What the service has made.
  private var made: (source: Source, maker: any PackMaker)?
  fileprivate var reader: FrameReader<Stream>
  fileprivate var writer: FrameWriter<Stream>
  private var responder: RangeResponder<Source>?
  /// The client's greeting, after `hello` or its first turn.
  package private(set) var client: ClientHello?
  /// Whether the client is not told of problems of this side's own, because it may see a part of what is here.
  package var hidesReasons = false
  /// The turns that were answered.
  package private(set) var turnCount = 0

  /// The server's side of a connection, on which `hello` and `begin` come next.
  ///
  /// - Parameter stream: the connection.
  package init(_ stream: Stream) {
    reader = FrameReader(stream)
    writer = FrameWriter(stream)
  }

  /// The server's side of a connection that has the same for every client.
  ///
  /// - Parameters:
  ///   - stream: the connection.
  ///   - source: what the client may see.
  ///   - greeting: the answer to the client's greeting.
  ///   - maker: makes the packs that the client wants.
  ///   - taker: takes packs that it sends.
  package init(
    _ stream: Stream, source: Source, greeting: Greeting, maker: any PackMaker,
    taker: any PackTaker
  ) {
    self.init(stream)
    service = Service(source: source, greeting: greeting, maker: maker, taker: taker)
  }

  /// The server's side of a connection whose client has introduced itself, and is given something else to talk to.
  ///
  /// - Parameter other: the same connection, before its first turn was answered.
  package init<Other: RangeSource>(_ other: ServerExchange<Other, Stream>) {
    precondition(other.turnCount == 0, "BUG: a client has been answered")
    reader = other.reader
    writer = other.writer
    client = other.client
    hidesReasons = other.hidesReasons
  }

  /// The bytes that were sent.
  package var sentByteCount: Int { writer.byteCount }
  /// The bytes that came.
  package var receivedByteCount: Int { reader.byteCount }

  /// Reads the client's greeting, before anything is looked for that it may see.
  ///
  /// - Returns: its greeting; `nil` when it has ended the connection instead.
  /// - Throws: why the exchange has ended early; the client has been informed, as far as it can be reached.
  package mutating func hello() throws(RemoteError) -> ClientHello? {
    precondition(client == nil, "BUG: a client is greeted twice")
    do throws(RemoteError) {
      guard let frame = try reader.next() else { return nil }
      guard frame.kind == .hello else { throw .unexpected("\(frame.name) before a greeting") }
      let hello = try ClientHello(decoding: frame.payload)
      guard !Set(hello.versions).isDisjoint(with: Wire.versions) else {
        throw .unsupported(versions: hello.versions)
      }
      client = hello
      return hello
    } catch {
      tell(error)
      throw error
    }
  }

  /// Gives the client what it may talk to.
  ///
  /// - Parameter service: what it may see and do.
  package mutating func begin(_ service: Service) { self.service = service }

  /// Tells the client why nothing comes of it, before the connection is closed.
  ///
  /// - Parameter error: why.
  package mutating func tell(_ error: RemoteError) {
    guard let fault = error.fault(hidesReason: hidesReasons) else { return }
    try? writer.write(.fault, fault.bytes)
  }

  /// Tells a client that has ended its direction what the exchange has cost.
  ///
  /// - Parameter cost: the cost.
  package mutating func tell(_ cost: TransportCost) { try? writer.write(.cost, cost.bytes) }

  /// Answers until the client ends the connection.
  ///
  /// - Throws: why it has ended early; the client has been informed, as far as it can be reached.
  package mutating func run() throws(RemoteError) {
    while try answerTurn() {}
  }

  /// Answers one turn.
  ///
  /// - Returns: `false` when the client has ended the connection instead.
  /// - Throws: why it has ended early; the client has been informed, as far as it can be reached.
  package mutating func answerTurn() throws(RemoteError) -> Bool {
    if client == nil, try hello() == nil { return false }
    guard let service, let client else { preconditionFailure("BUG: nothing to talk to") }
    do throws(RemoteError) {
      guard let turn = try readTurn(client, service) else { return false }
      try answer(turn, client, service)
      return true
    } catch {
      tell(error)
      throw error
    }
  }

  /// What a client asks in one turn.
  private struct Turn {
    var ranges: RangeMessage?
    var wanted: [Range<Int>] = []
    var packs = PackReceiver()
    var isFirst = false
  }

  /// What the client may see, made where it is needed.
  private mutating func parts(
    _ service: Service
  ) throws(RemoteError) -> (source: Source, maker: any PackMaker) {
    if let made { return made }
    let parts = try service.parts()
    made = parts
    return parts
  }

  private mutating func responding(
    _ client: ClientHello, _ service: Service
  ) throws(RemoteError) -> RangeResponder<Source> {
    if let responder { return responder }
    let digests = RangeDigests(salt: client.salt, version: client.common ?? Wire.newest)
    let responder = RangeResponder(try parts(service).source, digests)
    self.responder = responder
    return responder
  }

  private mutating func readTurn(
    _ client: ClientHello, _ service: Service
  ) throws(RemoteError) -> Turn? {
    var turn = Turn()
    turn.isFirst = turnCount == 0
    // The greeting was the beginning of the first turn.
    guard var frame = turn.isFirst ? try nextOfTurn() : try reader.next() else { return nil }
    guard turnCount < Self.turnLimit else { throw .limit("more than \(Self.turnLimit) turns") }
    while frame.kind != .end {
      try take(frame, &turn, client, service)
      frame = try nextOfTurn()
    }
    guard !turn.packs.isInside else {
      throw .unexpected("the end of a turn in the middle of a pack")
    }
    return turn
  }

  /// The next frame, where the connection must not end.
  private mutating func nextOfTurn() throws(RemoteError) -> WireFrame {
    guard let frame = try reader.next() else { throw .closed }
    return frame
  }

  private mutating func take(
    _ frame: WireFrame, _ turn: inout Turn, _ client: ClientHello, _ service: Service
  ) throws(RemoteError) {
    let hasPacks = turn.packs.isInside || turn.packs.packCount > 0
    switch frame.kind {
    case .ranges where turn.ranges == nil && turn.wanted.isEmpty && !hasPacks:
      let message = try RangeMessage(decoding: frame.payload)
      // What has the same digest is not looked at, nor made for it.
      let isSame =
        turn.isFirst && service.root != nil && service.root == client.capabilities.rootDigest
      turn.ranges = isSame ? RangeMessage() : try responding(client, service).answer(message)
    case .want where !hasPacks:
      let request = try RangeMessage(decoding: frame.payload)
      let after = turn.wanted.last?.upperBound ?? 0
      for positions in try responding(client, service).positions(of: request, from: after) {
        turn.wanted.join(positions)
      }
    case .access where turn.ranges == nil && turn.wanted.isEmpty && !hasPacks:
      try service.taker.take(AccessRow.rows(decoding: frame.payload))
    case .pack: try turn.packs.take(frame.payload, service.taker)
    case .packEnd: try turn.packs.end(frame.payload, service.taker)
    case .end, .hello, .ranges, .want, .refused, .taken, .fault, .unfit, .access, .cost:
      throw .unexpected("\(frame.name) at this place")
    }
  }

  private mutating func answer(
    _ turn: Turn, _ client: ClientHello, _ service: Service
  ) throws(RemoteError) {
    turnCount += 1
    if turn.isFirst {
      let hello = ServerHello(
        version: client.common ?? 0, store: service.greeting.store,
        capabilities: service.greeting.capabilities, checkpoint: service.greeting.checkpoint)
      try writer.write(.hello, hello.bytes)
      if hello.capabilities.tellsUnfit, client.capabilities.tellsUnfit {
        try writer.write(.unfit, rows: service.unfit)
      }
      try writer.write(service.access)
    }
    if let ranges = turn.ranges { try writer.write(.ranges, ranges.bytes) }
    // What was sent is taken in before anything is sent that could break the connection.
    let admitted = turn.packs.packCount > 0 ? try service.taker.finish() : nil
    if !turn.wanted.isEmpty {
      let maker = try parts(service).maker
      try writer.write(maker.accessLists(of: turn.wanted))
      let before = maker.unsent.count
      try writer.write(packsOf: turn.wanted, maker)
      let unsent = Array(maker.unsent.dropFirst(before))
      if let first = unsent.first {
        guard client.capabilities.tellsUnsent else {
          throw .refused(PeerFault(.stopped, first.cannotBeSent))
        }
        try writer.write(.unfit, rows: unsent)
      }
    }
    if let admitted { try writer.write(admitted) }
    try writer.write(.end)
  }
}
