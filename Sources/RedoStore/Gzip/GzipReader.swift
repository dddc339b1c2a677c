// Reads gzip (RFC 1952) by zlib: one member or several, and nothing after the last.

internal import CZlib

/// Why bytes are not gzip.
package enum GzipError: Error, Equatable, Sendable {
  /// The bytes are not part of a member, or its checksum is wrong.
  case damaged(offset: Int)
  /// A member is followed by something other than a member.
  case trailing(offset: Int)
  /// A member does not end.
  case cutOff(offset: Int)
  /// There is more in it than anything but a bomb has.
  case tooLarge(offset: Int)
}

extension GzipError: CustomStringConvertible {
  /// One line for people, without the name of the file.
  package var description: String {
    switch self {
    case .damaged(let offset): "it is damaged before byte \(offset)"
    case .trailing(let offset): "at byte \(offset) there is something behind the compressed data"
    case .cutOff(let offset): "it ends at byte \(offset), and the compressed data do not"
    case .tooLarge(let offset):
      "its first \(offset) bytes inflate to more than \(GzipReader.ratioLimit) times as many"
    }
  }
}

/// Decompresses a stream of gzip members, piece by piece.
@safe
package struct GzipReader: ~Copyable {
  /// What every member begins with.
  package static let magic: [UInt8] = [0x1F, 0x8B]
  /// How many times as many bytes may come out as go in, beyond the first 64 MiB: logs are about ten times
  /// as long as their gzip files, and the worst that there can be is 1,032.
  package static let ratioLimit = 200
  private static let freeBytes = 1 << 26

  private let stream: UnsafeMutablePointer<z_stream>
  /// Whether the next byte is the first of a member.
  private var isBetween = true
  /// The bytes that were read and written.
  private var counts = (input: 0, output: 0)

  /// A reader that has seen nothing.
  package init() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: StreamMemory.stream())
    let status = unsafe inflateInit2_(
      stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "BUG: zlib cannot start decompressing: \(status)")
  }

  deinit {
    // SAFETY: the stream was set up in `init` and is not used afterwards.
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Decompresses as much as there is room for.
  ///
  /// - Parameters:
  ///   - input: bytes of the file.
  ///   - place: the first byte that has not been read; moved past the last that has.
  ///   - output: receives bytes at its end.
  ///   - limit: how many at most, above 0.
  /// - Returns: the number of bytes appended; 0 only when all the input has been read.
  /// - Throws: `damaged`, `trailing`, `tooLarge`.
  package mutating func read(
    _ input: [UInt8], from place: inout Int, into output: inout [UInt8], atMost limit: Int
  ) throws(GzipError) -> Int {
    while place < input.count {
      if isBetween {
        guard input[place] == Self.magic[0] else {
          throw counts.input == 0 ? .damaged(offset: 0) : .trailing(offset: counts.input)
        }
        // SAFETY: the stream is set up.
        unsafe inflateReset(stream)
        isBetween = false
      }
      let (read, written, status) = run(input, place, into: &output, atMost: limit)
      place += read
      counts.input += read
      counts.output += written
      guard counts.output <= Self.freeBytes || counts.output / Self.ratioLimit <= counts.input
      else { throw .tooLarge(offset: counts.input) }
      switch status {
      case Z_STREAM_END: isBetween = true
      case Z_OK, Z_BUF_ERROR: break
      default: throw .damaged(offset: counts.input + 1)
      }
      if written > 0 { return written }
    }
    return 0
  }

  private mutating func run(
    _ input: [UInt8], _ place: Int, into output: inout [UInt8], atMost limit: Int
  ) -> (read: Int, written: Int, status: Int32) {
    var (written, status) = (0, Z_OK)
    // SAFETY: zlib reads the input's bytes from `place` on and writes at most the free bytes, and the
    // count is of those that it has written.
    unsafe input.withUnsafeBufferPointer { source in
      unsafe stream.pointee.next_in = UnsafeMutablePointer(
        mutating: source.baseAddress.map { unsafe $0 + place })
      unsafe stream.pointee.avail_in = UInt32(min(source.count - place, 1 << 30))
      output.append(addingCapacity: limit) { free in
        unsafe free.withUnsafeMutableBufferPointer { buffer, filled in
          unsafe stream.pointee.next_out = buffer.baseAddress
          unsafe stream.pointee.avail_out = UInt32(limit)
          status = unsafe inflate(stream, Z_NO_FLUSH)
          written = unsafe limit - Int(stream.pointee.avail_out)
          filled = written
        }
      }
    }
    let read = unsafe min(input.count - place, 1 << 30) - Int(stream.pointee.avail_in)
    return (read, written, status)
  }

  /// Makes sure that the file ends where a member does.
  ///
  /// - Throws: `cutOff`.
  package func finish() throws(GzipError) {
    guard isBetween, counts.input > 0 else { throw .cutOff(offset: counts.input) }
  }
}
