// Whether a request for documents is let in: the client, and its rate; refusals are Google's JSON.

internal import CanonicalJSON
internal import FirestoreModel
internal import NIOConcurrencyHelpers
internal import NIOHTTP1
internal import RedoRepository
internal import RedoStore

extension ServerCore {
  /// Decides about a request for documents.
  ///
  /// - Parameters:
  ///   - head: its first lines.
  ///   - documents: what is served.
  ///   - address: where it comes from.
  ///   - welcome: whether its connection is served.
  /// - Returns: what to do.
  func routeDocuments(
    _ head: HTTPRequestHead, _ documents: FirestoreService, from address: String,
    _ welcome: Connections.Welcome
  ) -> Route {
    guard welcome == .served, !connections.isStopping else {
      return Self.refuse(
        FirestoreError(.unavailable, "too many connections"), seconds: 2, .connections)
    }
    do throws(FirestoreError) {
      return try admit(head, documents, from: address)
    } catch {
      let reason: Refusal =
        switch error.status {
        case .resourceExhausted: .rate
        case .unauthenticated: .account
        default: .other
        }
      return Self.refuse(error, seconds: error.retryDelaySeconds.map { Int($0) }, reason)
    }
  }

  private func admit(
    _ head: HTTPRequestHead, _ documents: FirestoreService, from address: String
  ) throws(FirestoreError) -> Route {
    let request = try FirestoreRequest(head)
    guard documents.project == nil || documents.project == request.database.project,
      request.database.database == DatabaseName.defaultID
    else {
      throw FirestoreError(.notFound, "there is no '\(request.database.text)' here")
    }
    let (caller, path) = try identify(head, documents, from: address)
    let codings = head.headers["content-encoding"]
    guard codings.allSatisfy({ $0.lowercased() == "identity" }) else {
      throw FirestoreError(.invalidArgument, "an encoded body is not taken")
    }
    if let length = head.headers.first(name: "content-length").flatMap({ Int($0) }),
      length > FirestoreService.requestLimit
    {
      throw FirestoreError(
        .invalidArgument,
        "Request payload size exceeds the limit: \(FirestoreService.requestLimit) bytes.")
    }
    // Clients without an account have a share of their own, each address for itself.
    let client = caller == .nobody ? "from \(address)" : caller.name
    let now = SystemClock.monotonicNanoseconds()
    if let seconds = requestRate.withLockedValue({ $0.take(client, now: now) }) {
      throw FirestoreError(
        .resourceExhausted, "too many requests", retryDelaySeconds: Double(seconds))
    }
    guard let store = documents.stores[path] else { throw FirestoreRules.refusal }
    guard open.withLockedValue({ $0.begin(client) }) else {
      return Self.refuse(
        FirestoreError(.resourceExhausted, "too many requests of one account at a time"),
        seconds: 1, .share)
    }
    let work = FirestoreWork(request: request, caller: caller, store: store)
    return .work(Route.Admitted(client: client, work: .documents(work, documents)))
  }

  /// The client, and its store.
  private func identify(
    _ head: HTTPRequestHead, _ documents: FirestoreService, from address: String
  ) throws(FirestoreError) -> (FirestoreCaller, path: String) {
    let fields = head.headers["authorization"]
    guard let field = fields.first else { return (.nobody, documents.isEmulator ? localStore : "") }
    do throws(FirestoreError) {
      guard fields.count == 1, let token = Self.token(field) else {
        throw FirestoreError(.unauthenticated, "a token is sent as 'Authorization: Bearer'")
      }
      if documents.isEmulator {
        return (
          try EmulatorToken.caller(token, at: SystemClock.wallMilliseconds()), localStore
        )
      }
      guard let account = accounts?.account(token: token) else {
        throw FirestoreError(.unauthenticated, "the token is of no account")
      }
      guard !account.hasExpired(at: SystemClock.wallMilliseconds()) else {
        throw FirestoreError(.unauthenticated, "the token has expired")
      }
      if account.rights == .admin { return (.admin(account.name), account.store) }
      guard let id = try? OAuthID(account.name) else {
        throw FirestoreError(.unauthenticated, "the account has no name that documents can have")
      }
      let rights = account.rights
      return (
        .user(id, mayWrite: rights.mayWrite, seesAll: rights.isReplica), account.store
      )
    } catch {
      // Clients that are refused often have to wait.
      let now = SystemClock.monotonicNanoseconds()
      if let seconds = failureRate.withLockedValue({ $0.take(address, now: now) }) {
        throw FirestoreError(
          .resourceExhausted, "too many refused requests", retryDelaySeconds: Double(seconds))
      }
      throw error
    }
  }

  private static func refuse(_ error: FirestoreError, seconds: Int?, _ reason: Refusal) -> Route {
    var json: [UInt8] = []
    error.appendJSON(to: &json)
    var fields = [("Content-Type", FirestoreAnswer.mediaType)]
    if let seconds { fields.append(("Retry-After", "\(max(1, seconds))")) }
    if error.status == .unauthenticated {
      fields.append(("WWW-Authenticate", "Bearer realm=\"redo\""))
    }
    return .answer(
      PlainAnswer(
        status: HTTPResponseStatus(statusCode: error.status.httpCode), fields: fields,
        text: String(decoding: json, as: UTF8.self), reason: reason))
  }
}
