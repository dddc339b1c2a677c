// Reading: read(2), pread(2).

internal import Glibc

extension File {
  /// Appends what one read gives.
  ///
  /// - Parameters:
  ///   - bytes: receives the bytes at its end.
  ///   - limit: the most bytes to read, above 0.
  /// - Returns: the number of bytes read; 0 at the end of the file.
  /// - Throws: what read(2) answered.
  package func read(
    into bytes: inout [UInt8], atMost limit: Int
  ) throws(SystemError) -> Int {
    var got = 0
    bytes.append(addingCapacity: limit) { output in
      // SAFETY: the call writes at most the buffer's free bytes, and the count it answers is the
      // number of bytes it has initialized.
      unsafe output.withUnsafeMutableBufferPointer { buffer, count in
        got = retryingInterrupted { unsafe Glibc.read(raw, buffer.baseAddress, limit) }
        if got > 0 { count = got }
      }
    }
    guard got >= 0 else { throw .last("read", path) }
    return got
  }

  /// Reads from here to the end.
  ///
  /// - Parameter limit: the most bytes the rest may have.
  /// - Returns: the bytes.
  /// - Throws: what read(2) answered; EFBIG when there is more than the limit.
  package func readAll(limit: Int = .max) throws(SystemError) -> [UInt8] {
    let known = try status()
    var bytes: [UInt8] = []
    // One byte more than the file has, so that its end is found without growing the array.
    var step = known.kind == .regular ? min(known.size, limit) &+ 1 : 65_536
    while true {
      let got = try read(into: &bytes, atMost: step)
      if got == 0 { return bytes }
      guard bytes.count <= limit else {
        throw SystemError(code: EFBIG, operation: "read", path: path)
      }
      step = known.kind == .regular ? max(known.size &+ 1 &- bytes.count, 4_096) : 65_536
    }
  }

  /// Reads from a given place, which does not move the file's own.
  ///
  /// - Parameters:
  ///   - count: how many bytes.
  ///   - offset: the place of the first of them.
  /// - Returns: the bytes; fewer than asked only when the file ends.
  /// - Throws: what pread(2) answered.
  package func read(_ count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
    var wrong = false
    let bytes = [UInt8](capacity: count) { output in
      // SAFETY: each call writes at most the bytes between `filled` and the capacity, and
      // `filled` counts those it has initialized.
      unsafe output.withUnsafeMutableBufferPointer { buffer, filled in
        while filled < count {
          let got = retryingInterrupted {
            unsafe pread(
              raw, buffer.baseAddress.map { unsafe $0 + filled }, count - filled, offset + filled)
          }
          if got <= 0 {
            wrong = got < 0
            return
          }
          filled += got
        }
      }
    }
    guard !wrong else { throw .last("read", path) }
    return bytes
  }
}
