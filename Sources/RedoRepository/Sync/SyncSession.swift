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

    var fetches: Bool { self == .fetch || self == .sync }
    var pushes: Bool { self == .push || self == .sync }
  }

  /// How the exchange is done.
  package struct Options {
    package var filter = SyncFilter.all
    package var allowsUnsigned = false
    package var isDryRun = false
    package var isQuiet = false
    package var isVerbose = false
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
  package private(set) var report: SyncReport
  /// The remote's greeting.
  package private(set) var server: ServerHello?
  /// The heads among the nodes that both have, by task and id.
  package private(set) var listing: [Ref] = []
  /// Whether there was something to send to a read-only remote.
  package private(set) var isDenied = false
  /// What is held back and accepted.
  private var choice = HeldBackChoice.none
  /// The nodes here that are known to be unreadable, and why.
  private var unreadable: [ObjectID: Finding] = [:]
  /// The nodes sent by an attempt that broke before the remote could acknowledge them.
  private var sent: [ObjectID] = []

  package init(_ opened: Repository, _ remote: Remote, _ kind: Kind, _ options: Options) {
    self.opened = opened
    self.remote = remote
    self.kind = kind
    self.options = options
    report = SyncReport(remote, kind)
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
    let attempts = Attempts(remote.title, repeats: options.repeats, isQuiet: options.isQuiet)
    let keepsWhatCame = kind.fetches && !options.isDryRun
    choice = try HeldBackChoice(for: remote.name, opened.store.config)
    if !choice.ids.isEmpty { report.namedLimit = .max }
    report.attempts = try attempts.run(
      effects, { .exchange(attempts: $0, keepsWhatCame: keepsWhatCame) }
    ) { () throws in try attempt(effects) }.attempts
    report.settleHeldThere()
    let now = try opened.unreadableNodes(and: report.unreadableHere)
    report.healed = max(report.healed, unreadable.keys.count { now[$0] == nil })
    report.settleHeldHere(now)
    try accept()
    report.waiting = try opened.waitingCount()
  }

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
    unreadable = try opened.unreadableNodes()
    let source = try HistorySource(
      opened, filter: options.filter, allowsUnsigned: options.allowsUnsigned, effects)
    let connection = try Connection.connect(
      to: remote, service: kind.pushes ? .write : .read, effects)
    let stream = MeteredStream(
      connection, title: remote.title, effects)
    let words = try capabilities + accessWords(source) + RemoteIdentity(remote, opened).words()
    let hello = ClientHello(
      salt: RangeSalt(effects.random), capabilities: WireCapabilities(words) ?? .none)
    var exchange = ClientExchange(stream, source: source, hello: hello)
    var failure: (any Error)?
    do {
      try talk(&exchange, source, receiver, hello.salt, stream, effects)
    } catch {
      failure = error
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
    words += [WireCapabilities.unfitWord, WireCapabilities.unsentWord]
    if !choice.ids.isEmpty { words.append(WireCapabilities.allUnfitWord) }
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
    receiving.message = message
    receiving.peer = remote.title
    receiving.allowsUnsigned = options.allowsUnsigned
    receiving.writes = !options.isDryRun
    receiving.isQuiet = options.isQuiet
    receiving.only = options.only
    receiving.remote = remote.name?.text ?? Receiver.nameless
    let receiver = try Receiver(opened, receiving, effects)
    try receiver.recover()
    take(receiver.report)
    return receiver
  }

  private mutating func talk<Stream: ByteStream>(
    _ exchange: inout ClientExchange<HistorySource, Stream>, _ source: HistorySource,
    _ receiver: Receiver?, _ salt: RangeSalt, _ meter: MeteredStream, _ effects: Effects
  ) throws {
    let difference = try compare(&exchange, source, effects)
    note(difference, source)
    noteWithheld(exchange.unfit, source, effects)
    if kind == .list { listing = heads(source, difference) }
    // Only what speaks for a place elsewhere remembers what was there.
    let lost =
      RemoteQuery.isAnswered(by: remote)
      ? server.map { TransportCost.lost($0.capabilities) } ?? 0 : 0
    report.lost = lost
    if lost > 0 {
      effects.report(.sync(.nodesLost(remote: remote.title, count: lost, isSent: kind.pushes)))
    } else {
      try tellLost(source, difference, effects)
    }
    var outcome = PushCheck.Outcome()
    if kind.pushes {
      outcome = try check(difference, source, effects)
    }
    try note(exchange.access, effects)
    let isSending = outcome.count > 0 && !options.isDryRun
    let want = kind.fetches ? difference.want : []
    if let receiver, !want.isEmpty {
      receiver.asked = RangeRequest(want, RangeDigests(salt: salt))
      let graph = source.graph
      receiver.isHere = { graph.position(of: $0) != nil }
    }
    let before = receiver?.report ?? ReceiveReport()
    let ids = outcome.positions.flatMap { $0.map { source.id(at: $0) } }
    if isSending { sent = ids }
    let taker: any PackTaker = receiver ?? NoPacks()
    let limit = server.flatMap { SyncWord.turnLimit($0.capabilities) }
    let packs = HistoryPacks(
      source, opened, effects, turnLimit: limit,
      lists: { [opened] in opened.accessLists(effects) })
    let answers = try exchange.transfer(
      want: want, taker, have: isSending ? outcome.positions : [], packs, turnLimit: limit)
    meter.finish()
    if let receiver {
      take(receiver.report, after: before)
      noteArrivals(receiver.report, after: before, answers.unsent)
    }
    if let there = answers.there { take(there, ids) } else if kind.pushes { report.pushed += ids }
    if isSending { note(unsent: packs.unsent) }
    sent = []
    guard !options.isDryRun else { return }
    try remember(source, difference, effects)
  }

  /// Compares the two, once the identity of the remote is confirmed.
  private mutating func compare<Stream: ByteStream>(
    _ exchange: inout ClientExchange<HistorySource, Stream>, _ source: HistorySource,
    _ effects: Effects
  ) throws -> RangeDifference {
    let damaged = kind.fetches ? positions(of: unreadable.keys, in: source) : []
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
    return difference
  }

  /// Whether a remote may be talked to.
  ///
  /// - Throws: `RemoteIdentityFault` when it is not the same as before, `RemoteFault` when it does not allow the
  ///   request, or cannot fulfil it.
  private func admit(_ hello: ServerHello) throws {
    try RemoteIdentity(remote, opened).check(hello)
    let words = Set(hello.capabilities.words)
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

  // MARK: Results

  /// The heads of the remote among the nodes that are here.
  private func heads(_ source: HistorySource, _ difference: RangeDifference) -> [Ref] {
    let graph = source.graph
    guard graph.check([.ids, .parents, .labels], of: 0..<graph.count) else { return [] }
    var lacks = [Bool](repeating: false, count: source.count)
    for range in difference.have { for position in range { lacks[position] = true } }
    let heads = RemoteHeads.heads(graph) { position in
      source.position(ofGraph: position).map { !lacks[$0] } ?? false
    }
    var refs: [Ref] = []
    for (task, positions) in heads {
      let name = RefName.heads(of: task < 0 ? nil : graph.taskID(task))
      for position in positions { refs.append(Ref(name: name, id: graph.id(at: position))) }
    }
    // With a filter, ancestors in other tasks do not count.
    let wanted = options.filter.task.map { RefName.heads(of: $0) }
    return refs.filter { wanted == nil || $0.name == wanted }.sorted()
  }

  /// Notes what each side has and does not exchange.
  private mutating func noteWithheld(
    _ rows: [RefusedNode], _ source: HistorySource, _ effects: Effects
  ) {
    let others = report.noteWithheld(server?.capabilities ?? .none, rows)
    // What is none of a push's business.
    let unfit = kind == .push ? [] : report.add(unfit: others)
    if !unfit.isEmpty { effects.report(.notOffered(unfit, remote: remote.title)) }
    guard !kind.pushes else { return }
    report.noteHeldHere(source)
  }

  /// Notes what came, and what did not although it was offered.
  private mutating func noteArrivals(
    _ received: ReceiveReport, after before: ReceiveReport, _ unsent: [RefusedNode]
  ) {
    let new = received.new.count - before.new.count
    report.healed += received.healed - before.healed
    report.note(unsentThere: unsent)
    guard !isNarrowed, options.only == nil, !report.hasMore else { return }
    let known = received.known + received.upgraded + received.healed
    let knownBefore = before.known + before.upgraded + before.healed
    let came =
      new + known - knownBefore + received.refused.count - before.refused.count
      + received.orphans.count - before.orphans.count
    report.notCome = max(0, report.onlyThere - came - unsent.count)
  }

  /// Takes back nodes that could not be read when they were to be sent.
  private mutating func note(unsent rows: [RefusedNode]) {
    guard !rows.isEmpty else { return }
    let ids = Set(rows.map(\.id))
    report.pushed.removeAll { ids.contains($0) }
    for row in rows {
      var refused = SyncReport.Refused(
        id: row.id, rule: row.rule, detail: row.detail, isHere: true)
      refused.isHeldBack = true
      report.refused.append(refused)
      report.heldRows.append(refused)
    }
  }

  private mutating func note(_ difference: RangeDifference, _ source: HistorySource) {
    report.note(difference, source, server)
    // Nodes that were sent before a connection broke, and are no longer lacking there, have arrived.
    guard !sent.isEmpty else { return }
    var lacking: Set<ObjectID> = []
    for range in difference.have {
      for position in range { lacking.insert(source.id(at: position)) }
    }
    report.pushed += sent.filter { !lacking.contains($0) }
    sent = []
  }

  /// The nodes that the remote lacks and that may be sent.
  private mutating func check(
    _ difference: RangeDifference, _ source: HistorySource, _ effects: Effects
  ) throws -> PushCheck.Outcome {
    report.refused.removeAll { $0.isHere && !$0.isReceived }
    source.unfit.forEach { report.refused.append(SyncReport.Refused(heldBack: $0)) }
    defer { report.heldRows = report.refused.filter(\.isHeldBack) }
    if let server, server.capabilities.words.contains(SyncWord.readOnly) {
      if difference.haveCount > 0, !options.isDryRun { isDenied = true }
      return PushCheck.Outcome()
    }
    guard !difference.have.isEmpty else { return PushCheck.Outcome() }
    let outcome = try PushCheck.run(
      difference.have, of: source, opened, allowsUnsigned: options.allowsUnsigned, effects)
    for row in outcome.rows {
      report.refused.append(
        SyncReport.Refused(
          id: row.id, rule: row.rule.id, detail: row.detail, isHere: true, because: row.ancestor,
          isHeldBack: true))
    }
    return outcome
  }

  /// Notes what was received.
  private mutating func take(
    _ received: ReceiveReport, after before: ReceiveReport = ReceiveReport()
  ) {
    for node in received.new.dropFirst(before.new.count) {
      report.fetched.append(node.id)
      report.fetchedTasks.insert(node.task)
    }
    report.moved.add(received.heads.dropFirst(before.heads.count))
    report.orphans += received.orphans.dropFirst(before.orphans.count).map(\.id)
    for row in received.refused.dropFirst(before.refused.count) {
      var refused = SyncReport.Refused(
        id: row.id, rule: row.rule, detail: row.detail, isHere: true)
      refused.isReceived = true
      report.refused.append(refused)
    }
  }

  /// Notes the results for nodes that were sent.
  private mutating func take(_ there: Admitted, _ ids: [ObjectID]) {
    let sent = Set(ids)
    // A remote can acknowledge only the nodes that were sent to it.
    let refused = there.refused.filter { sent.contains($0.id) }
    for row in refused {
      report.refused.append(
        SyncReport.Refused(id: row.id, rule: row.rule, detail: row.detail, isHere: false))
    }
    let left = Set(refused.map(\.id))
    report.pushed += ids.filter { !left.contains($0) }
  }
}
