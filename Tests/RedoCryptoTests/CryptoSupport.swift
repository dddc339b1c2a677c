// What the tests of hashes and signatures share: the functions under test with arrays for spans,
// which the macros of Swift Testing cannot take apart.

import RedoCrypto
import TestSupport

/// The 32 bytes of a digest or key in hex.
func digits(_ bytes: InlineArray<32, UInt8>) -> String { Hex.text(bytes.span) }

/// The SHA-256 of a message.
func digest(of message: [UInt8]) -> Digest { SHA256.digest(of: message.span) }

/// Whether a signature holds.
func holds(_ signature: Signature, of message: [UInt8], by key: PublicKey) -> Bool {
  Ed25519.isValid(signature, of: message.span, by: key)
}

/// The signature of these hex digits; `nil` unless they are 128.
func signature(_ digits: String) -> Signature? {
  Hex.decode64(Array(digits.utf8).span).map(Signature.init(bytes:))
}

/// The public key of these hex digits; `nil` unless they are 64.
func publicKey(_ digits: String) -> PublicKey? {
  Hex.decode32(Array(digits.utf8).span).map(PublicKey.init(bytes:))
}

/// The key pair of a seed.
func secretKey(seed: [UInt8]) -> SecretKey {
  var seed = seed
  return SecretKey(seed: SecretBytes(moving: &seed))
}
