// What is left of refs, journal and reflog, each file on its own: as much of it as its own hashes prove.

internal import RedoCrypto
internal import RedoObject

/// The good part of `refs`.
struct RefsRemains {
  /// What its first line tells, if its first block is good.
  var header: RefsHeader?
  /// All refs, if every block is good.
  var refs: Set<Ref>?
  /// The refs of the blocks that are good.
  var parts: Set<Ref> = []
  /// What is wrong; `nil` when nothing is.
  var damage: RefsError.Corruption?
}

/// Entries that follow each other, each proved by the one before.
struct EntryRun {
  /// The entries.
  var entries: [ReflogEntry] = []
  /// Where each of them ends in the file.
  var ends: [Int] = []
  /// Where the first of them begins.
  var start = 0
  /// The whole file; empty when there is no file.
  var bytes: [UInt8] = []
  /// What is wrong with the file; `nil` when nothing is.
  var damage: RefsError.Corruption?
  /// The bytes of an unfinished record at the end.
  var tornCount = 0

  /// Where the last of them ends.
  var end: Int { ends.last ?? start }
  /// The bytes of the records.
  var records: ArraySlice<UInt8> { bytes[min(start, bytes.count)..<end] }

  /// Takes entries from a place on, up to the first that is not proved.
  ///
  /// - Parameters:
  ///   - place: where the first begins.
  ///   - chain: that of the entry before.
  ///   - number: that of the entry before; `nil` when it is unknown.
  ///   - receivedBytes: the bytes of `received` that counted before, which no record of a journal makes fewer; `nil` in a
  ///     reflog, where a wipe does.
  ///   - file: the path, for messages.
  mutating func read(
    from place: Int, after chain: Digest, number: Int?, receivedBytes: Int? = nil, file: String
  ) {
    start = place
    var received = receivedBytes
    var chain = chain
    var expected = number.map { $0 + 1 }
    var position = place
    while position < bytes.count {
      var payload: Range<Int>?
      switch JournalFrame.read(bytes, at: position) {
      case .torn:
        tornCount = bytes.count - position
        return
      case .corrupt: break
      case .complete(let range): payload = range
      }
      guard let payload,
        let entry = try? ReflogEntry(
          parsing: bytes, in: payload, base: 0, after: chain, file: file),
        expected.map({ $0 == entry.number }) ?? true
      else {
        note(position, "a record is damaged", file)
        return
      }
      if let before = received {
        guard entry.receivedBytes >= before else {
          note(position, "a record shortens the received log", file)
          return
        }
        received = entry.receivedBytes
      }
      entries.append(entry)
      ends.append(payload.upperBound)
      chain = entry.chain
      expected = entry.number + 1
      position = payload.upperBound
    }
  }

  /// Keeps the first of several things that are wrong.
  mutating func note(_ place: Int, _ rule: String, _ file: String) {
    damage = damage ?? RefsError.Corruption(file: file, offset: place, rule: rule)
  }
}

/// The good part of `refs.journal`.
struct JournalRemains {
  /// The generation and the chain that its first line tells, if that is right.
  var header: (generation: Int, chain: Digest)?
  /// Its records, once it is known what they follow.
  var run = EntryRun()
  /// Where records begin, or would begin.
  var recordsStart = 0
}

extension Refs {
  /// A file as it is: `nil` when there is no file, or something else is in its place.
  private func remains(of name: String) throws(RefsError) -> [UInt8]? {
    do throws(SystemError) {
      return try directory.readFile(name, isFollowing: false)
    } catch {
      guard error.isSymbolicLink || error.isUnopenable || error.isNotRegular else {
        throw .system(error)
      }
      return nil
    }
  }

