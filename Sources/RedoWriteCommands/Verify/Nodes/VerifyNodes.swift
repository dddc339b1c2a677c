// Nodes that are judged one by one: by name, by range, all nodes of a store, or nodes from standard input.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// The mode of `redo verify` with one row for each node.
struct VerifyNodes {
  /// Where the nodes come from.
  enum Source {
    /// Revisions and ranges.
    case names([String])
    /// Ids on standard input.
    case standardInput
    /// Nodes on standard input, one per line.
    case lines
    /// What `redo import` reads: files, directories, and `-` for standard input.
    case files([String])
    /// Every node of the store.
    case all
  }

  let source: Source
  let profile: Profile
  let isJSON: Bool
  let end: UInt8
  /// The verdicts that pass the filter; `nil` when rows are printed for all nodes.
  let passing: PassLetters?
  /// Whether every reading of a node is shown instead of its row.
  let explains: Bool
  /// The kind of summary that replaces the rows, if any.
  let summary: VerifySummary?
  /// What opens encrypted archives.
  let keys: SealKeys

  /// How many nodes of a range are judged together.
  private static let batchCount = 4096

  func run(_ context: inout Context) throws -> Exit {
    if explains { return try explain(&context) }
    var output = VerifyOutput(
      profile: profile, isJSON: isJSON, end: end, passing: passing, summary: summary)
    if let files {
      output.showsPlaces = isOfFiles
      try judge(files, &context) { row, text, context throws in
        try output.write(row, line: text, &context)
      }
    } else {
      let opened = try context.effects.openRepository()
      try judge(opened, &output, &context)
    }
    return try output.finish(&context)
  }

  /// The inputs, if the nodes come from outside of a store.
  private var files: [String]? {
    switch source {
    case .files(let names): names
    case .lines: [InputFile.standardInputSign]
    case .names, .standardInput, .all: nil
    }
  }

  private var isOfFiles: Bool { if case .files = source { true } else { false } }

  /// Judges everything in some inputs; parents of what a file has are looked for in the files alone, so that these are
  /// found to be whole or not.
  private func judge(
    _ files: [String], _ context: inout Context,
    _ take: (VerdictRow, ArraySlice<UInt8>, inout Context) throws -> Void
  ) throws {
    let opened = try context.effects.openRepositoryIfPresent()
    let trust = try context.effects.nodeTrust(opened)
    var nodes = InputJudge(
      profile, envelope: isOfFiles ? .strip : .refuse,
      try context.effects.keySources(opened), trust, parentsIn: isOfFiles ? nil : opened?.objects,
      takesGroups: isOfFiles)
    var reader = ImportReader(
      isOfFiles ? .told : .toldLines, old: nil, keys: keys,
      progress: Progress(.readingCopy, context.effects))
    for name in files {
      try reader.tell(name, context.effects) { batch, source throws in
        for row in try nodes.judge(batch, from: source) { try take(row.row, row.text, &context) }
        try context.output.flush()
      }
    }
    reader.progress.finish(reader.count)
    for row in try nodes.finish() { try take(row.row, row.text, &context) }
  }

  private func judge(
    _ opened: Repository, _ output: inout VerifyOutput, _ context: inout Context
  ) throws {
    var nodes = VerifyStored(
      profile, opened, try context.effects.nodeTrust(opened), saysKeys: isJSON || summary != nil)
    if case .all = source {
      try nodes.judgeAll { rows throws in
        for row in rows { try output.write(row, &context) }
      }
      return
    }
    try forEachBatch(opened, &context) { names, context throws in
      for row in try nodes.judge(names) { try output.write(row, &context) }
      try context.output.flush()
    }
  }

  /// Hands on the names of nodes, in their order.
  private func forEachBatch(
    _ opened: Repository, _ context: inout Context,
    _ body: ([ArraySlice<UInt8>], inout Context) throws -> Void
  ) throws {
    switch source {
    case .names(let texts):
      let names = try names(texts, Revisions(opened, now: context.clock()))
      for start in stride(from: 0, to: names.count, by: Self.batchCount) {
        try body(Array(names[start..<min(start + Self.batchCount, names.count)]), &context)
      }
    case .standardInput:
      var reader = context.nameBatches(of: HashLines.batchCount, end: end)
      while let batch = try reader.next() {
        try body(batch.records.map { batch.bytes[$0.range] }, &context)
      }
    case .all:
      let ids = try opened.objects.list(prefix: "")
      for start in stride(from: 0, to: ids.count, by: Self.batchCount) {
        let part = ids[start..<min(start + Self.batchCount, ids.count)]
        try body(part.map { Array($0.text.utf8)[...] }, &context)
      }
    case .lines, .files: preconditionFailure("BUG: what is read from outside has no names")
    }
  }

