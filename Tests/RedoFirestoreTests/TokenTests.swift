// Tokens: asked for, kept in slots of their own, replaced before they expire, and never told to anybody.

import Foundation
import RedoCrypto
import RedoFirestore
import RedoRemote
import RedoStore
import TestSupport
import Testing

/// A token endpoint and a clock that a test moves, and a store's directory with credentials in it.
private final class Endpoint {
  let folder = TemporaryDirectory()
  /// Milliseconds since 1970.
  var now: Int64 = 1_700_000_000_000
  /// What is answered, one after another; the last one for ever.
  var answers: [TokenAnswer] = []
  /// What was posted.
  private(set) var requests: [TokenRequest] = []
  var settings: [String: String] = [:]

  /// Writes credentials, and names them in the settings.
  func credentials(_ text: String, mode: Int = 0o600) throws {
    try folder.write(text, to: "credentials")
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: folder.path("credentials"))
    settings["credentialsfile"] = folder.path("credentials")
  }

  func token(
    account: String = "105903", isEmulator: Bool = false, isLoopback: Bool = true,
    isEncrypted: Bool = false
  ) throws -> FirestoreToken {
    let entries = settings.map { key, value in
      Config.Entry(key: "remote.cloud.\(key)", value: value, origin: .option, line: 0)
    }
    let place = isLoopback ? "127.0.0.1" : "firestore.example"
    let origin = try #require(WebOrigin("\(isEncrypted ? "https" : "http")://\(place)"))
    return try FirestoreToken(
      FirestoreToken.Surroundings(
        remote: "cloud", config: Config(entries: entries), home: nil, store: folder.path,
        project: "demo", account: account, isEmulator: isEmulator, origin: origin),
      clock: { self.now }
    ) { request in
      self.requests.append(request)
      return self.answers.count > 1 ? self.answers.removeFirst() : self.answers[0]
    }
  }

  /// The form of a request.
  func form(_ number: Int) -> [String: String] {
    var form: [String: String] = [:]
    for part in String(decoding: requests[number].body, as: UTF8.self).split(separator: "&") {
      let words = part.split(separator: "=", maxSplits: 1).map(String.init)
      form[words[0]] = words[1].removingPercentEncoding
    }
    return form
  }

  /// The slots there are, with their permissions.
  func slots() throws -> [String: Int] {
    let place = folder.path("cache/tokens")
    var slots: [String: Int] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [] {
      let found = try FileManager.default.attributesOfItem(atPath: "\(place)/\(name)")
      slots[name] = found[.posixPermissions] as? Int
    }
    return slots
  }
}

private func google(_ token: String, seconds: Int = 3600, refresh: String? = nil) -> TokenAnswer {
  let more = refresh.map { ",\"refresh_token\":\"\($0)\"" } ?? ""
  return TokenAnswer(
    status: 200,
    body: Array("{\"access_token\":\"\(token)\",\"expires_in\":\(seconds)\(more)}".utf8))
}

private func firebase(_ token: String, user: String = "105903") -> TokenAnswer {
  TokenAnswer(
    status: 200,
    body: Array(
      """
      {"id_token":"\(token)","expires_in":"3600","user_id":"\(user)","refresh_token":"r2"}
      """.utf8))
}

private func fault(_ body: () throws -> Void) -> PeerFault? {
  do {
    try body()
    return nil
  } catch let RemoteError.peer(fault) {
    return fault
  } catch {
    return nil
  }
}

private let authorizedUser = """
  {"type":"authorized_user","client_id":"id&1","client_secret":"s=cret","refresh_token":"1//refresh"}
  """
private let firebaseUser = """
  {"type":"firebase_user","api_key":"AIza+key","refresh_token":"1//firebase"}
  """

