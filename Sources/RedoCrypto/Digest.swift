// A SHA-256 digest: 32 raw bytes (FIPS 180-4).

/// The 32 raw bytes of a SHA-256 digest.
@usableFromInline
package struct Digest: Sendable {
  /// The number of bytes in a digest.
  @inlinable package static var byteCount: Int { 32 }

  /// The bytes, first to last.
  @usableFromInline package var bytes: InlineArray<32, UInt8>

  /// A digest of the given bytes.
  @inlinable
  package init(bytes: InlineArray<32, UInt8>) {
    self.bytes = bytes
  }

  /// Reads a digest from raw bytes.
  ///
  /// - Parameter raw: exactly 32 bytes; otherwise the result is `nil`.
  @inlinable
  package init?(raw: Span<UInt8>) {
    guard raw.count == Self.byteCount else { return nil }
    bytes = InlineArray { raw[$0] }
  }
}

// InlineArray is not Equatable by itself, so these three are written once, here: by words, because
// the compiler (6.3.1) copies the whole array for each byte that is looked at.
extension Digest: Hashable, Comparable {
  /// The bytes as four numbers in the byte order of the machine.
  @inlinable
  var words: (UInt64, UInt64, UInt64, UInt64) {
    // SAFETY: both have 32 bytes, and every pattern of bits is a value of either.
    unsafe unsafeBitCast(bytes, to: (UInt64, UInt64, UInt64, UInt64).self)
  }

  @inlinable
  package static func == (left: Digest, right: Digest) -> Bool { left.words == right.words }

  /// Bytewise, from the first to the last.
  @inlinable
  package static func < (left: Digest, right: Digest) -> Bool {
    let (one, other) = (left.words, right.words)
    return (one.0.bigEndian, one.1.bigEndian, one.2.bigEndian, one.3.bigEndian)
      < (other.0.bigEndian, other.1.bigEndian, other.2.bigEndian, other.3.bigEndian)
  }

  /// Feeds all bytes: whoever writes a file can put digests of nothing into it, as many as they like with the
  /// same beginning.
  @inlinable
  package func hash(into hasher: inout Hasher) {
    let words = words
    hasher.combine(words.0)
    hasher.combine(words.1)
    hasher.combine(words.2)
    hasher.combine(words.3)
  }
}
