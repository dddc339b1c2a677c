// One block of `refs`: whole lines, empty lines up to the end, and the closing line
//
//   # <generation> <block number> <SHA-256 hex of every byte of the block before this hex>
//
// The hash covers generation and number, so a block of another time or place is noticed.

internal import RedoCrypto

/// A block whose hash, place and lines have been checked.
struct RefBlock: Sendable {
  /// The bytes of every block but the last, which may have fewer.
  static let byteCount = 16_384

  /// The header; only block 0 has one.
  let header: RefsHeader?
  /// The refs of the block, in order.
  let refs: [Ref]

  /// Checks and reads a block.
  ///
  /// - Parameters:
  ///   - bytes: the whole block.
  ///   - number: its place in the file, from 0.
  ///   - generation: that of the file; `nil` for block 0, whose header states it, and if that is damaged and
  ///     not known.
  ///   - file: the path, for messages.
  /// - Throws: what is wrong with it.
  init(
    checking bytes: [UInt8], number: Int, generation: Int?, file: String
  ) throws(RefsError) {
    let offset = number * Self.byteCount
    if number == 0, let version = unknownVersion(bytes, "redo-refs ") {
      throw .unsupportedFormat(file: file, version: version)
    }
    guard let closing = Self.closing(of: bytes) else {
      throw .corrupt(file, at: offset, "a block ends without its closing line")
    }
    let hashed = bytes.count - 65
    guard SHA256.digest(of: bytes.span.extracting(0..<hashed)) == closing.digest else {
      throw .corrupt(file, at: offset, "a block has another hash than its closing line says")
    }
    guard closing.number == number else {
      throw .corrupt(file, at: offset, "block \(closing.number) stands in place of \(number)")
    }
    var scanner = LineScanner(bytes, in: 0..<closing.start)
    header = number == 0 ? RefsHeader.take(from: &scanner) : nil
    guard number > 0 || header != nil else {
      throw .corrupt(file, at: offset, "the first line is not that of a refs file")
    }
    if let known = header?.generation ?? generation, closing.generation != known {
      throw .corrupt(file, at: offset, "a block belongs to generation \(closing.generation)")
    }
    refs = try Self.refs(&scanner, offset: offset, file: file)
    guard number == 0 || !refs.isEmpty else {
      throw .corrupt(file, at: offset, "a block after the first holds no ref")
    }
  }

  private static func refs(
    _ scanner: inout LineScanner, offset: Int, file: String
  ) throws(RefsError) -> [Ref] {
    var refs: [Ref] = []
    while !scanner.isAtEnd && !scanner.take("\n") {
      let place = offset + scanner.position
      guard let ref = scanner.ref() else {
        throw .corrupt(file, at: place, "a line is not an id and a name")
      }
      if let last = refs.last, !(last < ref) {
        throw .corrupt(file, at: place, "the lines are not in order")
      }
      refs.append(ref)
    }
    while !scanner.isAtEnd {
      guard scanner.take("\n") else {
        throw .corrupt(file, at: offset + scanner.position, "a line follows an empty one")
      }
    }
    return refs
  }

  /// The closing line, without a look at what it says.
  private static func closing(
    of bytes: [UInt8]
  ) -> (start: Int, generation: Int, number: Int, digest: Digest)? {
    let lineFeed = UInt8(ascii: "\n")
    guard bytes.count > 65, bytes.count <= byteCount, bytes.last == lineFeed,
      let before = bytes.dropLast().lastIndex(of: lineFeed)
    else { return nil }
    var scanner = LineScanner(bytes, in: before + 1..<bytes.count)
    guard scanner.take("# "), let generation = scanner.decimal(), scanner.take(" "),
      let number = scanner.decimal(), scanner.take(" "), let digest = scanner.digest(),
      scanner.take("\n"), scanner.isAtEnd
    else { return nil }
    return (before + 1, generation, number, digest)
  }

  /// The number of bytes of a closing line.
  static func closingCount(generation: Int, number: Int) -> Int {
    "# \(generation) \(number) ".utf8.count + 65
  }

  /// Ends a block with its closing line.
  ///
  /// - Parameters:
  ///   - bytes: the lines of the block; receives padding and closing line.
  ///   - generation: that of the file.
  ///   - number: the place of the block.
  ///   - isLast: whether it may be shorter than the others.
  static func close(_ bytes: inout [UInt8], generation: Int, number: Int, isLast: Bool) {
    let closing = closingCount(generation: generation, number: number)
    precondition(bytes.count + closing <= byteCount, "BUG: a block of refs is too long")
    if !isLast {
      let padding = byteCount - closing - bytes.count
      bytes.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: padding))
    }
    bytes.append(contentsOf: "# \(generation) \(number) ".utf8)
    let digest = SHA256.digest(of: bytes.span)
    Hex.append(digest.bytes.span, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
  }
}