  // MARK: Revisions

  /// The names that arguments stand for; for ranges, the changes that `redo log` would list, in its
  /// order.
  private func names(
    _ texts: [String], _ revisions: Revisions
  ) throws -> [ArraySlice<UInt8>] {
    var hasRange = false
    for text in texts {
      if case .include = try RevisionRange(text) { continue }
      hasRange = true
    }
    guard hasRange else { return Self.plainNames(texts, revisions) }
    return try Self.walk(texts, revisions).map { Array($0.text.utf8)[...] }
  }

  /// A revision that stands for nothing keeps its name, and gets a row.
  static func plainNames(
    _ texts: [String], _ revisions: Revisions
  ) -> [ArraySlice<UInt8>] {
    texts.flatMap { text -> [ArraySlice<UInt8>] in
      guard let ids = try? revisions.all(text) else { return [Array(text.utf8)[...]] }
      return ids.map { Array($0.text.utf8)[...] }
    }
  }

  /// The changes of ranges, newest first.
  ///
  /// They are found by reading the nodes themselves. Only if one of those is damaged, the index is used: it
  /// also knows their parents, so the other nodes are still judged.
  private static func walk(
    _ texts: [String], _ revisions: Revisions
  ) throws -> [ObjectID] {
    func read(usesCache: Bool) throws -> [ObjectID] {
      let set = try LogSet.read(
        texts, revisions, usesCache: usesCache, [.ids, .parents, .clocks], isFresh: false
      ) { _, _ in nil }
      return (0..<set.count).reversed().map { set.graph.id(at: set[$0]) }
    }
    do {
      return try read(usesCache: false)
    } catch {
      guard let ids = try? read(usesCache: true) else { throw error }
      return ids
    }
  }

  // MARK: Readings

  /// Shows every reading of each node.
  private func explain(_ context: inout Context) throws -> Exit {
    var output = VerifyOutput(profile: profile, isJSON: isJSON, end: end)
    var report = ReadingReport(isJSON: isJSON, end: end)
    if let files {
      var keys = ReadingKeys(
        try context.effects.keySources(try context.effects.openRepositoryIfPresent()))
      try judge(files, &context) { row, text, context throws in
        output.note(row)
        if let object = Self.grouped(text) {
          try report.write(row, GroupReading(object), &context)
        } else {
          try report.write(row, try NodeReadings(raw: Array(text), &keys), &context)
        }
      }
      return try output.finish(&context)
    }
    let opened = try context.effects.openRepository()
    var keys = ReadingKeys(try context.effects.keySources(opened))
    var nodes = VerifyStored(profile, opened, try context.effects.nodeTrust(opened), saysKeys: true)
    var isAll = false
    if case .all = source { isAll = true }
    try forEachBatch(opened, &context) { names, context throws in
      for name in names {
        let object = try Self.object(name, opened.objects)
        if isAll, let object, !object.kind.hasHistory { continue }
        for case .other(let row) in try nodes.judge([name]) {
          output.note(row)
          if let object, ObjectKind.grouped.contains(object.kind) {
            try report.write(row, GroupReading(object), &context)
            continue
          }
          let readings = try object.flatMap { object throws in
            object.kind == .node ? try NodeReadings(object, &keys) : nil
          }
          try report.write(row, readings, &context)
        }
      }
      try context.output.flush()
    }
    return try output.finish(&context)
  }

  /// The receipt or schema of a line; `nil` for anything else.
  private static func grouped(_ text: ArraySlice<UInt8>) -> StoredObject? {
    let line = Array(text)
    let kind = ObjectLine.kind(of: line.span)
    guard kind != .node, let incoming = try? ObjectLine.read(line, as: kind) else { return nil }
    var decoder = PlaceDecoder()
    return GroupIntake.judge(incoming, &decoder).object?.stored
  }

  /// The object with a name, if it can be read.
  private static func object(
    _ name: ArraySlice<UInt8>, _ store: ObjectStore
  ) throws -> StoredObject? {
    guard case .id(let id) = try ObjectName.resolve(name, in: store) else { return nil }
    do throws(StoreError) {
      return try store.read(id)
    } catch {
      guard case .corrupt = error else { throw CommandError.fatal(error) }
      return nil
    }
  }
}
