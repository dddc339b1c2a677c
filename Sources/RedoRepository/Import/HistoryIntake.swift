// What an import takes: nodes, receipts and schemas as lines of their own form, and databases of the app (HistoryIntake+App). All of it is
// judged before anything is written.

internal import RedoHistory
package import RedoObject
package import RedoStore

/// Takes the nodes, receipts and schemas of inputs, all or nothing.
package struct HistoryIntake: ~Copyable, ImportSink {
  /// What was done.
  package struct Summary {
    /// With the nodes; what was refused of any kind counts here.
    package var nodes: NodeTransaction.Summary
    /// With the receipts; `nil` when none came.
    package var receipts: GroupTransaction.Summary?
    /// With the schemas; `nil` when none came.
    package var schemas: GroupTransaction.Summary?
    /// With databases of the app, in the order in which they came.
    package var databases: [AppSummary] = []
    /// With their rows.
    package var rows: AppMerge?
  }

  /// The nodes.
  package var nodes: NodeTransaction
  let opened: Repository
  private let effects: Effects
  var receipts: Groups?
  private var schemas: Groups?
  /// The databases of the app.
  var databases: [AppIntake] = []
  /// Takes the bytes that they have.
  var pictures: NodeStage?

  /// What receipts, or schemas, need, made when the first one comes.
  struct Groups: ~Copyable {
    var intake: GroupIntake
    var transaction: GroupTransaction
    /// Where each of them stands.
    var names: [ObjectID: String] = [:]
    /// What local rows need to know of those that came from databases.
    var members: [ObjectID: AppNotes.Member] = [:]
    /// Receipts of devices whose card has not come yet.
    var waiting: [(name: String, incoming: IncomingObject)] = []
    var warnings = WarningTally()
  }

  /// An intake that has taken nothing.
  ///
  /// - Parameters:
  ///   - nodes: takes the nodes; its options are those of the others, too.
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
    var lines: [ObjectKind: [LineRecord]] = [:]
    for record in batch.records {
      let kind =
        record.state == .tooLong
        ? .node : ObjectLine.kind(of: batch.bytes.span.extracting(record.range))
      lines[kind, default: []].append(record)
    }
    let others = ObjectKind.grouped.filter { lines[$0] != nil }
    guard !others.isEmpty else { return try nodes.take(batch, from: source) }
    var refused = try nodes.take(
      RecordBatch(bytes: batch.bytes, records: lines[.node] ?? []), from: source)
    for kind in others {
      refused += try take(lines[kind] ?? [], of: kind, batch.bytes, from: source)
    }
    return refused.sorted { $0.record.number < $1.record.number }
  }

  private mutating func take(
    _ lines: [LineRecord], of kind: ObjectKind, _ bytes: [UInt8], from source: RecordSources.Source
  ) throws -> [NodeTransaction.Refused] {
    var refused: [NodeTransaction.Refused] = []
    var read: [(record: LineRecord, incoming: IncomingObject)] = []
    for record in lines {
      do throws(Finding) {
        read.append((record, try ObjectLine.read(Array(bytes[record.range]), as: kind)))
      } catch {
        refused.append(NodeTransaction.Refused(record: record, findings: [error]))
      }
    }
    var all = try (kind == .schema ? schemas.take() : receipts.take()) ?? begin(kind)
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
    if kind == .schema { schemas = .some(all) } else { receipts = .some(all) }
    return refused
  }

  func note(_ judged: JudgedObject, _ name: String, _ all: inout Groups) {
    all.warnings.note(judged.findings, profile) { name }
    if let id = judged.id { all.names[id] = all.names[id] ?? name }
  }

  func begin(_ kind: ObjectKind) throws -> Groups {
    let keys = try effects.keySources(opened)
    var options = GroupTransaction.Options(
      profile: profile, updatesHeads: true, message: nodes.options.message)
    options.writes = nodes.options.writes
    options.origin = nodes.options.origin
    options.tellsCollisions = !nodes.options.isQuiet
    return Groups(
      intake: GroupIntake(profile, verifies: true, keys),
      transaction: try GroupTransaction(of: kind, options, opened, keys))
  }

  package mutating func refuse(_ findings: [Finding], of subject: String, _ effects: Effects) {
    nodes.refuse(findings, of: subject, effects)
  }

  /// Writes what was taken, unless something was refused that must not be left out.
  ///
  /// - Returns: what was done; `nil` when nothing was written.
  /// - Throws: as `NodeTransaction.finish` and `GroupTransaction.commit`.
  package mutating func finish() throws -> Summary? {
    var schemas = schemas.take()
    let lostSchemas = try judge(&schemas, of: .schema)
    guard var all = receipts.take() else {
      guard try nodes.finish(effects) != nil else { return nil }
      report(&schemas)
      let schemas = try commit(&schemas, lostSchemas)
      return Summary(nodes: nodes.summary, receipts: nil, schemas: schemas)
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
    var receipts = Optional.some(all)
    let left = try judge(&receipts, of: .receipt)
    guard var all = receipts.take() else { return nil }
    let notes = notes(without: left, &all, effects)
    // What is refused of rows leaves nothing behind.
    var rows = try merge(notes, .never, effects)
    guard try nodes.finish(effects) != nil else { return nil }
    if !nodes.options.isQuiet {
      all.warnings.report(effects)
      sayLeft(notes, effects)
    }
    if nodes.options.writes, !databases.isEmpty {
      // What others have shared is noted before it is here, so that it never leaves; and bytes are here before they are named.
      if var pictures = pictures.take() { _ = try pictures.commit() }
      rows = try merge(notes, .beforeReceipts, effects)
    }
    receipts = .some(all)
    let done = try commit(&receipts, left)
    if nodes.options.writes, rows?.hasLateRows == true {
      _ = try merge(notes, .afterReceipts, effects)
    }
    report(&schemas)
    let doneSchemas = try commit(&schemas, lostSchemas)
    return Summary(
      nodes: nodes.summary, receipts: done, schemas: doneSchemas,
      databases: databases.map(\.summary), rows: databases.isEmpty ? nil : rows)
  }

  /// Judges how objects of a kind relate, and refuses what must not follow what it follows.
  ///
  /// - Returns: what is refused.
  private mutating func judge(
    _ groups: inout Groups?, of kind: ObjectKind
  ) throws -> Set<ObjectID> {
    guard var all = groups.take() else { return [] }
    var left: Set<ObjectID> = []
    for problem in try all.transaction.problems() {
      let name = all.names[problem.id] ?? kind.title(of: problem.id)
      guard problem.isError(profile) else {
        all.warnings.note([problem.finding], profile) { name }
        continue
      }
      if left.insert(problem.id).inserted {
        nodes.refuse([problem.finding], of: name, effects)
      }
    }
    groups = .some(all)
    return left
  }

  /// Reports warnings.
  private func report(_ groups: inout Groups?) {
    guard !nodes.options.isQuiet, let all = groups.take() else { return }
    all.warnings.report(effects)
    groups = .some(all)
  }

  /// Writes what is not refused.
  private mutating func commit(
    _ groups: inout Groups?, _ left: Set<ObjectID>
  ) throws -> GroupTransaction.Summary? {
    guard var all = groups.take() else { return nil }
    all.transaction.remove(left)
    let (held, full) = try all.transaction.keepUntrusted(effects)
    nodes.summary.refused += full.count
    var summary = try all.transaction.commit(effects)
    summary.held = held
    return summary
  }
}
