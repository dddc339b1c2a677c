// What a remote says of itself, and how its nodes differ from those of a store: nothing is changed on either side.

internal import RedoObject
package import RedoRemote
internal import RedoStore

/// A remote's answer to a greeting, and how its nodes differ.
package struct RemoteGreeting {
  /// What the remote says about itself.
  package let server: ServerHello
  /// What each side is missing.
  package let difference: RangeDifference
  /// What was found, and what is held back.
  package let report: SyncReport
  /// How many nodes of this store were compared.
  package let nodesHere: Int
  package let roundTrips: Int
  package let sentByteCount: Int
  package let receivedByteCount: Int
  /// What the transport has done, if it is a program that tells.
  package let cost: TransportCost?

  /// Greets a remote, compares, and disconnects.
  ///
  /// - Parameters:
  ///   - remote: the remote.
  ///   - opened: the store.
  ///   - readsAll: whether both sides read each of their nodes before it counts as there.
  ///   - effects: for events and random numbers.
  /// - Returns: what it says, and how its nodes differ.
  /// - Throws: `RemoteFault` when the remote cannot be reached, denies access or ends the conversation.
  package static func ask(
    _ remote: Remote, _ opened: Repository, readsAll: Bool = false, _ effects: Effects
  ) throws -> RemoteGreeting {
    let choice = try HeldBackChoice(for: remote.name, opened.store.config)
    let source = try HistorySource(opened, allowsUnsigned: false, effects)
    let damaged = readsAll ? try opened.readAll((0..<source.count).map(source.id(at:))) : [:]
    var own = [
      SyncWord.anew, WireCapabilities.unfitWord, WireCapabilities.unsentWord,
      WireCapabilities.accessWord,
    ]
    if readsAll { own.append(WireCapabilities.readWord) }
    if !choice.ids.isEmpty { own.append(WireCapabilities.allUnfitWord) }
    if RemoteQuery.isAnswered(by: remote) { own.append(TransportCost.word) }
    let words = WireCapabilities(try RemoteIdentity(remote, opened).words() + own) ?? .none
    let connection = try Connection.connect(to: remote, service: .read, effects)
    var exchange = ClientExchange(
      connection, source: source,
      hello: ClientHello(salt: RangeSalt(effects.random), capabilities: words))
    let difference: RangeDifference
    do throws(RemoteError) {
      difference = try exchange.compare { _ in }
    } catch {
      let error = connection.explain(error, effects)
      try effects.checkInterrupt()
      throw RemoteFault.ended(remote: remote.title, error, .greeting)
    }
    connection.endOutput()
    let cost = exchange.cost()
    if let end = connection.close() { effects.report(.sync(.programEnded(end))) }
    guard let server = exchange.server else {
      preconditionFailure("BUG: compared without a greeting")
    }
    var report = SyncReport(remote, .list)
    if !choice.ids.isEmpty { report.namedLimit = .max }
    report.note(difference, here: (source.count, source.historyCount), server)
    if RemoteQuery.isAnswered(by: remote) {
      report.lost = TransportCost.lost(server.capabilities)
    }
    let others = report.noteWithheld(server.capabilities, exchange.unfit)
    let unfit = report.add(unfit: others)
    if !unfit.isEmpty { effects.report(.notOffered(unfit, remote: remote.title)) }
    report.noteHeldHere(source.unfit.rows(limit: nil))
    report.settleHeldHere(
      try opened.unreadableNodes(and: report.unreadableHere + damaged.keys))
    if let name = remote.name {
      var seen = try RemoteMemory(name, opened).heldBack()
      report.accept(choice, &seen)
    }
    return RemoteGreeting(
      server: server, difference: difference, report: report, nodesHere: source.count,
      roundTrips: cost?.roundTrips ?? exchange.turnCount,
      sentByteCount: cost?.bytesSent ?? exchange.sentByteCount,
      receivedByteCount: cost?.bytesReceived ?? exchange.receivedByteCount, cost: cost)
  }
}
