// Signatures of receipts (receipts, sections 1.1 and 1.4): over the preimage itself.

package import RedoCrypto

extension Receipt {
  /// Judges the signature.
  ///
  /// - Parameter key: the key of author and device; `nil` when it is not known.
  /// - Returns: `good`, `unsigned`, `keyUnknown`, or `bad`: the signature does not hold, or the key is not its author's.
  package func verify(key: PublicKey?) -> Verdict {
    guard let signature else { return .unsigned }
    guard let key else { return .keyUnknown }
    guard did.mayBelong(to: key) else {
      return .bad(Finding(.didKeyMismatch, at: .pointer("/did"), detail: did.text))
    }
    // A span of the bytes may not outlive what holds them here.
    let preimage = preimage
    guard let form = Self.form(of: signature, preimage: preimage.span, key: key) else {
      return .bad(Finding(.signatureBad, at: .pointer("/signature")))
    }
    return .good(form)
  }

  /// The form in which a signature holds: over the preimage, or not at all.
  package static func form(
    of signature: Signature, preimage: Span<UInt8>, key: PublicKey
  ) -> SignatureForm? {
    Ed25519.isValid(signature, of: preimage, by: key) ? .body : nil
  }
}

extension Signature {
  /// Reads a signature as it is shown beside a receipt.
  ///
  /// - Parameter text: padded Base64 of 64 bytes; `nil` is returned for anything else.
  package init?(base64 text: Span<UInt8>) {
    guard let decoded = Base64.decode(text), decoded.count == 64 else { return nil }
    var bytes = InlineArray<64, UInt8>(repeating: 0)
    for index in 0..<64 { bytes[index] = decoded[index] }
    self.init(bytes: bytes)
  }
}
