// Writing, and making it last: write(2), fsync(2), syncfs(2).

internal import CLinux
internal import Glibc

extension File {
  /// Writes all the bytes, in as many calls as it takes.
  ///
  /// - Throws: what write(2) answered; a part may have been written then.
  package func writeAll(_ bytes: Span<UInt8>) throws(SystemError) {
    var done = 0
    var wrong = false
    // SAFETY: each call reads at most the bytes that are left of the span.
    unsafe bytes.withUnsafeBufferPointer { buffer in
      while done < buffer.count {
        let put = retryingInterrupted {
          unsafe write(raw, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
        }
        guard put >= 0 else {
          wrong = true
          return
        }
        done += put
      }
    }
    guard !wrong else { throw .last("write", path) }
  }

  /// Writes all the bytes of an array.
  ///
  /// - Throws: what write(2) answered.
  package func writeAll(_ bytes: [UInt8]) throws(SystemError) {
    try writeAll(bytes.span)
  }

  /// Writes all the bytes at a given place, which does not move the file's own.
  ///
  /// - Parameters:
  ///   - bytes: what to write.
  ///   - offset: the place of the first byte.
  /// - Throws: what pwrite(2) answered.
  package func writeAll(_ bytes: Span<UInt8>, at offset: Int) throws(SystemError) {
    var done = 0
    var wrong = false
    // SAFETY: each call reads at most the bytes that are left of the span.
    unsafe bytes.withUnsafeBufferPointer { buffer in
      while done < buffer.count {
        let put = retryingInterrupted {
          unsafe pwrite(
            raw, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done, offset + done)
        }
        guard put >= 0 else {
          wrong = true
          return
        }
        done += put
      }
    }
    guard !wrong else { throw .last("write", path) }
  }

  /// Waits until contents and size are on the medium (fsync).
  ///
  /// - Throws: what fsync(2) answered.
  package func sync() throws(SystemError) {
    guard retryingInterrupted({ fsync(raw) }) == 0 else { throw .last("fsync", path) }
  }

  /// As `sync`, without the times of the file (fdatasync).
  ///
  /// - Throws: what fdatasync(2) answered.
  package func dataSync() throws(SystemError) {
    guard retryingInterrupted({ fdatasync(raw) }) == 0 else { throw .last("fdatasync", path) }
  }

  /// Waits until everything written to the file's file system is on the medium (syncfs).
  ///
  /// - Throws: what syncfs(2) answered.
  package func syncFileSystem() throws(SystemError) {
    guard retryingInterrupted({ syncfs(raw) }) == 0 else { throw .last("syncfs", path) }
  }

  /// Cuts the file off, or extends it with zeros.
  ///
  /// - Parameter size: its new size in bytes.
  /// - Throws: what ftruncate(2) answered.
  package func truncate(to size: Int) throws(SystemError) {
    guard retryingInterrupted({ ftruncate(raw, size) }) == 0 else {
      throw .last("truncate", path)
    }
  }

  /// Changes the permissions.
  ///
  /// - Throws: what fchmod(2) answered.
  package func setMode(_ mode: UInt32) throws(SystemError) {
    guard retryingInterrupted({ fchmod(raw, mode) }) == 0 else { throw .last("chmod", path) }
  }

  /// Asks the kernel to forget what it has of the contents in memory, so that they are read from the
  /// medium; it may do so or not.
  package func forgetCached() { _ = posix_fadvise(raw, 0, 0, POSIX_FADV_DONTNEED) }
}
