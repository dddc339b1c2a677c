// Signatures of raw bytes, to compare with other implementations.

package import RedoCrypto
package import RedoObject
internal import RedoStore

extension Repository {
  /// The private key, opened for signing.
  ///
  /// - Throws: `noneToSign`; the error when a passphrase or a keyring cannot be used.
  package func signingKey(
    _ source: PassphraseSource, _ effects: Effects
  ) throws -> SecretKey {
    let keyring = try keyring()
    guard let found = try KeySource.find(self, keyring, effects) else {
      throw KeyUseFault.noneToSign
    }
    return try found.open(source, self, effects)
  }
}

extension SignatureForm {
  /// The bytes that a signature is made over.
  package func message(of bytes: [UInt8]) -> [UInt8] {
    guard case .digest = self else { return bytes }
    let digest = SHA256.digest(of: bytes.span)
    return (0..<32).map { digest.bytes[$0] }
  }

  /// The form in which a signature is good, of one form or of either; `nil` when it is not.
  package static func holding(
    _ signature: Signature, of bytes: [UInt8], by key: PublicKey, as asked: SignatureForm?
  ) -> SignatureForm? {
    [SignatureForm.body, .digest].first { form in
      guard asked == nil || asked == form else { return false }
      let message = form.message(of: bytes)
      return Ed25519.isValid(signature, of: message.span, by: key)
    }
  }
}

extension SecretKey {
  /// Signs bytes; a signature that this program cannot verify is never returned.
  ///
  /// - Throws: `unsound`.
  package borrowing func signature(
    of bytes: [UInt8], as form: SignatureForm
  ) throws(KeyUseFault) -> Signature {
    let message = form.message(of: bytes)
    let signature = sign(message.span)
    guard Ed25519.isValid(signature, of: message.span, by: publicKey) else { throw .unsound }
    return signature
  }
}
