// The body of a request that comes, and an answer that leaves in pieces. Failures of the connection are
// remembered, so that code that makes an answer only handles its own errors.

internal import CanonicalJSON
internal import FirestoreModel
internal import NIOConcurrencyHelpers
internal import NIOHTTP1
internal import RedoRemote
internal import RedoStore

/// An answer in JSON.
///
/// A class, because the code that makes it hands it on.
final class FirestoreAnswer {
  /// The media type of all answers.
  static let mediaType = "application/json; charset=UTF-8"
  /// How many bytes are made before they begin to leave.
  private static let bufferBytes = 131_072

  /// From how many bytes on a request is a large one.
  private static let largeBytes = 1 << 20
  /// How many of those are worked on at a time: each takes many times its size while it is read.
  private static let largeLimit = 4
  /// How many of them of one client: who sends slowly delays himself.
  private static let largeShare = 2
  /// How long a large request waits for its turn.
  private static let patienceMicroseconds: Int64 = 20_000_000

  private let stream: RequestStream
  private let large: NIOLockedValueBox<[String: Int]>
  private let client: String
  private var isLarge = false
  private var buffer: [UInt8] = []
  /// Why the connection is at its end.
  private(set) var failure: RemoteError?
  /// Whether some of it has left.
  private(set) var hasLeft = false

  /// - Parameters:
  ///   - stream: the request.
  ///   - large: how many large requests of each client are being worked on.
  ///   - client: the name of the client.
  init(_ stream: RequestStream, _ large: NIOLockedValueBox<[String: Int]>, of client: String) {
    self.stream = stream
    self.large = large
    self.client = client
  }

  /// The request is done.
  func end() {
    if isLarge {
      large.withLockedValue { large in
        large[client, default: 1] -= 1
        if large[client] == 0 { large[client] = nil }
      }
    }
    isLarge = false
  }

  /// Waits until there is room for a large request.
  private func waitForTurn() throws(FirestoreError) {
    var waited: Int64 = 0
    while !isLarge {
      isLarge = large.withLockedValue { large in
        guard large.values.reduce(0, +) < Self.largeLimit,
          large[client, default: 0] < Self.largeShare
        else { return false }
        large[client, default: 0] += 1
        return true
      }
      guard !isLarge else { return }
      guard waited < Self.patienceMicroseconds else {
        throw FirestoreError(.unavailable, "too many large requests", retryDelaySeconds: 2)
      }
      SystemClock.sleep(microseconds: 10_000)
      waited += 10_000
    }
  }

  /// All of the request's body; empty when the connection has ended.
  ///
  /// - Throws: `INVALID_ARGUMENT` when it is too long.
  func body(limit: Int) throws(FirestoreError) -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let bytes: [UInt8]
      do throws(RemoteError) { bytes = try stream.read(atMost: 65_536) } catch {
        failure = error
        return []
      }
      if bytes.isEmpty { return body }
      body += bytes
      if body.count > Self.largeBytes, !isLarge { try waitForTurn() }
      guard body.count <= limit else {
        throw FirestoreError(
          .invalidArgument, "Request payload size exceeds the limit: \(limit) bytes.")
      }
    }
  }

  /// Begins an answer of success.
  func begin() { stream.begin(.ok, Self.mediaType) }

  /// Adds to an answer that has begun.
  func write(_ bytes: [UInt8]) {
    buffer += bytes
    if buffer.count >= Self.bufferBytes { flush() }
  }

  /// Lets leave what there is.
  func flush() {
    guard failure == nil, !buffer.isEmpty else { return }
    hasLeft = true
    do throws(RemoteError) { try stream.write(buffer) } catch { failure = error }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Takes back what was written but has not been sent.
  func takeBack() { buffer = [] }

  /// Sends all of an answer.
  func send(_ json: [UInt8]) {
    begin()
    write(json)
    flush()
  }

  /// Sends an error as the answer.
  func send(_ error: FirestoreError) {
    guard failure == nil, !hasLeft else { return }
    stream.begin(HTTPResponseStatus(statusCode: error.status.httpCode), Self.mediaType)
    buffer = []
    error.appendJSON(to: &buffer)
    flush()
  }
}
