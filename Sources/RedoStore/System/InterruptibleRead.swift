// Reading for commands that hold signals: a waiting read is given up when one has come. See read(2) and
// Signals.

internal import Glibc

/// Reads that a held signal ends.
package enum InterruptibleRead {
  /// How long a signal that comes right before the kernel waits is left unnoticed, in milliseconds.
  private static let noticeMilliseconds: Int32 = 100

  /// Waits until a descriptor has bytes, or has ended.
  ///
  /// - Parameter descriptor: an open descriptor.
  /// - Throws: `Interruption` when a held signal came.
  package static func wait(for descriptor: Int32) throws {
    // poll(2) passes over a negative number, and would wait for ever.
    while descriptor >= 0 {
      let signal = Signals.process.pending
      if signal != 0 { throw Interruption(signal: signal) }
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // SAFETY: one plain struct, for the length of the call.
      let ready = unsafe poll(&request, 1, noticeMilliseconds)
      // If it cannot be polled, the read itself reports that.
      if ready > 0 || (ready < 0 && errno != EINTR) { return }
    }
  }

  /// Whether a descriptor has bytes now, or has ended.
  package static func isReady(_ descriptor: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // SAFETY: one plain struct, for the length of the call.
    return unsafe poll(&request, 1, 0) == 1
  }

  /// Appends bytes of a descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: an open descriptor.
  ///   - limit: the most bytes to append.
  ///   - bytes: receives them.
  ///   - name: what messages call the descriptor.
  /// - Returns: how many were appended; 0 at the end.
  /// - Throws: `SystemError` when it cannot be read, `Interruption` when a held signal came.
  package static func append(
    _ descriptor: Int32, atMost limit: Int, to bytes: inout [UInt8], name: String
  ) throws -> Int {
    var count = 0
    var failure: Int32 = 0
    repeat {
      try wait(for: descriptor)
      bytes.append(addingCapacity: limit) { output in
        // SAFETY: the kernel writes at most the free bytes, and its answer is how many it wrote.
        unsafe output.withUnsafeMutableBufferPointer { buffer, filled in
          count = unsafe read(descriptor, buffer.baseAddress, limit)
          if count > 0 { filled = count }
        }
      }
      failure = count < 0 ? errno : 0
    } while failure == EINTR
    guard failure == 0 else {
      throw SystemError(code: failure, operation: "read", path: name)
    }
    return count
  }
}
