// scrypt (RFC 7914) by libsodium, with r = 8 and p = 1 as age has it: a key from a passphrase, at a cost in memory
// that makes guessing dear.

internal import CSodium

/// The passphrase hash of age files.
package enum Scrypt {
  /// The block size parameter.
  package static let blockSize = 8

  /// The memory that one key takes.
  ///
  /// - Parameter logarithm: the base-2 logarithm of N, below 40.
  /// - Returns: 128 N r bytes.
  package static func memoryBytes(logarithm: Int) -> Int { 128 * blockSize << logarithm }

  /// Derives a key.
  ///
  /// - Parameters:
  ///   - passphrase: the passphrase's bytes.
  ///   - salt: the salt.
  ///   - logarithm: the base-2 logarithm of N, from 1 to 39.
  /// - Returns: 32 bytes; `nil` when the system has not so much memory.
  /// - Complexity: O(N), by intent.
  package static func key(
    passphrase: borrowing SecretBytes, salt: [UInt8], logarithm: Int
  ) -> SecretBytes? {
    precondition((1..<40).contains(logarithm), "BUG: a work factor out of range")
    _ = Sodium.ready
    let key = SecretBytes(count: 32)
    let length = passphrase.count
    // SAFETY: the call writes 32 bytes and reads the passphrase and the salt.
    let status = unsafe key.withMutablePointer { output in
      unsafe passphrase.withMutablePointer { secret in
        unsafe salt.withUnsafeBufferPointer { salt in
          guard let start = salt.baseAddress else { return Int32(-1) }
          return unsafe crypto_pwhash_scryptsalsa208sha256_ll(
            secret, length, start, salt.count, 1 << UInt64(logarithm), UInt32(blockSize), 1,
            output, 32)
        }
      }
    }
    guard status == 0 else { return nil }
    return key
  }
}
