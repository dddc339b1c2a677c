// What is kept of an exchange: the identity of the remote, the time, and its heads.

internal import RedoHistory
internal import RedoObject
package import RedoRemote
internal import RedoStore

extension SyncSession {
  /// Remembers an exchange that ended well.
  ///
  /// - Parameters:
  ///   - history: what was compared.
  ///   - difference: the result of the comparison.
  ///   - effects: for the clock and events.
  /// - Throws: `SystemError` or `RefsError` when it cannot be written.
  package func remember<Objects: ComparedObjects>(
    _ history: Objects, _ difference: RangeDifference, _ effects: Effects
  ) throws where Objects.Source: ComparedSource {
    guard let name = remote.name, let server, kind != .list else { return }
    try RemoteMemory(name, opened).remember(
      id: server.store.flatMap { StoreID(raw: $0) }, checkpoint: server.checkpoint,
      RemoteExchange(
        time: WallTime(milliseconds: effects.clock()), fetched: report.fetched.count,
        pushed: report.pushed.count))
    guard options.filter == .all, !isNarrowed else { return }
    let shelf = RemoteHeads(opened, options.objects)
    let isFirst = try shelf.isEmpty(name)
    guard isFirst || !report.fetched.isEmpty || !report.pushed.isEmpty else { return }
    let rows = try history.sharedHeads(
      lacking: history.ids(at: difference.have).subtracting(report.pushed),
      fetched: report.fetched, pushed: report.pushed, isFirst: isFirst, effects)
    if let rows { try shelf.remember(rows, of: name, message: message, effects) }
  }

  /// Reports when a remote lacks what it is remembered to have: it was restored from an older copy, or its store was
  /// damaged.
  ///
  /// - Parameters:
  ///   - history: what was compared.
  ///   - difference: the result of the comparison.
  ///   - effects: receives the report.
  /// - Throws: `RefsError` when the refs cannot be read.
  func tellLost<Objects: ComparedObjects>(
    _ history: Objects, _ difference: RangeDifference, _ effects: Effects
  ) throws where Objects.Source: ComparedSource {
    guard let name = remote.name, kind != .list, !isNarrowed, !difference.have.isEmpty else {
      return
    }
    let lacking = try history.ids(at: difference.have)
    let count = try RemoteHeads(opened, options.objects).count(of: name) { lacking.contains($0) }
    guard count > 0 else { return }
    effects.report(
      .sync(
        .lost(
          remote: remote.title, count: count, of: options.objects, isSent: kind.pushes)))
  }
}
