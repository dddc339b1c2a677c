// Taking back what was written last: a reflog entry says whether its nodes were written here, and the received log which
// nodes these are.

internal import CanonicalJSON
internal import RedoHistory
package import RedoObject
internal import RedoStore

/// The last transactions that were written in this store, which are to be taken back together.
package struct Undo {
  /// How many.
  package let count: Int
  /// How it is recorded.
  package let recording: CommitWriter.Options

  /// Creates a value with these members.
  package init(count: Int, recording: CommitWriter.Options) {
    (self.count, self.recording) = (count, recording)
  }

  /// The result.
  package struct Outcome {
    /// The transactions, newest first.
    package let undone: [Transaction]
    /// Whether there is a transaction before these.
    package let hasMore: Bool
    /// How many objects of other kinds were written here since the oldest of these; they stay.
    package let others: [ObjectKind: Int]
    /// What taking them back does.
    package let reversal: Reversal.Outcome
  }

  /// A transaction that was written here.
  package struct Transaction {
    /// The number of its entry in the reflog.
    package let entry: Int
    /// The message of the entry.
    package let message: String
    /// The nodes that are in the history.
    package let ids: [ObjectID]
  }
}

extension Repository {
  /// Takes back the last transactions that were written here, by new changes.
  ///
  /// - Throws: `CommitFault.notWrittenHere` when there are not as many; the error when the store cannot be read, or nodes
  ///   cannot be recorded.
  package func undo(_ undo: Undo, _ effects: Effects) throws -> Undo.Outcome {
    let written = WrittenTransactions(self, device: try ownDevice())
    let found = try written.last(undo.count + 1)
    let undone = Array(found.transactions.prefix(undo.count))
    guard undone.count == undo.count else {
      throw CommitFault.notWrittenHere(asked: undo.count, found: undone.count)
    }
    var recording = undo.recording
    let entries = undone.map { "\($0.entry)" }.joined(separator: ", ")
    recording.message =
      recording.message
      ?? (undone.count == 1
        ? "undo \(undone[0].entry): \(undone[0].message)" : "undo \(entries)")
    let ids = Set(undone.flatMap(\.ids))
    let reversal = Reversal(.several(ids), isForced: false, recording: recording)
    return Undo.Outcome(
      undone: undone, hasMore: found.transactions.count > undo.count,
      others: undone.last.map { last in
        found.others.filter { $0.entry > last.entry }
          .reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
      } ?? [:],
      reversal: try revert(reversal, effects))
  }

  /// The id of this device, as RFC 8785 writes it; `nil` where there is none yet.
  private func ownDevice() throws -> [UInt8]? {
    try DeviceID.find(self, try keyring(), makes: false).map { text in
      var escaped: [UInt8] = []
      StringEscape.append(Array(text.utf8).span, to: &escaped)
      return escaped
    }
  }
}

/// Finds what was written in this store, newest first.
private struct WrittenTransactions {
  /// An entry of the reflog that may have brought nodes.
  private struct Candidate {
    let entry: Int
    let milliseconds: Int64
    /// The message, if the nodes were written here.
    let message: String?
  }

  /// The fewest candidates for which the received log is read once more.
  private static let batchCount = 1_024

  private let opened: Repository
  /// The id of this device, as RFC 8785 writes it.
  private let device: [UInt8]?

  init(_ opened: Repository, device: [UInt8]?) {
    self.opened = opened
    self.device = device
  }

  /// The last transactions, as many as there are, and the entries of other objects that were written since the oldest of
  /// them, one for each receipt.
  func last(_ count: Int) throws -> (
    transactions: [Undo.Transaction], others: [(entry: Int, kind: ObjectKind)]
  ) {
    guard device != nil else { return ([], []) }
    var candidates: [Candidate] = []
    var before = 0
    _ = try opened.store.refs.forEachEntry { entry throws(RefsError) in
      if entry.isWritten || entry.receivedBytes != before {
        candidates.append(
          Candidate(
            entry: entry.number, milliseconds: entry.milliseconds,
            message: entry.isWritten ? entry.message : nil))
      }
      before = entry.receivedBytes
      return true
    }
    let history = try HistoryLookUp(opened, .v1)
    var found: [Undo.Transaction] = []
    var others: [(entry: Int, kind: ObjectKind)] = []
    while found.count < count, let last = candidates.last {
      var batch: [Candidate] = []
      var time = last.milliseconds
      while let next = candidates.last,
        batch.count < max(count, Self.batchCount) || next.milliseconds == time
      {
        batch.append(candidates.removeLast())
        time = next.milliseconds
      }
      let accepted = try accepted(batch)
      for candidate in batch where found.count < count {
        guard let message = candidate.message else { continue }
        let own = try own(accepted[candidate.entry] ?? [], history)
        others += own.others.map { (candidate.entry, $0) }
        let ids = own.nodes
        guard !ids.isEmpty else { continue }
        found.append(Undo.Transaction(entry: candidate.entry, message: message, ids: ids))
      }
    }
    return (found, others)
  }

  /// What each of some entries brought, as far as it has not been wiped.
  ///
  /// The received log gives what an entry brought the time of the entry. Its length does not tell: a wipe shortens it.
  ///
  /// - Parameter batch: entries, newest first.
  /// - Returns: the nodes of each, by its number.
  /// - Throws: the error when the received log cannot be read.
  private func accepted(_ batch: [Candidate]) throws -> [Int: [ObjectID]] {
    var entries: [Int64: [Candidate]] = [:]
    for candidate in batch.reversed() {
      entries[candidate.milliseconds, default: []].append(candidate)
    }
    var frames: [Int64: [[ObjectID]]] = [:]
    try opened.store.received.forEachFrame(to: try opened.snapshot().receivedBytes) { ids, note in
      if case .received(let time) = note, entries[time] != nil, !ids.isEmpty {
        frames[time, default: []].append(ids)
      }
      return true
    }
    var accepted: [Int: [ObjectID]] = [:]
    for (time, entries) in entries {
      let frames = frames[time] ?? []
      if frames.count == entries.count {
        for (entry, ids) in zip(entries, frames) { accepted[entry.entry] = ids }
      } else if let last = entries.last(where: { $0.message != nil }) {
        // More frames than entries for very many nodes; fewer after a wipe, and then the last entry of a millisecond
        // stands for all of it.
        accepted[last.entry] = Array(frames.joined())
      }
    }
    return accepted
  }

  /// Those of some nodes that were made on this device and are in the history: heads may have been moved back since; and
  /// the kinds of the others.
  private func own(
    _ ids: [ObjectID], _ history: HistoryLookUp
  ) throws -> (nodes: [ObjectID], others: [ObjectKind]) {
    var reader = NodeReader()
    var others: [ObjectKind] = []
    let nodes = try ids.filter { id throws in
      guard try opened.contains(id) else { return false }
      let object = try HistoryWalk.object(id, opened.objects, of: nil, &reader)
      if ObjectKind.grouped.contains(object.kind) { others.append(object.kind) }
      guard object.kind == .node, let node = reader.decode(object),
        node.escapedText(.deviceID).map({ Array($0) }) == device
      else { return false }
      return try history.isInHistory(id, of: node.taskID)
    }
    return (nodes, others)
  }
}
