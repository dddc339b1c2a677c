// SHA-256 (FIPS 180-4) by OpenSSL's low-level functions, which use the processor's SHA extensions.

internal import COpenSSL

/// An incremental SHA-256.
package struct SHA256: Sendable {
  private var context: SHA256_CTX

  /// A hash of nothing yet.
  package init() {
    context = SHA256_CTX()
    // SAFETY: the context is a plain C struct that the call fills in.
    _ = unsafe SHA256_Init(&context)
  }

  /// Hashes more bytes.
  ///
  /// - Parameter bytes: the next bytes of the message, of any count.
  package mutating func update(_ bytes: Span<UInt8>) {
    // SAFETY: the pointer is used only during the call, for exactly the span's bytes.
    unsafe bytes.withUnsafeBytes { buffer in
      _ = unsafe SHA256_Update(&context, buffer.baseAddress, buffer.count)
    }
  }

  /// Ends the message and gives its digest; the hash must not be used afterwards.
  package mutating func finalize() -> Digest {
    var digest = Digest(bytes: InlineArray(repeating: 0))
    var span = digest.bytes.mutableSpan
    // SAFETY: SHA256_Final writes exactly 32 bytes, which is what the array holds.
    unsafe span.withUnsafeMutableBufferPointer { buffer in
      _ = unsafe SHA256_Final(buffer.baseAddress, &context)
    }
    return digest
  }

  /// The digest of one whole message.
  ///
  /// - Parameter bytes: the message.
  /// - Returns: its digest.
  package static func digest(of bytes: Span<UInt8>) -> Digest {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finalize()
  }
}
