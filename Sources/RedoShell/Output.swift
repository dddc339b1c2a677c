// A buffered byte sink over a file descriptor or over memory, like stdio, except that errors are
// thrown: see write(2).

import Glibc
package import RedoCrypto
internal import RedoRepository
internal import RedoStore

/// An output stream of bytes.
///
/// Not copyable, because two copies would hold the same unwritten bytes. What is called for each row is inlined in the
/// modules of the commands, which takes `@usableFromInline` beside `package`.
@usableFromInline
package struct Output: ~Copyable, Sendable {
  /// How many bytes are collected before they are written: the capacity of a Linux pipe.
  package static let bufferBytes = 65_536

  /// The descriptor, or -1 for an output that stays in memory.
  private let descriptor: Int32
  /// Bytes that have not been written yet; with memory, all bytes.
  @usableFromInline var buffer: [UInt8] = []
  /// The number of bytes at which the buffer is written out.
  @usableFromInline let threshold: Int
  /// The error number of the first failed write; 0 if none has failed.
  private var failure: Int32 = 0

  private init(descriptor: Int32, threshold: Int) {
    self.descriptor = descriptor
    self.threshold = threshold
  }

  /// An output to an open descriptor, which stays open.
  package static func descriptor(_ descriptor: Int32) -> Output {
    Output(descriptor: descriptor, threshold: bufferBytes)
  }

  /// An output that keeps everything in memory, for tests.
  package static func memory() -> Output {
    Output(descriptor: -1, threshold: .max)
  }

  /// The descriptor, or -1 for memory; for messages from other threads.
  package var raw: Int32 { descriptor }

  /// The bytes that have not been written yet; with memory, everything that was ever written.
  package var contents: [UInt8] { buffer }

  /// The contents as text, for tests.
  package var text: String { String(decoding: buffer, as: UTF8.self) }
}

extension Output {
  /// Writes bytes.
  ///
  /// - Throws: the errors of `flush()`.
  @inlinable
  package mutating func write(_ bytes: [UInt8]) throws {
    if bytes.count >= threshold {
      try flush()
      try writeOut(bytes)
      return try check()
    }
    buffer.append(contentsOf: bytes)
    if buffer.count >= threshold { try flush() }
  }

  /// Writes a slice of an array.
  ///
  /// - Throws: the errors of `flush()`.
  @inlinable
  package mutating func write(_ bytes: ArraySlice<UInt8>) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= threshold { try flush() }
  }

  /// Writes bytes.
  ///
  /// - Throws: the errors of `flush()`.
  @inlinable
  package mutating func write(_ bytes: Span<UInt8>) throws {
    // SAFETY: the pointer is used only during the call, for exactly the span's bytes.
    unsafe bytes.withUnsafeBufferPointer { unsafe buffer.append(contentsOf: $0) }
    if buffer.count >= threshold { try flush() }
  }

  /// Writes the UTF-8 bytes of a text.
  ///
  /// - Throws: the errors of `flush()`.
  @inlinable
  package mutating func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= threshold { try flush() }
  }

  /// Writes one byte.
  ///
  /// - Throws: the errors of `flush()`.
  @inlinable
  package mutating func write(byte: UInt8) throws {
    buffer.append(byte)
    if buffer.count >= threshold { try flush() }
  }

  /// Writes a text and a line feed.
  ///
  /// - Throws: the errors of `flush()`.
  package mutating func writeLine(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    try write(byte: UInt8(ascii: "\n"))
  }

  /// Writes bytes that a closure appends, without a copy in between.
  ///
  /// - Throws: the errors of the closure and of `flush()`.
  @inlinable
  package mutating func append(
    _ body: (inout [UInt8]) throws -> Void
  ) throws {
    try body(&buffer)
    if buffer.count >= threshold { try flush() }
  }

  /// Hands all collected bytes to the kernel.
  ///
  /// After one failure every further write fails, so a command need only check at its end.
  ///
  /// - Throws: `fatal` with the reason; `signal` when the reader is gone (SIGPIPE), or when a
  ///   held signal arrived while a slow reader was waited for.
  @usableFromInline
  package mutating func flush() throws {
    guard descriptor >= 0 else { return }
    try writeOut(buffer)
    buffer.removeAll(keepingCapacity: true)
    try check()
  }

  /// Hands bytes to the kernel; a failure is recorded.
  @usableFromInline
  mutating func writeOut(_ bytes: [UInt8]) throws {
    var written = 0
    while failure == 0, written < bytes.count {
      // Checked after partial writes, too: a signal that cuts a write short is not reported otherwise.
      let signal = Signals.process.pending
      if signal != 0 { throw CommandError.signal(signal) }
      // SAFETY: the pointer and count describe the unwritten rest of the array, which stays
      // alive and unchanged during the call.
      let count = unsafe bytes.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
        return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        failure = errno
      }
    }
  }

  /// Throws the error of a failed write.
  @usableFromInline
  func check() throws {
    guard failure != 0 else { return }
    if failure == EPIPE { throw CommandError.signal(SIGPIPE) }
    throw CommandError.fatal("write error: \(SystemError.reason(of: failure))")
  }

  /// Forgets what has not been handed to the kernel: for a command that a signal has ended well.
  package mutating func discard() { buffer.removeAll() }

  /// Flushes, and drops what cannot be written: for messages, the loss of which cannot be reported.
  package mutating func flushOrDrop() {
    try? flush()
  }

  /// Writes a secret at once, so that no buffer keeps a copy of it.
  ///
  /// - Throws: the errors of `flush()`.
  package mutating func write(secret: borrowing SecretBytes) throws {
    try flush()
    guard descriptor >= 0 else {
      secret.withSpan { bytes in
        for index in bytes.indices { buffer.append(bytes[index]) }
      }
      return
    }
    var written = 0
    while failure == 0, written < secret.count {
      let signal = Signals.process.pending
      if signal != 0 { throw CommandError.signal(signal) }
      // SAFETY: the pointer and count describe the unwritten rest of the secret.
      let count = unsafe secret.withMutablePointer { base in
        unsafe Glibc.write(descriptor, base + written, secret.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        failure = errno
      }
    }
    try check()
  }
}
