// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03, section 2) by libsodium: bytes that only the key
// opens, and that cannot be changed unseen, together with bytes that stay readable.

internal import CSodium

/// Authenticated encryption.
package enum XChaCha20Poly1305 {
  /// The number of bytes of a key.
  package static let keyCount = 32
  /// How many bytes more the sealed form has.
  package static let tagCount = 16

  /// Seals a secret.
  ///
  /// - Parameters:
  ///   - secret: what to seal.
  ///   - key: 32 bytes.
  ///   - nonce: random bytes, never used twice with the same key.
  ///   - associated: bytes that stay readable; with others the secret cannot be opened.
  /// - Returns: the ciphertext and its tag.
  package static func seal(
    _ secret: borrowing SecretBytes, key: borrowing SecretBytes,
    nonce: InlineArray<24, UInt8>, associated: Span<UInt8>
  ) -> [UInt8] {
    precondition(key.count == keyCount, "BUG: a key of XChaCha20 has 32 bytes")
    _ = Sodium.ready
    let count = secret.count
    var sealed = [UInt8](repeating: 0, count: count + tagCount)
    // SAFETY: the call writes as many bytes as the secret has and 16 more, and reads the secret,
    // the associated bytes, 24 bytes of nonce and 32 of key.
    unsafe sealed.withUnsafeMutableBufferPointer { output in
      unsafe associated.withUnsafeBufferPointer { associated in
        unsafe nonce.span.withUnsafeBufferPointer { nonce in
          unsafe secret.withMutablePointer { secret in
            unsafe key.withMutablePointer { key in
              guard let output = output.baseAddress, let nonce = nonce.baseAddress else { return }
              _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
                output, nil, secret, UInt64(count), associated.baseAddress,
                UInt64(associated.count), nil, nonce, key)
            }
          }
        }
      }
    }
    return sealed
  }

  /// Opens what was sealed.
  ///
  /// - Parameters:
  ///   - sealed: the ciphertext and its tag.
  ///   - key: 32 bytes.
  ///   - nonce: the one it was sealed with.
  ///   - associated: the bytes it was sealed with.
  /// - Returns: `nil` when any of these differs.
  package static func open(
    _ sealed: Span<UInt8>, key: borrowing SecretBytes,
    nonce: InlineArray<24, UInt8>, associated: Span<UInt8>
  ) -> SecretBytes? {
    precondition(key.count == keyCount, "BUG: a key of XChaCha20 has 32 bytes")
    guard sealed.count > tagCount else { return nil }
    _ = Sodium.ready
    let secret = SecretBytes(count: sealed.count - tagCount)
    // SAFETY: the call writes 16 bytes less than it is given, and reads the sealed bytes, the
    // associated bytes, 24 bytes of nonce and 32 of key.
    let status = unsafe sealed.withUnsafeBufferPointer { sealed in
      unsafe associated.withUnsafeBufferPointer { associated in
        unsafe nonce.span.withUnsafeBufferPointer { nonce in
          unsafe secret.withMutablePointer { secret in
            unsafe key.withMutablePointer { key in
              guard let sealed = unsafe sealed.baseAddress.map({ unsafe ($0, sealed.count) }),
                let nonce = nonce.baseAddress
              else { return Int32(-1) }
              return unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
                secret, nil, nil, sealed.0, UInt64(sealed.1), associated.baseAddress,
                UInt64(associated.count), nonce, key)
            }
          }
        }
      }
    }
    guard status == 0 else { return nil }
    return secret
  }
}
