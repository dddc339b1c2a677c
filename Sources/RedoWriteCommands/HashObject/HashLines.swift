// redo hash-object --ndjson: one node per line. With -w it is one transaction, all or nothing.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Hashes the nodes that arrive on standard input, one per line.
enum HashLines {
  /// How many nodes are processed together.
  static let batchCount = 4096
  /// How many bytes of nodes are processed together.
  static let batchBytes = 8 << 20

  /// A reader of nodes, one per line.
  static func reader(
    _ context: borrowing Context, patience: BatchReader.Patience
  ) -> BatchReader {
    BatchReader(
      LineReader(descriptor: context.input, limitBytes: Node.byteLimit),
      recordLimit: batchCount, byteLimit: batchBytes, patience: patience)
  }

  /// The name of standard input in messages, with line numbers.
  private static let source = RecordSources.Source(
    input: InputFile.standardInputName, unit: .lines)

  static func run(
    _ request: HashObject.Request, _ context: inout Context
  ) throws -> Exit {
    if request.writes { return try runAll(request, try context.effects.openRepository(), &context) }
    guard !request.verifies else {
      return try runAll(request, try context.effects.openRepositoryIfPresent(), &context)
    }
    // Only the ids are wanted: one pass on one thread, and nothing is kept.
    var reader = LineReader(descriptor: context.input, limitBytes: Node.byteLimit)
    var decoder = NodeDecoder(profile: request.profile)
    var warnings = WarningTally()
    while let record = try reader.next() {
      guard record.state != .tooLong else {
        let finding = Finding(.nodeSize, at: .offset(Node.byteLimit))
        context.effects.reportErrors([finding], of: source.name(record))
        return .no
      }
      guard let node = decoder.decode(reader.bytes.span.extracting(record.range)) else {
        context.effects.reportErrors(
          decoder.findings.filter { request.profile.severity(of: $0) == .error },
          of: source.name(record))
        return .no
      }
      if !decoder.findings.isEmpty {
        warnings.note(decoder.findings, request.profile) { source.name(record) }
      }
      try context.output.append { output throws in
        request.append(node.id, to: &output)
      }
    }
    warnings.report(context.effects)
    return .ok
  }

  /// Judges everything, signatures and parents included, before anything is written or printed.
  private static func runAll(
    _ request: HashObject.Request, _ opened: Repository?, _ context: inout Context
  ) throws -> Exit {
    var transaction = try NodeTransaction(
      request.transaction,
      opened, context.effects)
    var input = reader(context, patience: .untilFull)
    while let batch = try input.next() {
      try context.checkInterrupt()
      for refused in try transaction.take(batch, from: source) {
        transaction.refuse(refused.findings, of: source.name(refused.record), context.effects)
        // Input that is not JSON is not a list of nodes: further messages would only repeat that.
        if refused.findings.contains(where: \.isOfJSON) { return .no }
      }
    }
    guard try transaction.finish(context.effects) != nil else { return .no }
    for id in transaction.ids {
      try context.output.append { output throws in
        request.append(id, to: &output)
      }
    }
    return .ok
  }

  /// Answers each line with its verdict, and writes the good nodes.
  static func verdicts(
    _ request: HashObject.Request, _ context: inout Context
  ) throws -> Exit {
    let opened =
      request.writes
      ? try context.effects.openRepository() : try context.effects.openRepositoryIfPresent()
    var intake = Intake(
      Intake.Options(profile: request.profile, verifies: true),
      try context.effects.keySources(opened))
    var input = reader(context, patience: .untilInputPauses)
    var parents = ParentCheck(request.profile, request.writes ? nil : opened?.objects)
    var warnings = WarningTally()
    var hasRefused = false
    while let batch = try input.next() {
      try context.checkInterrupt()
      var judged = try intake.judge(batch)
      if request.writes, let opened {
        let good = judged.indices.filter { !judged[$0].isRefused }
        let findings = try NodeTransaction.each(
          good.map { intake.candidate(judged[$0]) }, request.transaction, opened, context.effects)
        for (index, finding) in zip(good, findings) {
          if let finding { judged[index].refuse(finding) }
        }
      } else {
        try parents.check(&judged)
      }
      for (record, row) in zip(batch.records, judged) {
        warnings.note(row.findings, request.profile) { source.name(record) }
        if row.isRefused { hasRefused = true }
        try context.output.append { output throws in
          VerdictRow(row, request.profile).append(to: &output, end: UInt8(ascii: "\n"))
        }
      }
      try context.output.flush()
    }
    warnings.report(context.effects)
    return hasRefused ? .no : .ok
  }
}
