// Secrets that arrive on descriptors, read without a byte too many into memory that is cleared.

internal import Glibc
package import RedoCrypto

/// Secrets that arrive on descriptors.
package enum SecretInput {
  /// Reads to the first line feed or to the end, and not a byte further.
  ///
  /// - Parameters:
  ///   - descriptor: an open descriptor.
  ///   - limit: the most bytes of the line.
  ///   - name: what messages call the descriptor.
  /// - Returns: the line without its end; `nil` when it is empty.
  /// - Throws: `SystemError` when it cannot be read, `InputError` when it is longer, `Interruption` when a held signal came.
  package static func line(
    of descriptor: Int32, limit: Int, name: String
  ) throws -> SecretBytes? {
    let buffer = SecretBytes(count: limit + 1)
    var filled = 0
    while filled <= limit {
      try InterruptibleRead.wait(for: descriptor)
      // SAFETY: one byte is read, for which there is room.
      let (count, failure, isEnd) = unsafe buffer.withMutablePointer { base in
        let count = unsafe read(descriptor, base + filled, 1)
        let failure = count < 0 ? errno : 0
        return (count, failure, unsafe count == 1 && base[filled] == UInt8(ascii: "\n"))
      }
      if failure == EINTR { continue }
      guard failure == 0 else {
        throw SystemError(code: failure, operation: "read", path: name)
      }
      if count == 0 || isEnd { return filled == 0 ? nil : buffer.copy(0..<filled) }
      filled += 1
    }
    throw InputError.lineTooLong(name, limitBytes: limit)
  }

  /// Reads to the end.
  ///
  /// - Parameters:
  ///   - descriptor: an open descriptor.
  ///   - limit: the most bytes.
  ///   - name: what messages call the descriptor.
  /// - Returns: the bytes; `nil` at the end.
  /// - Throws: `SystemError` when it cannot be read, `InputError` when it has more, `Interruption` when a held signal came.
  package static func all(
    of descriptor: Int32, limit: Int, name: String
  ) throws -> SecretBytes? {
    let buffer = SecretBytes(count: limit + 1)
    var filled = 0
    while filled <= limit {
      try InterruptibleRead.wait(for: descriptor)
      // SAFETY: at most the bytes that are left of the buffer are read.
      let (count, failure) = unsafe buffer.withMutablePointer { base in
        let count = unsafe read(descriptor, base + filled, limit + 1 - filled)
        return (count, count < 0 ? errno : 0)
      }
      if failure == EINTR { continue }
      guard failure == 0 else {
        throw SystemError(code: failure, operation: "read", path: name)
      }
      if count == 0 { return filled == 0 ? nil : buffer.copy(0..<filled) }
      filled += count
    }
    throw InputError.tooLarge(name)
  }
}
