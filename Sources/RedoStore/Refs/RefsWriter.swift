// Writes a whole `refs` file, block by block, in bounded memory. Block 0 is written last, because
// its first line tells what only the end shows: the size and the number of refs.

/// Writes refs that arrive in order.
struct RefsWriter: ~Copyable {
  private var temporary: TemporaryFile
  private var header: RefsHeader
  /// The lines of block 0, kept until the end.
  private var firstLines: [UInt8] = []
  /// The lines of the block under way.
  private var lines: [UInt8] = []
  private var number = 0
  private var last: Ref?

  /// A writer of an empty file.
  ///
  /// - Parameters:
  ///   - directory: the store's directory.
  ///   - header: everything but size and number of refs.
  /// - Throws: when the temporary file cannot be made.
  init(in directory: borrowing Directory, header: RefsHeader) throws(SystemError) {
    temporary = try TemporaryFile(in: directory, prefix: Refs.Name.temporary, mode: 0o644)
    self.header = header
    self.header.refCount = 0
  }

  /// Adds one ref.
  ///
  /// - Parameter ref: later in order than all before it.
  /// - Throws: when writing does not succeed.
  mutating func add(_ ref: Ref) throws(SystemError) {
    if let last { precondition(last < ref, "BUG: refs are written out of order") }
    last = ref
    header.refCount += 1
    let closing = RefBlock.closingCount(generation: header.generation, number: number)
    // Room for the longest first line, whose length is not known yet.
    let reserved = closing + (number == 0 ? RefsHeader.maximumCount : 0)
    if lines.count + ref.lineCount > RefBlock.byteCount - reserved {
      try endBlock(isLast: false)
    }
    ref.appendLine(to: &lines)
  }

  private mutating func endBlock(isLast: Bool) throws(SystemError) {
    if number == 0 {
      swap(&firstLines, &lines)
    } else {
      RefBlock.close(&lines, generation: header.generation, number: number, isLast: isLast)
      try write(lines, number)
    }
    lines.removeAll(keepingCapacity: true)
    number += 1
  }

  private func write(_ bytes: [UInt8], _ number: Int) throws(SystemError) {
    try temporary.file.writeAll(bytes.span, at: number * RefBlock.byteCount)
  }

  /// Ends the file, and puts it in the place of the old one.
  ///
  /// - Parameter sync: what to wait for; the directory is the caller's.
  /// - Returns: the header of the new file.
  /// - Throws: when writing, syncing or renaming does not succeed; the old file stays then.
  mutating func finish(_ sync: SyncPolicy) throws(SystemError) -> RefsHeader {
    let isShort = number == 0
    if isShort {
      swap(&firstLines, &lines)
      let rest = firstLines.count + RefBlock.closingCount(generation: header.generation, number: 0)
      // The line whose length is counted contains the size: a digit more or less settles it.
      var size = -1
      while header.fileBytes != size {
        size = header.fileBytes
        header.fileBytes = header.line.count + rest
      }
    } else {
      header.fileBytes =
        number * RefBlock.byteCount + lines.count
        + RefBlock.closingCount(generation: header.generation, number: number)
      try endBlock(isLast: true)
    }
    var first = header.line
    first.append(contentsOf: firstLines)
    RefBlock.close(&first, generation: header.generation, number: 0, isLast: isShort)
    try write(first, 0)
    if sync.isSyncing { try temporary.file.sync() }
    _ = try temporary.commit(as: Refs.Name.refs, replacing: .always)
    return header
  }
}
