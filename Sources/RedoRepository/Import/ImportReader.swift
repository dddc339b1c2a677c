// The inputs of redo import: files, directories of files and standard input; the form is recognised from the first
// bytes.

package import RedoObject
package import RedoStore

/// Feeds inputs to a transaction.
package struct ImportReader: ~Copyable {
  private let manner: ImportManner
  /// What opens encrypted archives.
  private let keys: SealKeys
  /// Collects the changes of a log from before version 1; `nil` for any other.
  private var old: V0Import?
  /// Reports how far the inputs have been read.
  package var progress: Progress
  /// What archives need from elsewhere, for those that need anything.
  package private(set) var needs: [(path: String, ids: [ObjectID])] = []
  /// How many values have been read.
  package private(set) var count = 0
  /// How many inputs have been reported to have no changes.
  private var emptyCount = 0
  /// The input whose old layout has been reported.
  private var toldOf: String?

  /// - Parameters:
  ///   - manner: what becomes of a damaged input.
  ///   - old: receives the changes of logs from before version 1.
  ///   - keys: what opens encrypted archives.
  ///   - progress: reports how far the inputs have been read.
  package init(
    _ manner: ImportManner, old: consuming V0Import?, keys: SealKeys = SealKeys(),
    progress: Progress
  ) {
    self.manner = manner
    self.old = old
    self.keys = keys
    self.progress = progress
  }

  /// Converts what was collected from logs from before version 1.
  ///
  /// - Returns: what was done; `nil` for any other log.
  package mutating func convert(
    into transaction: inout NodeTransaction, _ effects: Effects
  ) throws -> V0Import.Summary? {
    guard var old = old.take() else { return nil }
    try old.convert(into: &transaction, effects)
    return old.summary
  }

  /// Reads a file, or every file below a directory in the order of their names.
  package mutating func read<Sink: ImportSink & ~Copyable>(
    path: String, into sink: inout Sink, _ effects: Effects
  ) throws {
    try read(path: path, isNamed: true, effects) { step throws in try sink.take(step, effects) }
  }

  /// Reads a descriptor to its end.
  package mutating func read<Sink: ImportSink & ~Copyable>(
    _ descriptor: Int32, _ name: String, into sink: inout Sink, _ effects: Effects
  ) throws {
    try read(descriptor, name, effects) { step throws in try sink.take(step, effects) }
  }

  /// Hands on everything in a file, in every file below a directory in the order of their names, or in standard input.
  ///
  /// What is damaged is handed on as if it were a value. Only for a reader that tells.
  ///
  /// - Parameters:
  ///   - name: the path; `-` is standard input.
  ///   - effects: says where relative paths begin.
  ///   - body: receives what is read.
  /// - Throws: `ImportFault` or `InputFault` for what is not of a form that can be read; what the body throws.
  package mutating func tell(
    _ name: String, _ effects: Effects,
    _ body: (RecordBatch, RecordSources.Source) throws -> Void
  ) throws {
    precondition(manner.isTold, "BUG: a reader tells that was not made for it")
    func feed(_ step: ImportStep) throws -> [NodeTransaction.Refused] {
      switch step {
      case .values(let batch, let source): try body(batch, source)
      case .database(_, let name): throw ImportFault.unreadDatabase(name: name)
      case .refused: break
      }
      return []
    }
    guard name == InputFile.standardInputSign else {
      return try read(path: name, isNamed: true, effects, feed)
    }
    try read(effects.surroundings.standardInput, InputFile.standardInputName, effects, feed)
  }

  /// Reads a file or what is in a directory.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - isNamed: whether the user names it, so that it may be a pipe; what a directory has may be anybody's, and must
  ///     be files.
  ///   - effects: says where relative paths begin.
  ///   - feed: takes what is read.
  /// - Throws: `ImportFault`; what the feed throws.
  private mutating func read(
    path: String, isNamed: Bool, _ effects: Effects, _ feed: ImportFeed
  ) throws {
    let resolved = effects.resolve(path)
    let kind = try Self.kind(of: resolved, path)
    if kind == .directory {
      let before = (count, emptyCount)
      for name in try names(in: resolved) {
        try read(path: joinPath(path, name), isNamed: false, effects, feed)
      }
      if isNamed, manner.isTold, before == (count, emptyCount) { reportEmpty(path, effects) }
      return
    }
    let file: File
    do throws(SystemError) {
      file = isNamed ? try File.open(resolved) : try File.openRegular(resolved)
    } catch {
      throw ImportFault.unopened(path: path, error)
    }
    if kind == .regular, old == nil {
      let head = try Self.head(of: file, path)
      if Self.isArchive(head) {
        return try readArchive(try ArchiveFile(path, keys, effects), effects, feed)
      }
      if AppDatabase.isOne(head) {
        _ = try feed(.database(path: resolved, name: path))
        return
      }
    }
    try read(file.raw, path, effects, feed)
    extendLifetime(file)
  }

  /// What a path leads to; `nil` if that is nothing.
  private static func kind(of resolved: String, _ path: String) throws -> FileKind? {
    let kind: FileKind?
    let isPipe: Bool
    do throws(SystemError) {
      kind = try FileStatus.at(resolved)?.kind
      isPipe = kind == .fifo ? try FileStatus.ofLink(at: resolved)?.kind == .fifo : false
    } catch {
      throw error.named(path)
    }
    guard !isPipe else { throw ImportFault.namedPipe(path: path) }
    return kind
  }

  private static func head(of file: borrowing File, _ path: String) throws -> [UInt8] {
    do throws(SystemError) {
      return try file.read(ForeignFile.startBytes, at: 0)
    } catch {
      throw error.named(path)
    }
  }

  private static func isArchive(_ start: [UInt8]) -> Bool {
    start.starts(with: PackFormat.magic) || AgeSource.isOne(start)
  }

  /// Reads the nodes or receipts of an archive, every byte of which is checked first; a receipt becomes a line.
  private mutating func readArchive(
    _ archive: borrowing ArchiveFile, _ effects: Effects, _ feed: ImportFeed
  ) throws {
    try archive.check()
    let path = archive.path
    let prerequisites = archive.reader.directory.prerequisites
    if !prerequisites.isEmpty { needs.append((path, prerequisites)) }
    let source = RecordSources.Source(input: path, unit: .nodes)
    var number = 0
    try archive.forEachFrame(effects) { nodes, _ in
      var batch = RecordBatch()
      for node in nodes {
        let start = batch.bytes.count
        if node.kind == .receipt {
          batch.bytes += ReceiptLine.line(node, received: nil).dropLast()
        } else {
          node.appendContents(to: &batch.bytes)
        }
        count += 1
        number += 1
        batch.records.append(
          LineRecord(
            range: start..<batch.bytes.count, offset: 0, byteCount: batch.bytes.count - start,
            number: number, state: .complete))
      }
      progress.update(count)
      for text in try feed(.values(batch, source)) {
        _ = try feed(.refused(text.findings, of: "\(path)', node '\(text.record.number)"))
      }
    }
  }

  /// Reads an archive out of a pipe: its directory is at its end, so it becomes a file that has no name.
  private mutating func readPipedArchive(
    _ reader: inout ValueReader, _ name: String, _ effects: Effects, _ feed: ImportFeed
  ) throws {
    let place = effects.surroundings.usual.temporaryDirectory
    let file = try FileFault.naming(place) { try File.unnamed(in: place) }
    try reader.drain { bytes throws in
      try effects.checkInterrupt()
      try FileFault.naming(place) { try file.writeAll(bytes) }
    }
    try readArchive(try ArchiveFile(name, file, keys, effects), effects, feed)
  }

  /// The largest log from before version 1, in bytes: it is read as a whole.
  private static var oldLimitBytes: Int { 1 << 30 }

  private func names(in path: String) throws -> [String] {
    do throws(SystemError) {
      // Following a linked directory could lead into a cycle.
      let all = try Directory.open(path).list()
      let known = Set(all)
      return all.filter { name in
        guard !name.hasPrefix("."), !ArchiveManifest.isBeside(name, in: known),
          !AppDatabase.isBeside(name, in: known)
        else { return false }
        let file = joinPath(path, name)
        let isLink = (try? FileStatus.ofLink(at: file))??.kind == .symbolicLink
        return !isLink || (try? FileStatus.at(file))??.kind != .directory
      }.sorted()
    } catch {
      throw error.named(path)
    }
  }

  private mutating func readOld(
    _ descriptor: Int32, _ name: String, _ effects: Effects
  ) throws {
    var source = ImportBytes(descriptor, name)
    let text = try source.readAll(limit: Self.oldLimitBytes)
    try refuseForeign(text.prefix(ForeignFile.startBytes), name)
    try old?.read(text, name, effects)
  }

  private mutating func read(
    _ descriptor: Int32, _ name: String, _ effects: Effects, _ feed: ImportFeed
  ) throws {
    if old != nil {
      try readOld(descriptor, name, effects)
      return
    }
    var reader = ValueReader(descriptor: descriptor, name: name, manner)
    let head = try reader.peek(ForeignFile.startBytes)
    if ForeignFile.isCAR(head) { return try readBlocks(&reader, name, effects, feed) }
    if Self.isArchive(Array(head)) {
      return try readPipedArchive(&reader, name, effects, feed)
    }
    try refuseForeign(head, name)
    if manner.isTold { return try tell(&reader, name, effects, feed) }
    let source = RecordSources.Source(input: name, unit: .bytes)
    var malformed: ValueReader.Malformed?
    while true {
      while let batch = try reader.next(&malformed) {
        try effects.checkInterrupt()
        let wasSearching = reader.isSearching
        let refused = try feed(.values(batch, source))
        count += batch.records.count
        progress.update(count)
        if wasSearching, refused.isEmpty { reader.endSearch() }
        for text in refused {
          try settle(text, name, wasSearching, &reader, effects, feed)
        }
      }
      guard let place = malformed else { return }
      malformed = nil
      if !reader.isSearching {
        try refuse(Finding(place.rule, at: .offset(place.offset)), name, feed)
      }
      reader.search(behind: place.start)
    }
  }

  /// Hands on the nodes of a CAR file.
  private mutating func readBlocks(
    _ reader: inout ValueReader, _ name: String, _ effects: Effects, _ feed: ImportFeed
  ) throws {
    try reader.readHeader(name)
    let before = count
    let source = RecordSources.Source(input: name, unit: .nodes)
    while let batch = try reader.nextBlocks(name) {
      try effects.checkInterrupt()
      for text in try feed(.values(batch, source)) {
        _ = try feed(.refused(text.findings, of: "\(name)', node '\(text.record.number)"))
      }
      count += batch.records.count
      progress.update(count)
    }
    if manner.isTold, count == before { reportEmpty(name, effects) }
  }

  private mutating func reportEmpty(_ name: String, _ effects: Effects) {
    emptyCount += 1
    effects.report(.importing(.empty(name: name)))
  }

  /// Hands on everything in an input, damage as well.
  private mutating func tell(
    _ reader: inout ValueReader, _ name: String, _ effects: Effects, _ feed: ImportFeed
  ) throws {
    var malformed: ValueReader.Malformed?
    let before = count
    while let batch = try reader.next(&malformed) {
      try effects.checkInterrupt()
      let source = RecordSources.Source(input: name, unit: reader.isArray ? .elements : .lines)
      _ = try feed(.values(batch, source))
      count += batch.records.count
      progress.update(count)
    }
    if count == before { reportEmpty(name, effects) }
  }

  /// Handles a value that is not a node.
  private mutating func settle(
    _ text: NodeTransaction.Refused, _ name: String, _ wasSearching: Bool,
    _ reader: inout ValueReader, _ effects: Effects, _ feed: ImportFeed
  ) throws {
    let offset = text.record.offset
    if wasSearching {
      // A part of a damaged node looks like a value, but not like a node.
      guard text.findings.contains(where: \.isOfNode) else {
        reader.search(behind: offset)
        return
      }
      reader.endSearch()
    }
    if let error = text.findings.first(where: \.isOfJSON), case .offset(let place) = error.place {
      try refuse(Finding(error.rule, at: .offset(offset + place)), name, feed)
      reader.search(behind: offset)
      return
    }
    _ = try feed(.refused(text.findings, of: "\(name)', byte '\(offset)"))
    guard toldOf != name, let layout = V0Document.Layout(suggestedBy: text.findings) else {
      return
    }
    toldOf = name
    effects.report(.importing(.old(layout, name: name)))
  }

  /// Reports where an input is not JSON.
  ///
  /// - Throws: `ImportFault.damaged` unless the intact part is to be salvaged.
  private func refuse(
    _ finding: Finding, _ name: String, _ feed: ImportFeed
  ) throws {
    guard manner == .salvaging else {
      throw ImportFault.damaged(finding, name: name)
    }
    _ = try feed(.refused([finding], of: name))
  }

  /// Refuses a text that is not JSON at all, naming its form if that is known.
  private func refuseForeign(
    _ head: ArraySlice<UInt8>, _ name: String
  ) throws {
    if let error = ForeignFile.error(head, name) { throw error }
    if AppDatabase.isOne(head) { throw ImportFault.unreadDatabase(name: name) }
    if head.starts(with: PackFormat.magic.prefix(4)) || AgeSource.isOne(Array(head)) {
      throw ImportFault.archive(name: name)
    }
    if head.starts(with: GzipReader.magic) {
      throw ImportFault.compressedTwice(name: name)
    }
    if head.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw ImportFault.malformed(Finding(.jsonByteOrderMark, at: .offset(0)), name: name)
    }
  }
}

extension Finding {
  /// Whether the text is a node, though not a good one: it has an author and a timestamp.
  var isOfNode: Bool {
    switch rule {
    case .memberMissing, .memberUnknown, .nodeType, .nodeSize: false
    default: !isOfJSON
    }
  }
}
