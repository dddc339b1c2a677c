// zlib streams (RFC 1950) that are set up once and reset for each object: setting one up costs more
// than compressing a node.

internal import CZlib

/// The memory of zlib's streams: Swift's own, which ends the process when there is none, so that a
/// stream is never called damaged for want of memory.
enum StreamMemory {
  /// A stream that is not set up.
  static func stream() -> z_stream {
    var stream = unsafe z_stream()
    // SAFETY: zlib gives back what it was given, once, and writes within it.
    unsafe stream.zalloc = { _, count, size in
      UnsafeMutableRawPointer.allocate(byteCount: Int(count) * Int(size), alignment: 16)
    }
    unsafe stream.zfree = { _, memory in unsafe memory?.deallocate() }
    return unsafe stream
  }
}

/// Compresses one buffer after another.
@safe
struct Deflater: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>

  /// A stream of a compression level, 0 to 9.
  ///
  /// - Parameters:
  ///   - level: how hard zlib looks for repetitions.
  ///   - isForShort: whether inputs are so short that a better code gains no block on the disk:
  ///     then the fixed code of RFC 1951 is used, which is read in less than half the time, because
  ///     no table has to be built for it.
  init(level: Int, isForShort: Bool) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: StreamMemory.stream())
    // Nodes are short: a small hash table (memory level 5 of 9) is cleared faster for each of them
    // and finds the same matches.
    let status = unsafe deflateInit2_(
      stream, Int32(level), Z_DEFLATED, 15, 5,
      isForShort ? Z_FIXED : Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "BUG: zlib cannot start compressing: \(status)")
  }

  /// How the columns of packs are compressed: as well as zlib can, without a header and a checksum.
  enum Column {
    /// Repetitions, then codes for what is left.
    case plain
    /// As `plain`, but short repetitions do not count.
    case filtered
    /// Codes alone.
    case codes
    /// Repetitions, without much looking.
    case quick
  }

  /// A stream for the columns of packs.
  ///
  /// - Parameter column: what is looked for.
  init(for column: Column) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: StreamMemory.stream())
    let strategy =
      switch column {
      case .plain: Z_DEFAULT_STRATEGY
      case .filtered: Z_FILTERED
      case .codes: Z_HUFFMAN_ONLY
      case .quick: Z_DEFAULT_STRATEGY
      }
    let status = unsafe deflateInit2_(
      stream, column == .quick ? 1 : 9, Z_DEFLATED, -15, 9, strategy, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "BUG: zlib cannot start compressing: \(status)")
  }

  deinit {
    // SAFETY: the stream was set up in `init` and is not used afterwards.
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Compresses a buffer into one zlib stream.
  mutating func compress(_ input: Span<UInt8>) -> [UInt8] {
    var room = Int(unsafe deflateBound(stream, UInt(input.count)))
    // One call finishes the stream in as much room as zlib says that it needs, but for one that fills it exactly: zlib 1.2.13
    // does not say then that this was the end.
    while true {
      if let compressed = compress(input, room: room) { return compressed }
      precondition(room < 2 * input.count + 4096, "BUG: zlib cannot compress")
      room = 2 * room + 1024
    }
  }

  /// Compresses a buffer, if the stream ends in so many bytes.
  private mutating func compress(_ input: Span<UInt8>, room: Int) -> [UInt8]? {
    unsafe deflateReset(stream)
    var isWhole = false
    // SAFETY: zlib reads the input's bytes and writes at most `room` bytes.
    let compressed = unsafe input.withUnsafeBufferPointer { source in
      unsafe [UInt8](unsafeUninitializedCapacity: room) { target, count in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(source.count)
        unsafe stream.pointee.next_out = target.baseAddress
        unsafe stream.pointee.avail_out = UInt32(room)
        isWhole = unsafe deflate(stream, Z_FINISH) == Z_STREAM_END
        count = unsafe room - Int(stream.pointee.avail_out)
      }
    }
    return isWhole ? compressed : nil
  }
}

/// Decompresses one stream after another, with a hard cap.
@safe
struct Inflater: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>

  /// What surrounds the compressed bytes.
  enum Wrapping {
    /// The header and checksum of RFC 1950.
    case zlib
    /// Nothing.
    case none
  }

  /// A stream that has not begun.
  ///
  /// - Parameter wrapping: what surrounds the compressed bytes.
  init(_ wrapping: Wrapping = .zlib) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: StreamMemory.stream())
    let status = unsafe inflateInit2_(
      stream, wrapping == .zlib ? 15 : -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "BUG: zlib cannot start decompressing: \(status)")
  }

  deinit {
    // SAFETY: the stream was set up in `init` and is not used afterwards.
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// How far a stream has come.
  enum Progress: Equatable {
    /// The output is full, or the input is used up, before the end.
    case unfinished
    /// The stream ended; this many bytes of the input follow its end.
    case ended(inputBytesLeft: Int)
    /// The stream is damaged.
    case damaged
  }

  /// Begins a new stream and decompresses as much as there is room for.
  ///
  /// - Parameters:
  ///   - input: the whole stream; it must stay the same until the stream is finished.
  ///   - output: receives bytes.
  /// - Returns: the number of bytes written, and how far the stream has come.
  mutating func start(
    _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>
  ) -> (count: Int, progress: Progress) {
    unsafe inflateReset(stream)
    return run(input, consumed: 0, into: &output, atMost: output.count)
  }

  /// Continues the stream that `start` began.
  ///
  /// - Parameters:
  ///   - input: the same bytes as at the start.
  ///   - output: receives the next bytes.
  ///   - limit: how many bytes at most.
  /// - Returns: the number of bytes written, and how far the stream has come.
  mutating func proceed(
    _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>, atMost limit: Int
  ) -> (count: Int, progress: Progress) {
    run(input, consumed: unsafe Int(stream.pointee.total_in), into: &output, atMost: limit)
  }

  private mutating func run(
    _ input: Span<UInt8>, consumed: Int, into output: inout MutableSpan<UInt8>,
    atMost capacity: Int
  ) -> (count: Int, progress: Progress) {
    precondition(capacity <= output.count, "BUG: more output than there is room for")
    // SAFETY: zlib reads the input's bytes from `consumed` on and writes at most `capacity` bytes.
    return unsafe input.withUnsafeBufferPointer { source in
      unsafe output.withUnsafeMutableBufferPointer { target in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(
          mutating: source.baseAddress.map { unsafe $0 + consumed })
        unsafe stream.pointee.avail_in = UInt32(source.count - consumed)
        unsafe stream.pointee.next_out = target.baseAddress
        unsafe stream.pointee.avail_out = UInt32(capacity)
        let status = unsafe inflate(stream, Z_NO_FLUSH)
        let count = unsafe capacity - Int(stream.pointee.avail_out)
        switch status {
        case Z_STREAM_END:
          return (count, .ended(inputBytesLeft: unsafe Int(stream.pointee.avail_in)))
        case Z_OK, Z_BUF_ERROR: return (count, .unfinished)
        default: return (count, .damaged)
        }
      }
    }
  }
}
