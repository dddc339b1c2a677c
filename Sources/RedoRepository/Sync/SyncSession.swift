// The client's side of an exchange with one remote: leftovers of an earlier one are taken in, the two are compared,
// each receives what only the other one has, and the result is reported. Temporary errors are waited for.

internal import RedoHistory
package import RedoObject
package import RedoRemote
package import RedoStore

/// Talks to one remote.
package struct SyncSession {
  /// The kind of exchange.
  package enum Kind: String {
    case fetch, push, sync
    /// The two are compared, and nothing else.
    case list = "ls-remote"

    package var fetches: Bool { self == .fetch || self == .sync }
    package var pushes: Bool { self == .push || self == .sync }
  }

  /// How the exchange is done.
  package struct Options {
    /// The kind of objects that is exchanged.
    package var objects = ObjectKind.node
    /// Whether receipts that somebody else has shared are exchanged, too.
    package var includesShared = false
    package var filter = SyncFilter.all
    package var allowsUnsigned = false
    package var isDryRun = false
    package var isQuiet = false
    package var isVerbose = false
    /// Whether what waits here because of the trust file is named again when it comes again.
    package var namesHeldAgain = true
    /// Whether a remote that cannot be reached is tried again.
    package var repeats = true
    /// The only nodes that are taken, with their ancestors.
    package var only: Set<ObjectID>?
    /// Whether the remote is to read each of its nodes before it counts as there.
    package var readsAll = false
    /// Whether diverged tasks are merged afterwards, so that they need not be reported.
    package var merges = false
    /// Whether a remote that remembers what is elsewhere lists all of it.
    package var listsAnew = false
    /// Whether the ids of what only one side has are wanted, in a comparison.
    package var namesSides = false

    /// Creates a value with these members.
    package init(
      filter: SyncFilter = SyncFilter.all, allowsUnsigned: Bool = false, isDryRun: Bool = false,
      isQuiet: Bool = false, isVerbose: Bool = false, repeats: Bool = true,
      only: Set<ObjectID>? = nil, merges: Bool = false
    ) {
      self.filter = filter
      self.allowsUnsigned = allowsUnsigned
      self.isDryRun = isDryRun
      self.isQuiet = isQuiet
      self.isVerbose = isVerbose
      self.repeats = repeats
      self.only = only
      self.merges = merges
    }
  }

  package let opened: Repository
  package let remote: Remote
  package let kind: Kind
  package let options: Options
  /// The results so far.
  package internal(set) var report: SyncReport
  /// The remote's greeting.
  package private(set) var server: ServerHello?
  /// The heads among the nodes that both have, by task and id.
  package private(set) var listing: [Ref] = []
  /// What only one side has, if that was asked for.
  package private(set) var sides = SyncSides()
  /// Whether there was something to send to a read-only remote.
  package internal(set) var isDenied = false
  /// What is held back and accepted.
  private var choice = HeldBackChoice.none
  /// Whether the exchange is the same once more, so that what has been said of what waits is not said again.
  private var isAgain = false
  /// The nodes here that are known to be unreadable, and why.
  private var unreadable: [ObjectID: Finding] = [:]
  /// The nodes sent by an attempt that broke before the remote could acknowledge them.
  var sent: [ObjectID] = []

  package init(_ opened: Repository, _ remote: Remote, _ kind: Kind, _ options: Options) {
    self.opened = opened
    self.remote = remote
    self.kind = kind
    self.options = options
    report = SyncReport(remote, kind, of: options.objects)
    report.isPartial = options.filter != .all || options.only != nil
  }

  /// The message in the reflog.
  package var message: String { "\(kind.rawValue) \(remote.title)" }

  /// Runs the exchange.
  ///
  /// - Parameter effects: for events, the clock and waiting.
  /// - Throws: `RemoteFault` when the remote cannot be reached in all attempts, denies access or ends the talk,
  ///   `RemoteIdentityFault` when it is not the same as before; the error when this store cannot be used.
  package mutating func run(_ effects: Effects) throws {
    if !options.isDryRun, kind != .list { try opened.store.checkWritable() }
    choice = try HeldBackChoice(for: remote.name, opened.store.config)
    if !choice.ids.isEmpty { report.namedLimit = .max }
    do {
      defer { AdmissionRows.tell(report.orphans, effects) }
      report.attempts = try exchange(effects)
      try fetchParents(effects)
    }
    report.settleHeldThere()
    let now =
      try options.objects == .node
      ? opened.unreadableNodes(and: report.unreadableHere)
      : opened.unreadable(report.unreadableHere, of: options.objects)
    report.healed = max(report.healed, unreadable.keys.count { now[$0] == nil })
    report.settleHeldHere(now)
    try accept()
    report.waiting = try opened.waitingCount()
    report.isGuarded = try opened.store.config.transferTrust() == .enforce
  }

  /// Runs one exchange, as often as it takes until the remote is reached.
  ///
  /// - Returns: how often.
  private mutating func exchange(_ effects: Effects) throws -> Int {
    let attempts = Attempts(remote.title, repeats: options.repeats, isQuiet: options.isQuiet)
    let keepsWhatCame = kind.fetches && !options.isDryRun
    return try attempts.run(
      effects, { .exchange(attempts: $0, keepsWhatCame: keepsWhatCame) }
    ) { () throws in try attempt(effects) }.attempts
  }

  /// Exchanges again while something came without its parents.
  ///
  /// A remote behind a helper remembers nothing between two turns. What others have pushed there in between, it has shown as far as
  /// there were questions left: a child, and not its parent, whose place had been compared before.
  private mutating func fetchParents(_ effects: Effects) throws {
    guard case .helper = remote.url, !options.isDryRun else { return }
    var before: Set<OrphanNode> = []
    for _ in 0..<Self.parentRounds {
      let awaited = Set(AdmissionRows.first(report.orphans).filter { !$0.isRefused })
      guard !awaited.isEmpty, awaited != before else { return }
      before = awaited
      isAgain = true
      report.attempts += try exchange(effects) - 1
    }
  }

  /// How often parents are asked for that others push while their children come.
  private static let parentRounds = 4

  /// Marks what is held back and accepted.
  private mutating func accept() throws {
    guard let name = remote.name, !choice.isEmpty else { return }
    let memory = RemoteMemory(name, opened)
    var seen = try memory.heldBack()
    report.accept(choice, &seen)
    if !options.isDryRun, kind != .list { try memory.remember(heldBack: seen) }
  }

  // MARK: One attempt

  private mutating func attempt(_ effects: Effects) throws {
    let receiver = try takeUp(effects)
    guard options.objects == .node else {
      let groups = ComparedGroups(
        of: options.objects, opened, includesShared: options.includesShared, effects)
      return try attempt(groups, receiver, effects)
    }
    unreadable = try opened.unreadableNodes()
    let nodes = try ComparedHistory(
      opened, filter: options.filter, allowsUnsigned: options.allowsUnsigned,
      usesKept: unreadable.isEmpty, effects)
    try attempt(nodes, receiver, effects)
  }

  private mutating func attempt<Objects: ComparedObjects>(
    _ history: Objects, _ receiver: Receiver?, _ effects: Effects
  ) throws where Objects.Source: ComparedSource {
    let connection = try Connection.connect(
      to: remote, service: kind.pushes ? .write : .read, effects)
    let stream = MeteredStream(
      connection, title: remote.title, effects)
    var words = try capabilities + RemoteIdentity(remote, opened).words()
    if options.objects == .node { words += try accessWords(history) }
    if let root = try history.root { words.append(WireCapabilities.word(root: root)) }
    let hello = ClientHello(
      salt: RangeSalt(effects.random), capabilities: WireCapabilities(words) ?? .none)
    var failure: (any Error)?
    var exchange = ClientExchange(stream, top: history.top, source: history.asked, hello: hello)
    do {
      try talk(&exchange, history, receiver, hello.salt, stream, effects)
    } catch {
      failure = history.failure ?? error
    }
    stream.finish()
    if failure == nil {
      connection.endOutput()
      report.add(exchange.cost())
    }
    if report.cost == nil {
      report.roundTrips += exchange.turnCount
      report.bytesSent += exchange.sentByteCount
      report.bytesReceived += exchange.receivedByteCount
    }
    guard let failure else {
      // Everything that was requested is here, and everything that was sent is acknowledged.
      if let end = connection.close(), !options.isQuiet {
        effects.report(.sync(.programEnded(end)))
      }
      return
    }
    if let failure = receiver?.failure { throw failure }
    // The way in which the other side ended may say more than the fact that it did.
    if let error = failure as? RemoteError { throw connection.explain(error, effects) }
    throw failure
  }

  /// The words of the greeting.
  private var capabilities: [String] {
    var words = options.filter.words + (options.allowsUnsigned ? [SyncWord.unsigned] : [])
    if options.objects != .node { words.append(SyncWord.word(of: options.objects)) }
    words += [WireCapabilities.unfitWord, WireCapabilities.unsentWord]
    if !choice.ids.isEmpty || options.namesSides { words.append(WireCapabilities.allUnfitWord) }
    if options.namesSides { words.append(WireCapabilities.namesWord) }
    if options.readsAll { words.append(WireCapabilities.readWord) }
    if RemoteQuery.isAnswered(by: remote) { words.append(TransportCost.word) }
    if options.listsAnew { words.append(SyncWord.anew) }
    // A remote that cannot choose sends more than is taken.
    if kind == .fetch, let only = options.only, only.count <= SyncFilter.nodeLimit {
      words += SyncFilter(nodes: only).words
    }
    return words
  }

  /// Whether the remote shows only the wanted nodes and their ancestors.
  var isNarrowed: Bool {
    server?.capabilities.words.contains { $0.hasPrefix(SyncFilter.nodePrefix) } ?? false
  }

  /// Takes in what an earlier run has received, so that it is not fetched again.
  ///
  /// - Returns: the receiver; `nil` when nothing is fetched.
  private mutating func takeUp(_ effects: Effects) throws -> Receiver? {
    guard kind.fetches else { return nil }
    var receiving = Receiver.Options()
    receiving.objects = options.objects
    receiving.message = message
    receiving.peer = remote.title
    receiving.allowsUnsigned = options.allowsUnsigned
    receiving.writes = !options.isDryRun
    receiving.isQuiet = options.isQuiet
    receiving.only = options.only
    receiving.namesHeldAgain = options.namesHeldAgain && !isAgain
    receiving.tellsOrphans = false
    receiving.remote = remote.name?.text ?? Receiver.nameless
    let receiver = try Receiver(opened, receiving, effects)
    try receiver.recover()
    take(receiver.report)
    return receiver
  }

  private mutating func talk<Objects: ComparedObjects, Stream: ByteStream>(
    _ exchange: inout ClientExchange<Objects.Source, Stream>, _ history: Objects,
    _ receiver: Receiver?, _ salt: RangeSalt, _ meter: MeteredStream, _ effects: Effects
  ) throws where Objects.Source: ComparedSource {
    let difference = try compare(&exchange, history, effects)
    try note(difference, history)
    try noteWithheld(exchange.unfit, history, effects)
    if kind == .list { listing = try heads(history, difference) }
    if options.namesSides {
      sides = try sides(&exchange, history, difference, unreadable: unreadable)
    }
    // Only what speaks for a place elsewhere remembers what was there.
    let lost =
      RemoteQuery.isAnswered(by: remote)
      ? server.map { TransportCost.lost($0.capabilities) } ?? 0 : 0
    report.lost = lost
    if lost > 0 {
      effects.report(.sync(.nodesLost(remote: remote.title, count: lost, isSent: kind.pushes)))
    } else {
      try tellLost(history, difference, effects)
    }
    var outcome = PushCheck.Outcome()
    if kind.pushes {
      outcome = try check(difference, history, effects)
    }
    if options.objects == .node { try note(exchange.access, effects) }
    let isSending = outcome.count > 0 && !options.isDryRun
    let want = kind.fetches ? difference.want : []
    let before = receiver?.report ?? ReceiveReport()
    var unsent: [RefusedNode] = []
    if !want.isEmpty || outcome.count > 0 {
      let source = try history.source()
      if let receiver, !want.isEmpty {
        receiver.asked = RangeRequest(want, RangeDigests(salt: salt))
        receiver.isHere = source.contains
      }
      let ids = outcome.positions.flatMap { $0.map { source.id(at: $0) } }
      if isSending { sent = ids }
      let limit = server.flatMap { SyncWord.turnLimit($0.capabilities) }
      let packs = try history.packs(
        turnLimit: limit, tellsWhy: true, lists: { [opened] in opened.accessLists(effects) },
        effects)
      let answers = try exchange.transfer(
        want: want, receiver ?? NoPacks(), have: isSending ? outcome.positions : [], packs,
        turnLimit: limit)
      if let there = answers.there { take(there, ids) } else if kind.pushes { report.pushed += ids }
      if isSending { note(unsent: packs.unsent) }
      unsent = answers.unsent
    }
    meter.finish()
    if let receiver {
      take(receiver.report, after: before)
      noteArrivals(receiver.report, after: before, unsent)
    }
    sent = []
    guard !options.isDryRun else { return }
    try remember(history, difference, effects)
  }

  /// Compares the two, once the identity of the remote is confirmed.
  private mutating func compare<Objects: ComparedObjects, Stream: ByteStream>(
    _ exchange: inout ClientExchange<Objects.Source, Stream>, _ history: Objects,
    _ effects: Effects
  ) throws -> RangeDifference where Objects.Source: ComparedSource {
    let damaged =
      (kind.fetches || options.namesSides) && !unreadable.isEmpty
      ? positions(of: unreadable.keys, in: try history.source()) : []
    var failure: (any Error)?
    var greeting: ServerHello?
    let difference: RangeDifference
    do throws(RemoteError) {
      difference = try exchange.compare(damaged: damaged) { hello throws(RemoteError) in
        do {
          try admit(hello)
          greeting = hello
        } catch {
          failure = error
          throw .stopped(effects.describe(error))
        }
      }
    } catch {
      if let failure { throw failure }
      throw error
    }
    server = greeting
    if options.objects == .node {
      report.schemasThere = greeting.flatMap { SyncWord.schemaCount($0.capabilities) }
    }
    return difference
  }

  /// Whether a remote may be talked to.
  ///
  /// - Throws: `RemoteIdentityFault` when it is not the same as before, `RemoteFault` when it does not allow the
  ///   request, or cannot fulfil it.
  private func admit(_ hello: ServerHello) throws {
    try RemoteIdentity(remote, opened).check(hello)
    let words = Set(hello.capabilities.words)
    // Otherwise everything that it says is about nodes.
    guard options.objects == .node || words.contains(SyncWord.word(of: options.objects)) else {
      throw RemoteFault.kindRefused(remote: remote.title, options.objects)
    }
    guard options.filter.words.allSatisfy({ words.contains($0) }) else {
      throw RemoteFault.cannotChoose(remote: remote.title)
    }
    guard !options.allowsUnsigned || words.contains(SyncWord.unsigned) else {
      throw RemoteFault.unsignedRefused(remote: remote.title)
    }
    guard kind != .push || options.isDryRun || !words.contains(SyncWord.readOnly) else {
      throw RemoteFault.readOnly(remote: remote.title)
    }
  }
}
