// AES-256-GCM (NIST SP 800-38D) with a nonce of 12 bytes and a tag of 16, by OpenSSL, which has it on every processor: the app
// encrypts what it shares so (receipts, section 5.1).

internal import COpenSSL

/// Authenticated encryption as the app does it.
package enum AES256GCM {
  /// The number of bytes of a key.
  package static let keyCount = 32
  /// The number of bytes of a nonce.
  package static let nonceCount = 12
  /// The number of bytes of a tag.
  package static let tagCount = 16

  /// Seals bytes.
  ///
  /// - Parameters:
  ///   - plain: what to seal.
  ///   - key: 32 bytes.
  ///   - nonce: 12 random bytes, never used twice with the same key.
  ///   - associated: bytes that stay readable; with others it cannot be opened.
  /// - Returns: nonce, ciphertext and tag, one behind the other; `nil` when the library has no memory.
  package static func seal(
    _ plain: Span<UInt8>, key: borrowing SecretBytes, nonce: [UInt8], associated: [UInt8]
  ) -> [UInt8]? {
    precondition(key.count == keyCount && nonce.count == nonceCount, "BUG: another key or nonce")
    var output = [UInt8](repeating: 0, count: plain.count)
    var tag = [UInt8](repeating: 0, count: tagCount)
    let isDone = unsafe run(
      isSealing: true, plain, key, nonce, associated, into: &output, tag: &tag)
    return isDone ? nonce + output + tag : nil
  }

  /// Opens what was sealed.
  ///
  /// - Parameters:
  ///   - sealed: nonce, ciphertext and tag.
  ///   - key: 32 bytes.
  ///   - associated: the bytes it was sealed with.
  /// - Returns: the bytes; `nil` when any of these differs.
  package static func open(
    _ sealed: [UInt8], key: borrowing SecretBytes, associated: [UInt8]
  ) -> [UInt8]? {
    precondition(key.count == keyCount, "BUG: another key")
    guard sealed.count >= nonceCount + tagCount else { return nil }
    let nonce = Array(sealed[..<nonceCount])
    let body = Array(sealed[nonceCount..<(sealed.count - tagCount)])
    var tag = Array(sealed[(sealed.count - tagCount)...])
    var output = [UInt8](repeating: 0, count: body.count)
    let isDone = unsafe run(
      isSealing: false, body.span, key, nonce, associated, into: &output, tag: &tag)
    return isDone ? output : nil
  }

  /// SAFETY: every pointer is that of a buffer which lives during the call, with the count beside it; the library writes as
  /// many bytes as it reads, and 16 of the tag.
  @unsafe
  private static func run(
    isSealing: Bool, _ input: Span<UInt8>, _ key: borrowing SecretBytes, _ nonce: [UInt8],
    _ associated: [UInt8], into output: inout [UInt8], tag: inout [UInt8]
  ) -> Bool {
    // The library takes no null pointer, even for no bytes.
    let none: [UInt8] = [0]
    guard let context = unsafe EVP_CIPHER_CTX_new() else { return false }
    defer {
      unsafe EVP_CIPHER_CTX_free(context)
      ERR_clear_error()
    }
    let mode: Int32 = isSealing ? 1 : 0
    let begins = unsafe key.withMutablePointer { key in
      unsafe nonce.withUnsafeBufferPointer { nonce in
        unsafe EVP_CipherInit_ex(
          context, EVP_aes_256_gcm(), nil, key, nonce.baseAddress, mode)
      }
    }
    guard begins == 1 else { return false }
    var length: Int32 = 0
    if !associated.isEmpty {
      let isTaken = unsafe associated.withUnsafeBufferPointer { bytes in
        unsafe EVP_CipherUpdate(
          context, nil, &length, bytes.baseAddress, Int32(bytes.count))
      }
      guard isTaken == 1 else { return false }
    }
    if !isSealing {
      let isSet = unsafe tag.withUnsafeMutableBufferPointer { tag in
        unsafe EVP_CIPHER_CTX_ctrl(
          context, EVP_CTRL_AEAD_SET_TAG, Int32(tagCount), tag.baseAddress)
      }
      guard isSet == 1 else { return false }
    }
    let count = input.count
    let isRun = unsafe input.withUnsafeBufferPointer { input in
      unsafe none.withUnsafeBufferPointer { none in
        unsafe output.withUnsafeMutableBufferPointer { output in
          guard count > 0 else { return Int32(1) }
          return unsafe EVP_CipherUpdate(
            context, output.baseAddress, &length, input.baseAddress ?? none.baseAddress,
            Int32(count))
        }
      }
    }
    guard isRun == 1 else { return false }
    var rest: [UInt8] = [UInt8](repeating: 0, count: 32)
    let isEnded = unsafe rest.withUnsafeMutableBufferPointer { rest in
      unsafe EVP_CipherFinal_ex(context, rest.baseAddress, &length)
    }
    guard isEnded == 1 else { return false }
    guard isSealing else { return true }
    let isGot = unsafe tag.withUnsafeMutableBufferPointer { tag in
      unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagCount), tag.baseAddress)
    }
    return isGot == 1
  }
}

/// How a content key goes to one device: under a key that both have (receipts, section 5.1).
package enum ShareWrap {
  /// The number of bytes of a wrapped key.
  package static let byteCount = AES256GCM.nonceCount + AES256GCM.keyCount + AES256GCM.tagCount
  private static let info: StaticString = "buds.wrap.v1"

  /// Wraps a content key.
  ///
  /// - Parameters:
  ///   - content: 32 bytes.
  ///   - own: the X25519 key of this device.
  ///   - other: that of the other one, as it was received.
  ///   - nonce: 12 random bytes.
  /// - Returns: 60 bytes; `nil` for a point with which everybody would share the secret.
  package static func wrap(
    _ content: borrowing SecretBytes, by own: borrowing X25519PrivateKey,
    for other: InlineArray<32, UInt8>, nonce: [UInt8]
  ) -> [UInt8]? {
    guard let shared = own.sharedSecret(with: other) else { return nil }
    let key = HKDF.key(of: shared, info: info)
    return content.withSpan { AES256GCM.seal($0, key: key, nonce: nonce, associated: []) }
  }

  /// Unwraps a content key.
  ///
  /// - Parameters:
  ///   - wrapped: 60 bytes.
  ///   - own: the X25519 key of this device.
  ///   - other: that of the device which wrapped it.
  /// - Returns: 32 bytes; `nil` when they are not for this device, or not by that one.
  package static func unwrap(
    _ wrapped: [UInt8], by own: borrowing X25519PrivateKey, from other: InlineArray<32, UInt8>
  ) -> SecretBytes? {
    guard wrapped.count == byteCount, let shared = own.sharedSecret(with: other) else { return nil }
    let key = HKDF.key(of: shared, info: info)
    guard var content = AES256GCM.open(wrapped, key: key, associated: []) else { return nil }
    return SecretBytes(moving: &content)
  }
}
