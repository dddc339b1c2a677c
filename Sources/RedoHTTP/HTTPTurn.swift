// One turn of an exchange as one request: its body is written while the connection takes it, and the
// answer read while it comes. The thread waits, the event loop does not.

package import AsyncHTTPClient
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1
internal import RedoNIO
package import RedoRemote
internal import RedoStore

/// A request and its answer.
///
/// A class, because a stream is one; used by one thread.
package final class HTTPTurn: Turn {
  /// With how many bytes either side waits for the other.
  private static let bufferBytes = 262_144

  private let client: HTTPClient
  private let window = SendWindow(limit: bufferBytes)
  private let body = RequestBody()
  private let delegate: TurnDelegate
  private let task: HTTPClient.Task<Void>
  private var patience: PeerPatience

  /// Begins a request.
  ///
  /// - Parameters:
  ///   - client: makes it.
  ///   - endpoint: whom it is for.
  ///   - token: identifies the client, if the server requires it.
  ///   - limitSeconds: the longest wait for the other side.
  /// - Throws: `peer` with a fault.
  package init(
    _ client: HTTPClient, _ endpoint: HTTPEndpoint, token: String?, limitSeconds: Double
  ) throws(RemoteError) {
    self.client = client
    patience = PeerPatience(limitSeconds: limitSeconds)
    delegate = TurnDelegate(endpoint, window, limit: Self.bufferBytes)
    var headers = HTTPHeaders([
      ("Content-Type", AnswerCheck.mediaType), ("Accept", AnswerCheck.mediaType),
      ("Accept-Encoding", "identity"), ("User-Agent", "redo"),
    ])
    if let token { headers.add(name: "Authorization", value: "Bearer \(token)") }
    let body = body
    let loop = client.eventLoopGroup.any()
    let stream = HTTPClient.Body.stream { writer in body.start(writer, loop) }
    do {
      let request = try HTTPClient.Request(
        url: endpoint.url, method: .POST, headers: headers, body: stream)
      task = client.execute(request: request, delegate: delegate)
    } catch {
      throw .peer(TransportFault.fault(of: error, endpoint))
    }
  }

  /// Whether the answer has come, or will never come: nothing more can be sent.
  package var isAnswered: Bool { delegate.isAnswered }

  package func write(_ bytes: [UInt8]) throws(RemoteError) {
    let began = SystemClock.monotonicNanoseconds()
    switch window.open(for: bytes.count, waitingSeconds: patience.seconds) {
    case .room: break
    case .stopped: throw .closed
    case .late:
      cancel()
      throw .peer(PeerFault(.unavailable, patience.complaint))
    }
    patience.count(waitedSeconds: Self.seconds(since: began), bytes: bytes.count)
    let window = window
    body.write(ByteBuffer(bytes: bytes)) { window.sent(bytes.count) }
  }

  /// Ends the body of the request.
  package func finish() { body.finish() }

  package func read(atMost limit: Int) throws(RemoteError) -> [UInt8] {
    let began = SystemClock.monotonicNanoseconds()
    guard
      let bytes = try delegate.incoming.read(
        atMost: limit, waitingSeconds: patience.seconds)
    else {
      cancel()
      throw .peer(PeerFault(.unavailable, patience.complaint))
    }
    patience.count(waitedSeconds: Self.seconds(since: began), bytes: bytes.count)
    return bytes
  }

  /// Gives the request up if it has not ended.
  package func cancel() {
    task.fail(reason: CancellationError())
    body.abandon()
  }

  private static func seconds(since began: Int64) -> Double {
    Double(SystemClock.monotonicNanoseconds() - began) / 1e9
  }
}

/// The body of a request: what is written before there is a connection waits for it.
///
/// A class, because the thread and the event loop hold it; everything is behind the lock.
private final class RequestBody: Sendable {
  private struct State {
    var writer: HTTPClient.Body.StreamWriter?
    var waiting: [(bytes: ByteBuffer, sent: @Sendable () -> Void)] = []
    var end: EventLoopPromise<Void>?
    var isFinished = false
    var isAbandoned = false
  }

  private let state = NIOLockedValueBox(State())

  /// The connection takes bytes from now on.
  func start(_ writer: HTTPClient.Body.StreamWriter, _ loop: any EventLoop) -> EventLoopFuture<Void>
  {
    let end = loop.makePromise(of: Void.self)
    let known = state.withLockedValue { state in
      for part in state.waiting {
        writer.write(.byteBuffer(part.bytes)).whenComplete { _ in part.sent() }
      }
      state.waiting = []
      state.writer = writer
      if !state.isFinished, !state.isAbandoned { state.end = end }
      return state
    }
    if known.isAbandoned {
      end.fail(CancellationError())
    } else if known.isFinished {
      end.succeed()
    }
    return end.futureResult
  }

  func write(_ bytes: ByteBuffer, _ sent: @escaping @Sendable () -> Void) {
    let writer = state.withLockedValue { state in
      if state.writer == nil { state.waiting.append((bytes, sent)) }
      return state.writer
    }
    writer?.write(.byteBuffer(bytes)).whenComplete { _ in sent() }
  }

  func finish() { take { $0.isFinished = true }?.succeed() }

  func abandon() { take { $0.isAbandoned = true }?.fail(CancellationError()) }

  private func take(_ change: (inout State) -> Void) -> EventLoopPromise<Void>? {
    state.withLockedValue { state in
      change(&state)
      defer { state.end = nil }
      return state.end
    }
  }
}
