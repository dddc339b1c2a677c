// What all connections of a server share, and the work of one exchange.

internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
package import RedoRepository
internal import RedoRemote
internal import RedoStore

/// Works on one exchange; called on a thread that may wait.
package typealias Answering = @Sendable (RequestStream, Account) -> ServedStores.Outcome

/// What all connections share.
///
/// A class, because all of them share it.
final class ServerCore: Sendable {
  let settings: ServerSettings
  /// The accounts; `nil` when every client that can reach the server is served.
  let accounts: Accounts?
  /// The store that is served without accounts.
  let localStore: String
  /// The documents that are also served; `nil` for none.
  let documents: FirestoreService?
  let connections: Connections
  let metrics = Metrics()
  /// How often each account may ask.
  let requestRate: NIOLockedValueBox<RateLimit>
  /// How often each address may be refused.
  let failureRate = NIOLockedValueBox(RateLimit(perSecond: 2, burst: 20))
  private let answering: Answering
  private let requestLog: RequestLog
  private let threads: NIOThreadPool

  init(
    _ settings: ServerSettings, _ accounts: Accounts?, localStore: String,
    _ documents: FirestoreService?, _ log: RequestLog, _ answering: @escaping Answering
  ) {
    self.settings = settings
    self.accounts = accounts
    self.localStore = localStore
    self.documents = documents
    self.answering = answering
    requestLog = log
    connections = Connections(limit: settings.connectionLimit)
    requestRate = NIOLockedValueBox(
      RateLimit(perSecond: settings.ratePerSecond, burst: 10 * settings.ratePerSecond))
    threads = NIOThreadPool(numberOfThreads: settings.workerCount)
    threads.start()
  }

  /// What came of a request.
  private struct Outcome {
    /// The client of the request.
    let account: String
    /// Why it has ended early.
    let failure: RemoteError?
    /// What happened on the way.
    var events: [RedoEvent] = []
  }

  private func work(_ route: Route, _ stream: RequestStream) -> Outcome {
    switch route {
    case .answer: return Outcome(account: "", failure: .closed)
    case .exchange(let account):
      let outcome = answering(stream, account)
      return Outcome(account: account.name, failure: outcome.error, events: outcome.events)
    case .documents(let work):
      return Outcome(account: work.caller.name, failure: documents?.answer(work, stream))
    }
  }

  /// Works on a request when a thread is free.
  func run(
    _ stream: RequestStream, _ route: Route, _ head: HTTPRequestHead,
    from channel: any Channel, since began: Int64
  ) {
    metrics.begin()
    threads.submit { [self] state in
      let outcome =
        state == .active ? work(route, stream) : Outcome(account: "", failure: .closed)
      let failure = outcome.failure
      stream.end(failure)
      let nanoseconds = SystemClock.monotonicNanoseconds() - began
      let status = Int(stream.status.code)
      // Last: a server that stops waits until nothing runs, and then nothing may be left to be said.
      defer {
        metrics.end(
          status: status, received: stream.receivedByteCount, sent: stream.sentByteCount,
          nanoseconds: nanoseconds)
      }
      var members: [(String, RequestLog.Value)] = [
        ("account", .text(outcome.account)), ("received", .number(stream.receivedByteCount)),
        ("sent", .number(stream.sentByteCount)),
      ]
      if let failure { members.append(("fault", .text(failure.description))) }
      log(status, head, from: channel, since: began, members)
      for line in outcome.events.flatMap(requestLog.words) {
        requestLog.say("message", [("account", .text(outcome.account)), ("text", .text(line))])
      }
    }
  }

  /// Waits until no exchange runs, and no request has come in part.
  ///
  /// - Parameter seconds: how long.
  /// - Returns: whether it is so.
  func waitForExchanges(seconds: Int) -> Bool {
    let end = SystemClock.monotonicNanoseconds() + Int64(seconds) * 1_000_000_000
    while metrics.running > 0 || connections.busyCount > 0 {
      guard SystemClock.monotonicNanoseconds() < end else { return false }
      SystemClock.sleep(microseconds: 10_000)
    }
    return true
  }

  // MARK: The log

  /// Says that a request was answered without an exchange.
  func log(
    _ status: HTTPResponseStatus, _ head: HTTPRequestHead, from channel: any Channel,
    since began: Int64
  ) {
    metrics.count(status: Int(status.code))
    log(Int(status.code), head, from: channel, since: began)
  }

  /// Says that a client was cut off before its request had come.
  func logCut(_ head: HTTPRequestHead, from channel: any Channel, since began: Int64) {
    log(.requestTimeout, head, from: channel, since: began)
  }

  private func log(
    _ status: Int, _ head: HTTPRequestHead, from channel: any Channel, since began: Int64,
    _ more: [(String, RequestLog.Value)] = []
  ) {
    let nanoseconds = SystemClock.monotonicNanoseconds() - began
    let address = channel.remoteAddress?.ipAddress ?? ""
    requestLog.say(
      "request",
      more + [
        ("client", .text(address)), ("method", .text(head.method.rawValue)),
        ("milliseconds", .number(Int(nanoseconds / 1_000_000))), ("path", .text(head.uri)),
        ("status", .number(status)),
      ])
  }
}
