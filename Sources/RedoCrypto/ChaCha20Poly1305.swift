// ChaCha20-Poly1305 (RFC 8439, section 2.8) by libsodium, without associated data, as age uses it.

internal import CSodium

/// Authenticated encryption with a nonce of 12 bytes, never used twice with the same key.
package enum ChaCha20Poly1305 {
  /// The number of bytes of a key.
  package static let keyCount = 32
  /// How many bytes more the sealed form has.
  package static let tagCount = 16

  /// Seals bytes.
  ///
  /// - Parameters:
  ///   - text: what to seal.
  ///   - key: 32 bytes.
  ///   - nonce: 12 bytes.
  ///   - output: receives `tagCount` bytes more than there are.
  package static func seal(
    _ text: Span<UInt8>, key: borrowing SecretBytes, nonce: InlineArray<12, UInt8>,
    into output: inout [UInt8]
  ) {
    precondition(key.count == keyCount, "BUG: a key of ChaCha20 has 32 bytes")
    _ = Sodium.ready
    let start = output.count
    output.append(contentsOf: repeatElement(0, count: text.count + tagCount))
    // SAFETY: the call writes 16 bytes more than it reads, for which there is room behind `start`, and reads 12
    // bytes of nonce and 32 of key.
    unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe text.withUnsafeBufferPointer { text in
        unsafe nonce.span.withUnsafeBufferPointer { nonce in
          unsafe key.withMutablePointer { key in
            guard let output = output.baseAddress, let nonce = nonce.baseAddress else { return }
            _ = unsafe crypto_aead_chacha20poly1305_ietf_encrypt(
              output + start, nil, text.baseAddress, UInt64(text.count), nil, 0, nil, nonce, key)
          }
        }
      }
    }
  }

  /// Opens what was sealed.
  ///
  /// - Parameters:
  ///   - sealed: the ciphertext and its tag.
  ///   - key: 32 bytes.
  ///   - nonce: the one it was sealed with.
  ///   - output: receives `tagCount` bytes less than there are; unchanged when any of these differs.
  /// - Returns: whether it was sealed so.
  package static func open(
    _ sealed: Span<UInt8>, key: borrowing SecretBytes, nonce: InlineArray<12, UInt8>,
    into output: inout [UInt8]
  ) -> Bool {
    precondition(key.count == keyCount, "BUG: a key of ChaCha20 has 32 bytes")
    guard sealed.count >= tagCount else { return false }
    _ = Sodium.ready
    let start = output.count
    let count = sealed.count - tagCount
    // There is always a byte to point at.
    output.append(contentsOf: repeatElement(0, count: count + 1))
    // SAFETY: the call writes 16 bytes less than it reads, for which there is room behind `start`, and reads 12
    // bytes of nonce and 32 of key.
    let status = unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe sealed.withUnsafeBufferPointer { sealed in
        unsafe nonce.span.withUnsafeBufferPointer { nonce in
          unsafe key.withMutablePointer { key in
            guard let output = output.baseAddress, let nonce = nonce.baseAddress,
              let input = sealed.baseAddress
            else { return Int32(-1) }
            return unsafe crypto_aead_chacha20poly1305_ietf_decrypt(
              output + start, nil, nil, input, UInt64(sealed.count), nil, 0, nonce, key)
          }
        }
      }
    }
    output.removeLast(status == 0 ? 1 : count + 1)
    return status == 0
  }
}
