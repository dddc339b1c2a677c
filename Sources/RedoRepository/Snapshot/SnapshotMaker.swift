// The bytes of a snapshot: replayed, or copied from an older one.

package import RedoHistory
internal import RedoObject
internal import RedoStore

/// Makes the bytes of snapshots.
package enum SnapshotMaker {
  /// The snapshot of a closed set of nodes.
  ///
  /// - Parameters:
  ///   - log: a log without broken nodes.
  ///   - cut: the set.
  ///   - basis: the usable part of another snapshot.
  ///   - effects: says whether the work is cancelled.
  /// - Returns: its bytes, which are the same with and without another snapshot.
  /// - Throws: `Interruption`; `falseIndex`.
  package static func bytes<Log: HistoryLog & Sendable>(
    _ log: Log, _ cut: Cut, _ basis: SnapshotBasis?, _ effects: Effects
  ) throws -> [UInt8] {
    var builder = SnapshotBuilder(heads: cut.heads(in: log), nodeCount: cut.count)
    let nodes = TaskNodes(log, cut, only: basis?.replayed)
    let run = ReplayRun(log, cut, nodes)
    let tasks = basis?.replayed ?? nodes.tasks
    // An index that somebody else wrote may name a task twice.
    guard zip(tasks, tasks.dropFirst()).allSatisfy({ log.taskID($0) < log.taskID($1) }) else {
      throw HistoryFault.falseIndex
    }
    var next = 0
    func keep(_ builder: inout SnapshotBuilder) {
      guard let basis else { return }
      for row in basis.kept[next] {
        builder.add(row, of: basis.snapshot) { id in
          log.position(of: id).map { cut.place(of: $0) } ?? 0
        }
      }
      next += 1
    }
    try run.replayEach(tasks) { state in
      var line: [UInt8] = []
      line.reserveCapacity(512)
      state.appendJSON(to: &line)
      return line
    } body: { task throws in
      try effects.checkInterrupt()
      keep(&builder)
      builder.add(
        log.taskID(task.task), line: task.row,
        skips: task.skips.map { KeptSkip($0, log, cut) }, isOpen: task.isOpen)
    }
    keep(&builder)
    let withoutTask = run.sorted(run.skipsWithoutTask()).map { KeptSkip($0, log, cut) }
    return builder.finish(withoutTask: withoutTask, digest: SnapshotShelf.digest)
  }
}
