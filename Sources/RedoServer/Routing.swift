// What a request is for, as far as its head says (RFC 9110, RFC 6750).

internal import NIOConcurrencyHelpers
internal import NIOHTTP1
internal import RedoRepository
internal import RedoStore

/// What is done with a request.
enum Route {
  /// It is answered at once.
  case answer(PlainAnswer)
  /// It is worked on; its client counts it until it is answered.
  case work(Admitted)

  /// What is worked on.
  enum Work: Sendable {
    /// An account talks to its store.
    case exchange(Account)
    /// A request for documents.
    case documents(FirestoreWork, FirestoreService)
  }

  /// A request that was let in.
  struct Admitted: Sendable {
    /// Whose it is: an account by its name; who has none, by its address.
    let client: String
    let work: Work
  }
}

/// An answer without frames.
struct PlainAnswer {
  let status: HTTPResponseStatus
  var fields: [(String, String)] = []
  let text: String
  /// Why a request is refused, in a word.
  var reason = Refusal.other
}

/// Why a request is refused.
enum Refusal: String {
  /// Too many connections.
  case connections
  /// Too many requests, or bytes of them, of one client at a time.
  case share
  /// Too many requests a second of one client.
  case rate
  /// No account, or none that still holds.
  case account
  /// Too much at once.
  case size
  /// The server stops.
  case stopping
  /// Anything else.
  case other
}

extension ServerCore {
  /// Decides about a request.
  ///
  /// - Parameters:
  ///   - head: its first lines.
  ///   - address: where it comes from.
  ///   - welcome: whether its connection is served.
  /// - Returns: what to do.
  func route(_ head: HTTPRequestHead, from address: String, _ welcome: Connections.Welcome) -> Route
  {
    switch head.uri {
    case "/healthz": return .answer(health(head))
    case "/readyz": return .answer(readiness(head))
    case "/metrics" where settings.hasMetrics: return .answer(metricsAnswer(head))
    case "/v1/exchange": break
    case let uri where FirestoreRequest.isOne(uri):
      guard let documents else { return .answer(Self.nothing) }
      return routeDocuments(head, documents, from: address, welcome)
    default: return .answer(Self.nothing)
    }
    guard head.method == .POST else {
      return .answer(
        PlainAnswer(status: .methodNotAllowed, fields: [("Allow", "POST")], text: "only POST"))
    }
    guard welcome == .served, !connections.isStopping else {
      return .answer(unwelcome)
    }
    let account: Account
    switch identify(head, from: address) {
    case .account(let found): account = found
    case .answer(let answer): return .answer(answer)
    }
    if let refusal = refusal(of: head) { return .answer(refusal) }
    let now = SystemClock.monotonicNanoseconds()
    if let seconds = requestRate.withLockedValue({ $0.take(account.name, now: now) }) {
      return .answer(Self.later(.tooManyRequests, seconds: seconds, "too many requests", .rate))
    }
    guard open.withLockedValue({ $0.begin(account.name) }) else {
      return .answer(Self.crowded)
    }
    return .work(Route.Admitted(client: account.name, work: .exchange(account)))
  }

  private static let nothing = PlainAnswer(status: .notFound, text: "there is nothing here")
  /// The answer to a client that has too much open at a time.
  static let crowded = later(
    .tooManyRequests, seconds: 1, "too many requests of one account at a time", .share)

  /// The answer over a connection that is not served.
  private var unwelcome: PlainAnswer {
    connections.isStopping
      ? Self.later(.serviceUnavailable, seconds: 2, "stopping", .stopping)
      : Self.later(.serviceUnavailable, seconds: 2, "too many connections", .connections)
  }

  private func health(_ head: HTTPRequestHead) -> PlainAnswer {
    guard head.method == .GET || head.method == .HEAD else { return Self.onlyGet }
    return connections.isStopping ? unwelcome : PlainAnswer(status: .ok, text: "ok")
  }

