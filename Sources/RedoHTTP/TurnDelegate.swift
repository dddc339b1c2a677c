// Takes an answer as it comes, on the event loop.

internal import AsyncHTTPClient
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1
internal import RedoNIO
internal import RedoRemote

/// What the client calls when something of an answer has come.
///
/// A class, because the client holds it together with the thread that reads.
final class TurnDelegate: HTTPClientResponseDelegate {
  typealias Response = Void

  /// The bytes of the answer.
  let incoming: IncomingBytes
  private let endpoint: HTTPEndpoint
  private let window: SendWindow
  private let paused: NIOLockedValueBox<EventLoopPromise<Void>?>
  private let answered = NIOLockedValueBox(false)

  init(_ endpoint: HTTPEndpoint, _ window: SendWindow, limit: Int) {
    let paused = NIOLockedValueBox<EventLoopPromise<Void>?>(nil)
    self.paused = paused
    self.endpoint = endpoint
    self.window = window
    incoming = IncomingBytes(limit: limit) { Self.goOn(paused) }
  }

  /// Whether an answer, or the end without one, has come.
  var isAnswered: Bool { answered.withLockedValue { $0 } }

  func didReceiveHead(
    task: HTTPClient.Task<Void>, _ head: HTTPResponseHead
  ) -> EventLoopFuture<Void> {
    let fault = AnswerCheck.fault(status: Int(head.status.code)) { name in
      // A field that appears twice is one value with a comma in it, which none of these may have.
      let values = head.headers[name]
      return values.isEmpty ? nil : values.joined(separator: ", ")
    }
    if let fault { incoming.fail(.peer(fault)) }
    stopSending()
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didReceiveBodyPart(
    task: HTTPClient.Task<Void>, _ buffer: ByteBuffer
  ) -> EventLoopFuture<Void> {
    let promise = task.eventLoop.makePromise(of: Void.self)
    paused.withLockedValue { $0 = promise }
    if incoming.push(buffer) { Self.goOn(paused) }
    return promise.futureResult
  }

  func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
    incoming.fail(.peer(TransportFault.fault(of: error, endpoint)))
    Self.goOn(paused)
    stopSending()
  }

  func didFinishRequest(task: HTTPClient.Task<Void>) throws {
    incoming.finish()
    stopSending()
  }

  /// From now on the thread reads instead of writing.
  private func stopSending() {
    answered.withLockedValue { $0 = true }
    window.stop()
  }

  private static func goOn(_ paused: NIOLockedValueBox<EventLoopPromise<Void>?>) {
    let promise = paused.withLockedValue { paused in
      defer { paused = nil }
      return paused
    }
    promise?.succeed()
  }
}
