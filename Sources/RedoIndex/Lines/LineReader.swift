// Lines of a stream, one after the other, in memory that is kept: what a line needs, and no more than the limit.

internal import Glibc

/// Reads the lines of a descriptor.
struct LineReader: ~Copyable {
  /// The longest line in bytes: a task with its todos, or a share of a mebibyte, as JSON in JSON.
  static let limit = 64 << 20
  private static let chunk = 1 << 16

  /// What comes next.
  enum Next {
    /// A line, without its line feed.
    case line(Range<Int>)
    /// The end of the stream.
    case end
    /// The end of the stream, in the middle of a line.
    case cut
    /// A line that is longer than the limit.
    case tooLong
  }

  private let descriptor: Int32
  /// What was read; the place of a line in it holds until the next one is asked for.
  private(set) var bytes: [UInt8]
  private var start = 0
  private var end = 0

  /// A reader that has read nothing.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    bytes = Array(repeating: 0, count: 4 * Self.chunk)
  }

  /// Reads the next line.
  ///
  /// - Returns: its place in `bytes`.
  /// - Throws: `IndexFault` if the stream cannot be read.
  mutating func next() throws(IndexFault) -> Next {
    var searched = start
    while true {
      if let feed = feed(in: searched..<end) {
        let line = start..<feed
        start = feed + 1
        return .line(line)
      }
      searched = end
      guard end - start <= Self.limit else { return .tooLong }
      if start > 0 {
        // What is left of the line moves to the beginning.
        searched -= start
        unsafe bytes.withUnsafeMutableBytes { place in
          // SAFETY: both ranges are inside of the array; memmove allows that they overlap.
          if let base = place.baseAddress { unsafe memmove(base, base + start, end - start) }
        }
        end -= start
        start = 0
      }
      if bytes.count - end < Self.chunk {
        bytes += Array(repeating: 0, count: bytes.count)
      }
      let count = try fill()
      guard count > 0 else { return end > start ? .cut : .end }
      end += count
    }
  }

  private func feed(in range: Range<Int>) -> Int? {
    unsafe bytes.withUnsafeBytes { place in
      guard let base = place.baseAddress else { return nil }
      // SAFETY: the range is inside of the array.
      let found = unsafe memchr(base + range.lowerBound, 0x0A, range.count)
      return unsafe found.map { unsafe UnsafeRawPointer($0) - base }
    }
  }

  private mutating func fill() throws(IndexFault) -> Int {
    while true {
      let room = end..<bytes.count
      let descriptor = descriptor
      let count = unsafe bytes.withUnsafeMutableBytes { place in
        // SAFETY: the range is inside of the array.
        unsafe read(descriptor, place.baseAddress.map { unsafe $0 + room.lowerBound }, room.count)
      }
      if count >= 0 { return count }
      guard errno == EINTR else { throw IndexFault(.closed, "standard input") }
    }
  }
}
