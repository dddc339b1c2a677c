// Whether the history, as it is now, continues checkpoints that were made of it: their signatures,
// their log, the entries that they count, the changes of the refs, the refs themselves.

internal import RedoCrypto
package import RedoObject
package import RedoStore

/// Measures a history by checkpoints.
package struct CheckpointAudit {
  private let opened: Repository
  private let shelf: CheckpointShelf
  /// The name of the store.
  private let store: StoreID?
  /// Whose signature counts.
  private let trust: CheckpointTrust
  /// The refs as they stand.
  package private(set) var present: RefsStatement
  /// The entries as they stand.
  package private(set) var roots = ReceivedTree.Roots()
  private var statements: [Int: RefsStatement] = [:]
  /// The changes of the refs by which nodes were wiped, and when.
  private var wipes: [(entry: Int, milliseconds: Int64)]?

  /// - Parameters:
  ///   - opened: the store.
  ///   - snapshot: its refs.
  ///   - trust: whose signature counts.
  /// - Throws: `fatal` when the refs cannot be read.
  package init(
    _ opened: Repository, _ snapshot: inout RefsSnapshot, _ trust: CheckpointTrust
  ) throws {
    self.opened = opened
    self.trust = trust
    shelf = CheckpointShelf(opened)
    store = try opened.storeID()
    present = try snapshot.statement()
  }

  /// Judges checkpoints.
  ///
  /// - Parameters:
  ///   - chain: those of the store, the last one first.
  ///   - files: those outside of it.
  ///   - snapshot: the refs.
  ///   - effects: tells of signals.
  /// - Returns: a row for each, in this order.
  /// - Throws: `fatal` when the history cannot be read.
  package mutating func rows(
    _ chain: [FoundCheckpoint], _ files: [FoundCheckpoint], _ snapshot: borrowing RefsSnapshot,
    _ effects: Effects
  ) throws -> [CheckpointRow] {
    var own: [ObjectID: Checkpoint] = [:]
    for case let signed? in (chain + files).map(\.signed) where signed.checkpoint.store == store {
      own[signed.id] = signed.checkpoint
    }
    roots = try ReceivedTree(opened, snapshot).roots(at: Set(own.values.map(\.size)), effects)
    let entries = Set(own.values.map(\.entry)).filter { $0 < present.entry }
    statements = entries.isEmpty ? [:] : try opened.store.refs.statements(at: entries)
    statements[present.entry] = present

    var rows: [CheckpointRow] = []
    // By what was signed: others may have put their signatures below a note since.
    var past: [Checkpoint] = []
    // What the newest one says of those before it counts as long as it holds itself.
    var isVouched = true
    for (index, found) in chain.enumerated() {
      let next = index + 1 < chain.count ? chain[index + 1] : nil
      // One that is named by one that counts needs no signer who still does: keys come and go.
      let isNamed = isVouched && index > 0 && !trust.isPinned
      var verdict = try judge(found, own, needsTrust: !isNamed)
      if case .broken(.checkpointDiverged, _) = verdict, isVouched, index > 0,
        let signed = found.signed, signed.checkpoint.store != store
      {
        verdict = .past
      }
      if case .holds = verdict, let fault = fault(of: next, before: found) { verdict = fault }
      if case .broken = verdict { isVouched = false }
      if case .past = verdict, let signed = found.signed { past.append(signed.checkpoint) }
      rows.append(CheckpointRow(found: found, verdict: verdict))
    }
    for found in files {
      var verdict = try judge(found, own)
      if let signed = found.signed, past.contains(signed.checkpoint),
        trust.refusal(of: signed) == nil
      {
        verdict = .past
      }
      rows.append(CheckpointRow(found: found, verdict: verdict))
    }
    return rows
  }

  private mutating func judge(
    _ found: FoundCheckpoint, _ own: [ObjectID: Checkpoint], needsTrust: Bool = true
  ) throws -> CheckpointRow.Verdict {
    let signed: SignedCheckpoint
    switch found.result {
    case .success(let checkpoint): signed = checkpoint
    case .failure(let fault): return .broken(fault.rule, fault.detail)
    }
    if needsTrust, let refusal = trust.refusal(of: signed) {
      return .broken(refusal.rule, refusal.detail)
    }
    let checkpoint = signed.checkpoint
    guard checkpoint.store == store else {
      let here = store.map { "is redo/\($0.text)" } ?? "has no name yet"
      return .broken(
        .checkpointDiverged, "it is of the log \(checkpoint.origin), and the one here \(here)")
    }
    if let difference = difference(from: checkpoint, own) {
      let wipe = try wipe(after: checkpoint.entry)
      return .broken(.checkpointDiverged, wipe.map { "\(difference); \($0)" } ?? difference)
    }
    return .holds
  }

  /// What is another than a checkpoint says.
  private func difference(from checkpoint: Checkpoint, _ own: [ObjectID: Checkpoint]) -> String? {
    guard checkpoint.size <= roots.count else {
      let gone = checkpoint.size - roots.count
      return "of \(checkpoint.size) entries \(roots.count) are left, \(gone) are missing"
    }
    if roots.first[checkpoint.size] != checkpoint.root {
      return "its \(checkpoint.size) entries are not the first \(checkpoint.size) of the history: "
        + firstDifference(checkpoint, own)
    }
    guard let statement = statements[checkpoint.entry] else {
      return "change \(checkpoint.entry) of the refs is missing: the last one is \(present.entry)"
    }
    if statement.chain != checkpoint.chain {
      return "the first \(checkpoint.entry) changes of the refs are others"
    }
    if statement.digest != checkpoint.refsDigest || statement.count != checkpoint.refCount {
      return "the refs after change \(checkpoint.entry) were others"
    }
    return nil
  }

  /// Between which entries the first other one is, as far as the checkpoints at hand tell that came
  /// before it.
  private func firstDifference(
    _ checkpoint: Checkpoint, _ own: [ObjectID: Checkpoint]
  ) -> String {
    var same = 0
    var other = checkpoint.size
    var next = checkpoint.previous.flatMap { own[$0] }
    while let known = next {
      next = known.previous.flatMap { own[$0] }
      if roots.first[known.size] != known.root {
        other = min(other, known.size)
      } else if known.size < other {
        same = max(same, known.size)
      }
    }
    // What contradicts itself tells nothing of a place.
    if same >= other { same = 0 }
    return same + 1 == other
      ? "entry \(other) is another"
      : "the first other one is among \(same + 1) to \(other)"
  }

  /// What is wrong with the one before a checkpoint that holds.
  private func fault(
    of previous: FoundCheckpoint?, before found: FoundCheckpoint
  ) -> CheckpointRow.Verdict? {
    guard let checkpoint = found.signed?.checkpoint, let previous else { return nil }
    guard let before = previous.signed?.checkpoint else {
      // The row of that one says why.
      return nil
    }
    guard before.store == checkpoint.store else { return nil }
    guard before.size <= checkpoint.size, before.entry <= checkpoint.entry else {
      return .broken(
        .checkpointDiverged,
        "the one before, \(previous.name), has \(before.size) entries and \(before.entry) changes")
    }
    return nil
  }

  /// The first wipe after a change of the refs.
  private mutating func wipe(after entry: Int) throws -> String? {
    if wipes == nil {
      var found: [(entry: Int, milliseconds: Int64)] = []
      _ = try opened.store.refs.forEachEntry { (entry) throws(RefsError) in
        if entry.message.hasPrefix("wipe --") { found.append((entry.number, entry.milliseconds)) }
        return true
      }
      wipes = found
    }
    guard let wipe = wipes?.first(where: { $0.entry > entry }) else { return nil }
    let time = DateStyle.iso.text(wipe.milliseconds, now: 0)
    return "change \(wipe.entry) of the refs says that it is a wipe, of \(time)"
  }
}

