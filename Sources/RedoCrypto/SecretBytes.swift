// Memory for secrets: one owner, no description, zeroed before it is given back.

internal import CSodium

/// Secret bytes of a fixed count.
///
/// A class would let copies of the reference outlive the obligation to zero; this has one owner.
@safe
package struct SecretBytes: ~Copyable {
  private let base: UnsafeMutablePointer<UInt8>
  /// The number of bytes.
  package let count: Int

  /// Zero bytes, to be filled in.
  package init(count: Int) {
    precondition(count > 0, "BUG: a secret without bytes")
    self.count = count
    unsafe base = .allocate(capacity: count)
    unsafe base.initialize(repeating: 0, count: count)
    // Keeps the secret out of swap where the limits allow it; a refusal changes nothing else.
    _ = unsafe sodium_mlock(base, count)
  }

  /// Takes over bytes and zeroes the place where they stood.
  package init(moving bytes: inout [UInt8]) {
    self.init(count: bytes.count)
    for index in bytes.indices {
      unsafe base[index] = bytes[index]
      bytes[index] = 0
    }
  }

  deinit {
    // Unlocking zeroes too, but only where locking is compiled in.
    unsafe sodium_memzero(base, count)
    _ = unsafe sodium_munlock(base, count)
    unsafe base.deallocate()
  }

  /// Lends the memory to a wrapper of a C function.
  ///
  /// SAFETY: the pointer must not be kept.
  @unsafe
  package borrowing func withMutablePointer<Result>(
    _ body: (UnsafeMutablePointer<UInt8>) -> Result
  ) -> Result {
    unsafe body(base)
  }
}
