// What all connections of a server share, and the work of one exchange.

internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
package import RedoRepository
internal import RedoNIO
internal import RedoRemote
internal import RedoStore

/// Works on one exchange; called on a thread that may wait.
package typealias Answering = @Sendable (RequestStream, Account) -> ServedStores.Outcome

/// What all connections share.
///
/// A class, because all of them share it.
final class ServerCore: Sendable {
  let settings: ServerSettings
  /// The store that is served without accounts.
  let localStore: String
  /// What can be replaced while the server runs.
  let parts: NIOLockedValueBox<ServerParts>
  let connections: Connections
  let metrics = Metrics()
  /// How often each account may ask.
  let requestRate: NIOLockedValueBox<RateLimit>
  /// How often each address may be refused.
  let failureRate = NIOLockedValueBox(RateLimit(perSecond: 2, burst: 20))
  /// How much each client takes up.
  let open: NIOLockedValueBox<OpenRequests>
  private let turns: NIOLockedValueBox<Turns<@Sendable (Bool) -> Void>>
  /// The requests that are being received or worked on, by their connection.
  private let streams = NIOLockedValueBox<[ObjectIdentifier: RequestStream]>([:])
  private let answering: Answering
  private let requestLog: RequestLog
  private let threads: NIOThreadPool

  init(
    _ settings: ServerSettings, _ parts: ServerParts, localStore: String, _ log: RequestLog,
    _ answering: @escaping Answering
  ) {
    self.settings = settings
    self.localStore = localStore
    self.parts = NIOLockedValueBox(parts)
    self.answering = answering
    requestLog = log
    // Without accounts all clients are the owner of the store.
    let hasAccounts = parts.accounts != nil
    let workers = settings.workerCount
    open = NIOLockedValueBox(
      OpenRequests(
        requestLimit: hasAccounts ? settings.openLimit : .max,
        byteLimit: hasAccounts ? settings.waitingByteLimit : .max))
    turns = NIOLockedValueBox(
      Turns(threads: workers, share: hasAccounts ? settings.runningLimit : workers))
    connections = Connections(limit: settings.connectionLimit)
    requestRate = NIOLockedValueBox(
      RateLimit(perSecond: settings.ratePerSecond, burst: 10 * settings.ratePerSecond))
    threads = NIOThreadPool(numberOfThreads: workers)
    threads.start()
  }

  var accounts: Accounts? { parts.withLockedValue { $0.accounts } }
  /// The documents that are also served; `nil` for none.
  var documents: FirestoreService? { parts.withLockedValue { $0.documents } }
  /// Why a new request would have to wait; `nil` when it would not.
  var congestion: String? {
    if connections.isStopping { return "stopping" }
    if !connections.hasRoom { return "no room for connections" }
    return turns.withLockedValue { $0.isFull } ? "no thread is free" : nil
  }
  /// How many requests wait for a thread.
  var waitingCount: Int { turns.withLockedValue { $0.waitingCount } }
  /// How many lines of the log were dropped.
  var droppedLineCount: Int { requestLog.writer.droppedCount }

  /// What came of a request.
  private struct Outcome {
    /// The client of the request.
    let account: String
    /// Why it has ended early.
    let failure: RemoteError?
    /// What happened on the way.
    var events: [RedoEvent] = []
  }

  private func work(_ work: Route.Work, _ stream: RequestStream) -> Outcome {
    switch work {
    case .exchange(let account):
      let outcome = answering(stream, account)
      return Outcome(account: account.name, failure: outcome.error, events: outcome.events)
    case .documents(let work, let service):
      return Outcome(account: work.caller.name, failure: service.answer(work, stream))
    }
  }

