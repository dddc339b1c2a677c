// Asking a token endpoint: the JWT bearer grant (RFC 7523, section 2.1), the refresh token of OAuth 2.0
// (RFC 6749, section 6) and that of Firebase (Identity Platform, "exchange a refresh token").

internal import RedoRepository
internal import RedoCrypto
internal import RedoRemote

/// What is posted to a token endpoint.
package struct TokenRequest: Sendable {
  /// The address; it may contain a key of Firebase, and is never shown.
  package let url: String
  /// The form.
  package let body: [UInt8]
}

/// What it answers.
package struct TokenAnswer: Sendable {
  /// The status of HTTP.
  package let status: Int
  /// After how many seconds to come again, where it says so.
  package let retryAfterSeconds: Int?
  /// The JSON text.
  package let body: [UInt8]

  /// An answer.
  ///
  /// - Parameters:
  ///   - status: the status of HTTP.
  ///   - retryAfterSeconds: after how many seconds to come again.
  ///   - body: the JSON text.
  package init(status: Int, retryAfterSeconds: Int? = nil, body: [UInt8]) {
    self.status = status
    self.retryAfterSeconds = retryAfterSeconds
    self.body = body
  }
}

/// Exchanges credentials for a token.
enum TokenGrant {
  /// What a token has to be good for.
  static let scope = "https://www.googleapis.com/auth/datastore"
  /// How long a token is valid if the endpoint does not say so, in seconds.
  private static let usualLifetime: Int64 = 3600
  /// The longest that is believed.
  private static let lifetimeLimit: Int64 = 86_400

  /// The request for a token.
  ///
  /// - Parameters:
  ///   - credentials: the credentials to use.
  ///   - endpoint: the token endpoint.
  ///   - refresh: a refresh token that takes the place of the one in the credentials.
  ///   - now: milliseconds since 1970.
  /// - Returns: what to post.
  /// - Throws: `peer` when the private key does not sign.
  static func request(
    _ credentials: borrowing Credentials, _ endpoint: String, refresh: String?, at now: Int64
  ) throws(RemoteError) -> TokenRequest {
    func text(_ name: String) -> [UInt8] { Array((credentials.text(name) ?? "").utf8) }
    switch credentials.kind {
    case .serviceAccount:
      let assertion: [UInt8]
      do throws(RSAKeyError) {
        assertion = try JSONWebToken.assertion(
          of: credentials.text("client_email") ?? "", keyID: credentials.text("private_key_id"),
          audience: endpoint, scope: scope, at: now / 1_000, pem: credentials.secret)
      } catch {
        throw TokenFault.denied("the 'private_key' in '\(credentials.path)' \(error)")
      }
      return TokenRequest(
        url: endpoint,
        body: TokenAddress.form([
          ("grant_type", Array("urn:ietf:params:oauth:grant-type:jwt-bearer".utf8)),
          ("assertion", assertion),
        ]))
    case .authorizedUser:
      return TokenRequest(
        url: endpoint,
        body: TokenAddress.form([
          ("grant_type", Array("refresh_token".utf8)), ("client_id", text("client_id")),
          ("client_secret", text("client_secret")),
          ("refresh_token", token(refresh, credentials)),
        ]))
    case .firebaseUser:
      let key = String(
        decoding: TokenAddress.form([("key", text("api_key"))]), as: UTF8.self)
      return TokenRequest(
        url: "\(endpoint)?\(key)",
        body: TokenAddress.form([
          ("grant_type", Array("refresh_token".utf8)),
          ("refresh_token", token(refresh, credentials)),
        ]))
    }
  }

  private static func token(_ given: String?, _ credentials: borrowing Credentials) -> [UInt8] {
    if let given { return Array(given.utf8) }
    var bytes: [UInt8] = []
    credentials.secret.withSpan { span in
      for index in span.indices { bytes.append(span[index]) }
    }
    return bytes
  }

  /// The token of an answer.
  ///
  /// - Parameters:
  ///   - answer: what the endpoint said.
  ///   - credentials: the credentials that were used.
  ///   - account: the account of the token.
  ///   - refresh: the refresh token that was used instead of the credentials' own.
  ///   - now: milliseconds since 1970.
  /// - Returns: what is kept of it.
  /// - Throws: `peer` with `FIREBASE_001` or `FIREBASE_002`.
  static func contents(
    _ answer: TokenAnswer, _ credentials: borrowing Credentials, account: String,
    refresh: String?, at now: Int64
  ) throws(RemoteError) -> TokenSlot.Contents {
    guard answer.status == 200 else {
      throw TokenRefusal(answer, credentials).error
    }
    let name = credentials.kind == .firebaseUser ? "id_token" : "access_token"
    guard let members = AnswerMembers(answer.body), let token = members.text(name),
      (1...16_384).contains(token.utf8.count),
      token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw TokenFault.unavailable("the token endpoint answers without '\(name)'")
    }
    if let user = members.text("user_id"), user != account {
      throw TokenFault.denied(
        "the credentials '\(credentials.path)' are of the account '\(user)', and the setting "
          + "'account' of the remote says '\(account)'")
    }
    let asked = members.integer("expires_in") ?? usualLifetime
    let lifetime = min(max(asked, 1), lifetimeLimit)
    // A new refresh token takes the place of the old one, which may be good for nothing now.
    var next = refresh
    if let given = members.text("refresh_token"), !given.isEmpty { next = given }
    return TokenSlot.Contents(
      token: token, obtained: now, expires: now + 1_000 * lifetime,
      credentials: credentials.digestText, refresh: next)
  }
}
