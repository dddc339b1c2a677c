// A SHA-256 digest: 32 raw bytes (FIPS 180-4).

/// The 32 raw bytes of a SHA-256 digest.
package struct Digest: Sendable {
  /// The number of bytes in a digest.
  package static let byteCount = 32

  /// The bytes, first to last.
  package var bytes: InlineArray<32, UInt8>

  /// A digest of the given bytes.
  @inlinable
  package init(bytes: InlineArray<32, UInt8>) {
    self.bytes = bytes
  }

  /// Reads a digest from raw bytes.
  ///
  /// - Parameter raw: exactly 32 bytes; of any other count there is no digest.
  @inlinable
  package init?(raw: Span<UInt8>) {
    guard raw.count == Self.byteCount else { return nil }
    bytes = InlineArray { raw[$0] }
  }
}

// InlineArray is not Equatable by itself, so these three are written once, here.
extension Digest: Hashable, Comparable {
  @inlinable
  package static func == (left: Digest, right: Digest) -> Bool {
    for index in 0..<byteCount where left.bytes[index] != right.bytes[index] { return false }
    return true
  }

  @inlinable
  package static func < (left: Digest, right: Digest) -> Bool {
    for index in 0..<byteCount where left.bytes[index] != right.bytes[index] {
      return left.bytes[index] < right.bytes[index]
    }
    return false
  }

  /// Feeds the first 8 bytes: a digest is already evenly spread, more would only cost time.
  @inlinable
  package func hash(into hasher: inout Hasher) {
    var word: UInt64 = 0
    for index in 0..<8 { word = word << 8 | UInt64(bytes[index]) }
    hasher.combine(word)
  }
}
