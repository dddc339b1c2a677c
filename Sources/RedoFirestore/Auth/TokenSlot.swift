// Where a token waits until it expires: a file of its own for each kind of token, account and endpoint, so
// that none ever takes the place of another.
//
//   .redo/cache/tokens/<kind>-<32 hex digits of the SHA-256 of kind, account and endpoint>
//
// One line of canonical JSON, mode 0600 in a directory of mode 0700; it appears whole or not at all. It
// may always be deleted, and one that cannot be used is as good as none.

internal import CanonicalJSON
internal import RedoRepository
internal import RedoCrypto
internal import RedoStore

/// The place of a token.
struct TokenSlot: Sendable {
  /// The kind of a token: neither kind can replace the other.
  enum Kind: String, Sendable {
    /// An access token of Google's OAuth 2.0.
    case google
    /// An ID token of Firebase.
    case firebase
  }

  /// What is kept.
  struct Contents: Equatable, Sendable {
    /// The token.
    var token: String
    /// When it was got, in milliseconds since 1970.
    var obtained: Int64
    /// When it expires.
    var expires: Int64
    /// The digest of the credentials that it was got with.
    var credentials: String
    /// The refresh token to be used from now on, where the endpoint has given a new one.
    var refresh: String?
  }

  /// The directory below the store's.
  static let folder = Layout.tokens
  private static let byteLimit = 65_536
  private static let temporaryPrefix = "tmp_token_"

  /// The directory of the store.
  let store: String
  /// The name of the file.
  let name: String
  private let account: String
  private let endpoint: String

  /// A slot.
  ///
  /// - Parameters:
  ///   - store: the directory of the store.
  ///   - kind: what is in it.
  ///   - account: the account of the token.
  ///   - endpoint: the endpoint that issues it.
  init(_ store: String, _ kind: Kind, account: String, endpoint: String) {
    self.store = store
    self.account = account
    self.endpoint = endpoint
    let text = Array("\(kind.rawValue)\0\(account)\0\(endpoint)".utf8)
    name = "\(kind.rawValue)-\(Hex.text(SHA256.digest(of: text.span).bytes.span).prefix(32))"
  }

  /// What is in it.
  ///
  /// - Returns: `nil` when there is nothing, or nothing that can be used.
  func read() -> Contents? {
    do throws(SystemError) {
      let around = try Directory.open(store)
      guard try around.status(Self.folder)?.kind == .directory else { return nil }
      let own = try around.openSubdirectory(Self.folder, isFollowing: false)
      guard let status = try own.status(name), status.kind == .regular, status.mode & 0o077 == 0,
        let bytes = try own.readFile(name, limit: Self.byteLimit, isFollowing: false),
        let members = AnswerMembers(bytes), members.text("account") == account,
        members.text("endpoint") == endpoint, let token = members.text("token"), !token.isEmpty,
        let obtained = members.integer("obtained"), let expires = members.integer("expires"),
        let credentials = members.text("credentials")
      else { return nil }
      return Contents(
        token: token, obtained: obtained, expires: expires, credentials: credentials,
        refresh: members.text("refresh"))
    } catch {
      return nil
    }
  }

  /// Puts something into it, in one step.
  ///
  /// - Parameter contents: what.
  /// - Throws: what a system call answered; the slot is then as it was.
  func write(_ contents: Contents) throws(SystemError) {
    let around = try Directory.open(store)
    try around.makeDirectory(Layout.cache)
    try around.makeDirectory(Self.folder, mode: 0o700)
    let own = try around.openSubdirectory(Self.folder, isFollowing: false)
    var temporary = try TemporaryFile(in: own, prefix: Self.temporaryPrefix, mode: 0o600)
    try temporary.file.writeAll(line(contents))
    _ = try temporary.commit(as: name, replacing: .always)
  }

  private func line(_ contents: Contents) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.add("account", account)
      json.add("credentials", contents.credentials)
      json.add("endpoint", endpoint)
      json.add("expires", contents.expires)
      json.add("obtained", contents.obtained)
      if let refresh = contents.refresh { json.add("refresh", refresh) }
      json.add("token", contents.token)
    }
    return json.bytes + [UInt8(ascii: "\n")]
  }
}
