// What a request is for, as far as its head says (RFC 9110, RFC 6750).

internal import NIOConcurrencyHelpers
internal import NIOHTTP1
internal import RedoStore

/// What is done with a request.
enum Route {
  /// It is answered at once.
  case answer(PlainAnswer)
  /// An account talks to its store.
  case exchange(Account)
  /// A request for documents.
  case documents(FirestoreWork)
}

/// An answer without frames.
struct PlainAnswer {
  let status: HTTPResponseStatus
  var fields: [(String, String)] = []
  let text: String
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
    case "/metrics" where settings.hasMetrics: return .answer(metricsAnswer(head))
    case "/v1/exchange": break
    case let uri where documents != nil && FirestoreRequest.isOne(uri):
      return routeDocuments(head, from: address, welcome)
    default: return .answer(PlainAnswer(status: .notFound, text: "there is nothing here"))
    }
    guard head.method == .POST else {
      return .answer(
        PlainAnswer(status: .methodNotAllowed, fields: [("Allow", "POST")], text: "only POST"))
    }
    guard welcome == .served, !connections.isStopping else {
      return .answer(Self.later(.serviceUnavailable, seconds: 2, "too many connections"))
    }
    let account: Account
    switch identify(head, from: address) {
    case .account(let found): account = found
    case .answer(let answer): return .answer(answer)
    }
    if let refusal = refusal(of: head) { return .answer(refusal) }
    let now = SystemClock.monotonicNanoseconds()
    if let seconds = requestRate.withLockedValue({ $0.take(account.name, now: now) }) {
      return .answer(Self.later(.tooManyRequests, seconds: seconds, "too many requests"))
    }
    return .exchange(account)
  }

  private func health(_ head: HTTPRequestHead) -> PlainAnswer {
    guard head.method == .GET else { return Self.onlyGet }
    return connections.isStopping
      ? Self.later(.serviceUnavailable, seconds: 2, "stopping")
      : PlainAnswer(status: .ok, text: "ok")
  }

  private func metricsAnswer(_ head: HTTPRequestHead) -> PlainAnswer {
    guard head.method == .GET else { return Self.onlyGet }
    return PlainAnswer(
      status: .ok, fields: [("Content-Type", "text/plain; version=0.0.4")],
      text: metrics.text(connections: connections.count))
  }

  private static var onlyGet: PlainAnswer {
    PlainAnswer(status: .methodNotAllowed, fields: [("Allow", "GET")], text: "only GET")
  }

  static func later(
    _ status: HTTPResponseStatus, seconds: Int, _ text: String
  ) -> PlainAnswer {
    PlainAnswer(status: status, fields: [("Retry-After", "\(seconds)")], text: text)
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
    if fields.count == 1, let token = Self.token(fields[0]),
      let account = accounts.account(token: token)
    {
      return .account(account)
    }
    // Clients that are refused often have to wait; others behind the same address are not affected.
    let now = SystemClock.monotonicNanoseconds()
    if let seconds = failureRate.withLockedValue({ $0.take(address, now: now) }) {
      return .answer(Self.later(.tooManyRequests, seconds: seconds, "too many refused requests"))
    }
    return .answer(
      PlainAnswer(
        status: .unauthorized, fields: [("WWW-Authenticate", "Bearer realm=\"redo\"")],
        text: "a token of an account is needed"))
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
        status: .payloadTooLarge, text: "a request has at most \(settings.bodyLimit) bytes")
    }
    return nil
  }
}
