// Reads `refs` block by block; every block is checked before anything in it is used.

internal import RedoObject

/// An open `refs` file.
struct RefsReader: ~Copyable, Sendable {
  /// What its first line tells.
  let header: RefsHeader
  private let file: File
  let path: String
  private let blockCount: Int
  /// What the first lines of blocks say, for bisection.
  private var firstNames: [Int: [UInt8]] = [:]
  /// The block that was read last.
  private var current: (number: Int, refs: [Ref])

  /// Reads the first block.
  ///
  /// - Parameters:
  ///   - file: the open file.
  ///   - path: its path, for messages.
  /// - Throws: what is wrong with the first block, or the size.
  init(file: consuming File, path: String) throws(RefsError) {
    let (size, bytes) = try Self.readFirst(file, path)
    let block = try RefBlock(checking: bytes, number: 0, generation: nil, file: path)
    guard let header = block.header, header.fileBytes == size else {
      throw .corrupt(path, at: 0, "the file has another size than its first line says")
    }
    self.header = header
    self.file = file
    self.path = path
    blockCount = (size + RefBlock.byteCount - 1) / RefBlock.byteCount
    current = (0, block.refs)
  }

  private static func readFirst(
    _ file: borrowing File, _ path: String
  ) throws(RefsError) -> (size: Int, bytes: [UInt8]) {
    do throws(SystemError) {
      let status = try file.status()
      guard status.kind == .regular else { throw SystemError.notRegular(path) }
      return (status.size, try file.read(min(status.size, RefBlock.byteCount), at: 0))
    } catch {
      throw .system(error)
    }
  }

  /// The refs of one block.
  private mutating func refs(of number: Int) throws(RefsError) -> [Ref] {
    if current.number == number { return current.refs }
    let offset = number * RefBlock.byteCount
    let bytes = try RefsError.wrapping { () throws(SystemError) in
      try file.read(min(RefBlock.byteCount, header.fileBytes - offset), at: offset)
    }
    let block = try RefBlock(
      checking: bytes, number: number, generation: header.generation, file: path)
    current = (number, block.refs)
    return block.refs
  }

  /// The last block whose first ref stands before a name; the first block if there is none.
  ///
  /// First lines are read without a look at the rest of their blocks. If the one of the block that is found is damaged, that shows as soon as
  /// the block is read; others can only be a reason to begin too early, which the blocks from there on mend.
  ///
  /// - Complexity: O(log n) lines.
  private mutating func block(for name: [UInt8]) throws(RefsError) -> Int {
    if let first = current.refs.first?.name.bytes, let last = current.refs.last?.name.bytes,
      first.lexicographicallyPrecedes(name), !last.lexicographicallyPrecedes(name)
    {
      return current.number
    }
    var low = 0
    var high = blockCount
    while high - low > 1 {
      let middle = (low + high) / 2
      let isBefore = try firstName(middle)?.lexicographicallyPrecedes(name) ?? false
      if isBefore { low = middle } else { high = middle }
    }
    return low
  }

  /// What the first line of a block says, unchecked.
  private mutating func firstName(_ number: Int) throws(RefsError) -> [UInt8]? {
    if let known = firstNames[number] { return known }
    let start = ObjectID.textCount + 1
    let bytes = try RefsError.wrapping { () throws(SystemError) in
      try file.read(start + RefName.maximumCount + 1, at: number * RefBlock.byteCount)
    }
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end > start else { return nil }
    let name = Array(bytes[start..<end])
    firstNames[number] = name
    return name
  }

  /// Visits the refs from a name on, in order.
  ///
  /// - Parameters:
  ///   - start: the bytes that no visited name precedes.
  ///   - visit: answers whether to go on.
  /// - Returns: the number of refs visited, if the end was reached; otherwise `nil`.
  /// - Throws: the first thing that is wrong, or what the visitor threw.
  mutating func forEach(
    from start: [UInt8], _ visit: (Ref) throws(RefsError) -> Bool
  ) throws(RefsError) -> Int? {
    var last: Ref?
    var count = 0
    for number in try block(for: start)..<blockCount {
      let refs = try refs(of: number)
      if let last, let first = refs.first, !(last < first) {
        throw .corrupt(
          path, at: number * RefBlock.byteCount, "a block does not follow the one before")
      }
      last = refs.last ?? last
      for ref in refs where start.isEmpty || !ref.name.bytes.lexicographicallyPrecedes(start) {
        guard try visit(ref) else { return nil }
        count += 1
      }
    }
    if start.isEmpty && count != header.refCount {
      throw .corrupt(path, at: 0, "the file holds another number of refs than its first line says")
    }
    return count
  }
}
