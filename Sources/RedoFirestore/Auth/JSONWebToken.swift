// JSON Web Tokens (RFC 7519) in their compact form (RFC 7515, section 7.1): the assertion of a service
// account (RFC 7523), and the tokens without a signature that an emulator takes.

internal import CanonicalJSON
internal import RedoRepository
internal import RedoCrypto

/// Makes tokens.
enum JSONWebToken {
  /// How long an assertion or a token of ours is valid, in seconds: the longest that services accept.
  static let lifetimeSeconds: Int64 = 3600

  /// What a service account shows for an access token (RFC 7523, section 2.1).
  ///
  /// - Parameters:
  ///   - account: its name, the issuer.
  ///   - keyID: which of its keys signs.
  ///   - audience: the endpoint that it is for.
  ///   - scope: what the token is to be good for.
  ///   - seconds: the present, since 1970.
  ///   - pem: the private key.
  /// - Returns: the signed token.
  /// - Throws: why the key does not sign.
  static func assertion(
    of account: String, keyID: String?, audience: String, scope: String, at seconds: Int64,
    pem: borrowing SecretBytes
  ) throws(RSAKeyError) -> [UInt8] {
    var header = JSONWriter()
    header.object { json in
      json.add("alg", "RS256")
      if let keyID { json.add("kid", keyID) }
      json.add("typ", "JWT")
    }
    var claims = JSONWriter()
    claims.object { json in
      json.add("aud", audience)
      json.add("exp", seconds + lifetimeSeconds)
      json.add("iat", seconds)
      json.add("iss", account)
      json.add("scope", scope)
    }
    var token = encoded(header.bytes) + [dot] + encoded(claims.bytes)
    let signature = try RS256.sign(token.span, pem: pem)
    token += [dot] + encoded(signature)
    return token
  }

  /// A token that nobody signed, as emulators accept it from anybody.
  ///
  /// - Parameters:
  ///   - account: the account.
  ///   - project: the project.
  ///   - seconds: the present, since 1970.
  /// - Returns: the token; its third part is empty.
  static func unsigned(of account: String, project: String, at seconds: Int64) -> String {
    var claims = JSONWriter()
    claims.object { json in
      json.add("aud", project)
      json.add("auth_time", seconds)
      json.add("exp", seconds + lifetimeSeconds)
      json.addObject("firebase") { json in
        json.addObject("identities") { _ in }
        json.add("sign_in_provider", "custom")
      }
      json.add("iat", seconds)
      json.add("iss", "https://securetoken.google.com/\(project)")
      json.add("sub", account)
      json.add("user_id", account)
    }
    let header = Array(#"{"alg":"none","typ":"JWT"}"#.utf8)
    return String(decoding: encoded(header) + [dot] + encoded(claims.bytes) + [dot], as: UTF8.self)
  }

  private static let dot = UInt8(ascii: ".")

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
