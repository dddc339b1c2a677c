// Reading and writing secrets: only memory that is zeroed afterwards ever holds them.

internal import Glibc
package import RedoCrypto

extension File {
  /// Reads from here to the end.
  ///
  /// - Parameter limit: the most bytes the rest may have.
  /// - Returns: the bytes; `nil` at the end.
  /// - Throws: what read(2) answered; EFBIG when there is more than the limit.
  package func readSecret(limit: Int) throws(SystemError) -> SecretBytes? {
    let known = try status()
    let limit = known.kind == .regular ? min(known.size, limit) : limit
    // One byte more than the limit shows that there is more.
    let buffer = SecretBytes(count: limit + 1)
    var filled = 0
    while filled <= limit {
      // SAFETY: the call writes at most the bytes that are left of the buffer.
      let got = unsafe buffer.withMutablePointer { base in
        retryingInterrupted { unsafe Glibc.read(raw, base + filled, limit + 1 - filled) }
      }
      guard got >= 0 else { throw .last("read", path) }
      if got == 0 { break }
      filled += got
    }
    guard filled <= limit else { throw SystemError(code: EFBIG, operation: "read", path: path) }
    return filled == 0 ? nil : buffer.copy(0..<filled)
  }

  /// Writes all the bytes of a secret.
  ///
  /// - Throws: what write(2) answered; a part may have been written then.
  package func writeAll(_ secret: borrowing SecretBytes) throws(SystemError) {
    try secret.withSpan { (bytes) throws(SystemError) in try writeAll(bytes) }
  }
}
