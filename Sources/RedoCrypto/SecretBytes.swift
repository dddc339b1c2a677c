// Memory for secrets: one owner, no description, zeroed before it is given back; kept out of swap
// and of core dumps where the system allows it (sodium_malloc, with pages of its own). Where it has no
// pages to map, secrets are in ordinary memory, and zeroed all the same.

internal import CSodium

/// Secret bytes of a fixed count.
///
/// A class would let copies of the reference outlive the obligation to zero; this has one owner.
@safe
package struct SecretBytes: ~Copyable {
  private let base: UnsafeMutablePointer<UInt8>
  /// Whether the memory has pages of its own.
  private let isGuarded: Bool
  /// The number of bytes.
  package let count: Int

  /// Zero bytes, to be filled in.
  package init(count: Int) {
    precondition(count > 0, "BUG: a secret without bytes")
    self.count = count
    _ = Sodium.ready
    if let memory = unsafe sodium_malloc(count) {
      isGuarded = true
      unsafe base = memory.bindMemory(to: UInt8.self, capacity: count)
    } else {
      isGuarded = false
      unsafe base = .allocate(capacity: count)
    }
    unsafe base.initialize(repeating: 0, count: count)
  }

  /// Takes over bytes and zeroes their old place.
  package init(moving bytes: inout [UInt8]) {
    self.init(count: bytes.count)
    for index in bytes.indices {
      unsafe base[index] = bytes[index]
      bytes[index] = 0
    }
  }

  /// Fresh random bytes, as good as the kernel has them.
  package init(randomCount count: Int) {
    self.init(count: count)
    // SAFETY: writes exactly the bytes of this memory.
    unsafe randombytes_buf(base, count)
  }

  deinit {
    if isGuarded {
      // It zeroes before it gives back.
      unsafe sodium_free(base)
    } else {
      // SAFETY: exactly what was allocated.
      unsafe sodium_memzero(base, count)
      unsafe base.deallocate()
    }
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

  /// Lends the bytes for reading.
  package borrowing func withSpan<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // SAFETY: the span lives only during the call, as this does.
    try unsafe body(UnsafeBufferPointer(start: base, count: count).span)
  }

  /// Whether both have the same bytes; equal counts take equal time.
  package borrowing func isEqual(to other: borrowing SecretBytes) -> Bool {
    // SAFETY: both pointers have that many bytes.
    unsafe count == other.count && sodium_memcmp(base, other.base, count) == 0
  }

  /// A copy of a part, with its own end.
  package borrowing func copy(_ range: Range<Int>) -> SecretBytes {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "BUG: a part outside")
    let part = SecretBytes(count: range.count)
    // SAFETY: both have at least as many bytes as are copied.
    unsafe part.base.update(from: base + range.lowerBound, count: range.count)
    return part
  }
}

extension SecretBytes {
  /// The bytes that lower-case hex digits encode.
  ///
  /// - Parameter digits: twice as many as the bytes, which must be a multiple of four.
  /// - Returns: `nil` when they are not hex digits.
  package static func decodeHex(_ digits: Span<UInt8>) -> SecretBytes? {
    guard digits.count > 0, digits.count % 8 == 0 else { return nil }
    let bytes = SecretBytes(count: digits.count / 2)
    // SAFETY: the span has exactly the bytes of this memory, and lives only during the call.
    let isHex = unsafe bytes.withMutablePointer { base in
      let buffer = unsafe UnsafeMutableBufferPointer(start: base, count: digits.count / 2)
      var output = unsafe buffer.mutableSpan
      return Hex.decode(digits, into: &output)
    }
    guard isHex else { return nil }
    return bytes
  }

  /// The lower-case hex digits of the bytes, written in constant time, and what is to follow them.
  package borrowing func hex(followedBy end: [UInt8] = []) -> SecretBytes {
    let digits = 2 * count
    // The library ends its text with NUL.
    let text = SecretBytes(count: digits + max(end.count, 1))
    // SAFETY: writes twice the bytes and a NUL, for which there is room.
    unsafe text.withMutablePointer { output in
      unsafe withMutablePointer { input in
        unsafe output.withMemoryRebound(to: CChar.self, capacity: digits + 1) { output in
          _ = unsafe sodium_bin2hex(output, digits + 1, input, count)
        }
      }
      for index in end.indices { unsafe output[digits + index] = end[index] }
    }
    if end.isEmpty { return text.copy(0..<digits) }
    return text
  }
}
