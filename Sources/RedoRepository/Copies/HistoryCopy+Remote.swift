// The copy that a remote has: what it says when it is compared with the history here. Of nodes that only it has, the ids are
// known, and not the parents.

internal import RedoObject
internal import RedoStore

extension HistoryCopy {
  /// Adds the nodes that a remote has; it is asked to read each of them for that.
  ///
  /// - Parameters:
  ///   - remote: the remote.
  ///   - opened: the store that it is compared with.
  ///   - effects: for waiting and events.
  /// - Throws: `RemoteFault` when it cannot be reached or denies access; the error when this store cannot be read.
  package mutating func read(
    _ remote: Remote, _ opened: Repository, _ effects: Effects
  ) throws {
    var options = SyncSession.Options()
    options.namesSides = true
    options.readsAll = true
    var exchange = SyncSession(opened, remote, .list, options)
    try exchange.run(effects)
    var own = HistoryCopy(of: [.node])
    try own.read(opened, .history, effects)
    add(own, except: Set(exchange.sides.here.map(\.id)))
    for row in exchange.sides.there { add(row.id, nil, parents: []) }
    showsPart = exchange.report.showsPart
  }
}
