// Answers: JSON, a line each, buffered until the answer is whole.

internal import CanonicalJSON
internal import Glibc

/// Writes lines to a descriptor.
struct LineWriter: ~Copyable {
  private static let bufferSize = 1 << 16

  private let descriptor: Int32
  private var bytes: [UInt8] = []

  /// A writer that has written nothing.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Writes an object of one line.
  ///
  /// - Parameter body: writes its members.
  /// - Throws: `IndexFault` if nobody reads.
  mutating func line(_ body: (inout JSONWriter) -> Void) throws(IndexFault) {
    JSONWriter.append(to: &bytes) { json in json.object { json in body(&json) } }
    bytes.append(0x0A)
    if bytes.count >= Self.bufferSize { try flush() }
  }

  /// Writes an object of one line whose text is made elsewhere.
  ///
  /// - Parameter append: appends the object, without line feed.
  /// - Throws: `IndexFault` if nobody reads, and what the body throws.
  mutating func text(
    _ append: (inout [UInt8]) throws(IndexFault) -> Void
  ) throws(IndexFault) {
    let start = bytes.count
    do {
      try append(&bytes)
    } catch {
      bytes.removeLast(bytes.count - start)
      throw error
    }
    bytes.append(0x0A)
    if bytes.count >= Self.bufferSize { try flush() }
  }

  /// Writes what is buffered.
  ///
  /// - Throws: `IndexFault` if nobody reads.
  mutating func flush() throws(IndexFault) {
    var written = 0
    let descriptor = descriptor
    while written < bytes.count {
      let rest = written..<bytes.count
      let count = unsafe bytes.withUnsafeBytes { place in
        // SAFETY: the range is inside of the array.
        unsafe write(descriptor, place.baseAddress.map { unsafe $0 + rest.lowerBound }, rest.count)
      }
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        bytes.removeAll()
        throw IndexFault(.closed, "standard output")
      }
    }
    bytes.removeAll(keepingCapacity: true)
  }
}
