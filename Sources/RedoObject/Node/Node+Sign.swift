// Signatures of nodes (protocol, section 1.1): what they are made over, and whether they hold.

package import RedoCrypto

extension Node {
  /// Judges the signature.
  ///
  /// - Parameter key: the signer's public key; `nil` when it is not known.
  /// - Returns: `good` with the form that held, `unsigned`, `keyUnknown`, or `bad`.
  package func verify(key: PublicKey?) -> Verdict {
    guard let signature else { return .unsigned }
    guard let key else { return .keyUnknown }
    guard let form = Self.form(of: signature, body: body.span, id: id, key: key) else {
      return .bad(Finding(.signatureBad, at: .pointer("/signature")))
    }
    return .good(form)
  }

  /// Judges the signature by the key that the node carries.
  package func verify() -> Verdict { verify(key: publicKey) }

  /// The form in which a signature holds, if any; `body` is tried first, because it is what is
  /// written.
  package static func form(
    of signature: Signature, body: Span<UInt8>, id: ObjectID, key: PublicKey
  ) -> SignatureForm? {
    if Ed25519.isValid(signature, of: body, by: key) { return .body }
    if Ed25519.isValid(signature, of: id.digest.bytes.span, by: key) { return .digest }
    return nil
  }
}