@Suite("Tokens")
struct TokenTests {
  @Test("a refresh token of OAuth: the form, the slot, and no second question until it expires")
  func authorized() throws {
    let endpoint = Endpoint()
    try endpoint.credentials(authorizedUser)
    endpoint.answers = [google("first"), google("second")]
    let token = try endpoint.token()
    #expect(try token.bearer() == "first")
    #expect(endpoint.requests[0].url == "https://oauth2.googleapis.com/token")
    #expect(
      endpoint.form(0) == [
        "grant_type": "refresh_token", "client_id": "id&1", "client_secret": "s=cret",
        "refresh_token": "1//refresh",
      ])
    // Another run takes it from the slot, up to five minutes before the end.
    endpoint.now += 3_299_000
    #expect(try endpoint.token().bearer() == "first")
    #expect(try token.bearer() == "first")
    #expect(endpoint.requests.count == 1)
    endpoint.now += 1_000
    #expect(try token.bearer() == "second")
    #expect(endpoint.requests.count == 2)
    #expect(try endpoint.slots().values.sorted() == [0o600])
    let around = try FileManager.default.attributesOfItem(
      atPath: endpoint.folder.path("cache/tokens"))
    #expect(around[.posixPermissions] as? Int == 0o700)
  }

  @Test("two kinds of tokens of one account, and two accounts, have slots of their own (B21)")
  func slots() throws {
    let endpoint = Endpoint()
    try endpoint.credentials(authorizedUser)
    endpoint.answers = [google("access")]
    #expect(try endpoint.token().bearer() == "access")
    try endpoint.credentials(firebaseUser)
    endpoint.answers = [firebase("identity")]
    #expect(try endpoint.token().bearer() == "identity")
    #expect(
      endpoint.requests[1].url == "https://securetoken.googleapis.com/v1/token?key=AIza%2Bkey")
    #expect(endpoint.form(1) == ["grant_type": "refresh_token", "refresh_token": "1//firebase"])
    endpoint.answers = [firebase("of-another", user: "77")]
    #expect(try endpoint.token(account: "77").bearer() == "of-another")
    endpoint.settings["tokenendpoint"] = "https://elsewhere.example/token"
    endpoint.answers = [firebase("elsewhere")]
    #expect(try endpoint.token().bearer() == "elsewhere")
    let names = try endpoint.slots().keys.map { $0.prefix { $0 != "-" } }.sorted()
    #expect(names == ["firebase", "firebase", "firebase", "google"])
    // None has taken the place of another.
    endpoint.settings["tokenendpoint"] = nil
    let count = endpoint.requests.count
    #expect(try endpoint.token().bearer() == "identity")
    #expect(try endpoint.token(account: "77").bearer() == "of-another")
    try endpoint.credentials(authorizedUser)
    #expect(try endpoint.token().bearer() == "access")
    #expect(endpoint.requests.count == count)
  }

  @Test("a token that is refused is replaced, unless another run has done so already")
  func refused() throws {
    let endpoint = Endpoint()
    try endpoint.credentials(firebaseUser)
    endpoint.answers = [firebase("one"), firebase("two"), firebase("three")]
    let here = try endpoint.token()
    let there = try endpoint.token()
    #expect(try here.bearer() == "one")
    #expect(try there.bearer() == "one")
    #expect(try here.bearer(forceRefresh: true) == "two")
    #expect(try there.bearer(forceRefresh: true) == "two")
    #expect(endpoint.requests.count == 2)
    // The endpoint has given a new refresh token, which is used from then on.
    #expect(endpoint.form(1)["refresh_token"] == "r2")
    #expect(try there.bearer(forceRefresh: true) == "three")
  }

  @Test("a refresh token that was replaced and is refused: the one in the file is tried")
  func replacedRefresh() throws {
    let endpoint = Endpoint()
    try endpoint.credentials(firebaseUser)
    let no = TokenAnswer(
      status: 400, body: Array(#"{"error":{"code":400,"message":"TOKEN_EXPIRED"}}"#.utf8))
    endpoint.answers = [firebase("one"), no, firebase("two")]
    let token = try endpoint.token()
    #expect(try token.bearer() == "one")
    #expect(try token.bearer(forceRefresh: true) == "two")
    #expect(endpoint.form(2)["refresh_token"] == "1//firebase")
  }

  @Test("while the endpoint is away, a token that still holds is used; afterwards it is a 75")
  func away() throws {
    let endpoint = Endpoint()
    try endpoint.credentials(authorizedUser)
    endpoint.answers = [
      google("first"), TokenAnswer(status: 503, retryAfterSeconds: 7, body: Array("busy".utf8)),
    ]
    #expect(try endpoint.token().bearer() == "first")
    endpoint.now += 3_400_000
    #expect(try endpoint.token().bearer() == "first")
    endpoint.now += 300_000
    let found = fault { _ = try endpoint.token().bearer() }
    #expect(found?.code == .unavailable)
    #expect(found?.retryAfterSeconds == 7)
    #expect(found?.reason.hasPrefix("FIREBASE_002: ") == true)
  }

  @Test(
    "what endpoints refuse, and what to do",
    arguments: [
      (400, #"{"error":"invalid_grant","error_description":"Bad 1//refresh"}"#, "sign in anew"),
      (401, #"{"error":"invalid_client"}"#, "'client_id' and 'client_secret'"),
      (400, #"{"error":{"message":"USER_DISABLED","code":400}}"#, "disabled or deleted"),
      (403, "<html>s=cret</html>", "(status 403)"),
    ])
  func refusals(status: Int, body: String, text: String) throws {
    let endpoint = Endpoint()
    try endpoint.credentials(authorizedUser)
    endpoint.answers = [TokenAnswer(status: status, body: Array(body.utf8))]
    let found = fault { _ = try endpoint.token().bearer() }
    #expect(found?.code == .denied)
    #expect(found?.text.hasPrefix("FIREBASE_001: ") == true)
    #expect(found?.text.contains(text) == true, "\(found?.text ?? "")")
    // What an endpoint says may hold what it was sent.
    for secret in ["1//refresh", "s=cret"] { #expect(found?.text.contains(secret) == false) }
    #expect(try endpoint.slots().isEmpty)
  }

  @Test(
    "credentials that are none",
    arguments: [
      ("", 0o600, "empty"), ("[]", 0o600, "no JSON object"),
      (#"{"type":"external_account"}"#, 0o600, "'type'"),
      (#"{"type":"authorized_user","client_id":"a","refresh_token":"r"}"#, 0o600, "client_secret"),
      (#"{"type":"firebase_user","api_key":"k"}"#, 0o600, "'refresh_token'"),
      (#"{"type":"service_account","client_email":"a@b","private_key":"secret"}"#, 0o600, "PEM"),
      (authorizedUser, 0o640, "chmod 600"),
    ])
  func malformed(text: String, mode: Int, rule: String) throws {
    let endpoint = Endpoint()
    try endpoint.credentials(text, mode: mode)
    let found = fault { _ = try endpoint.token().bearer() }
    #expect(found?.code == .denied)
    #expect(found?.text.contains(rule) == true, "\(found?.text ?? "")")
    #expect(found?.text.contains(endpoint.folder.path("credentials")) == true)
    #expect(endpoint.requests.isEmpty)
  }

  @Test("the token of another account is refused")
  func otherAccount() throws {
    let endpoint = Endpoint()
    try endpoint.credentials(firebaseUser)
    endpoint.answers = [firebase("identity", user: "77")]
    let found = fault { _ = try endpoint.token().bearer() }
    #expect(found?.code == .denied)
    #expect(found?.text.contains("'77'") == true)
    #expect(try endpoint.slots().isEmpty)
  }

  @Test("nothing is sent unencrypted to another machine")
  func unencrypted() throws {
    let endpoint = Endpoint()
    try endpoint.credentials(authorizedUser)
    #expect(fault { _ = try endpoint.token(isLoopback: false) }?.code == .denied)
    endpoint.settings["tokenendpoint"] = "http://elsewhere.example/token"
    let found = fault { _ = try endpoint.token().bearer() }
    #expect(found?.text.contains("'https://'") == true)
    #expect(endpoint.requests.isEmpty)
    endpoint.settings["tokenendpoint"] = "http://127.0.0.1:1/token"
    endpoint.answers = [google("first")]
    #expect(try endpoint.token().bearer() == "first")
  }

  @Test("an emulator gets a token that nobody signed, and no secret; without any there is a 77")
  func unsigned() throws {
    let endpoint = Endpoint()
    try endpoint.credentials(authorizedUser)
    let token = try endpoint.token(isEmulator: true, isLoopback: false)
    let parts = try #require(try token.bearer()).split(
      separator: ".", omittingEmptySubsequences: false)
    #expect(parts.count == 3 && parts[2].isEmpty)
    let claims = try JSONSerialization.jsonObject(with: decoded(parts[1])) as? [String: Any]
    #expect(claims?["sub"] as? String == "105903")
    #expect(claims?["aud"] as? String == "demo")
    #expect(claims?["exp"] as? Int == 1_700_003_600)
    #expect(endpoint.requests.isEmpty)
    endpoint.settings = [:]
    #expect(try endpoint.token().bearer()?.hasSuffix(".") == true)
    let found = fault { _ = try endpoint.token(isLoopback: false, isEncrypted: true).bearer() }
    #expect(found?.code == .denied)
    #expect(found?.text.contains("credentialsFile") == true)
  }

  @Test("a service account signs an assertion for the endpoint")
  func service() throws {
    let endpoint = Endpoint()
    let pem = try VectorFolder.own("rs256").text("pkcs8.pem")
    let text = try JSONSerialization.data(withJSONObject: [
      "type": "service_account", "client_email": "a@b.example", "private_key": pem,
      "private_key_id": "k1", "token_uri": "https://tokens.example/",
    ])
    try endpoint.credentials(String(decoding: text, as: UTF8.self))
    endpoint.answers = [google("access")]
    #expect(try endpoint.token().bearer() == "access")
    #expect(endpoint.requests[0].url == "https://tokens.example/")
    let form = endpoint.form(0)
    #expect(form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer")
    let parts = try #require(form["assertion"]).split(separator: ".")
    let header = try JSONSerialization.jsonObject(with: decoded(parts[0])) as? [String: String]
    #expect(header == ["alg": "RS256", "kid": "k1", "typ": "JWT"])
    let claims = try JSONSerialization.jsonObject(with: decoded(parts[1])) as? [String: Any]
    #expect(claims?["iss"] as? String == "a@b.example")
    #expect(claims?["aud"] as? String == "https://tokens.example/")
    #expect(claims?["iat"] as? Int == 1_700_000_000)
    #expect(claims?["exp"] as? Int == 1_700_003_600)
    var key = Array(pem.utf8)
    let secret = SecretBytes(moving: &key)
    let signed = Array("\(parts[0]).\(parts[1])".utf8)
    #expect(try [UInt8](decoded(parts[2])) == RS256.sign(signed.span, pem: secret))
  }

  /// The bytes of Base64 in the alphabet for addresses.
  private func decoded(_ text: Substring) throws -> Data {
    let plain = text.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - plain.count % 4) % 4)
    return try #require(Data(base64Encoded: plain + padding))
  }
}