  /// Whether a new request would be worked on at once.
  private func readiness(_ head: HTTPRequestHead) -> PlainAnswer {
    guard head.method == .GET || head.method == .HEAD else { return Self.onlyGet }
    guard let reason = congestion else { return PlainAnswer(status: .ok, text: "ready") }
    return Self.later(
      .serviceUnavailable, seconds: 2, reason, connections.isStopping ? .stopping : .connections)
  }

  private func metricsAnswer(_ head: HTTPRequestHead) -> PlainAnswer {
    guard head.method == .GET || head.method == .HEAD else { return Self.onlyGet }
    let gauges = Metrics.Gauges(
      connections: connections.count, waiting: waitingCount, droppedLines: droppedLineCount)
    return PlainAnswer(
      status: .ok, fields: [("Content-Type", "text/plain; version=0.0.4")],
      text: metrics.text(gauges, byAccount: settings.metersAccounts))
  }

  private static var onlyGet: PlainAnswer {
    PlainAnswer(
      status: .methodNotAllowed, fields: [("Allow", "GET, HEAD")], text: "only GET and HEAD")
  }

  static func later(
    _ status: HTTPResponseStatus, seconds: Int, _ text: String, _ reason: Refusal
  ) -> PlainAnswer {
    PlainAnswer(
      status: status, fields: [("Retry-After", "\(seconds)")], text: text, reason: reason)
  }

  // MARK: The client

  private enum Identity {
    case account(Account)
    case answer(PlainAnswer)
  }

  private func identify(_ head: HTTPRequestHead, from address: String) -> Identity {
    guard let accounts else {
      return .account(Account(name: "", rights: .writeReplica, store: localStore))
    }
    let fields = head.headers["authorization"]
    var complaint = "a token of an account is needed"
    if fields.count == 1, let token = Self.token(fields[0]),
      let account = accounts.account(token: token)
    {
      guard account.hasExpired(at: SystemClock.wallMilliseconds()) else { return .account(account) }
      complaint = "the token has expired"
    }
    // Clients that are refused often have to wait; others behind the same address are not affected.
    let now = SystemClock.monotonicNanoseconds()
    if let seconds = failureRate.withLockedValue({ $0.take(address, now: now) }) {
      return .answer(
        Self.later(.tooManyRequests, seconds: seconds, "too many refused requests", .account))
    }
    return .answer(
      PlainAnswer(
        status: .unauthorized, fields: [("WWW-Authenticate", "Bearer realm=\"redo\"")],
        text: complaint, reason: .account))
  }

  /// The token of a field `Authorization`.
  static func token(_ value: String) -> [UInt8]? {
    let bytes = Array(value.utf8)
    let scheme = Array("bearer ".utf8)
    guard bytes.count > scheme.count,
      zip(bytes, scheme).allSatisfy({ $0 == $1 || ($0 | 0x20) == $1 })
    else { return nil }
    return Array(bytes[scheme.count...])
  }

  // MARK: What is sent

  private func refusal(of head: HTTPRequestHead) -> PlainAnswer? {
    let type = head.headers["content-type"]
    let plain = type.first?.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
    guard type.count == 1, plain == RequestStream.mediaType else {
      return PlainAnswer(
        status: .unsupportedMediaType, fields: [("Accept-Post", RequestStream.mediaType)],
        text: "a body of \(RequestStream.mediaType) is needed")
    }
    let codings = head.headers["content-encoding"]
    guard codings.allSatisfy({ $0.lowercased() == "identity" }) else {
      // What is small here could be of any size then.
      return PlainAnswer(status: .unsupportedMediaType, text: "an encoded body is not taken")
    }
    if let length = head.headers.first(name: "content-length").flatMap({ Int($0) }),
      length > settings.bodyLimit
    {
      return PlainAnswer(
        status: .payloadTooLarge, text: "a request has at most \(settings.bodyLimit) bytes",
        reason: .size)
    }
    return nil
  }
}
