// What a token endpoint means when it gives no token (RFC 6749, section 5.2; Google APIs, "Errors"), and what
// its user can do. What it says is shown only if it is one of these words, never a text of its own, which
// could contain a secret.

internal import RedoRepository
internal import RedoRemote

/// A token endpoint's "no".
struct TokenRefusal {
  /// The error to be thrown.
  let error: RemoteError

  /// Understands an answer.
  ///
  /// - Parameters:
  ///   - answer: an answer of another status than 200.
  ///   - credentials: the credentials that were used.
  init(_ answer: TokenAnswer, _ credentials: borrowing Credentials) {
    let word = Self.word(answer.body)
    if Self.isTransient(answer.status, word) {
      error = TokenFault.unavailable(
        after: answer.retryAfterSeconds,
        "the token endpoint gives no token now (status \(answer.status)"
          + (word.map { ", \($0))" } ?? ")"))
      return
    }
    let what = word.map { ": \($0)" } ?? " (status \(answer.status))"
    let remedy =
      word.flatMap { Self.remedy($0, credentials.kind, credentials.path) }
      ?? "look at the credentials '\(credentials.path)' and at the setting 'tokenEndpoint'"
    error = TokenFault.denied("the token endpoint refuses\(what); \(remedy)")
  }

  private static func isTransient(_ status: Int, _ word: String?) -> Bool {
    if [408, 425, 429].contains(status) || status >= 500 { return true }
    return word.map {
      [
        "temporarily_unavailable", "server_error", "slow_down", "internal_failure",
        "TOO_MANY_ATTEMPTS_TRY_LATER", "QUOTA_EXCEEDED", "RESOURCE_EXHAUSTED", "UNAVAILABLE",
      ].contains($0)
    } ?? false
  }

  /// What to do about it.
  private static func remedy(
    _ word: String, _ kind: Credentials.Kind, _ path: String
  ) -> String? {
    switch (word, kind) {
    case ("invalid_grant", .serviceAccount):
      "the key in '\(path)' is not a key of its service account any more, or the clock of this "
        + "machine is wrong; the console of the project makes new keys"
    case ("invalid_grant", _), ("TOKEN_EXPIRED", _), ("INVALID_REFRESH_TOKEN", _),
      ("MISSING_REFRESH_TOKEN", _), ("INVALID_ID_TOKEN", _):
      "the refresh token in '\(path)' is expired or revoked: sign in anew, and put the new one there"
    case ("invalid_client", _), ("unauthorized_client", _):
      "'client_id' and 'client_secret' in '\(path)' are not those of the refresh token"
    case ("USER_DISABLED", _), ("USER_NOT_FOUND", _):
      "the account is disabled or deleted in the project; its administrator can help"
    case ("API_KEY_INVALID", _), ("INVALID_ARGUMENT", .firebaseUser),
      ("PERMISSION_DENIED", .firebaseUser):
      "'api_key' in '\(path)' is not the key of the project's web apps"
    case ("invalid_scope", _):
      "the account may not use Firestore; its administrator can let it"
    default: nil
    }
  }

  /// The word that names the error: `error` of OAuth, `error.message` or `error.status` of Google's APIs.
  private static func word(_ body: [UInt8]) -> String? {
    guard let members = AnswerMembers(body) else { return nil }
    if let word = members.text("error") { return isWord(word) ? word : nil }
    guard let error = members.object("error") else { return nil }
    for name in ["message", "status"] {
      // Firebase appends an explanation: `TOKEN_EXPIRED : ...`.
      guard let text = error.text(name) else { continue }
      let word = String(text.prefix { $0 != " " && $0 != ":" })
      if isWord(word), word.contains("_") || name == "status" { return word }
    }
    return nil
  }

  /// Whether a text is a word such as `invalid_grant`, and no secret.
  private static func isWord(_ text: String) -> Bool {
    (1...40).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
      }
  }
}
