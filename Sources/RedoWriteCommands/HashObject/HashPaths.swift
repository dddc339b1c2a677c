// redo hash-object --stdin-paths: all paths that have arrived are processed together, on all
// processors; a client that sends one path and waits gets its id at once.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Hashes the files whose paths arrive on standard input.
enum HashPaths {
  /// The longest path in bytes.
  private static let pathLimit = 65_536
  /// How many files are processed together.
  private static let batchCount = 512
  /// How many bytes of files are kept in memory together; a larger file is processed alone.
  private static let batchBytes = 32 << 20

  static func run(
    _ request: HashObject.Request, separator: UInt8, _ context: inout Context
  ) throws -> Exit {
    let opened = request.writes ? try context.effects.openRepository() : nil
    var hasher = ObjectHasher(
      request, keys: try HashFiles.keySources(request, opened, &context))
    var reader = BatchReader(
      LineReader(descriptor: context.input, separator: separator, limitBytes: pathLimit),
      recordLimit: batchCount, patience: .untilInputPauses)
    var warnings = WarningTally()
    defer { warnings.report(context.effects) }
    while let batch = try reader.next() {
      for part in parts(of: batch, context) {
        try context.checkInterrupt()
        let (names, contents, failure) = read(part, request, context)
        let judged = try hasher.judge(contents)
        let refused = judged.firstIndex { $0.isRefused || $0.object == nil }
        let good = Array(judged[..<(refused ?? judged.count)])
        for (object, name) in zip(good, names) {
          warnings.note(object.findings, request.profile) { name }
        }
        if let opened { try HashFiles.write(good, names: names, request, opened, context) }
        for object in good {
          guard let id = object.object?.id else { continue }
          try context.output.append { output throws in request.append(id, to: &output) }
        }
        if let refused {
          context.effects.reportErrors(judged[refused].errors(request.profile), of: names[refused])
          return .no
        }
        if let failure { throw failure }
        try context.output.flush()
      }
    }
    return .ok
  }

  /// Splits a batch into parts that fit into memory.
  private static func parts(
    of batch: RecordBatch, _ context: borrowing Context
  ) -> [RecordBatch] {
    var parts: [RecordBatch] = []
    var part = RecordBatch(bytes: batch.bytes)
    var size = 0
    for record in batch.records {
      let name = String(decoding: batch.bytes[record.range], as: UTF8.self)
      // A file whose status cannot be read is reported when it is read.
      let more = (try? FileStatus.at(context.resolve(name)))??.size ?? 0
      if !part.records.isEmpty, size + more > batchBytes {
        parts.append(part)
        part.records = []
        size = 0
      }
      part.records.append(record)
      size += more
    }
    parts.append(part)
    return parts
  }

  /// Reads the files of a batch, up to the first that cannot be read.
  private static func read(
    _ batch: RecordBatch, _ request: HashObject.Request, _ context: borrowing Context
  ) -> (names: [String], contents: [[UInt8]], failure: CommandError?) {
    let names = batch.records.map { String(decoding: batch.bytes[$0.range], as: UTF8.self) }
    let limit = request.fileLimit
    let cuts = request.kind.byteLimit != nil
    let surroundings = context.effects.surroundings
    let results = Threads.parallelMap(
      names, threads: names.count < 8 ? 1 : Threads.processorCount, makeState: { 0 }
    ) { _, name -> Result<[UInt8], CommandError> in
      do {
        return .success(
          try InputFile.read(name, at: surroundings.resolve(name), limit: limit, cuts: cuts))
      } catch {
        let error = CommandError(error)
        return .failure(error)
      }
    }
    var contents: [[UInt8]] = []
    for (record, result) in zip(batch.records, results) {
      if record.state == .tooLong {
        return (names, contents, CommandError.fatal("a path is longer than \(pathLimit) bytes"))
      }
      switch result {
      case .success(let bytes): contents.append(bytes)
      case .failure(let error): return (names, contents, error)
      }
    }
    return (names, contents, nil)
  }
}
