// The client's side of one connection: it greets, compares, then asks and sends.

/// Talks to one server.
package struct ClientExchange<Source: RangeSource, Stream: ByteStream> {
  /// The most rows of nodes that a server may refuse.
  package static var refusedLimit: Int { 1_000_000 }
  /// The most bytes of access lists that a server may send.
  package static var accessLimit: Int { 268_435_456 }
  private static var tooManyLists: RemoteError {
    .limit("more than \(accessLimit) bytes of access lists")
  }

  /// What is known of the source before it is made.
  private let top: RangeTree.Top?
  private let source: () throws(RemoteError) -> Source
  private let hello: ClientHello
  private var reader: FrameReader<Stream>
  private var writer: FrameWriter<Stream>
  /// The server's greeting, after the first turn.
  package private(set) var server: ServerHello?
  /// The nodes that the server has and does not offer, after the first turn.
  package private(set) var unfit: [RefusedNode] = []
  /// The access lists that have changed since the client has seen them, after the first turn.
  package private(set) var access: [AccessRow] = []
  /// The turns so far, each a round trip.
  package private(set) var turnCount = 0

  /// The client's side of a connection.
  ///
  /// - Parameters:
  ///   - stream: the connection.
  ///   - source: what is here.
  ///   - hello: the greeting to begin with.
  package init(_ stream: Stream, source: Source, hello: ClientHello) {
    self.init(stream, top: nil, source: { source }, hello: hello)
  }

  /// The client's side of a connection, for a source that is made only where the two differ.
  ///
  /// - Parameters:
  ///   - stream: the connection.
  ///   - top: the top of its tree; `nil` to make it in any case.
  ///   - source: makes it.
  ///   - hello: the greeting to begin with.
  package init(
    _ stream: Stream, top: RangeTree.Top?, source: @escaping () throws(RemoteError) -> Source,
    hello: ClientHello
  ) {
    self.top = top
    self.source = source
    self.hello = hello
    reader = FrameReader(stream)
    writer = FrameWriter(stream)
  }

  /// The bytes that were sent.
  package var sentByteCount: Int { writer.byteCount }
  /// The bytes that came.
  package var receivedByteCount: Int { reader.byteCount }

  // MARK: Comparing

  /// Greets the server and compares what both have.
  ///
  /// The greeting is sent with the first comparison, so it costs no round trip of its own.
  ///
  /// - Parameters:
  ///   - damaged: the positions of nodes that are asked for though both sides have them, ascending.
  ///   - check: looks at the server's greeting before anything that it says counts.
  /// - Returns: what each side lacks.
  /// - Throws: what `check` and the making of the source throw, and why the exchange has ended early.
  package mutating func compare(
    damaged: [Int] = [], _ check: (ServerHello) throws(RemoteError) -> Void
  ) throws(RemoteError) -> RangeDifference {
    precondition(server == nil, "BUG: compared twice")
    let digests = RangeDigests(salt: hello.salt)
    var initiator: RangeInitiator<Source>
    if let top, damaged.isEmpty {
      initiator = RangeInitiator(top, digests)
    } else {
      initiator = RangeInitiator(try source(), digests)
    }
    while let message = try initiator.next() {
      let greeting = server == nil ? hello.bytes : nil
      try send { writer throws(RemoteError) in
        if let greeting { try writer.write(.hello, greeting) }
        try writer.write(.ranges, message.bytes)
      }
      if server == nil {
        let greeting = try ServerHello(decoding: expect(.hello))
        guard hello.versions.contains(greeting.version) else {
          throw .unsupported(versions: [greeting.version])
        }
        server = greeting
        try check(greeting)
        initiator.use(version: greeting.version)
        let answer = try RangeMessage(decoding: ranges(greeting.capabilities))
        var applies = true
        if initiator.needsSource(for: answer) { applies = initiator.use(try source()) }
        if applies { try initiator.take(answer) }
      } else {
        try initiator.take(RangeMessage(decoding: expect(.ranges)))
      }
      _ = try expect(.end)
    }
    initiator.ask(for: damaged)
    return initiator.difference
  }

  /// The first ranges of the server, and what it tells before them.
  private mutating func ranges(_ server: WireCapabilities) throws(RemoteError) -> [UInt8] {
    let tells = server.tellsUnfit && hello.capabilities.tellsUnfit
    let asks = hello.capabilities.words.contains { $0.hasPrefix(WireCapabilities.access) }
    let keeps = server.keepsAccess && hello.capabilities.keepsAccess && asks
    var accessBytes = 0
    while true {
      let frame = try next()
      switch frame.kind {
      case .ranges: return frame.payload
      case .access where keeps:
        accessBytes += frame.payload.count
        guard accessBytes <= Self.accessLimit else { throw Self.tooManyLists }
        access += try AccessRow.rows(decoding: frame.payload)
      case .unfit where tells && accessBytes == 0:
        unfit += try RefusedNode.rows(decoding: frame.payload)
        guard unfit.count <= Self.refusedLimit else {
          throw .limit("more than \(Self.refusedLimit) nodes that are not offered")
        }
      default: throw .unexpected("\(frame.name) at this place")
      }
    }
  }

  // MARK: Nodes

  /// Asks for nodes and sends nodes, both in one turn unless a turn has a limit.
  ///
  /// - Parameters:
  ///   - want: the ranges to ask for, as reconciliation found them.
  ///   - taker: takes the packs that come.
  ///   - have: the positions of the nodes to send.
  ///   - maker: makes packs of it.
  ///   - turnLimit: the most bytes of a turn, as far as whole packs allow it; the rest comes in further turns.
  /// - Returns: what became of the nodes here and there, `nil` where none were asked for or sent; and the nodes that
  ///   the server cannot send, though it has offered them.
  /// - Throws: why the exchange has ended early.
  package mutating func transfer(
    want: [RangeMessage], _ taker: any PackTaker, have: [Range<Int>], _ maker: any PackMaker,
    turnLimit: Int? = nil
  ) throws(RemoteError) -> (here: Admitted?, there: Admitted?, unsent: [RefusedNode]) {
    precondition(server != nil, "BUG: a transfer before the greeting")
    guard !want.isEmpty || !have.isEmpty else { return (nil, nil, []) }
    if !have.isEmpty, server?.capabilities.keepsAccess == true {
      try send(maker.accessLists(of: have), turnLimit)
    }
    var answer = Answer(wants: !want.isEmpty, sends: !have.isEmpty)
    turnCount += 1
    try say { writer throws(RemoteError) in
      for request in want { try writer.write(.want, request.bytes) }
    }
    if let turnLimit {
      let asked = want.reduce(0) { $0 + $1.bytes.count + WireFrame.headerBytes }
      try sendPacks(of: have, maker, turnLimit, asked, &answer, taker)
    } else if !have.isEmpty {
      try say { writer throws(RemoteError) in try writer.write(packsOf: have, maker) }
    }
    try say { writer throws(RemoteError) in try writer.write(.end) }
    try take(&answer, taker)
    return (answer.here, answer.there, answer.unsent)
  }

  /// How many access lists a turn has where it has no limit.
  private static var accessCount: Int { 65_536 }

  /// Sends access lists, in turns of their own.
  private mutating func send(_ access: [AccessRow], _ turnLimit: Int?) throws(RemoteError) {
    let least = hello.bytes.count + 2 * WireFrame.headerBytes
    var part: [AccessRow] = []
    var byteCount = least
    for (index, row) in access.enumerated() {
      part.append(row)
      byteCount += row.byteCount
      let next = index + 1 < access.count ? access[index + 1].byteCount : .max
      guard
        next == .max || part.count == Self.accessCount
          || byteCount + next > turnLimit ?? .max
      else { continue }
      try send { writer throws(RemoteError) in try writer.write(part) }
      _ = try expect(.end)
      part = []
      byteCount = least
    }
  }

  /// Sends packs, and ends the turn before one that would make it too large.
  private mutating func sendPacks(
    of have: [Range<Int>], _ maker: any PackMaker, _ turnLimit: Int, _ asked: Int,
    _ answer: inout Answer, _ taker: any PackTaker
  ) throws(RemoteError) {
    guard !have.isEmpty else { return }
    // Where turns are requests, each begins with the greeting.
    let least = hello.bytes.count + 2 * WireFrame.headerBytes
    var byteCount = least + asked
    var pack: [UInt8] = []
    var hasPacks = false
    try maker.makePacks(of: have) { (piece) throws(RemoteError) in
      if case .bytes(let more) = piece {
        pack += more
        return
      }
      let frames = WireFrame.frames(ofPack: pack)
      pack = []
      let size = frames.reduce(0) { $0 + $1.payload.count + WireFrame.headerBytes }
      if hasPacks, byteCount + size > turnLimit {
        try say { writer throws(RemoteError) in try writer.write(.end) }
        try take(&answer, taker)
        answer.wants = false
        turnCount += 1
        byteCount = least
      }
      try say { writer throws(RemoteError) in
        for frame in frames { try writer.write(frame.kind, frame.payload) }
      }
      byteCount += size
      hasPacks = true
    }
  }

  /// The server's answer to what was asked and sent.
  private struct Answer {
    /// Whether nodes were asked for in the current turn.
    var wants: Bool
    let sends: Bool
    var here: Admitted?
    var taken: UInt64 = 0
    var refused: [RefusedNode] = []
    var unsent: [RefusedNode] = []

    init(wants: Bool, sends: Bool) {
      self.wants = wants
      self.sends = sends
    }

    var there: Admitted? { sends ? Admitted(taken: taken, refused: refused) : nil }
  }

  /// Takes the answer to a turn.
  private mutating func take(
    _ answer: inout Answer, _ taker: any PackTaker
  ) throws(RemoteError) {
    var packs = PackReceiver()
    var taken: UInt64?
    var hasRefused = false
    let keeps = hello.capabilities.keepsAccess && server?.capabilities.keepsAccess == true
    let tellsUnsent = hello.capabilities.tellsUnsent
    var accessBytes = 0
    while true {
      let frame = try next()
      switch frame.kind {
      case .access where answer.wants && keeps && packs.packCount == 0 && !packs.isInside:
        accessBytes += frame.payload.count
        guard accessBytes <= Self.accessLimit else { throw Self.tooManyLists }
        try taker.take(AccessRow.rows(decoding: frame.payload))
      case .pack where answer.wants && taken == nil && !hasRefused:
        try packs.take(frame.payload, taker)
      case .packEnd where packs.isInside: try packs.end(frame.payload, taker)
      case .unfit
      where answer.wants && tellsUnsent && !packs.isInside && !hasRefused && taken == nil:
        answer.unsent += try RefusedNode.rows(decoding: frame.payload)
        guard answer.unsent.count <= Self.refusedLimit else {
          throw .limit("more than \(Self.refusedLimit) nodes that cannot be sent")
        }
      case .refused where answer.sends && taken == nil && !packs.isInside:
        hasRefused = true
        answer.refused += try RefusedNode.rows(decoding: frame.payload)
        guard answer.refused.count <= Self.refusedLimit else {
          throw .limit("more than \(Self.refusedLimit) refused nodes")
        }
      case .taken where answer.sends && taken == nil && !packs.isInside:
        var payload = WireReader(frame.payload)
        taken = try payload.varint()
        try payload.end()
      case .end where !packs.isInside:
        guard !answer.sends || taken != nil else {
          throw .unexpected("a turn that does not say what became of the nodes sent")
        }
        answer.taken &+= taken ?? 0
        if answer.wants { answer.here = try taker.finish() }
        return
      default: throw .unexpected("\(frame.name) at this place")
      }
    }
  }

  /// What the exchange has cost behind a helper that tells it, once our direction has ended.
  ///
  /// - Returns: `nil` when it does not.
  package mutating func cost() -> TransportCost? {
    // Who was not asked tells nothing that counts.
    guard hello.capabilities.words.contains(TransportCost.word),
      server?.capabilities.words.contains(TransportCost.word) ?? false,
      let frame = try? reader.next(), frame.kind == .cost
    else { return nil }
    return try? TransportCost(decoding: frame.payload)
  }

  // MARK: Frames

  /// Writes a turn.
  private mutating func send(
    _ body: (inout FrameWriter<Stream>) throws(RemoteError) -> Void
  ) throws(RemoteError) {
    turnCount += 1
    try say { writer throws(RemoteError) in
      try body(&writer)
      try writer.write(.end)
    }
  }

  /// Writes a part of a turn; when the server has closed the connection, its last word says why.
  private mutating func say(
    _ body: (inout FrameWriter<Stream>) throws(RemoteError) -> Void
  ) throws(RemoteError) {
    do throws(RemoteError) {
      try body(&writer)
    } catch {
      // Only a server that has closed the connection has certainly ended its turn: any other may be waiting for us.
      guard error == .closed else { throw error }
      do throws(RemoteError) {
        while try reader.next() != nil {}
      } catch .peer(let fault) {
        throw .peer(fault)
      } catch {}
      throw error
    }
  }

  private mutating func next() throws(RemoteError) -> WireFrame {
    guard let frame = try reader.next() else { throw .closed }
    return frame
  }

  private mutating func expect(_ kind: WireFrame.Kind) throws(RemoteError) -> [UInt8] {
    let frame = try next()
    guard frame.kind == kind else { throw .unexpected("\(frame.name) at this place") }
    return frame.payload
  }
}
