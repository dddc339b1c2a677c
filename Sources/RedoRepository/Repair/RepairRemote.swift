// A remote as a source of good copies: it is asked for the nodes that are damaged or missing, by their ids, and for
// nothing else. It need not be the remote that it was: what comes is proved by the ids.

internal import RedoObject
internal import RedoRemote
internal import RedoStore

/// Asks a remote for nodes.
///
/// A class, because it counts what it asks for.
package final class RepairRemote {
  /// How a remote is asked.
  package struct Options: Sendable {
    /// Whether nodes without a signature are taken.
    package var allowsUnsigned = false
    /// Whether a remote that cannot be reached is tried again.
    package var repeats = true

    /// The usual way.
    package init() {}
  }

  /// What was asked for and came, and what it cost.
  package struct Tally: Sendable {
    /// The nodes that were asked for.
    package fileprivate(set) var asked = 0
    /// Those of them that came.
    package fileprivate(set) var came = 0
    /// Requests that were answered.
    package fileprivate(set) var roundTrips = 0
    package fileprivate(set) var bytesSent = 0
    package fileprivate(set) var bytesReceived = 0
    /// Reads that a service charges for; `nil` where none does.
    package fileprivate(set) var reads: Int?

    fileprivate mutating func add(_ cost: TransportCost) {
      roundTrips += cost.roundTrips
      bytesSent += cost.bytesSent
      bytesReceived += cost.bytesReceived
    }
  }

  /// The remote.
  package let remote: Remote
  /// How it is asked.
  package let options: Options
  private let opened: Repository
  /// What was done so far.
  package private(set) var tally = Tally()
  /// The access lists of the nodes that came.
  private var lists: [ObjectID: AccessList] = [:]

  /// A remote as a source.
  package init(_ remote: Remote, for opened: Repository, _ options: Options) {
    self.remote = remote
    self.opened = opened
    self.options = options
  }

  /// Asks for nodes.
  ///
  /// - Parameters:
  ///   - wanted: their ids.
  ///   - effects: for events, waiting and random numbers.
  /// - Returns: the answers about those of which the remote says something.
  /// - Throws: `RemoteFault` when it cannot be reached, denies access or ends the talk.
  func find(
    _ wanted: Set<ObjectID>, _ effects: Effects
  ) throws -> [ObjectID: RepairSource.Answer] {
    var found: [ObjectID: RepairSource.Answer] = [:]
    let ids = wanted.sorted()
    let attempts = Attempts(remote.title, repeats: options.repeats, isQuiet: false)
    for start in stride(from: 0, to: ids.count, by: SyncFilter.nodeLimit) {
      let part = Array(ids[start..<min(start + SyncFilter.nodeLimit, ids.count)])
      let answers = try attempts.run(
        effects, { .exchange(attempts: $0, keepsWhatCame: false) }
      ) { () throws in try ask(part, effects) }.value
      tally.asked += part.count
      found.merge(answers) { $1 }
    }
    tally.came = tally.came + found.values.count { if case .incoming = $0 { true } else { false } }
    return found
  }

  /// Gives a node that was missing here the access list that it has there, unless it has one.
  ///
  /// - Parameter id: the node, which came from the remote.
  /// - Throws: `RefsError` when it cannot be noted.
  func giveAccess(to id: ObjectID) throws {
    guard let list = lists[id] else { return }
    let writer = AccessWriter(in: opened.store.directory, try opened.refsOptions())
    try writer.append([(id, list)], from: remote.name?.text ?? Receiver.nameless) { $1 == nil }
  }

  /// One attempt to ask for some nodes.
  private func ask(
    _ ids: [ObjectID], _ effects: Effects
  ) throws -> [ObjectID: RepairSource.Answer] {
    let limits = try Receiver.Limits(opened.store.config)
    let connection = try Connection.connect(to: remote, service: .read, effects)
    let stream = MeteredStream(connection, title: remote.title, effects)
    var exchange = ClientExchange(
      stream, source: MemoryRangeSource(),
      hello: ClientHello(
        salt: RangeSalt(effects.random), capabilities: WireCapabilities(words(ids)) ?? .none))
    var found: [ObjectID: RepairSource.Answer] = [:]
    do throws(RemoteError) {
      let difference = try exchange.compare { (_) throws(RemoteError) in }
      let wanted = Set(ids)
      let taker = IncomingNodes(limits) { object in
        // A remote that cannot choose sends more.
        if wanted.contains(object.id) { found[object.id] = .incoming(object) }
      }
      let answer = try exchange.transfer(want: difference.want, taker, have: [], NoPacks())
      for row in exchange.unfit + answer.unsent where wanted.contains(row.id) {
        found[row.id] = found[row.id] ?? .damaged(.heldBack(rule: row.rule, detail: row.detail))
      }
      for row in taker.lists where wanted.contains(row.id) { lists[row.id] = row.list }
    } catch {
      stream.finish()
      throw connection.explain(error, effects)
    }
    stream.finish()
    connection.endOutput()
    if let cost = exchange.cost() {
      tally.add(cost)
      tally.reads = (tally.reads ?? 0) + cost.reads
    } else {
      tally.add(
        TransportCost(
          roundTrips: exchange.turnCount, bytesSent: exchange.sentByteCount,
          bytesReceived: exchange.receivedByteCount))
    }
    if let end = connection.close() { effects.report(.sync(.programEnded(end))) }
    return found
  }

  /// The words of the greeting.
  private func words(_ ids: [ObjectID]) -> [String] {
    var words = SyncFilter(nodes: ids, isBare: true).words
    words += [
      WireCapabilities.unfitWord, WireCapabilities.allUnfitWord, WireCapabilities.unsentWord,
      WireCapabilities.accessWord,
    ]
    if options.allowsUnsigned { words.append(SyncWord.unsigned) }
    if RemoteQuery.isAnswered(by: remote) { words.append(TransportCost.word) }
    return words
  }
}
