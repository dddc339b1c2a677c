// redo stats --remote: the number of nodes of a remote, as far as it says.

internal import RedoObject
internal import RedoRemote
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Asks a remote for its number of nodes.
enum StatsRemote {
  /// Asks, and writes the answer.
  ///
  /// A remote at Firestore is asked for the number of documents that the account may read; any other remote is only
  /// greeted. Nothing changes anywhere.
  ///
  /// - Parameters:
  ///   - names: the remote's name or URL, or nothing for the usual remote.
  ///   - isJSON: whether to write one object.
  ///   - end: the byte that ends a row.
  ///   - context: the surroundings.
  /// - Returns: `ok`.
  /// - Throws: `temporary`, `access`, `identity` or `fatal`.
  static func run(
    _ names: [String], isJSON: Bool, end: UInt8, _ context: inout Context
  ) throws -> Exit {
    let opened = try context.effects.openRepository()
    guard let remote = try SyncOptions.remotes(names, opened, context).first else {
      preconditionFailure("BUG: no remote")
    }
    var facts = RemoteFacts()
    facts.add("remote", remote.title)
    facts.add("transport", remote.url.transport)
    let keyring = try opened.keyring()
    let device = try keyring.text(.deviceID)
    if RemoteQuery.isAnswered(by: remote) {
      let query = RemoteQuery(remote, repeats: true, isQuiet: false)
      let (rows, cost) = try query.askCounting(
        Array(#"{"ask":"count"}"#.utf8), context.effects)
      let answer = rows.first
      if let account = answer?.text("account") { facts.add("userId", account) }
      if let device { facts.add("deviceId", device) }
      facts.add("nodeCount", Int(answer?.integer("nodeCount") ?? 0))
      facts.add("roundTrips", cost.roundTrips)
      facts.add("bytesSent", cost.bytesSent)
      facts.add("bytesReceived", cost.bytesReceived)
      facts.add("reads", cost.reads)
      facts.add("writes", cost.writes)
    } else {
      let found = try RemoteGreeting.ask(remote, opened, context.effects)
      try RemoteIdentity(remote, opened).check(found.server)
      // The greeting of such a remote does not name an account, so no user id is added.
      if let device { facts.add("deviceId", device) }
      if let count = SyncWord.nodeCount(found.server.capabilities) {
        facts.add("nodeCount", count)
        facts.add("roundTrips", found.roundTrips)
        facts.add("bytesSent", found.sentByteCount)
        facts.add("bytesReceived", found.receivedByteCount)
      } else {
        context.warning("'\(remote.title)' does not tell how many nodes it has")
      }
    }
    try context.output.append { output throws in
      facts.append(to: &output, isJSON: isJSON, end: end)
    }
    return .ok
  }
}
