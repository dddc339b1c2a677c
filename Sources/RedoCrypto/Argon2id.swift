// Argon2id (RFC 9106), version 0x13 and one lane, by libsodium: a key from a passphrase, at a cost
// in memory and time that makes guessing dear.

internal import CSodium

/// The passphrase hash.
package enum Argon2id {
  /// What one key costs.
  package struct Cost: Hashable, Sendable {
    /// The number of passes over the memory.
    package let passes: Int
    /// The memory in units of 1,024 bytes, at least 8.
    package let memoryKiB: Int

    /// A cost: the number of passes and the amount of memory.
    package init(passes: Int, memoryKiB: Int) {
      self.passes = passes
      self.memoryKiB = memoryKiB
    }
  }

  /// Derives a key.
  ///
  /// - Parameters:
  ///   - passphrase: the passphrase's bytes.
  ///   - salt: random bytes, kept beside what the key protects.
  ///   - cost: what one key costs.
  ///   - count: how many bytes the key has, at least 16.
  /// - Returns: `nil` when the system has not so much memory.
  /// - Complexity: O(passes × memory), by intent.
  package static func key(
    passphrase: borrowing SecretBytes, salt: InlineArray<16, UInt8>, cost: Cost, count: Int = 32
  ) -> SecretBytes? {
    precondition(cost.passes >= 1 && cost.memoryKiB >= 8, "BUG: a cost below the least")
    _ = Sodium.ready
    let key = SecretBytes(count: count)
    let length = UInt64(passphrase.count)
    let (passes, memory) = (UInt64(cost.passes), cost.memoryKiB * 1024)
    // SAFETY: the call writes `count` bytes, reads the passphrase and 16 bytes of salt.
    let status = unsafe key.withMutablePointer { output in
      unsafe passphrase.withMutablePointer { secret in
        unsafe salt.span.withUnsafeBufferPointer { salt in
          unsafe secret.withMemoryRebound(to: CChar.self, capacity: Int(length)) { secret in
            guard let salt = salt.baseAddress else { return Int32(-1) }
            return unsafe crypto_pwhash(
              output, UInt64(count), secret, length, salt, passes, memory,
              crypto_pwhash_ALG_ARGON2ID13)
          }
        }
      }
    }
    guard status == 0 else { return nil }
    return key
  }
}
