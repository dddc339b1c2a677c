// What keeps the trust file from being changed.

package import RedoCrypto
package import RedoObject

/// The errors of changing the trust file.
package enum TrustEditFault: Fault {
  /// A line would contradict another one.
  case contradiction(TrustFault)
  /// A signer is revoked on this line.
  case revoked(Signer, line: Int)
  /// The file says something else about a signer on this line.
  case saysOtherwise(Signer, line: Int)
  /// A key is trusted through its user ID on this line.
  case trustedByUser(Signer, user: Signer, line: Int)
  /// A signer is not in the file.
  case notListed(Signer)
  /// A signer is revoked on this line, but with other nodes that stay good.
  case revokedOtherwise(Signer, line: Int)
  /// A signer would be declared the same as itself.
  case sameAsItself
  /// A proof needs one key, and a store.
  case proofOfOneKey
  /// A proof needs two whole keys.
  case proofOfWholeKeys
  /// The keyring has no private key of a public one.
  case noPrivateKey(PublicKey)
  /// A new signature does not verify.
  case unsound

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .contradiction, .revoked, .saysOtherwise, .trustedByUser, .revokedOtherwise: .refused
    case .notListed, .noPrivateKey: .missing
    case .sameAsItself, .proofOfOneKey, .proofOfWholeKeys: .invalid
    case .unsound: .corrupt
    }
  }

  /// The signer or the key.
  package var subject: String? {
    switch self {
    case .revoked(let signer, _), .saysOtherwise(let signer, _), .trustedByUser(let signer, _, _),
      .notListed(let signer), .revokedOtherwise(let signer, _):
      signer.text
    case .noPrivateKey(let key): Hex.text(key.bytes.span)
    case .contradiction, .sameAsItself, .proofOfOneKey, .proofOfWholeKeys, .unsound: nil
    }
  }
}
