// JSON Web Tokens (RFC 7519) in their compact form (RFC 7515, section 7.1): the assertion of a service
// account (RFC 7523), and the tokens without a signature that an emulator takes.

internal import RedoRepository
internal import RedoCrypto

/// Makes tokens.
enum JSONWebToken {
  /// How long an assertion or a token of ours holds, in seconds: the longest that is taken.
  static let lifetimeSeconds: Int64 = 3600

  /// What a service account shows for an access token (RFC 7523, section 2.1).
  ///
  /// - Parameters:
  ///   - account: its name, the issuer.
  ///   - keyID: which of its keys signs.
  ///   - audience: the endpoint that is asked.
  ///   - scope: what the token is to be good for.
  ///   - seconds: the present, since 1970.
  ///   - pem: the private key.
  /// - Returns: the signed token.
  /// - Throws: why the key does not sign.
  static func assertion(
    of account: String, keyID: String?, audience: String, scope: String, at seconds: Int64,
    pem: borrowing SecretBytes
  ) throws(RSAKeyError) -> [UInt8] {
    var header = #"{"alg":"RS256""#.utf8 + []
    if let keyID { append("kid", keyID, to: &header) }
    header += #","typ":"JWT"}"#.utf8
    var claims = Array("{\"aud\":".utf8)
    JSONText.append(audience, to: &claims)
    claims += ",\"exp\":\(seconds + lifetimeSeconds),\"iat\":\(seconds)".utf8
    append("iss", account, to: &claims)
    append("scope", scope, to: &claims)
    claims += "}".utf8
    var token = encoded(header) + [dot] + encoded(claims)
    let signature = try RS256.sign(token.span, pem: pem)
    token += [dot] + encoded(signature)
    return token
  }

  /// A token that nobody signed, as emulators take it from anybody.
  ///
  /// - Parameters:
  ///   - account: whose it is.
  ///   - project: for which project.
  ///   - seconds: the present, since 1970.
  /// - Returns: the token; its third part is empty.
  static func unsigned(of account: String, project: String, at seconds: Int64) -> String {
    var claims = Array("{\"aud\":".utf8)
    JSONText.append(project, to: &claims)
    claims += ",\"auth_time\":\(seconds),\"exp\":\(seconds + lifetimeSeconds)".utf8
    claims += #","firebase":{"identities":{},"sign_in_provider":"custom"}"#.utf8
    claims += ",\"iat\":\(seconds)".utf8
    append("iss", "https://securetoken.google.com/\(project)", to: &claims)
    append("sub", account, to: &claims)
    append("user_id", account, to: &claims)
    claims += "}".utf8
    let header = Array(#"{"alg":"none","typ":"JWT"}"#.utf8)
    return String(decoding: encoded(header) + [dot] + encoded(claims) + [dot], as: UTF8.self)
  }

  private static let dot = UInt8(ascii: ".")

  private static func append(_ name: StaticString, _ value: String, to text: inout [UInt8]) {
    text += ",\"\(name)\":".utf8
    JSONText.append(value, to: &text)
  }

  /// Base64 in the alphabet for addresses, without padding (RFC 4648, section 5).
  private static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    Base64.append(bytes.span, to: &text)
    while text.last == UInt8(ascii: "=") { text.removeLast() }
    return text.map { byte in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: byte
      }
    }
  }
}
