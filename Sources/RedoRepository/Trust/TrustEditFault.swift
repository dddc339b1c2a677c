// What keeps the trust file from being changed.

package import RedoCrypto
package import RedoObject

/// The errors of changing the trust file.
package enum TrustEditFault: Fault {
  /// A line would contradict another one.
  case contradiction(TrustFault)
  /// A signer is revoked, on this line.
  case revoked(Signer, line: Int)
  /// The file says something else of a signer, on this line.
  case saysOtherwise(Signer, line: Int)
  /// A key is trusted by its user id, on this line.
  case trustedByUser(Signer, user: Signer, line: Int)
  /// A signer is not in the file.
  case notListed(Signer)
  /// A signer is revoked on this line, and other nodes stay good.
  case revokedOtherwise(Signer, line: Int)
  /// A signer would be the same as itself.
  case sameAsItself
  /// A proof is of one key, in a store.
  case proofOfOneKey
  /// A proof is of two whole keys.
  case proofOfWholeKeys
  /// The keyring has no private key of a public one.
  case noPrivateKey(PublicKey)
  /// A signature that was made does not hold.
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