  /// Reads what is good of `refs`.
  func refsRemains() throws(RefsError) -> RefsRemains {
    var remains = RefsRemains()
    guard let bytes = try self.remains(of: Name.refs) else {
      remains.damage = RefsError.Corruption(file: refsPath, offset: 0, rule: "the file is missing")
      return remains
    }
    func note(_ error: RefsError) throws(RefsError) {
      guard case .corrupt(let corruption) = error else { throw error }
      remains.damage = remains.damage ?? corruption
    }
    var count = 0
    var last: Ref?
    for start in stride(from: 0, to: max(bytes.count, 1), by: RefBlock.byteCount) {
      var part = Array(bytes[start..<min(start + RefBlock.byteCount, bytes.count)])
      do throws(RefsError) {
        if start == 0, let mended = Self.mended(part, "redo-refs "),
          (try? RefBlock(checking: mended, number: 0, generation: nil, file: refsPath)) != nil
        {
          part = mended
          try note(.corrupt(refsPath, at: 0, Self.versionRule))
        }
        let block = try RefBlock(
          checking: part, number: start / RefBlock.byteCount,
          generation: remains.header?.generation, file: refsPath)
        if let header = block.header { remains.header = header }
        if let last, let first = block.refs.first, !(last < first) {
          throw .corrupt(refsPath, at: start, "a block does not follow the one before")
        }
        last = block.refs.last ?? last
        remains.parts.formUnion(block.refs)
        count += block.refs.count
      } catch {
        try note(error)
      }
    }
    if let header = remains.header, header.fileBytes != bytes.count || header.refCount != count {
      try note(.corrupt(refsPath, at: 0, "the file is not as its first line says"))
    }
    if remains.damage == nil { remains.refs = remains.parts }
    return remains
  }

  /// Reads what is good of the reflog: its entries from the first on.
  func reflogRemains() throws(RefsError) -> EntryRun {
    let path = joinPath(directory.path, Name.reflog)
    var run = EntryRun()
    let first = Array("\(Reflog.firstLine)".utf8)
    run.start = first.count
    guard let bytes = try remains(of: Name.reflog) else {
      run.note(0, "the file is missing", path)
      return run
    }
    run.bytes = bytes
    if !bytes.starts(with: first) {
      run.note(0, "the first line is not that of the format", path)
    }
    run.read(from: first.count, after: .zero, number: 0, file: path)
    if run.entries.isEmpty, let version = unknownVersion(bytes, "redo-reflog ") {
      throw .unsupportedFormat(file: path, version: version)
    }
    return run
  }

  /// The number to report for a format whose number is itself damaged.
  private static let versionRule = "the number of the format is damaged"

  /// A file of an unknown version as it would be in the known one: where all hashes fit then, only
  /// the number is damaged.
  ///
  /// - Returns: `nil` for a file of the known version, or without a version.
  private static func mended(_ bytes: [UInt8], _ format: StaticString) -> [UInt8]? {
    guard unknownVersion(bytes, format) != nil else { return nil }
    var mended = bytes
    mended[format.utf8CodeUnitCount] = UInt8(ascii: "1")
    return mended
  }

  /// Reads the first line of the journal, and finds where its records begin.
  func journalRemains() throws(RefsError) -> JournalRemains {
    var remains = JournalRemains()
    guard var bytes = try self.remains(of: Name.journal) else {
      remains.run.note(0, "the file is missing", journalPath)
      return remains
    }
    if let mended = Self.mended(bytes, "redo-journal "),
      (try? RefsJournal(headerOf: mended, file: journalPath)) != nil
    {
      bytes = mended
      remains.run.note(0, Self.versionRule, journalPath)
    }
    remains.run.bytes = bytes
    do throws(RefsError) {
      let journal = try RefsJournal(headerOf: bytes, file: journalPath)
      remains.header = (journal.generation, journal.chain)
      remains.recordsStart = journal.headerCount
    } catch {
      guard case .corrupt(let corruption) = error else { throw error }
      remains.run.damage = corruption
      // The first frame tells where the line ended.
      let mark = UInt8(ascii: "@")
      remains.recordsStart =
        bytes.indices.first { index in
          guard bytes[index] == mark, case .complete = JournalFrame.read(bytes, at: index) else {
            return false
          }
          return true
        } ?? bytes.count
    }
    return remains
  }

  /// The number of the first record of a journal, taken from its text without proof.
  static func firstNumber(_ remains: JournalRemains) -> Int? {
    let bytes = remains.run.bytes
    guard remains.recordsStart < bytes.count,
      case .complete(let payload) = JournalFrame.read(bytes, at: remains.recordsStart)
    else { return nil }
    var scanner = LineScanner(bytes, in: payload)
    guard scanner.take("entry "), let number = scanner.decimal(), number > 0 else { return nil }
    return number
  }
}
