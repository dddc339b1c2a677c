// Streams of a frame: deflated where that is shorter.
//
//   bytes before (a number), then unless that is 0: bytes in the file (a number), and these; as many as
//   before say that they are stored

/// Compresses streams, keeping its memory.
struct PackDeflaters: ~Copyable {
  private var quick: Deflater?
  private var plain: Deflater?
  private var filtered: Deflater?
  private var codes: Deflater?

  /// - Parameter effort: how hard a short form is looked for.
  init(_ effort: PackWriter.Effort) {
    switch effort {
    case .quick: quick = .some(Deflater(for: .quick))
    case .best:
      plain = .some(Deflater(for: .plain))
      filtered = .some(Deflater(for: .filtered))
      codes = .some(Deflater(for: .codes))
    }
  }

  /// The shortest stream that deflating can shorten.
  private static let shortest = 6

  /// Appends a stream in its shortest form; of two forms of one length the first.
  mutating func append(_ stream: [UInt8], to output: inout [UInt8]) {
    var best = stream
    if stream.count >= Self.shortest {
      for form in [
        quick?.compress(stream.span), plain?.compress(stream.span),
        filtered?.compress(stream.span), codes?.compress(stream.span),
      ] {
        if let form, form.count < best.count { best = form }
      }
    }
    output.append(varint: UInt64(stream.count))
    if stream.isEmpty { return }
    output.append(varint: UInt64(best.count))
    output += best
  }

  /// Appends a stream without repetitions to find.
  func appendStored(_ stream: [UInt8], to output: inout [UInt8]) {
    output.append(varint: UInt64(stream.count))
    if stream.isEmpty { return }
    output.append(varint: UInt64(stream.count))
    output += stream
  }
}

/// Reads the streams of a frame, one after another.
struct PackStreams: ~Copyable {
  private var source: PackStream
  private var room = PackFormat.columnsLimit

  /// - Parameters:
  ///   - bytes: the bytes of a frame.
  ///   - place: where its columns begin in them.
  init(_ bytes: [UInt8], from place: Int = 0) { source = PackStream(bytes, from: place) }

  /// Whether everything has been read.
  var isAtEnd: Bool { source.isAtEnd }

  /// The next stream.
  mutating func next(_ inflater: inout Inflater) throws(PackFault) -> PackStream {
    let count = try source.number(below: room + 1)
    guard count > 0 else { return PackStream([]) }
    room -= count
    let range = try source.take(try source.number(below: count + 1))
    if range.count == count { return PackStream(Array(source.bytes[range])) }
    // One byte of room shows a stream that does not end where it should.
    var bytes = [UInt8](repeating: 0, count: count + 1)
    var target = bytes.mutableSpan
    let (got, progress) = inflater.start(source.bytes.span.extracting(range), into: &target)
    guard got == count, progress == .ended(inputBytesLeft: 0) else {
      throw PackFault("a column cannot be inflated")
    }
    bytes.removeLast()
    return PackStream(bytes)
  }
}
