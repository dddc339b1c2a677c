// X25519 (RFC 7748) and boxes for a key (libsodium's crypto_box_seal): a fresh key pair for each box,
// XSalsa20-Poly1305 under the shared secret, the nonce BLAKE2b of both public keys.
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
    _ = Sodium.ready
    // The library clamps every scalar to a multiple of 8, which takes points of small order to 0.
    let scalar = SecretBytes(randomCount: 32)
    let product = SecretBytes(count: 32)
    // SAFETY: the call writes 32 bytes and reads 32 of each.
    return unsafe bytes.span.withUnsafeBufferPointer { point in
      unsafe product.withMutablePointer { output in
        unsafe scalar.withMutablePointer { scalar in
          guard let point = point.baseAddress else { return false }
          return unsafe crypto_scalarmult(output, scalar, point) == 0
        }
      }
    }
  }

  /// How many bytes more a sealed secret has.
  package static let sealCount = 48

  /// Seals a secret for the owner of this key; the box does not reveal who that is.
  ///
  /// - Parameter secret: what to seal.
  /// - Returns: the box, `sealCount` bytes longer.
  package func seal(_ secret: borrowing SecretBytes) -> [UInt8] {
    _ = Sodium.ready
    let count = secret.count
    var box = [UInt8](repeating: 0, count: count + Self.sealCount)
    // SAFETY: the call writes 48 bytes more than it reads of the secret, and reads 32 of the key.
    let status = unsafe box.withUnsafeMutableBufferPointer { output in
      unsafe bytes.span.withUnsafeBufferPointer { key in
        unsafe secret.withMutablePointer { secret in
          guard let output = output.baseAddress, let key = key.baseAddress else { return Int32(-1) }
          return unsafe crypto_box_seal(output, secret, UInt64(count), key)
        }
      }
    }
    precondition(status == 0, "BUG: a key that nothing can be sealed for")
    return box
  }
}

extension X25519PublicKey: Hashable {
  package static func == (left: X25519PublicKey, right: X25519PublicKey) -> Bool {
    Digest(bytes: left.bytes) == Digest(bytes: right.bytes)
  }

  package func hash(into hasher: inout Hasher) { Digest(bytes: bytes).hash(into: &hasher) }
}

/// An X25519 private key: never printed, zeroed when it is released.
package struct X25519PrivateKey: ~Copyable {
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

  /// Opens a box.
  ///
  /// - Parameter box: what `X25519PublicKey.seal` made.
  /// - Returns: `nil` when it is for somebody else, or was changed.
  package borrowing func open(_ box: Span<UInt8>) -> SecretBytes? {
    guard box.count > X25519PublicKey.sealCount else { return nil }
    _ = Sodium.ready
    let secret = SecretBytes(count: box.count - X25519PublicKey.sealCount)
    // SAFETY: the call writes 48 bytes less than the box has, and reads 32 bytes of each key.
    let status = unsafe box.withUnsafeBufferPointer { box in
      unsafe publicKey.bytes.span.withUnsafeBufferPointer { point in
        unsafe secret.withMutablePointer { output in
          unsafe scalar.withMutablePointer { scalar in
            guard let start = box.baseAddress, let point = point.baseAddress else {
              return Int32(-1)
            }
            return unsafe crypto_box_seal_open(output, start, UInt64(box.count), point, scalar)
          }
        }
      }
    }
    guard status == 0 else { return nil }
    return secret
  }
}