  /// Works on a request when a thread is free, and it is its client's turn.
  ///
  /// - Parameters:
  ///   - stream: the request.
  ///   - route: what it is for.
  ///   - head: its first lines.
  ///   - channel: its connection.
  ///   - held: how many of its bytes wait.
  ///   - began: when it began.
  func run(
    _ stream: RequestStream, _ route: Route.Admitted, _ head: HTTPRequestHead,
    from channel: any Channel, held: Int, since began: Int64
  ) {
    metrics.begin()
    let job: @Sendable (Bool) -> Void = { [self] isActive in
      open.withLockedValue { $0.release(held, of: route.client) }
      stream.start()
      // While it waited, its client may have gone.
      let outcome =
        isActive && !stream.window.hasStopped
        ? work(route.work, stream) : Outcome(account: "", failure: .closed)
      let failure = outcome.failure
      stream.end(failure)
      let nanoseconds = SystemClock.monotonicNanoseconds() - began
      let status = Int(stream.status.code)
      // Last: a server that stops waits until nothing runs, and then nothing may be left to be said.
      defer {
        metrics.end(
          Metrics.Exchange(
            account: outcome.account, status: status, received: stream.receivedByteCount,
            sent: stream.sentByteCount, nanoseconds: nanoseconds))
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
    if let turn = turns.withLockedValue({ $0.add(job, of: route.client) }) { begin(turn) }
  }

  private func begin(_ turn: Turns<@Sendable (Bool) -> Void>.Turn) {
    threads.submit { [self] state in
      turn.job(state == .active)
      if let next = turns.withLockedValue({ $0.end(of: turn.client) }) { begin(next) }
    }
  }

  /// A request begins to come.
  func add(_ stream: RequestStream, of channel: any Channel) {
    streams.withLockedValue { $0[ObjectIdentifier(channel)] = stream }
  }

  /// A request has been answered, or its connection has ended.
  func remove(_ stream: RequestStream, of channel: any Channel) {
    streams.withLockedValue { streams in
      if streams[ObjectIdentifier(channel)] === stream { streams[ObjectIdentifier(channel)] = nil }
    }
  }

  /// How far each request has come.
  private var progress: [ObjectIdentifier: RequestStream.Progress] {
    streams.withLockedValue { $0.mapValues(\.progress) }
  }

  /// Waits until no exchange runs, and no request has come in part.
  ///
  /// Clients that hardly move anything are cut off meanwhile: they would be waited for to the end.
  ///
  /// - Parameter seconds: how long.
  /// - Returns: whether it is so, and how many clients were cut off for that.
  func waitForExchanges(seconds: Int) -> (isDone: Bool, cutCount: Int) {
    var cutCount = 0
    let end = SystemClock.monotonicNanoseconds() + Int64(seconds) * 1_000_000_000
    var before = progress
    var look = SystemClock.monotonicNanoseconds() + settings.stallNanoseconds
    while metrics.running > 0 || connections.busyCount > 0 {
      let time = SystemClock.monotonicNanoseconds()
      guard time < end else { return (false, cutCount) }
      if time >= look {
        let now = progress
        let moving = now.filter { channel, progress in
          before[channel].map { progress.isMoving(since: $0) } ?? true
        }
        cutCount += connections.cut(except: Set(moving.keys))
        before = now
        look = time + settings.stallNanoseconds
      }
      SystemClock.sleep(microseconds: 10_000)
    }
    return (true, cutCount)
  }

  // MARK: The log

  /// Says that a request was answered without an exchange.
  func log(
    _ answer: PlainAnswer, _ head: HTTPRequestHead, from channel: any Channel, since began: Int64
  ) {
    let status = Int(answer.status.code)
    metrics.count(status: status, status >= 400 ? answer.reason : nil)
    log(status, head, from: channel, since: began)
  }

  /// Says that a client was cut off before its request had come.
  func logCut(_ head: HTTPRequestHead, from channel: any Channel, since began: Int64) {
    log(PlainAnswer(status: .requestTimeout, text: ""), head, from: channel, since: began)
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
        ("milliseconds", .number(Int(nanoseconds / 1_000_000))),
        ("path", .text(Self.path(of: head))),
        ("status", .number(status)),
      ])
  }

  /// The path of a request without its query, in which there may be a token.
  private static func path(of head: HTTPRequestHead) -> String {
    String(head.uri.prefix { $0 != "?" })
  }
}

/// What can be replaced while a server runs.
struct ServerParts: Sendable {
  /// The accounts; `nil` when every client that can reach the server is served.
  var accounts: Accounts?
  /// What new connections speak TLS with; `nil` for none.
  var tls: NIOSSLContext?
  /// The documents that are also served; `nil` for none.
  var documents: FirestoreService?
}
