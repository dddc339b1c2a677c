// Importing logs into a store: a whole log, or nothing of it.

internal import RedoHistory
internal import RedoObject
internal import RedoRemote
internal import RedoStore

/// The result of an import.
public struct ImportSummary: Hashable, Sendable {
  /// The most refusals that are kept, so that a hostile log cannot use up the memory.
  public static let refusalLimit = 1_000

  /// How many nodes are new in the history.
  public let new: Int
  /// How many nodes were there before, or twice in the log.
  public let known: Int
  /// How many nodes had their signature replaced by a better one.
  public let upgraded: Int
  /// How many nodes had corrupt bytes in the store, and are good again.
  public let healed: Int
  /// How many nodes break a rule; if any does, nothing at all was written.
  public let refused: Int
  /// The first refused nodes; at most ``refusalLimit``.
  public let refusals: [Refusal]

  /// Whether the log was imported.
  public var isTaken: Bool { refused == 0 }
}

extension Repository {
  /// Imports a log into the history: all of it, or nothing.
  ///
  /// Every node is decoded, hashed and verified, and its parents have to be here or in the log. A node that breaks a
  /// rule is reported as an event, and is in the result; it is not an error.
  ///
  /// - Parameter path: a file of nodes as JSON lines, as one JSON array, or an archive made by `redo archive`, each
  ///   optionally compressed with gzip; or a directory of such files.
  /// - Returns: what was imported.
  /// - Throws: `missing` or `system` when it cannot be read, `malformed` or `invalid` when it is not a log,
  ///   `cancelled`; the store is unchanged then.
  @discardableResult
  public func importLog(from path: String) throws(RedoError) -> ImportSummary {
    try RedoError.sorting {
      try importLog { reader, intake throws in
        try reader.read(path: path, into: &intake, effects)
      }
    }
  }

  /// Imports a log in memory into the history: all of it, or nothing.
  ///
  /// - Parameters:
  ///   - bytes: the content of a log file, in any of its forms.
  ///   - name: the name of the log in refusals.
  /// - Returns: what was imported; see ``importLog(from:)``.
  /// - Throws: `malformed` or `invalid` when it is not a log, `system`, `cancelled`; the store is unchanged then.
  @discardableResult
  public func importLog(
    bytes: [UInt8], name: String = "memory"
  ) throws(RedoError) -> ImportSummary {
    try RedoError.sorting {
      let file = try File.unnamed(in: store.path)
      try file.writeAll(bytes.span, at: 0)
      let summary = try importLog { reader, intake throws in
        try reader.read(file.raw, name, into: &intake, effects)
      }
      extendLifetime(file)
      return summary
    }
  }

  private func importLog(
    _ read: (inout ImportReader, inout LogIntake) throws -> Void
  ) throws -> ImportSummary {
    var options = NodeTransaction.Options(
      envelope: .strip, identity: .required, updatesHeads: true, message: "import")
    options.origin = .input
    var intake = LogIntake(
      transaction: try NodeTransaction(options, self, effects), effects: effects)
    var reader = ImportReader(
      .whole, old: nil, progress: RedoRepository.Progress(.importing, effects))
    try read(&reader, &intake)
    reader.progress.finish(reader.count)
    try effects.checkInterrupt()
    return try intake.finish()
  }
}

/// Takes the nodes of a log, and keeps the refused ones.
private struct LogIntake: ImportSink, ~Copyable {
  /// The transaction through which the nodes enter the store.
  var transaction: NodeTransaction
  /// Receives the events.
  let effects: Effects
  private var refusals: [Refusal] = []

  init(transaction: consuming NodeTransaction, effects: Effects) {
    self.transaction = transaction
    self.effects = effects
  }

  mutating func take(
    _ batch: RecordBatch, from source: RecordSources.Source
  ) throws -> [NodeTransaction.Refused] {
    let refused = try transaction.take(batch, from: source)
    var decoder = NodeDecoder(envelope: .strip, identity: .required)
    for row in refused {
      let node = decoder.decode(batch.bytes.span.extracting(row.record.range))
      for finding in row.findings.prefix(1) {
        note(
          Refusal(
            node: (decoder.statedID ?? node?.id).map { NodeID($0) }, source: source.input,
            offset: source.unit == .bytes ? row.record.offset : row.record.number,
            rule: finding.rule.id, detail: finding.detail))
      }
    }
    return refused
  }

  mutating func refuse(_ findings: [Finding], of subject: String, _ effects: Effects) {
    transaction.refuse(findings, of: subject, effects)
  }

  private mutating func note(_ refusal: Refusal) {
    if refusals.count < ImportSummary.refusalLimit { refusals.append(refusal) }
    effects.tell(.nodeRefused(refusal))
  }

  /// Commits the nodes, and moves the heads.
  mutating func finish() throws -> ImportSummary {
    guard let done = try transaction.finish(effects) else { return try refused() }
    for heads in transaction.change.heads { effects.tell(RepositoryEvent(heads)) }
    for row in transaction.held {
      let refused = RefusedNode(row)
      note(
        Refusal(
          node: NodeID(row.id), source: "", offset: nil, rule: refused.rule,
          detail: refused.detail))
    }
    return ImportSummary(
      new: done.new, known: done.known, upgraded: done.upgraded, healed: done.healed,
      refused: done.held, refusals: refusals)
  }

  /// The result when nothing was written; nodes without their parents are found only at the end.
  private mutating func refused() throws -> ImportSummary {
    for problem in try transaction.parentErrors() {
      let node = NodeID(problem.id)
      if problem.finding.rule == .parentMissing {
        effects.tell(.parentMissing(node, parent: NodeID(problem.finding.detail)))
      }
      note(
        Refusal(
          node: node, source: "", offset: nil, rule: problem.finding.rule.id,
          detail: problem.finding.detail))
    }
    return ImportSummary(
      new: 0, known: 0, upgraded: 0, healed: 0, refused: transaction.summary.refused,
      refusals: refusals)
  }
}

extension RepositoryEvent {
  /// Creates an event for heads that moved.
  init(_ heads: MovedHeads) {
    self = .headsMoved(
      ref: heads.name.text, before: heads.before.map { NodeID($0) },
      after: heads.after.map { NodeID($0) })
  }
}