extension CheckpointAudit {
  /// What is wrong with the checkpoints of a store, as an audit of the store reports it: those that
  /// it keeps, and the one that is remembered outside of it.
  ///
  /// - Parameters:
  ///   - opened: the store, whose refs and received log are whole.
  ///   - list: what the trust file says, if there is one.
  ///   - effects: the settings, and where warnings go.
  /// - Returns: the findings; none when the history continues all of them.
  /// - Throws: `signal`. That it could not be found out is a finding.
  package static func findings(
    _ opened: Repository, _ list: TrustList?, _ effects: Effects
  ) throws -> [StoreFinding] {
    do {
      return try all(opened, CheckpointTrust(list), effects).compactMap(\.finding)
    } catch {
      let error = CommandError(error)
      if case .signal = error.kind { throw error }
      return [StoreFinding(.checkpointForm, detail: "they cannot be measured: \(error.message)")]
    }
  }

  /// The rows of all checkpoints: those that the store keeps, and the one that is remembered outside
  /// of it.
  package static func all(
    _ opened: Repository, _ trust: CheckpointTrust, _ effects: Effects
  ) throws -> [CheckpointRow] {
    var snapshot = try opened.snapshot()
    let chain = try CheckpointShelf(opened).chain(&snapshot)
    var files: [FoundCheckpoint] = []
    if let file = try RememberedFile.find(opened, try opened.storeID(), effects) {
      if let found = try file.read(effects) {
        files.append(found)
      } else if !chain.isEmpty {
        let fault = FoundCheckpoint.Fault(rule: .checkpointForm, detail: "the file is not there")
        files.append(FoundCheckpoint(id: nil, path: file.path, result: .failure(fault)))
      }
    }
    guard !chain.isEmpty || !files.isEmpty else { return [] }
    var audit = try CheckpointAudit(opened, &snapshot, trust)
    return try audit.rows(chain, files, snapshot, effects)
  }
}
