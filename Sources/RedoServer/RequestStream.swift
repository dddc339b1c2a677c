// A request and its answer, as the thread that works on it sees them: a stream that waits.

internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1
internal import RedoNIO
package import RedoRemote
internal import RedoStore

/// The body of a request coming in, the body of its answer going out.
///
/// A class, because a stream is one; unchecked, because it is handed from the event loop to one thread
/// that alone reads and writes.
package final class RequestStream: ByteStream, @unchecked Sendable {
  /// With how many bytes either side waits for the other.
  static let bufferBytes = 262_144
  /// The media type of frames.
  package static let mediaType = "application/vnd.redo.wire"

  /// What the event loop hands over.
  let incoming: IncomingBytes
  /// What is being sent.
  let window = SendWindow(limit: bufferBytes)
  private let channel: any Channel
  private let version: HTTPVersion
  private var patience: PeerPatience
  private var hasHead = false
  /// The status of the answer.
  private(set) var status = HTTPResponseStatus.ok
  private var answerType = RequestStream.mediaType
  /// How far it has come, as others see it.
  private let state = NIOLockedValueBox(Progress(bytes: 0, isWaiting: true))
  /// The bytes that were read.
  private(set) var receivedByteCount = 0
  /// The bytes that were written.
  private(set) var sentByteCount = 0

  init(
    _ channel: any Channel, version: HTTPVersion, timeoutSeconds: Int,
    resume: @escaping @Sendable () -> Void
  ) {
    self.channel = channel
    self.version = version
    patience = PeerPatience(limitSeconds: Double(timeoutSeconds))
    incoming = IncomingBytes(limit: Self.bufferBytes, resume: resume)
  }

  /// How far a request has come.
  struct Progress {
    /// The bytes that have come, and those that were taken.
    var bytes: Int
    /// Whether the client is waited for.
    var isWaiting: Bool

    /// How many bytes count as progress.
    private static let least = 4096

    /// Whether it goes on: nobody waits for its client, or that has moved something.
    func isMoving(since earlier: Progress) -> Bool {
      !isWaiting || bytes - earlier.bytes >= Self.least
    }
  }

  /// How far it has come.
  var progress: Progress { state.withLockedValue { $0 } }

  /// Notes that bytes have come, or have left.
  func noteMoved(_ count: Int) { state.withLockedValue { $0.bytes += count } }

  /// A thread begins to work on it.
  func start() { wait(false) }

  private func wait(_ isWaiting: Bool) { state.withLockedValue { $0.isWaiting = isWaiting } }

  /// Settles how the answer begins; without this it is one of frames.
  ///
  /// - Parameters:
  ///   - status: its status.
  ///   - mediaType: what its body is.
  func begin(_ status: HTTPResponseStatus, _ mediaType: String) {
    self.status = status
    answerType = mediaType
  }

  package func read(atMost limit: Int) throws(RemoteError) -> [UInt8] {
    let began = SystemClock.monotonicNanoseconds()
    let bytes: [UInt8]?
    wait(true)
    defer { wait(false) }
    do throws(RemoteError) {
      bytes = try incoming.read(atMost: limit, waitingSeconds: patience.seconds)
    } catch {
      if case .limit = error { status = .payloadTooLarge }
      throw error
    }
    guard let bytes else { throw cutOff() }
    patience.count(waitedSeconds: Self.seconds(since: began), bytes: bytes.count)
    receivedByteCount += bytes.count
    return bytes
  }

  package func write(_ bytes: [UInt8]) throws(RemoteError) {
    if !hasHead {
      hasHead = true
      let fields = HTTPHeaders([
        ("Content-Type", answerType), ("Cache-Control", "no-store"),
      ])
      let head = HTTPResponseHead(version: version, status: status, headers: fields)
      channel.write(HTTPServerResponsePart.head(head), promise: nil)
    }
    let began = SystemClock.monotonicNanoseconds()
    wait(true)
    defer { wait(false) }
    switch window.open(for: bytes.count, waitingSeconds: patience.seconds) {
    case .room: break
    case .stopped: throw .closed
    case .late: throw cutOff()
    }
    patience.count(waitedSeconds: Self.seconds(since: began), bytes: bytes.count)
    sentByteCount += bytes.count
    let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes)))
    channel.writeAndFlush(part).whenComplete { [self] result in
      if case .failure = result { window.stop() }
      window.sent(bytes.count)
      noteMoved(bytes.count)
    }
  }

  /// Ends the answer; one that never began, or broke off, ends with the connection.
  ///
  /// - Parameter failure: why the exchange has ended early.
  func end(_ failure: RemoteError?) {
    wait(true)
    if !hasHead, receivedByteCount == 0, incoming.hasEndedEmpty {
      // A client that sends nothing hears what is missing.
      begin(.badRequest, "text/plain")
      try? write(Array("the body is empty\n".utf8))
    }
    switch failure {
    case .closed where hasHead && status == .badRequest:
      channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
    case .closed, .stream: channel.close(promise: nil)
    default:
      guard hasHead else { return channel.close(promise: nil) }
      channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
    }
  }

  private func cutOff() -> RemoteError {
    status = .requestTimeout
    channel.close(promise: nil)
    return .stream(patience.complaint)
  }

  private static func seconds(since began: Int64) -> Double {
    Double(SystemClock.monotonicNanoseconds() - began) / 1e9
  }
}
