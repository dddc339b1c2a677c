// redo remote check: connects to remotes, greets them and compares; nothing is changed anywhere.

internal import RedoObject
internal import RedoRemote
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo remote check [--json] [-z] [<name>|<url>...]`.
enum RemoteCheck: Command {
  static let name = "check"
  static let summary = "reach remotes, and tell who they are and what differs"
  static var usage: [String] { ["redo-remote check [--json] [-z] [<name>|<url>...]"] }
  static var options: [OptionSpec] { [.json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let opened = try context.effects.openRepository()
    var words = options.arguments
    if words.isEmpty { words = Remote.names(opened.store.config).map(\.text) }
    guard !words.isEmpty else {
      throw CommandError.fatal(
        "there is no remote", hints: ["'redo remote add <name> <url>' makes one"])
    }
    var remotes: [Remote] = []
    for word in words {
      let remote = try Remote.named(word, opened.store, context.effects)
      SyncOptions.warnOfUnknown(remote, context)
      remotes.append(remote)
    }
    var worst: CommandError?
    var isWhole = true
    for remote in remotes {
      do {
        let found = try RemoteGreeting.ask(remote, opened, readsAll: true, &context)
        let (facts, stranger) = try facts(of: remote, found, opened)
        try context.output.append { output throws in
          facts.append(
            to: &output, isJSON: options.has(.json), end: options.rowEnd)
        }
        if let stranger { throw stranger }
        found.report.sayHeld(isQuiet: false, context)
        isWhole = isWhole && found.report.isWhole
        let lost = TransportCost.lost(found.server.capabilities)
        if lost > 0, RemoteQuery.isAnswered(by: remote) {
          context.effects.report(
            .sync(.nodesLost(remote: remote.title, count: lost, isSent: false)))
          isWhole = false
        }
      } catch {
        let error = CommandError(error)
        // A remote that cannot be reached does not keep the others from being checked.
        guard remotes.count > 1 else { throw error }
        if case .signal = error.kind { throw error }
        context.error(error.message)
        if worst.map({ $0.kind == .temporary }) ?? true { worst = error }
      }
    }
    guard let worst, case .exit(let exit) = worst.ending else { return isWhole ? .ok : .no }
    return exit
  }

  /// The facts about a remote, and the error if its identity has changed.
  private static func facts(
    of remote: Remote, _ found: RemoteGreeting, _ opened: Repository
  ) throws -> (RemoteFacts, CommandError?) {
    var facts = RemoteFacts()
    var stranger: CommandError?
    do {
      try RemoteIdentity(remote, opened).check(found.server)
    } catch {
      let error = CommandError(error)
      guard error.kind == .identity else { throw error }
      stranger = error
    }
    facts.add("name", remote.title)
    facts.add("url", remote.text)
    facts.add("transport", remote.url.transport)
    let id = found.server.store.flatMap { StoreID(raw: $0) }
    facts.add("id", id?.text ?? "none")
    if let name = remote.name {
      let isKnown = try RemoteMemory(name, opened).id() != nil
      facts.add("identity", stranger != nil ? "changed" : isKnown ? "known" : "new")
    }
    facts.add("version", Int(found.server.version))
    facts.add("capabilities", found.server.capabilities.words.joined(separator: " "))
    let both = found.nodesHere - found.difference.haveCount
    facts.add("nodesHere", found.nodesHere)
    if let there = SyncWord.nodeCount(found.server.capabilities) {
      facts.add("nodesThere", there)
      facts.add("nodesOnlyThere", max(0, there - both))
    }
    facts.add("nodesOnlyHere", found.difference.haveCount)
    facts.add("heldBackHere", found.report.heldHere.reduce(0) { $0 + $1.total })
    facts.add(
      "heldBackThere",
      found.report.heldThere.map { "\($0.reduce(0) { $0 + $1.total })" } ?? "unknown")
    facts.add("equal", found.equality)
    facts.add("waitingHere", try opened.waitingCount())
    facts.add("waitingThere", found.report.waitingThere)
    facts.add("roundTrips", found.roundTrips)
    facts.add("bytesSent", found.sentByteCount)
    facts.add("bytesReceived", found.receivedByteCount)
    if let cost = found.cost { facts.add("reads", cost.reads) }
    return (facts, stranger)
  }
}

/// `redo remote capabilities [-z] <name>|<url>`.
enum RemoteCapabilities: Command {
  static let name = "capabilities"
  static let summary = "list what a remote can do"
  static var usage: [String] { ["redo-remote capabilities [-z] <name>|<url>"] }
  static var options: [OptionSpec] { [.nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count == 1 else { throw CommandError.usage("one remote is needed") }
    let opened = try context.effects.openRepository()
    let remote = try Remote.named(options.arguments[0], opened.store, context.effects)
    let found = try RemoteGreeting.ask(remote, opened, &context)
    for word in found.server.capabilities.words {
      try context.output.write(word)
      try context.output.write(byte: options.rowEnd)
    }
    return .ok
  }
}

/// A remote's answer to a greeting, and how its nodes differ.
struct RemoteGreeting {
  /// What the remote says about itself.
  let server: ServerHello
  /// What each side is missing.
  let difference: RangeDifference
  /// What was found, and what is held back.
  let report: SyncReport
  /// How many nodes of this store were compared.
  let nodesHere: Int
  let roundTrips: Int
  let sentByteCount: Int
  let receivedByteCount: Int
  /// What the transport has done, if it is a program that tells.
  let cost: TransportCost?

  /// Whether the two are known to have the same nodes.
  var equality: String {
    switch report.isEqual {
    case nil: "unknown"
    case false?: "no"
    case true?: report.showsPart ? "in what this account may see" : "yes"
    }
  }

  /// Greets a remote, compares, and disconnects.
  ///
  /// - Parameters:
  ///   - remote: the remote.
  ///   - opened: the store.
  ///   - readsAll: whether both sides read each of their nodes before it counts as there.
  ///   - context: the surroundings.
  /// - Returns: what it says, and how its nodes differ.
  /// - Throws: `RemoteFault` when the remote cannot be reached, denies access or ends the conversation.
  static func ask(
    _ remote: Remote, _ opened: Repository, readsAll: Bool = false, _ context: inout Context
  ) throws -> RemoteGreeting {
    let choice = try HeldBackChoice(for: remote.name, opened.store.config)
    let source = try HistorySource(opened, allowsUnsigned: false, context.effects)
    let damaged = readsAll ? try opened.readAll((0..<source.count).map(source.id(at:))) : [:]
    var own = [
      SyncWord.anew, WireCapabilities.unfitWord, WireCapabilities.unsentWord,
      WireCapabilities.accessWord,
    ]
    if readsAll { own.append(WireCapabilities.readWord) }
    if !choice.ids.isEmpty { own.append(WireCapabilities.allUnfitWord) }
    if RemoteQuery.isAnswered(by: remote) { own.append(TransportCost.word) }
    let words = WireCapabilities(try RemoteIdentity(remote, opened).words() + own) ?? .none
    let connection = try Connection.connect(to: remote, service: .read, context.effects)
    var exchange = ClientExchange(
      connection, source: source,
      hello: ClientHello(salt: RangeSalt(context.effects.random), capabilities: words))
    let difference: RangeDifference
    do throws(RemoteError) {
      difference = try exchange.compare { _ in }
    } catch {
      let error = connection.explain(error, context.effects)
      try context.checkInterrupt()
      throw RemoteFault.ended(remote: remote.title, error, .greeting)
    }
    connection.endOutput()
    let cost = exchange.cost()
    if let end = connection.close() {
      context.warning("'\(remote.title)': \(end.words.message)")
    }
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
    if !unfit.isEmpty { context.effects.report(.notOffered(unfit, remote: remote.title)) }
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
