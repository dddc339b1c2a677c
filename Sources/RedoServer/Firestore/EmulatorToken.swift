// The tokens that Google's emulator accepts, on a server that only this machine can reach: the claims of a JSON
// Web Token (RFC 7519) that nobody signed, and `owner`, to whom the rules do not apply.

internal import CanonicalJSON
internal import FirestoreModel
internal import RedoCrypto

/// Reads unsigned tokens.
enum EmulatorToken {
  /// The longest token in bytes.
  private static let byteLimit = 8192

  /// The client that a token claims.
  ///
  /// - Parameters:
  ///   - token: what came after `Bearer`.
  ///   - milliseconds: the time, since 1970.
  /// - Returns: the client.
  /// - Throws: `UNAUTHENTICATED` when it is not a token, or an expired one.
  static func caller(
    _ token: [UInt8], at milliseconds: Int64
  ) throws(FirestoreError) -> FirestoreCaller {
    if token == Array("owner".utf8) { return .admin("owner") }
    let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard token.count <= byteLimit, parts.count == 3, let claims = decode(parts[1]),
      let text = try? MessageText(claims), text.root.isObject,
      let id = text.root["user_id"]?.string ?? text.root["sub"]?.string
    else { throw FirestoreError(.unauthenticated, "the token is no JSON Web Token") }
    if let expiry = text.root["exp"]?.protoInteger, expiry <= milliseconds / 1000 {
      throw FirestoreError(.unauthenticated, "the token has expired")
    }
    do throws(OAuthID.Fault) {
      return .user(try OAuthID(id), mayWrite: true, seesAll: false)
    } catch {
      throw FirestoreError(.unauthenticated, "the token is for nobody: \(error.message)")
    }
  }

  /// Base64 with the alphabet of URLs, without padding (RFC 4648, section 5).
  private static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var text = text.map { byte in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return Base64.decode(text.span)
  }
}
