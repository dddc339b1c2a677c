// What an import takes: nodes, receipts as lines of their own form, and databases of the app (HistoryIntake+App). All of it is
// judged before anything is written.

internal import RedoHistory
package import RedoObject
package import RedoStore

/// Takes the nodes and receipts of inputs, all or nothing.
package struct HistoryIntake: ~Copyable, ImportSink {
  /// What was done.
  package struct Summary {
    /// With the nodes; what was refused of either kind counts here.
    package var nodes: NodeTransaction.Summary
    /// With the receipts; `nil` when none came.
    package var receipts: ReceiptTransaction.Summary?
    /// With databases of the app, in the order in which they came.
    package var databases: [AppSummary] = []
    /// With their rows.
    package var rows: AppMerge?
  }

  /// The nodes.
  package var nodes: NodeTransaction
  let opened: Repository
  private let effects: Effects
  var receipts: Receipts?
  /// The databases of the app.
  var databases: [AppIntake] = []
  /// Takes the bytes that they have.
  var pictures: NodeStage?

  /// What receipts need, made when the first one comes.
  struct Receipts: ~Copyable {
    var intake: ReceiptIntake
    var transaction: ReceiptTransaction
    /// Where each of them stands.
    var names: [ObjectID: String] = [:]
    /// What local rows need to know of those that came from databases.
    var members: [ObjectID: AppNotes.Member] = [:]
    /// Receipts of devices whose card has not come yet.
    var waiting: [(name: String, incoming: IncomingReceipt)] = []
    var warnings = WarningTally()
  }

  /// An intake that has taken nothing.
  ///
  /// - Parameters:
  ///   - nodes: takes the nodes; its options are those of receipts, too.
  ///   - opened: the store.
  ///   - effects: the surroundings.
  package init(_ nodes: consuming NodeTransaction, _ opened: Repository, _ effects: Effects) {
    self.nodes = nodes
    self.opened = opened
    self.effects = effects
  }

  var profile: Profile { nodes.options.profile }

  package mutating func take(
    _ batch: RecordBatch, from source: RecordSources.Source
  ) throws -> [NodeTransaction.Refused] {
    let lines = batch.records.filter { record in
      record.state != .tooLong && ReceiptLine.isOne(batch.bytes.span.extracting(record.range))
    }
    guard !lines.isEmpty else { return try nodes.take(batch, from: source) }
    let offsets = Set(lines.map(\.range.lowerBound))
    let rest = batch.records.filter { !offsets.contains($0.range.lowerBound) }
    var refused = try nodes.take(
      RecordBatch(bytes: batch.bytes, records: rest), from: source)
    refused += try take(lines, batch.bytes, from: source)
    return refused.sorted { $0.record.number < $1.record.number }
  }

  private mutating func take(
    _ lines: [LineRecord], _ bytes: [UInt8], from source: RecordSources.Source
  ) throws -> [NodeTransaction.Refused] {
    var refused: [NodeTransaction.Refused] = []
    var read: [(record: LineRecord, incoming: IncomingReceipt)] = []
    for record in lines {
      do throws(Finding) {
        read.append((record, try ReceiptLine.read(Array(bytes[record.range]))))
      } catch {
        refused.append(NodeTransaction.Refused(record: record, findings: [error]))
      }
    }
    var all = try receipts.take() ?? begin()
    let judged = try all.intake.judge(read.map(\.incoming))
    for (row, judged) in zip(read, judged) {
      let errors = judged.errors(profile)
      if judged.isRefused, errors.allSatisfy({ $0.rule == .keyUnknown }) {
        all.waiting.append((source.name(row.record), row.incoming))
      } else if judged.isRefused {
        refused.append(NodeTransaction.Refused(record: row.record, findings: errors))
      } else {
        note(judged, source.name(row.record), &all)
      }
    }
    try all.transaction.add(judged)
    receipts = .some(all)
    return refused
  }

  func note(_ judged: JudgedReceipt, _ name: String, _ all: inout Receipts) {
    all.warnings.note(judged.findings, profile) { name }
    if let id = judged.id { all.names[id] = all.names[id] ?? name }
  }

  func begin() throws -> Receipts {
    let keys = try effects.keySources(opened)
    var options = ReceiptTransaction.Options(
      profile: profile, updatesHeads: true, message: nodes.options.message)
    options.writes = nodes.options.writes
    return Receipts(
      intake: ReceiptIntake(profile, verifies: true, keys),
      transaction: try ReceiptTransaction(options, opened, keys))
  }

  package mutating func refuse(_ findings: [Finding], of subject: String, _ effects: Effects) {
    nodes.refuse(findings, of: subject, effects)
  }

  /// Writes what was taken, unless something was refused that must not be left out.
  ///
  /// - Returns: what was done; `nil` when nothing was written.
  /// - Throws: as `NodeTransaction.finish` and `ReceiptTransaction.commit`.
  package mutating func finish() throws -> Summary? {
    guard var all = receipts.take() else {
      return try nodes.finish(effects).map { Summary(nodes: $0, receipts: nil) }
    }
    // All cards are known now.
    let late = try all.intake.judge(all.waiting.map(\.incoming))
    for (row, judged) in zip(all.waiting, late) {
      if judged.isRefused {
        nodes.refuse(judged.errors(profile), of: row.name, effects)
      } else {
        note(judged, row.name, &all)
      }
    }
    try all.transaction.add(late)
    var left: Set<ObjectID> = []
    for problem in try all.transaction.problems() {
      let name = all.names[problem.id] ?? problem.id.cidText(as: .receipt)
      all.warnings.note([problem.finding], profile) { name }
      guard profile.severity(of: problem.finding) == .error else { continue }
      if left.insert(problem.id).inserted {
        nodes.refuse([problem.finding], of: name, effects)
      }
    }
    let notes = notes(without: left, &all, effects)
    // What is refused of rows leaves nothing behind.
    var rows = try merge(notes, .never, effects)
    guard let summary = try nodes.finish(effects) else { return nil }
    if !nodes.options.isQuiet {
      all.warnings.report(effects)
      sayLeft(notes, effects)
    }
    all.transaction.remove(left)
    if nodes.options.writes, !databases.isEmpty {
      // What others have shared is noted before it is here, so that it never leaves; and bytes are here before they are named.
      if var pictures = pictures.take() { _ = try pictures.commit() }
      rows = try merge(notes, .beforeReceipts, effects)
    }
    let receipts = try all.transaction.commit(effects)
    if nodes.options.writes, rows?.hasLateRows == true {
      _ = try merge(notes, .afterReceipts, effects)
    }
    return Summary(
      nodes: summary, receipts: receipts, databases: databases.map(\.summary),
      rows: databases.isEmpty ? nil : rows)
  }
}
