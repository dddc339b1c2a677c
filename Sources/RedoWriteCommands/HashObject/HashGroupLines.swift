// redo hash-object -t receipt --ndjson: a receipt a line; likewise schemas. With -w it is one transaction, all or nothing.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Hashes the receipts, or schemas, that arrive on standard input, one per line.
enum HashGroupLines {
  /// The name of standard input in messages, with line numbers.
  private static let source = RecordSources.Source(
    input: InputFile.standardInputName, unit: .lines)

  /// A line, and what was made of it.
  private typealias Row = (record: LineRecord, judged: JudgedObject)

  /// - Parameters:
  ///   - request: what to do with them.
  ///   - printsVerdicts: whether each line is answered with its verdict, and the good ones are taken whatever the others are.
  ///   - context: the surroundings.
  /// - Returns: whether all are taken.
  /// - Throws: the error when the store or standard input cannot be read, or the store not be written.
  static func run(
    _ request: HashObject.Request, printsVerdicts: Bool, _ context: inout Context
  ) throws -> Exit {
    let opened =
      request.writes
      ? try context.effects.openRepository() : try context.effects.openRepositoryIfPresent()
    let verifies = request.verifies || printsVerdicts
    let keys = verifies ? try context.effects.keySources(opened) : KeySources()
    var intake = GroupIntake(request.profile, verifies: verifies, keys)
    var reader = BatchReader(
      LineReader(descriptor: context.input, limitBytes: request.kind.lineLimit),
      recordLimit: HashLines.batchCount, byteLimit: HashLines.batchBytes,
      patience: printsVerdicts ? .untilInputPauses : .untilFull)
    guard printsVerdicts else { return try all(request, opened, keys, &intake, &reader, &context) }
    var hasRefused = false
    var warnings = WarningTally()
    while let batch = try reader.next() {
      try context.checkInterrupt()
      for var row in try judge(batch, of: request.kind, &intake, request.profile) {
        if request.writes, let opened, !row.judged.isRefused,
          let finding = try GroupTransaction.take(
            row.judged, request.groups, opened, context.effects)
        {
          row.judged.add(finding, request.profile)
        }
        warnings.note(row.judged.findings, request.profile) { source.name(row.record) }
        if row.judged.isRefused { hasRefused = true }
        try context.output.append { output throws in
          VerdictRow(row.judged, request.profile).append(to: &output, end: UInt8(ascii: "\n"))
        }
      }
      try context.output.flush()
    }
    warnings.report(context.effects)
    return hasRefused ? .no : .ok
  }

  /// Judges everything before anything is written or printed.
  private static func all(
    _ request: HashObject.Request, _ opened: Repository?, _ keys: KeySources,
    _ intake: inout GroupIntake, _ reader: inout BatchReader, _ context: inout Context
  ) throws -> Exit {
    var transaction: GroupTransaction?
    if request.writes, let opened {
      transaction = try GroupTransaction(of: request.kind, request.groups, opened, keys)
    }
    var warnings = WarningTally()
    var names: [ObjectID: String] = [:]
    var ids: [ObjectID] = []
    var hasRefused = false
    while let batch = try reader.next() {
      try context.checkInterrupt()
      let rows = try judge(batch, of: request.kind, &intake, request.profile)
      for (record, judged) in rows {
        let name = source.name(record)
        warnings.note(judged.findings, request.profile) { name }
        guard !judged.isRefused, let id = judged.id else {
          context.effects.reportErrors(judged.errors(request.profile), of: name)
          hasRefused = true
          // Input that is not JSON is no list of objects: further messages would only repeat that.
          if judged.findings.contains(where: \.isOfJSON) { return .no }
          continue
        }
        ids.append(id)
        names[id] = names[id] ?? name
      }
      if !hasRefused { try transaction?.add(rows.map(\.judged)) }
    }
    if !hasRefused {
      for problem in try transaction?.problems() ?? [] {
        let name = names[problem.id] ?? problem.id.text
        guard problem.isError(request.profile) else {
          warnings.note([problem.finding], request.profile) { name }
          continue
        }
        context.effects.reportErrors([problem.finding], of: name)
        hasRefused = true
      }
    }
    warnings.report(context.effects)
    guard !hasRefused else { return .no }
    _ = try transaction?.commit(context.effects)
    for id in ids {
      try context.output.append { output throws in request.append(id, to: &output) }
    }
    return .ok
  }

  private static func judge(
    _ batch: RecordBatch, of kind: ObjectKind, _ intake: inout GroupIntake, _ profile: Profile
  ) throws -> [Row] {
    var incoming: [IncomingObject] = []
    var refused: [Int: Finding] = [:]
    for (place, record) in batch.records.enumerated() {
      do throws(Finding) {
        guard record.state != .tooLong else { throw Finding(kind.sizeRule, at: .pointer("")) }
        incoming.append(try ObjectLine.read(Array(batch.bytes[record.range]), as: kind))
      } catch {
        refused[place] = error
      }
    }
    var judged = try intake.judge(incoming).makeIterator()
    return batch.records.enumerated().compactMap { place, record in
      if let finding = refused[place] {
        return (record, JudgedObject(nil, id: nil, [finding]))
      }
      return judged.next().map { (record, $0) }
    }
  }
}
