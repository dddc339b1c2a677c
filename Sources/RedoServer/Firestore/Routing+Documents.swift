// Whether a request for documents is let in: the client, and its rate; refusals are Google's JSON.

internal import CanonicalJSON
internal import FirestoreModel
internal import NIOConcurrencyHelpers
internal import NIOHTTP1
internal import RedoStore

extension ServerCore {
  /// Decides about a request for documents.
  ///
  /// - Parameters:
  ///   - head: its first lines.
  ///   - address: where it comes from.
  ///   - welcome: whether its connection is served.
  /// - Returns: what to do.
  func routeDocuments(
    _ head: HTTPRequestHead, from address: String, _ welcome: Connections.Welcome
  ) -> Route {
    guard welcome == .served, !connections.isStopping else {
      return Self.refuse(FirestoreError(.unavailable, "too many connections"), seconds: 2)
    }
    do throws(FirestoreError) {
      return try admit(head, from: address)
    } catch {
      return Self.refuse(error, seconds: error.retryDelaySeconds.map { Int($0) })
    }
  }

  private func admit(
    _ head: HTTPRequestHead, from address: String
  ) throws(FirestoreError) -> Route {
    guard let documents else { throw FirestoreError(.notFound, "there is nothing here") }
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
    let now = SystemClock.monotonicNanoseconds()
    if let seconds = requestRate.withLockedValue({ $0.take(caller.name, now: now) }) {
      throw FirestoreError(
        .resourceExhausted, "too many requests", retryDelaySeconds: Double(seconds))
    }
    guard let store = documents.stores[path] else { throw FirestoreRules.refusal }
    return .documents(FirestoreWork(request: request, caller: caller, store: store))
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

  private static func refuse(_ error: FirestoreError, seconds: Int?) -> Route {
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
        text: String(decoding: json, as: UTF8.self)))
  }
}
