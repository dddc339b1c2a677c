// gzip (RFC 1952) by zlib, without a name and a time: the same bytes make the same file.

internal import CZlib

/// Compresses a stream into one gzip member.
@safe
package struct GzipWriter: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>
  private static let roomBytes = 1 << 16

  /// A member of nothing yet.
  package init() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: StreamMemory.stream())
    // 16 more than the bits of the window selects the gzip format.
    let status = unsafe deflateInit2_(
      stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "BUG: zlib cannot start compressing: \(status)")
  }

  deinit {
    // SAFETY: the stream was set up in `init` and is not used afterwards.
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Adds bytes.
  ///
  /// - Parameter bytes: what is to be compressed.
  /// - Returns: the bytes of the file that are known now, often none.
  package mutating func add(_ bytes: [UInt8]) -> [UInt8] { run(bytes, Z_NO_FLUSH) }

  /// Ends the member.
  ///
  /// - Returns: its last bytes.
  package mutating func finish() -> [UInt8] { run([], Z_FINISH) }

  private mutating func run(_ bytes: [UInt8], _ flush: Int32) -> [UInt8] {
    var output: [UInt8] = []
    var room = [UInt8](repeating: 0, count: Self.roomBytes)
    // SAFETY: zlib reads the bytes of the input and writes at most those of the room, and neither
    // pointer is used after its call.
    unsafe bytes.withUnsafeBufferPointer { input in
      unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      unsafe stream.pointee.avail_in = UInt32(input.count)
      var isFull = true
      while isFull {
        unsafe room.withUnsafeMutableBufferPointer { target in
          unsafe stream.pointee.next_out = target.baseAddress
          unsafe stream.pointee.avail_out = UInt32(target.count)
          let status = unsafe deflate(stream, flush)
          precondition(
            status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR,
            "BUG: zlib cannot compress: \(status)")
        }
        let left = unsafe Int(stream.pointee.avail_out)
        output += room[..<(Self.roomBytes - left)]
        isFull = left == 0
      }
    }
    return output
  }
}
