// Nodes leave the history, and the store: the one change that takes something away.
//
//   1. the received log takes their ids back, the record in the journal changes the refs: from this
//      moment on the nodes are not in the history, whatever happens
//   2. the caller removes the objects
//   3. the received log is rewritten without their ids, and the journal is folded
//
// After a crash in between, the ids that were taken back show what is still to be removed.

package import RedoObject

/// The result of a change by which nodes are forgotten.
package enum ForgetOutcome: Sendable {
  /// It is made, and the nodes are removed.
  case done(RefCommit)
  /// The change is made, but not everything is removed; doing it again continues.
  case unfinished(RefCommit, RefsError)
  /// Refs have changed since the view on which the change was based; nothing is done.
  case outdated
}

extension Refs {
  /// Changes refs, takes nodes back from the received log, and has them removed.
  ///
  /// The caller holds the objects alone, see `holdObjects`.
  ///
  /// - Parameters:
  ///   - ids: the nodes, and whatever else is removed with them.
  ///   - transaction: the change, after which no ref reaches them.
  ///   - entry: the number of the last change in the view on which it was based.
  ///   - milliseconds: the time to note, since 1970.
  ///   - options: how.
  ///   - remove: removes them; called once the change is made, while no one else can change refs.
  /// - Returns: what was done.
  /// - Throws: as `commit`; no ref is changed then.
  package func forget(
    _ ids: Set<ObjectID>, with transaction: RefTransaction, after entry: Int,
    at milliseconds: Int64, _ options: RefsOptions, remove: () throws(SystemError) -> Void
  ) throws(RefsError) -> ForgetOutcome {
    try withLock(options) { () throws(RefsError) in
      var warnings: [RefWarning] = []
      var snapshot = try openToWrite(options, &warnings)
      let plan = try Plan(transaction, over: &snapshot)
      guard snapshot.entry == entry, plan.conflicts.isEmpty else { return .outdated }
      let received = Received(in: directory)
      let pending = try received.forgotten(to: snapshot.receivedBytes)
      let new = ids.subtracting(pending).sorted()
      var result = RefCommit(
        entry: snapshot.entry, removals: plan.removals, additions: plan.additions, received: [],
        receivedBytes: snapshot.receivedBytes, warnings: warnings)
      if plan.isEmpty, new.isEmpty, pending.isEmpty {
        // There may be more to remove than nodes.
        try RefsError.wrapping(remove)
        return .done(result)
      }
      if !plan.isEmpty || !new.isEmpty {
        if !new.isEmpty {
          result.receivedBytes = try received.append(
            [(new, .forgotten)], at: snapshot.receivedBytes, marking: snapshot.mark, options.sync)
        }
        let entry = ReflogEntry(
          number: snapshot.entry + 1, milliseconds: milliseconds,
          receivedBytes: result.receivedBytes, removals: plan.removals, additions: plan.additions,
          message: transaction.message)
        result.warnings += try append(entry, to: &snapshot, options)
        result.entry = snapshot.entry
      }
      do throws(RefsError) {
        try RefsError.wrapping(remove)
        let kept = try received.rewrite(
          to: snapshot.receivedBytes, marking: snapshot.mark, options.sync)
        try fold(&snapshot, receivedBytes: kept, options)
        try received.finish(at: kept, with: snapshot.mark, options.sync)
        result.receivedBytes = kept
        return .done(result)
      } catch {
        return .unfinished(result, error)
      }
    }
  }
}
