// The verdict on a stored snapshot, after it has been made again from the nodes.

package import RedoHistory
package import RedoObject
internal import RedoStore

/// Whether a snapshot can be believed.
package enum SnapshotVerdict: String {
  /// It agrees with replay.
  case good
  /// It is intact, but differs from replay.
  case wrong
  /// Its nodes are not all in the history, or it was made by other rules: it is not used.
  case stale
  case corrupt

  /// Makes a snapshot again, and compares.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - shelf: where it is kept.
  ///   - log: the history.
  ///   - effects: says whether the work is cancelled.
  /// - Throws: `Interruption`.
  package init<Log: HistoryLog & Sendable>(
    of name: ObjectID, _ shelf: SnapshotShelf, _ log: Log, _ effects: Effects
  ) throws {
    guard let snapshot = shelf.snapshot(name), snapshot.check(withLines: true) else {
      let layout = shelf.memory(name).flatMap { StateSnapshot.layout(of: $0) }
      self = layout.map { $0 != StateSnapshot.layoutVersion } == true ? .stale : .corrupt
      return
    }
    guard SnapshotShelf.isSound(snapshot) else {
      self = .wrong
      return
    }
    guard snapshot.rules == StateSnapshot.rulesVersion,
      snapshot.heads.allSatisfy({ log.position(of: $0) != nil })
    else {
      self = .stale
      return
    }
    guard let members = snapshot.members(in: log, Cut(whole: log)) else {
      self = .wrong
      return
    }
    let cut = Cut(of: log, members: members)
    let bytes = try SnapshotMaker.bytes(log, cut, nil, effects)
    self = snapshot.isSame(as: bytes) ? .good : .wrong
  }
}
