// Credentials for a token endpoint: a JSON file in one of three forms, which others must not be able to read.
//
//   service_account   as Google's console writes it: client_email, private_key, private_key_id, token_uri
//   authorized_user   as the Google Cloud CLI writes it: client_id, client_secret, refresh_token
//   firebase_user     of our own: api_key, refresh_token, what a sign-in with Firebase has given
//
// The file is read each time a token is requested, about once an hour, and its secrets live no longer.

internal import CanonicalJSON
internal import RedoCrypto
internal import RedoRemote
internal import RedoStore

/// Credentials, for the duration of one request for a token.
struct Credentials: ~Copyable {
  /// The forms.
  enum Kind: String, CaseIterable {
    case serviceAccount = "service_account"
    case authorizedUser = "authorized_user"
    case firebaseUser = "firebase_user"

    /// The members that have to be there.
    var needed: [String] {
      switch self {
      case .serviceAccount: ["client_email", "private_key"]
      case .authorizedUser: ["client_id", "client_secret", "refresh_token"]
      case .firebaseUser: ["api_key", "refresh_token"]
      }
    }

    /// The member that is a secret for good.
    var secret: String { self == .serviceAccount ? "private_key" : "refresh_token" }

    /// The token endpoint where neither the file nor a setting names one.
    var usualEndpoint: String {
      switch self {
      case .serviceAccount, .authorizedUser: "https://oauth2.googleapis.com/token"
      case .firebaseUser: "https://securetoken.googleapis.com/v1/token"
      }
    }

    /// The owner of these tokens: one kind cannot replace the other.
    var slotKind: TokenSlot.Kind { self == .firebaseUser ? .firebase : .google }
  }

  /// The most bytes of the file.
  static let byteLimit = 65_536

  /// Which form it has.
  let kind: Kind
  /// The path, for messages.
  let path: String
  /// The SHA-256 of the file in hex: a different file makes tokens of its own.
  let digestText: String
  /// The members that are texts, except for the secret.
  private let texts: [String: String]
  /// The private key, or the refresh token.
  let secret: SecretBytes

  /// A member; `nil` when it is missing or empty.
  func text(_ name: String) -> String? { texts[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Reads a file.
  ///
  /// - Parameter path: the path of the file.
  /// - Throws: `peer` with a fault that names the file and the rule, but nothing of its contents.
  init(reading path: String) throws(RemoteError) {
    let bytes: SecretBytes?
    let mode: UInt32
    do throws(SystemError) {
      let file = try File.openRegular(path)
      mode = try file.status().mode & 0o777
      bytes = try file.readSecret(limit: Self.byteLimit)
    } catch {
      throw TokenFault.denied("the credentials cannot be read: \(error)")
    }
    guard mode & 0o077 == 0 else {
      throw TokenFault.denied(
        "the credentials '\(path)' are open to others (mode \(String(mode, radix: 8))): "
          + "chmod 600 makes them yours alone")
    }
    guard let bytes = consume bytes else {
      throw TokenFault.denied("the credentials '\(path)' are empty")
    }
    try self.init(bytes, path)
  }

  /// Credentials of the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - path: what messages call it.
  /// - Throws: as above.
  init(_ bytes: borrowing SecretBytes, _ path: String) throws(RemoteError) {
    var texts: [String: String] = [:]
    var held: [String: [UInt8]] = [:]
    var digest: Digest?
    var isObject = false
    bytes.withSpan { span in
      digest = SHA256.digest(of: span)
      isObject = Self.read(span, &texts, &held)
    }
    defer { for name in held.keys { held[name]?.zero() } }
    guard isObject, let digest else {
      throw TokenFault.denied("the credentials '\(path)' are no JSON object")
    }
    let known = Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    guard let kind = texts["type"].flatMap({ Kind(rawValue: $0) }) else {
      throw TokenFault.denied("'type' in the credentials '\(path)' is none of \(known)")
    }
    for name in kind.needed where texts[name]?.isEmpty ?? held[name]?.isEmpty ?? true {
      throw TokenFault.denied(
        "the credentials '\(path)' have no '\(name)', which '\(kind.rawValue)' needs")
    }
    guard held[kind.secret] != nil else {
      throw TokenFault.denied("the credentials '\(path)' have no '\(kind.secret)'")
    }
    self.kind = kind
    self.path = path
    digestText = Hex.text(digest.bytes.span)
    self.texts = texts
    secret = SecretBytes(moving: &held[kind.secret, default: [0]])
  }

  /// Reads the members of an object that are texts.
  private static func read(
    _ span: Span<UInt8>, _ texts: inout [String: String], _ held: inout [String: [UInt8]]
  ) -> Bool {
    var scanner = Scanner()
    do throws(JSONError) { try scanner.scan(span) } catch { return false }
    let root = scanner.root(of: span)
    guard root.isObject else { return false }
    var members = root.members
    while let member = members.next() {
      guard let name = member.name.string else { continue }
      if name == "private_key" || name == "refresh_token" {
        if let secret = member.value.unescaped { held[name] = secret }
      } else if let text = member.value.string {
        texts[name] = text
      }
    }
    return true
  }

  /// The endpoint that gives tokens for these.
  ///
  /// - Parameter set: what a setting says.
  /// - Returns: its address.
  /// - Throws: `peer` when secrets would leave this machine unencrypted.
  func endpoint(_ set: String?) throws(RemoteError) -> String {
    let address = set ?? text("token_uri") ?? kind.usualEndpoint
    guard TokenAddress.isSafe(address) else {
      throw TokenFault.denied(
        "credentials are not sent to '\(address)': the address of a token endpoint begins with "
          + "'https://', or is one of this machine")
    }
    return address
  }
}

extension [UInt8] {
  /// Zeroes the bytes in place.
  fileprivate mutating func zero() {
    for index in indices { self[index] = 0 }
  }
}
