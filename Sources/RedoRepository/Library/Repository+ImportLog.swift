// Logs that come into a store: all of one, or nothing of it.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// What an import has done.
public struct ImportSummary: Hashable, Sendable {
  /// The most refusals that are kept, so that a hostile log takes no memory.
  public static let refusalLimit = 1_000

  /// Nodes that are new in the history.
  public let new: Int
  /// Nodes that were there before, or twice in the log.
  public let known: Int
  /// Nodes whose signature was replaced by a better one.
  public let upgraded: Int
  /// Nodes whose bytes in the store were corrupt, and are good again.
  public let healed: Int
  /// How many nodes break a rule; if there is one, nothing at all was written.
  public let refused: Int
  /// The first of them; at most ``refusalLimit``.
  public let refusals: [Refusal]

  /// Whether the log is in the store.
  public var isTaken: Bool { refused == 0 }
}

extension Repository {
  /// Takes a log into the history: all of it, or nothing.
  ///
  /// Every node is decoded, hashed and verified, and its parents have to be here or in the log. A node that breaks a rule
  /// is told of as an event, and is in the answer, which is not an error.
  ///
  /// - Parameter path: a file of nodes as JSON lines, one JSON array of them, or an archive of `redo archive`, each also
  ///   compressed with gzip; or a directory of such files.
  /// - Returns: what was done.
  /// - Throws: `missing` or `system` when it cannot be read, `malformed` or `invalid` when it is no log, `cancelled`;
  ///   the store is as it was before.
  @discardableResult
  public func importLog(from path: String) throws(RedoError) -> ImportSummary {
    try RedoError.sorting {
      try importLog { reader, intake throws in
        try reader.read(path: path, into: &intake, effects)
      }
    }
  }

  /// Takes a log in memory into the history: all of it, or nothing.
  ///
  /// - Parameters:
  ///   - bytes: what a file of a log has in it; an archive has to be a file.
  ///   - name: what refusals call it.
  /// - Returns: what was done; see ``importLog(from:)``.
  /// - Throws: `malformed` or `invalid` when it is no log, `system`, `cancelled`; the store is as it was before.
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
    var intake = LogIntake(
      transaction: try NodeTransaction(
        NodeTransaction.Options(
          envelope: .strip, identity: .required, updatesHeads: true, message: "import"),
        self, effects),
      effects: effects)
    var reader = ImportReader(
      salvages: false, old: nil, progress: RedoRepository.Progress(.importing, effects))
    try read(&reader, &intake)
    reader.progress.finish(reader.count)
    try effects.checkInterrupt()
    return try intake.finish()
  }
}

/// Takes the nodes of a log, and keeps what is refused of them.
private struct LogIntake: ImportSink, ~Copyable {
  /// What the nodes enter the store by.
  var transaction: NodeTransaction
  /// Who is told.
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

  /// Names what was taken, and moves the heads.
  mutating func finish() throws -> ImportSummary {
    guard let done = try transaction.finish(effects) else { return try refused() }
    for heads in transaction.change.heads { effects.tell(RepositoryEvent(heads)) }
    return ImportSummary(
      new: done.new, known: done.known, upgraded: done.upgraded, healed: done.healed, refused: 0,
      refusals: [])
  }

  /// What is said where nothing was written; nodes without their parents are found only at the end.
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
  /// Heads that moved.
  init(_ heads: MovedHeads) {
    self = .headsMoved(
      ref: heads.name.text, before: heads.before.map { NodeID($0) },
      after: heads.after.map { NodeID($0) })
  }
}
