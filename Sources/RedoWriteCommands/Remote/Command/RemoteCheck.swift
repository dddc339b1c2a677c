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
        let found = try RemoteGreeting.ask(remote, opened, readsAll: true, context.effects)
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
    let found = try RemoteGreeting.ask(remote, opened, context.effects)
    for word in found.server.capabilities.words {
      try context.output.write(word)
      try context.output.write(byte: options.rowEnd)
    }
    return .ok
  }
}

extension RemoteGreeting {
  /// Whether the two are known to have the same nodes.
  var equality: String {
    switch report.isEqual {
    case nil: "unknown"
    case false?: "no"
    case true?: report.showsPart ? "in what this account may see" : "yes"
    }
  }
}
