// Whether the present history continues checkpoints that were made of it: their signatures, their log, the entries that
// they count, the changes of the refs, the refs themselves.

internal import RedoCrypto
internal import RedoObject
package import RedoStore

/// Compares a history with checkpoints.
package struct CheckpointAudit {
  private let opened: Repository
  private let shelf: CheckpointShelf
  /// The name of the store.
  private let store: StoreID?
  /// Whose signatures count.
  private let trust: CheckpointTrust
  /// The refs as they are.
  package private(set) var present: RefsStatement
  /// The entries as they are.
  package private(set) var roots = ReceivedTree.Roots()
  private var statements: [Int: RefsStatement] = [:]
  /// The changes of the refs that wiped nodes, and when.
  private var wipes: [CheckpointFlaw.Wipe]?

  /// - Parameters:
  ///   - opened: the store.
  ///   - snapshot: its refs.
  ///   - trust: whose signatures count.
  /// - Throws: `RefsError` when the refs cannot be read.
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
  ///   - files: those outside the store.
  ///   - snapshot: the refs.
  ///   - effects: says whether the work is cancelled.
  /// - Returns: a row for each, in this order.
  /// - Throws: `RefsError` or `StoreError` when the history cannot be read.
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
    // Checkpoints are compared by what was signed: others may have added their signatures to a note since.
    var past: [Checkpoint] = []
    // What the newest one says about those before it counts as long as it holds itself.
    var isVouched = true
    for (index, found) in chain.enumerated() {
      let next = index + 1 < chain.count ? chain[index + 1] : nil
      // A checkpoint named by one that counts does not need a signer who is still trusted: keys come and go.
      let isNamed = isVouched && index > 0 && !trust.isPinned
      var verdict = try judge(found, own, needsTrust: !isNamed)
      if case .broken(let flaw) = verdict, flaw.rule == .checkpointDiverged, isVouched, index > 0,
        let signed = found.signed, signed.checkpoint.store != store
      {
        verdict = .past
      }
      if case .holds = verdict, let flaw = flaw(of: next, before: found) { verdict = .broken(flaw) }
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
    case .failure(let flaw): return .broken(flaw)
    }
    if needsTrust, let refusal = trust.refusal(of: signed) { return .broken(refusal) }
    let checkpoint = signed.checkpoint
    guard checkpoint.store == store else {
      return .broken(.otherLog(origin: checkpoint.origin, here: store))
    }
    if let difference = difference(from: checkpoint, own) {
      return .broken(.diverged(difference, wipe: try wipe(after: checkpoint.entry)))
    }
    return .holds
  }

  /// How the history differs from a checkpoint.
  private func difference(
    from checkpoint: Checkpoint, _ own: [ObjectID: Checkpoint]
  ) -> CheckpointFlaw.Difference? {
    guard checkpoint.size <= roots.count else {
      return .entriesMissing(counted: checkpoint.size, left: roots.count)
    }
    if roots.first[checkpoint.size] != checkpoint.root {
      let (first, last) = firstDifference(checkpoint, own)
      return .otherEntries(counted: checkpoint.size, firstOther: first, lastOther: last)
    }
    guard let statement = statements[checkpoint.entry] else {
      return .refChangeMissing(entry: checkpoint.entry, last: present.entry)
    }
    if statement.chain != checkpoint.chain { return .otherRefChanges(entry: checkpoint.entry) }
    if statement.digest != checkpoint.refsDigest || statement.count != checkpoint.refCount {
      return .otherRefs(entry: checkpoint.entry)
    }
    return nil
  }

  /// The range of entries that holds the first different one, as far as earlier checkpoints at hand can tell.
  private func firstDifference(
    _ checkpoint: Checkpoint, _ own: [ObjectID: Checkpoint]
  ) -> (first: Int, last: Int) {
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
    // A checkpoint that contradicts itself says nothing about a place.
    if same >= other { same = 0 }
    return (same + 1, other)
  }

  /// What is wrong with the predecessor of a checkpoint that holds.
  private func flaw(
    of previous: FoundCheckpoint?, before found: FoundCheckpoint
  ) -> CheckpointFlaw? {
    guard let checkpoint = found.signed?.checkpoint, let previous else { return nil }
    guard let before = previous.signed?.checkpoint else {
      // The row of the predecessor says why.
      return nil
    }
    guard before.store == checkpoint.store else { return nil }
    guard before.size <= checkpoint.size, before.entry <= checkpoint.entry else {
      return .shrunk(before: previous.name, size: before.size, entry: before.entry)
    }
    return nil
  }

  /// The first wipe after a change of the refs.
  private mutating func wipe(after entry: Int) throws -> CheckpointFlaw.Wipe? {
    if wipes == nil {
      var found: [CheckpointFlaw.Wipe] = []
      _ = try opened.store.refs.forEachEntry { (entry) throws(RefsError) in
        if entry.message.hasPrefix("wipe --") {
          found.append(CheckpointFlaw.Wipe(entry: entry.number, milliseconds: entry.milliseconds))
        }
        return true
      }
      wipes = found
    }
    return wipes?.first { $0.entry > entry }
  }
}

extension CheckpointAudit {
  /// What is wrong with the checkpoints of a store, for an audit of the whole store.
  ///
  /// - Parameters:
  ///   - opened: the store, whose refs and received log are intact.
  ///   - list: what the trust file says, if there is one.
  ///   - effects: the settings, and where warnings go.
  /// - Returns: the findings; none when the history continues all of them.
  /// - Throws: `Interruption`. A check that could not be done is a finding.
  static func findings(
    _ opened: Repository, _ list: TrustList?, _ effects: Effects
  ) throws -> [StoreFinding] {
    do {
      return try all(opened, CheckpointTrust(list), effects).compactMap { $0.finding(effects) }
    } catch {
      if RedoError(error).code == .cancelled { throw error }
      let detail = "they cannot be measured: \(effects.describe(error))"
      return [StoreFinding(.checkpointForm, detail: detail)]
    }
  }

  /// The rows of all checkpoints: those in the store, and the one that is remembered outside it.
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
        files.append(FoundCheckpoint(id: nil, path: file.path, result: .failure(.fileAbsent)))
      }
    }
    guard !chain.isEmpty || !files.isEmpty else { return [] }
    var audit = try CheckpointAudit(opened, &snapshot, trust)
    return try audit.rows(chain, files, snapshot, effects)
  }
}

extension CheckpointRow {
  /// What an audit of the store reports about it; `nil` when nothing is wrong.
  fileprivate func finding(_ effects: Effects) -> StoreFinding? {
    guard case .broken(let flaw) = verdict else { return nil }
    let repair =
      flaw.rule == .checkpointDiverged
      ? "put the newest copy of the store back; if a wipe or an older copy is wanted, "
        + "'redo checkpoint create --new-log'"
      : "'redo verify --repair-from' a copy of the store that has it"
    let detail = effects.describe(flaw)
    return StoreFinding(
      flaw.rule, id: found.id, detail: found.path.map { "\(detail) (\($0))" } ?? detail,
      repair: repair)
  }
}
