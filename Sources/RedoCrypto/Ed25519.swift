// Ed25519 (RFC 8032) by libsodium: cofactorless and strict, as its 1.0.18 releases are.
//
// `crypto_sign_verify_detached` refuses a scalar S that is not reduced, public keys that are not
// canonical or of small order, and R of small order; test vectors pin this set of accepted
// signatures, so that another build of the library cannot change it unseen.

internal import CSodium

/// An Ed25519 public key: 32 raw bytes.
package struct PublicKey: Sendable {
  /// The bytes, first to last.
  package let bytes: InlineArray<32, UInt8>

  /// A key of the given bytes; that they are a point of the curve shows at verification.
  @inlinable
  package init(bytes: InlineArray<32, UInt8>) { self.bytes = bytes }
}

extension PublicKey: Hashable {
  @inlinable
  package static func == (left: PublicKey, right: PublicKey) -> Bool {
    Digest(bytes: left.bytes) == Digest(bytes: right.bytes)
  }

  @inlinable
  package func hash(into hasher: inout Hasher) { Digest(bytes: bytes).hash(into: &hasher) }
}

/// An Ed25519 signature: 64 raw bytes, R and then S.
package struct Signature: Sendable {
  /// The bytes, first to last.
  package let bytes: InlineArray<64, UInt8>

  /// A signature of the given bytes.
  @inlinable
  package init(bytes: InlineArray<64, UInt8>) { self.bytes = bytes }
}

extension Signature: Comparable {
  @inlinable
  package static func == (left: Signature, right: Signature) -> Bool {
    for index in 0..<64 where left.bytes[index] != right.bytes[index] { return false }
    return true
  }

  /// Bytewise, which decides between two signatures of equal standing.
  @inlinable
  package static func < (left: Signature, right: Signature) -> Bool {
    for index in 0..<64 where left.bytes[index] != right.bytes[index] {
      return left.bytes[index] < right.bytes[index]
    }
    return false
  }
}

/// The signature scheme of the protocol.
package enum Ed25519 {
  /// Whether a signature of a message holds.
  ///
  /// - Parameters:
  ///   - signature: 64 bytes.
  ///   - message: the signed bytes.
  ///   - key: the signer's public key.
  /// - Returns: `false` also for a key that is not a point.
  package static func isValid(
    _ signature: Signature, of message: Span<UInt8>, by key: PublicKey
  ) -> Bool {
    _ = Sodium.ready
    // SAFETY: the pointers are used only during the call; 64 and 32 bytes are what it reads.
    return unsafe message.withUnsafeBufferPointer { text in
      unsafe signature.bytes.span.withUnsafeBufferPointer { signed in
        unsafe key.bytes.span.withUnsafeBufferPointer { point in
          guard let signed = signed.baseAddress, let point = point.baseAddress else {
            return false
          }
          return unsafe crypto_sign_verify_detached(
            signed, text.baseAddress, UInt64(text.count), point) == 0
        }
      }
    }
  }
}

/// An Ed25519 secret key: never printed, zeroed when it is released.
package struct SecretKey: ~Copyable {
  private let memory: SecretBytes
  /// The public half.
  package let publicKey: PublicKey

  /// The key pair that grows from a seed (RFC 8032 section 5.1.5).
  ///
  /// - Parameter seed: 32 secret bytes.
  package init(seed: borrowing SecretBytes) {
    precondition(seed.count == 32, "BUG: an Ed25519 seed has 32 bytes")
    _ = Sodium.ready
    var point = InlineArray<32, UInt8>(repeating: 0)
    let expanded = SecretBytes(count: 64)
    var pointSpan = point.mutableSpan
    // SAFETY: the call writes 32 and 64 bytes and reads 32.
    unsafe pointSpan.withUnsafeMutableBufferPointer { point in
      unsafe expanded.withMutablePointer { key in
        unsafe seed.withMutablePointer { seed in
          guard let point = point.baseAddress else { return }
          _ = unsafe crypto_sign_seed_keypair(point, key, seed)
        }
      }
    }
    memory = expanded
    publicKey = PublicKey(bytes: point)
  }

  /// Signs a message.
  package borrowing func sign(_ message: Span<UInt8>) -> Signature {
    var signature = InlineArray<64, UInt8>(repeating: 0)
    var span = signature.mutableSpan
    // SAFETY: the call writes 64 bytes, reads the key's 64 bytes and the message.
    unsafe span.withUnsafeMutableBufferPointer { output in
      unsafe message.withUnsafeBufferPointer { text in
        unsafe memory.withMutablePointer { key in
          guard let output = output.baseAddress else { return }
          _ = unsafe crypto_sign_detached(
            output, nil, text.baseAddress, UInt64(text.count), key)
        }
      }
    }
    return Signature(bytes: signature)
  }

  /// Lends the key as the library expands it to another wrapper.
  borrowing func withExpanded(_ body: (borrowing SecretBytes) -> Void) { body(memory) }

  /// The 32 secret bytes that the pair grows from.
  package borrowing func seed() -> SecretBytes {
    // RFC 8032 keys as the library expands them: the seed, then the public key.
    memory.copy(0..<32)
  }

  /// A new key pair from fresh random bytes.
  package static func generate() -> SecretKey { SecretKey(seed: SecretBytes(randomCount: 32)) }
}
