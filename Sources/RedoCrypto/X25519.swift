// X25519 (RFC 7748): a secret that the owners of two keys share.
//
// Signers' keys serve as well: an Ed25519 key is the same curve in another form, and libsodium converts
// one into the other. age does so with SSH keys.

internal import CSodium

/// The public half of an X25519 key: 32 raw bytes.
package struct X25519PublicKey: Sendable {
  /// The bytes, first to last.
  package let bytes: InlineArray<32, UInt8>

  /// A key of the given bytes.
  ///
  /// - Returns: `nil` unless they are a reduced number below 2^255 - 19, and no point of small order: for
  ///   such a one everybody knows the shared secret.
  package init?(bytes: InlineArray<32, UInt8>) {
    guard Self.isReduced(bytes), Self.hasSecrets(bytes) else { return nil }
    self.bytes = bytes
  }

  /// The same point as a signer's key.
  ///
  /// - Returns: `nil` if it is not a canonical point of the main subgroup.
  package init?(_ key: PublicKey) {
    _ = Sodium.ready
    var converted = InlineArray<32, UInt8>(repeating: 0)
    var span = converted.mutableSpan
    // SAFETY: the calls read 32 bytes, and the second writes as many.
    let isPoint = unsafe key.bytes.span.withUnsafeBufferPointer { point in
      unsafe span.withUnsafeMutableBufferPointer { output in
        guard let point = point.baseAddress, let output = output.baseAddress else { return false }
        // The conversion itself takes points that are not written in their one form.
        return unsafe crypto_core_ed25519_is_valid_point(point) == 1
          && crypto_sign_ed25519_pk_to_curve25519(output, point) == 0
      }
    }
    guard isPoint else { return nil }
    bytes = converted
  }

  /// The public half of a private key, which the library has computed.
  fileprivate init(known bytes: InlineArray<32, UInt8>) { self.bytes = bytes }

  private static func isReduced(_ bytes: InlineArray<32, UInt8>) -> Bool {
    guard bytes[31] <= 0x7F else { return false }
    // 2^255 - 19 is ED, 30 times FF, 7F.
    let isTop = bytes[31] == 0x7F && (1..<31).allSatisfy { bytes[$0] == 0xFF }
    return !isTop || bytes[0] < 0xED
  }

  /// Whether a product with it is anything but 0.
  private static func hasSecrets(_ bytes: InlineArray<32, UInt8>) -> Bool {
    // The library clamps every scalar to a multiple of 8, which takes points of small order to 0.
    switch X25519PrivateKey.product(SecretBytes(randomCount: 32), bytes) {
    case .some: true
    case .none: false
    }
  }
}

extension X25519PublicKey: Hashable {
  package static func == (left: X25519PublicKey, right: X25519PublicKey) -> Bool {
    Digest(bytes: left.bytes) == Digest(bytes: right.bytes)
  }

  package func hash(into hasher: inout Hasher) { Digest(bytes: bytes).hash(into: &hasher) }
}

/// An X25519 private key: never printed, zeroed when it is released.
// SAFETY: nothing changes the scalar once the key is made.
package struct X25519PrivateKey: ~Copyable, @unchecked Sendable {
  private let scalar: SecretBytes
  /// The public half.
  package let publicKey: X25519PublicKey

  /// A key of its bytes.
  ///
  /// - Parameter bytes: 32 secret bytes.
  package init(bytes: consuming SecretBytes) {
    precondition(bytes.count == 32, "BUG: an X25519 key has 32 bytes")
    _ = Sodium.ready
    var point = InlineArray<32, UInt8>(repeating: 0)
    var span = point.mutableSpan
    // SAFETY: the call writes 32 bytes and reads as many.
    unsafe span.withUnsafeMutableBufferPointer { output in
      unsafe bytes.withMutablePointer { scalar in
        guard let output = output.baseAddress else { return }
        _ = unsafe crypto_scalarmult_base(output, scalar)
      }
    }
    publicKey = X25519PublicKey(known: point)
    scalar = bytes
  }

  /// A copy, with its own end.
  package borrowing func copy() -> X25519PrivateKey {
    X25519PrivateKey(bytes: scalar.copy(0..<32))
  }

  /// The key that corresponds to a signer's key.
  ///
  /// - Parameter key: an Ed25519 key; what is sealed for its public half can be opened with the result.
  package init(_ key: borrowing SecretKey) {
    let scalar = SecretBytes(count: 32)
    key.withExpanded { expanded in
      // SAFETY: the call writes 32 bytes and reads 32 of 64.
      unsafe expanded.withMutablePointer { key in
        unsafe scalar.withMutablePointer { output in
          _ = unsafe crypto_sign_ed25519_sk_to_curve25519(output, key)
        }
      }
    }
    self.init(bytes: scalar)
  }

  /// A new key from fresh random bytes.
  package static func generate() -> X25519PrivateKey {
    X25519PrivateKey(bytes: SecretBytes(randomCount: 32))
  }

  /// A copy of the secret bytes.
  package borrowing func bytes() -> SecretBytes { scalar.copy(0..<32) }

  /// The secret that is shared with the owner of a point.
  ///
  /// - Parameter point: 32 bytes as they were received; the highest bit counts for nothing.
  /// - Returns: 32 bytes; `nil` for a point of small order, with which everybody would share it.
  package borrowing func sharedSecret(with point: InlineArray<32, UInt8>) -> SecretBytes? {
    Self.product(scalar, point)
  }

  /// A point times a number.
  ///
  /// - Parameters:
  ///   - scalar: 32 bytes, which the library clamps.
  ///   - point: 32 bytes.
  /// - Returns: `nil` for a point of small order.
  static func product(
    _ scalar: borrowing SecretBytes, _ point: InlineArray<32, UInt8>
  ) -> SecretBytes? {
    _ = Sodium.ready
    let secret = SecretBytes(count: 32)
    // SAFETY: the call writes 32 bytes and reads 32 of each.
    let status = unsafe point.span.withUnsafeBufferPointer { point in
      unsafe secret.withMutablePointer { output in
        unsafe scalar.withMutablePointer { scalar in
          guard let point = point.baseAddress else { return Int32(-1) }
          return unsafe crypto_scalarmult(output, scalar, point)
        }
      }
    }
    guard status == 0 else { return nil }
    return secret
  }
}
