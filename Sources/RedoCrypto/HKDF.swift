// HMAC-SHA-256 (RFC 2104) by libsodium, and HKDF (RFC 5869) with it for keys of 32 bytes, which are one block.

internal import CSodium

/// A code over a message that only the owner of a key can make.
package struct HMACSHA256: ~Copyable {
  private let state = SecretBytes(count: crypto_auth_hmacsha256_statebytes())

  /// The number of bytes of a code.
  package static let byteCount = 32

  /// The code of nothing yet.
  ///
  /// - Parameter key: the key, of any count; the codes of no bytes and of zero bytes as key are equal.
  package init(key: Span<UInt8>) {
    _ = Sodium.ready
    // The library takes no null pointer, even for no bytes.
    let none: [UInt8] = [0]
    // SAFETY: the calls write the state and read the key.
    unsafe withState { state in
      unsafe key.withUnsafeBufferPointer { key in
        unsafe none.withUnsafeBufferPointer { none in
          guard let start = unsafe key.baseAddress ?? none.baseAddress else { return }
          _ = unsafe crypto_auth_hmacsha256_init(state, start, key.count)
        }
      }
    }
  }

  /// Adds the next bytes of the message.
  package mutating func update(_ bytes: Span<UInt8>) {
    // SAFETY: the call reads the bytes and changes the state.
    unsafe withState { state in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return }
        _ = unsafe crypto_auth_hmacsha256_update(state, start, UInt64(bytes.count))
      }
    }
  }

  /// The code of the whole message.
  package consuming func finalize() -> SecretBytes {
    let code = SecretBytes(count: Self.byteCount)
    // SAFETY: the call writes 32 bytes and the state.
    unsafe withState { state in
      unsafe code.withMutablePointer { output in
        _ = unsafe crypto_auth_hmacsha256_final(state, output)
      }
    }
    return code
  }

  /// Lends the memory as the state of the library.
  ///
  /// SAFETY: the bytes are as many as the state has, begin where `sodium_malloc` ends up for a size that is a
  /// multiple of 8, and hold no pointers.
  @unsafe
  private borrowing func withState(
    _ body: (UnsafeMutablePointer<crypto_auth_hmacsha256_state>) -> Void
  ) {
    unsafe state.withMutablePointer { base in
      unsafe body(
        UnsafeMutableRawPointer(base).assumingMemoryBound(to: crypto_auth_hmacsha256_state.self))
    }
  }
}

/// HKDF with SHA-256.
package enum HKDF {
  /// Derives a key.
  ///
  /// - Parameters:
  ///   - secret: the input keying material.
  ///   - salt: the salt; may be empty.
  ///   - info: what the key is for.
  /// - Returns: 32 bytes.
  package static func key(
    of secret: borrowing SecretBytes, salt: [UInt8] = [], info: StaticString
  ) -> SecretBytes {
    secret.withSpan { key(of: $0, salt: salt, info: info) }
  }

  /// Derives a key of bytes that may be none.
  ///
  /// - Parameters:
  ///   - material: the input keying material.
  ///   - salt: the salt.
  ///   - info: what the key is for.
  /// - Returns: 32 bytes.
  package static func key(
    of material: Span<UInt8>, salt: [UInt8], info: StaticString
  ) -> SecretBytes {
    // 2.2: PRK = HMAC-Hash(salt, IKM)
    var extract = HMACSHA256(key: salt.span)
    extract.update(material)
    let extracted = extract.finalize()
    // 2.3, of one block: T(1) = HMAC-Hash(PRK, info | 0x01)
    let message = info.withUTF8Buffer { unsafe [UInt8]($0) } + [1]
    return extracted.withSpan { span in
      var expand = HMACSHA256(key: span)
      expand.update(message.span)
      return expand.finalize()
    }
  }
}
