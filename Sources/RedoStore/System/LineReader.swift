// Records that end in LF or NUL, read from a descriptor through one reused buffer; see read(2)
// and memchr(3).

internal import Glibc

/// One record of a stream: where it is, not what it holds.
package struct LineRecord: Sendable {
  /// What became of a record.
  package enum State: Sendable {
    /// It ended with its separator.
    case complete
    /// The stream ended before a separator.
    case unterminated
    /// It is longer than the limit; its bytes were not kept.
    case tooLong
  }

  /// Its place in the buffer, without the separator; empty when it is too long.
  package var range: Range<Int>
  /// The number of bytes before it in the stream.
  package let offset: Int
  /// The number of its bytes without the separator, also when it is too long.
  package let byteCount: Int
  /// Its number, from 1.
  package let number: Int
  /// What became of it.
  package let state: State

  /// A record.
  package init(range: Range<Int>, offset: Int, byteCount: Int, number: Int, state: State) {
    self.range = range
    self.offset = offset
    self.byteCount = byteCount
    self.number = number
    self.state = state
  }
}

/// Reads records one by one.
///
/// Not copyable, because two copies would share the descriptor's position.
package struct LineReader: ~Copyable {
  /// The size that the buffer grows to when the input fills it.
  package static let bufferBytes = 262_144
  /// The size that the buffer begins with.
  private static let firstBufferBytes = 65_536

  /// The buffer; `bytes.span.extracting(record.range)` is valid until the next call of `next()`.
  package private(set) var bytes: [UInt8]
  private let descriptor: Int32
  private let separator: UInt8
  private let limit: Int
  /// Where the next record begins.
  private var start = 0
  /// There is no separator between `start` and here.
  private var searched = 0
  /// The end of what was read.
  private var filled = 0
  /// The offset of the buffer's first byte in the stream.
  private var base = 0
  private var number = 0
  private var isAtEnd = false

  /// Records from an open descriptor, which stays open.
  ///
  /// - Parameters:
  ///   - descriptor: where to read.
  ///   - separator: what ends a record.
  ///   - limitBytes: the longest record that is kept.
  package init(descriptor: Int32, separator: UInt8 = UInt8(ascii: "\n"), limitBytes: Int) {
    self.descriptor = descriptor
    self.separator = separator
    self.limit = limitBytes
    self.bytes = [UInt8](repeating: 0, count: Self.firstBufferBytes)
  }

  /// The next record, or `nil` at the end of the stream.
  ///
  /// - Throws: `SystemError` when the descriptor cannot be read, `Interruption` when a held signal came.
  package mutating func next() throws -> LineRecord? {
    while true {
      if let end = separatorIndex() {
        let record = record(upTo: end, .complete)
        start = end + 1
        searched = start
        return record
      }
      searched = filled
      if filled - start > limit { return try skip() }
      if isAtEnd {
        guard start < filled else { return nil }
        let record = record(upTo: filled, .unterminated)
        start = filled
        return record
      }
      try fill()
    }
  }

  /// Whether `next()` would answer without reading: if not, now is the time to flush what a
  /// partner may be waiting for.
  package mutating func hasBufferedRecord() -> Bool {
    guard let end = separatorIndex() else {
      searched = filled
      return false
    }
    searched = end
    return true
  }

  /// Whether a record is buffered, or the descriptor has bytes now.
  package mutating func hasRecordWithoutWaiting() -> Bool {
    hasBufferedRecord() || InterruptibleRead.isReady(descriptor)
  }

  private mutating func record(upTo end: Int, _ state: LineRecord.State) -> LineRecord {
    number += 1
    let count = end - start
    let isKept = count <= limit
    return LineRecord(
      range: isKept ? start..<end : 0..<0, offset: base + start, byteCount: count,
      number: number, state: isKept ? state : .tooLong)
  }

  /// Skips a record that is too long, keeping nothing of it.
  private mutating func skip() throws -> LineRecord {
    let offset = base + start
    var end: Int?
    while end == nil, !isAtEnd {
      start = filled
      searched = filled
      try fill()
      end = separatorIndex()
    }
    let stop = end ?? filled
    start = end.map { $0 + 1 } ?? filled
    searched = start
    number += 1
    return LineRecord(
      range: 0..<0, offset: offset, byteCount: base + stop - offset, number: number,
      state: .tooLong)
  }

  @inline(__always)
  private func separatorIndex() -> Int? {
    guard searched < filled else { return nil }
    // SAFETY: searched..<filled lies within the array, whose pointer is used only here.
    return unsafe bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress,
        let found = unsafe memchr(base + searched, Int32(separator), filled - searched)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  /// Reads more bytes after those that have not been used yet.
  private mutating func fill() throws {
    makeRoom()
    while true {
      try InterruptibleRead.wait(for: descriptor)
      // SAFETY: filled..<count lies within the array; the kernel writes no more than that.
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        return unsafe read(descriptor, room.baseAddress, room.count)
      }
      if count >= 0 {
        filled += count
        isAtEnd = count == 0
        return
      }
      let failure = errno
      guard failure == EINTR else {
        throw InputError.broken(SystemError(code: failure, operation: "read", path: ""))
      }
    }
  }

  /// Makes room after the bytes read: by forgetting, by growing or by moving.
  private mutating func makeRoom() {
    let wasFull = filled == bytes.count
    if start == filled {
      base += filled
      start = 0
      filled = 0
    }
    if wasFull, bytes.count < max(Self.bufferBytes, 2 * (limit + 1)), start < bytes.count / 2 {
      bytes.append(contentsOf: repeatElement(0, count: bytes.count))
    } else if filled == bytes.count {
      // SAFETY: start..<filled lies within the array, and memmove allows an overlap.
      unsafe bytes.withUnsafeMutableBytes { buffer in
        guard let first = buffer.baseAddress else { return }
        _ = unsafe memmove(first, first + start, filled - start)
      }
      base += start
      filled -= start
      start = 0
    }
    searched = filled
  }
}
