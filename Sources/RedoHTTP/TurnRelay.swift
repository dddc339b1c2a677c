// Between a pipe and requests: one turn at the pipe becomes one request, and its answer becomes the
// answering turn.
//
// A server remembers nothing between two requests, so each of them begins with the client's greeting,
// and each answer with the server's; at the pipe, greetings are only in the first turns. What the first answer alone
// says (access lists, nodes that are not offered) is asked for in the first request alone.

package import RedoRemote

/// One request that is being made.
package protocol Turn: ByteStream {
  /// Whether nothing more can be sent.
  var isAnswered: Bool { get }
  /// Ends the request; what comes now is the answer.
  func finish()
  /// Gives the request up if it has not ended.
  func cancel()
}

/// Hands turns on, from the first to the last.
package struct TurnRelay<Pipe: ByteStream, Request: Turn> {
  private var input: FrameReader<Pipe>
  private var output: FrameWriter<Pipe>
  private let makeRequest: () throws(RemoteError) -> Request
  /// What the client said first.
  private var hello: [UInt8]?
  /// What the server said first.
  private var server: ServerHello?

  /// A relay.
  ///
  /// - Parameters:
  ///   - pipe: the side that takes turns.
  ///   - makeRequest: begins a request.
  package init(_ pipe: Pipe, _ makeRequest: @escaping () throws(RemoteError) -> Request) {
    input = FrameReader(pipe)
    output = FrameWriter(pipe)
    self.makeRequest = makeRequest
  }

  /// Hands turns on until the side at the pipe ends them; errors are reported there.
  package mutating func run() {
    do throws(RemoteError) {
      while try handOn() {}
    } catch {
      try? output.write(.fault, error.faultToTell.bytes)
    }
  }

  /// Hands one turn on.
  ///
  /// - Returns: `false` at the end of the stream.
  /// - Throws: why it could not be.
  private mutating func handOn() throws(RemoteError) -> Bool {
    guard var frame = try input.next() else { return false }
    if hello == nil {
      guard frame.kind == .hello else { throw .unexpected("a frame before the greeting") }
      hello = frame.payload
      frame = try nextOfTurn()
    }
    let request = try makeRequest()
    defer { request.cancel() }
    try send(frame, in: request)
    try takeAnswer(of: request)
    return true
  }

  private mutating func nextOfTurn() throws(RemoteError) -> WireFrame {
    guard let frame = try input.next() else { throw .closed }
    return frame
  }

  private mutating func send(_ first: WireFrame, in request: Request) throws(RemoteError) {
    var writer = FrameWriter(request)
    var frame = first
    do throws(RemoteError) {
      try writer.write(.hello, hello ?? [])
      while frame.kind != .end {
        try writer.write(frame.kind, frame.payload)
        frame = try nextOfTurn()
      }
      try writer.write(.end)
      request.finish()
    } catch {
      // A server that answers before it has heard everything says why it will not.
      guard error == .closed, request.isAnswered else { throw error }
    }
  }

  private mutating func takeAnswer(of request: Request) throws(RemoteError) {
    var reader = FrameReader(request)
    guard let first = try reader.next() else { throw .closed }
    guard first.kind == .hello else { throw .unexpected("an answer without a greeting") }
    let greeting = try ServerHello(decoding: first.payload)
    if let server {
      // A checkpoint may have been made since, and others may have pushed.
      guard greeting.version == server.version, greeting.store == server.store,
        greeting.capabilities.lasting == server.capabilities.lasting
      else { throw .unexpected("another greeting than in the first turn") }
    } else {
      server = greeting
      hello = try hello.map { (bytes) throws(RemoteError) in
        try ClientHello(decoding: bytes).later.bytes
      }
      try output.write(.hello, first.payload)
    }
    var kind = WireFrame.Kind.hello
    while kind != .end {
      guard let frame = try reader.next() else { throw .closed }
      kind = frame.kind
      // The end of the turn is handed on when it is known that nothing follows it.
      if kind != .end { try output.write(kind, frame.payload) }
    }
    guard try reader.next() == nil else { throw .unexpected("a frame after the end of a turn") }
    try output.write(.end)
  }
}

extension RemoteError {
  /// The fault that the side at the pipe gets.
  package var faultToTell: PeerFault {
    switch self {
    case .peer(let fault), .refused(let fault): fault
    case .closed: PeerFault(.unavailable, "the answer ends in the middle")
    case .stream, .unavailable: PeerFault(.unavailable, description)
    case .malformed: PeerFault(.malformed, description)
    case .unexpected: PeerFault(.unexpected, description)
    case .limit: PeerFault(.limit, description)
    case .unsupported: PeerFault(.version, description)
    case .stopped: PeerFault(.stopped, description)
    }
  }
}
