// BLAKE2b (RFC 7693) under a key by libsodium: keys derived from a key (crypto_kdf), and a hash that
// only its owner can make (crypto_generichash). No other key gives the same hash, so a file that carries
// one is for one key.

internal import CSodium

/// Hashes under keys.
package enum KeyedHash {
  /// Makes a key of a key.
  ///
  /// It is BLAKE2b of no bytes, the number as its salt (8 bytes, the lowest first, and 8 zeros), the
  /// context as its personalization (8 bytes, and 8 zeros).
  ///
  /// - Parameters:
  ///   - key: 32 bytes.
  ///   - number: which one.
  ///   - context: 8 bytes of ASCII that say what for.
  /// - Returns: 32 bytes.
  package static func subkey(
    of key: borrowing SecretBytes, number: UInt64, context: StaticString
  ) -> SecretBytes {
    precondition(key.count == 32 && context.utf8CodeUnitCount == 8, "BUG: a key of another form")
    _ = Sodium.ready
    let subkey = SecretBytes(count: 32)
    // SAFETY: the call writes 32 bytes, and reads 32 of the key and 8 of the context.
    unsafe subkey.withMutablePointer { output in
      unsafe key.withMutablePointer { key in
        context.withUTF8Buffer { context in
          unsafe context.withMemoryRebound(to: CChar.self) { context in
            guard let context = context.baseAddress else { return }
            _ = unsafe crypto_kdf_derive_from_key(output, 32, number, context, key)
          }
        }
      }
    }
    return subkey
  }

  /// The hash of a message under a key.
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - key: 32 bytes.
  /// - Returns: BLAKE2b of 32 bytes.
  package static func hash(_ message: Span<UInt8>, key: borrowing SecretBytes) -> Digest {
    precondition(key.count == 32, "BUG: a key of another form")
    _ = Sodium.ready
    var digest = Digest(bytes: InlineArray(repeating: 0))
    var span = digest.bytes.mutableSpan
    // SAFETY: the call writes 32 bytes, and reads 32 of the key and the message.
    unsafe span.withUnsafeMutableBufferPointer { output in
      unsafe message.withUnsafeBufferPointer { message in
        unsafe key.withMutablePointer { key in
          guard let output = output.baseAddress else { return }
          _ = unsafe crypto_generichash(
            output, 32, message.baseAddress, UInt64(message.count), key, 32)
        }
      }
    }
    return digest
  }

  /// Whether two hashes are equal, in a time that does not tell where they differ.
  package static func isEqual(_ left: Digest, _ right: Digest) -> Bool {
    // SAFETY: both have 32 bytes.
    unsafe left.bytes.span.withUnsafeBufferPointer { left in
      unsafe right.bytes.span.withUnsafeBufferPointer { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return false }
        return unsafe sodium_memcmp(left, right, 32) == 0
      }
    }
  }
}
