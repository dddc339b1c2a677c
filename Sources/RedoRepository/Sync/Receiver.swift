// Takes incoming packs: their bytes are written to the quarantine as they arrive, and at the end of a turn everything
// is checked and taken in, in one step. What an interrupted run has left there is not fetched again.

internal import RedoHistory
package import RedoObject
package import RedoRemote
package import RedoStore

/// Receives nodes for a store.
///
/// A class, because an exchange holds it, and the code that started the exchange reads it afterwards.
package final class Receiver: PackTaker {
  /// How much one exchange may transfer.
  package struct Limits: Sendable {
    /// The most bytes of packs.
    package var bytes: Int
    /// The most nodes.
    package var nodes: Int

    /// Reads the limits from the settings `transfer.maxBytes` and `transfer.maxNodes`.
    ///
    /// - Parameter config: the settings.
    /// - Throws: `ConfigError` when one of them is not a number.
    package init(_ config: Config) throws {
      bytes = try config.transferBytes()
      nodes = try config.transferNodes()
    }
  }

  /// How nodes are received.
  package struct Options: Sendable {
    /// The kind of objects that come.
    package var objects = ObjectKind.node
    /// The message in the reflog.
    package var message = "receive"
    /// The name of the other side in messages; empty when there is none.
    package var peer = ""
    /// Whether nodes without a signature are taken.
    package var allowsUnsigned = false
    /// The only nodes that are taken in, with their ancestors; all when `nil`.
    package var only: Set<ObjectID>?
    /// The account that sends, where it is to see what it sends: nodes without an access list get one that has it.
    package var account: String?
    /// The name of the remote that nodes come from, under which its access lists are noted; `nil` for a client.
    package var remote: String?
    /// Whether anything is written permanently.
    package var writes = true
    /// Whether warnings are suppressed.
    package var isQuiet = false
    /// Whether what waits because of the trust file is named again when it comes again.
    package var namesHeldAgain = true
    /// Whether what waits for its parents is told when it is taken in; who asks for the parents tells it when they did not come.
    package var tellsOrphans = true
    /// Whether names that two fields have since others' schemas came are told; a server leaves that to its people.
    package var tellsCollisions = true
    /// Whether the store's hooks are run.
    var runsHooks = true
    /// Whether `recover` keeps other synchronisations out until this is released; a server makes them wait for each
    /// other only while nodes are taken in.
    package var isAlone = true
    /// How long to wait for others; `nil` for `core.lockTimeout`.
    package var lockTimeoutMilliseconds: Int?
    /// How much one exchange may transfer; `nil` for the settings.
    package var limits: Limits?
    /// How much the account that sends may have in the quarantine; `nil` where nobody counts.
    package var quota: QuarantineQuota?

    /// Creates a value with these members.
    package init(
      message: String = "receive", peer: String = "", allowsUnsigned: Bool = false,
      only: Set<ObjectID>? = nil, writes: Bool = true, isQuiet: Bool = false,
      runsHooks: Bool = true, isAlone: Bool = true, lockTimeoutMilliseconds: Int? = nil,
      limits: Limits? = nil
    ) {
      self.message = message
      self.peer = peer
      self.allowsUnsigned = allowsUnsigned
      self.only = only
      self.writes = writes
      self.isQuiet = isQuiet
      self.runsHooks = runsHooks
      self.isAlone = isAlone
      self.lockTimeoutMilliseconds = lockTimeoutMilliseconds
      self.limits = limits
    }

    /// How nodes enter the store.
    package var transaction: NodeTransaction.Options {
      var options = NodeTransaction.Options(
        profile: .sync, writes: writes, updatesHeads: true, salvages: true, isQuiet: isQuiet,
        allowsUnsigned: allowsUnsigned, message: message)
      options.origin = .exchange
      return options
    }
  }

  /// Stands for the name of a remote that has none, whose lists never change.
  package static let nameless = "-"

  package let opened: Repository
  package let options: Options
  private let limits: Limits
  private let effects: Effects
  private var quarantine: Quarantine?
  private var right: LockFile?
  /// The beginning of the pack that is arriving, until it says which kind of objects it has.
  private var start: [UInt8] = []
  /// The pack that is arriving.
  private var coming: IncomingPack?
  /// The packs that have arrived.
  private var packs: [IncomingPack] = []
  /// The judging of the first packs while others arrive.
  private var judging: PackJudging?
  private var byteCount = 0
  private var nodeCount = 0
  /// How many bytes of the account wait for their parents; `nil` until it is looked up, and when that may have changed.
  private var waitingBytes: Int?
  /// The request of this exchange; anything may arrive when it is `nil`.
  package var asked: RangeRequest?
  /// Whether a node was in the history before this exchange.
  package var isHere: (ObjectID) -> Bool = { _ in false }
  /// The nodes that the remote has given lists to, and that have yet to come.
  private var listed: [ObjectID] = []
  private var writer: AccessWriter?
  /// The results so far.
  package private(set) var report = ReceiveReport()
  /// Why nothing more can be done here; the exchange only knows that it ended.
  package private(set) var failure: (any Error)?

  /// Creates a receiver for a store.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - options: how nodes are received.
  ///   - effects: clock, settings and cancellation.
  /// - Throws: `ConfigError` when a limit is not a number.
  package init(
    _ opened: Repository, _ options: Options, _ effects: Effects
  ) throws {
    if let given = options.limits {
      limits = given
    } else {
      limits = try Limits(opened.store.config)
    }
    self.opened = opened
    self.options = options
    self.effects = effects
  }

  // MARK: Before an exchange

  /// Takes in what an interrupted run has received; to be called before every exchange, including repeated ones, and
  /// once more after the last.
  ///
  /// - Throws: `SyncFault` when another synchronisation does not end; the error when the store cannot be used.
  package func recover() throws { try recover(andPromotes: false) }

  /// The same, and takes in everything from the quarantine that can be by now.
  package func promote() throws { try recover(andPromotes: true) }

  private func recover(andPromotes promotes: Bool) throws {
    guard options.writes || promotes else { return }
    let quarantine = try openQuarantine()
    if options.isAlone, options.writes, right == nil { right = try acquire(.synchronising) }
    if let coming { packs.append(coming) }
    coming = nil
    start = []
    packs += try quarantine.leftPacks()
    if promotes || !packs.isEmpty { try admit(promotes: promotes) }
    if promotes { try tidy(quarantine) }
    byteCount = 0
    nodeCount = 0
  }

  // MARK: Packs that come

  package func take(_ piece: PackPiece) throws(RemoteError) {
    switch piece {
    case .bytes(let bytes):
      byteCount += bytes.count
      guard byteCount <= limits.bytes else { throw limits.tooManyBytes }
      try checkQuota(more: bytes.count)
      guard coming == nil else { return try stopping { try append(bytes) } }
      start += bytes
      guard start.count >= IncomingPack.startBytes else { return }
      // Nothing is kept of a pack that has no business here.
      if let kind = IncomingPack.kind(of: start), kind != options.objects {
        throw .unexpected("a pack of \(kind)s in an exchange of \(options.objects)s")
      }
      let bytes = start
      start = []
      try stopping { try append(bytes) }
    case .end: try endPack()
    }
  }

  /// Makes sure that the account may have more in the quarantine.
  ///
  /// What its other exchanges bring at the same time, or have left, is in the same directory; each may be a piece beyond
  /// the quota.
  private func checkQuota(more: Int) throws(RemoteError) {
    guard let quota = options.quota, quota.coversComing, quota.limit > 0 else { return }
    var used = 0
    try stopping {
      let quarantine = try openQuarantine()
      let waits = try waitingBytes ?? quarantine.waitingBytes(of: quota.owner)
      waitingBytes = waits
      used = waits + (try quarantine.packBytes(of: quota.owner))
    }
    if let fault = quota.fault(used: used, more: more) { throw fault }
  }

  private func append(_ bytes: [UInt8]) throws {
    try effects.checkInterrupt()
    let quarantine = try openQuarantine()
    if coming == nil {
      coming = try quarantine.makePack(isKept: options.writes, of: options.quota?.owner)
    }
    try coming?.append(bytes)
  }

  private func endPack() throws(RemoteError) {
    guard start.isEmpty else {
      throw .malformed(offset: 0, reason: "a pack of \(start.count) bytes")
    }
    guard let pack = coming else { throw .unexpected("the end of a pack without bytes") }
    let count: Int
    do throws(PackError) { count = try pack.end() } catch {
      if case .system(let cause) = error { throw stop(cause) }
      throw .malformed(offset: 0, reason: "a pack: \(error.description)")
    }
    guard count <= PackPiece.nodeLimit else {
      throw .limit("a pack of \(count) nodes, which has at most \(PackPiece.nodeLimit)")
    }
    nodeCount += count
    guard nodeCount <= limits.nodes else { throw limits.tooManyNodes }
    packs.append(pack)
    coming = nil
    // A server has many clients, and memory only for what is taken in, not for what each of them sends.
    guard options.isAlone, judging == nil, options.objects == .node else { return }
    judging = PackJudging([pack], options.transaction.intake, isAlone: true)
    judging?.begin()
  }

  package func finish() throws(RemoteError) -> Admitted {
    let before = report
    try stopping {
      try admit(asked)
      try forgetLists(since: before)
    }
    guard report.damagedFrames == before.damagedFrames else {
      throw .malformed(offset: 0, reason: "frames of packs cannot be decoded")
    }
    let taken = report.new.count - before.new.count + report.upgraded - before.upgraded
    let orphans = report.orphans[before.orphans.count...].map { RefusedNode($0) }
    let held = report.held[before.held.count...].map { RefusedNode($0) }
    return Admitted(
      taken: UInt64(taken),
      refused: Array(report.refused[before.refused.count...]) + orphans + held)
  }

  /// Takes access lists.
  ///
  /// They are kept at once, so that no node is here without its list however the exchange ends. A client gives a list to
  /// nodes that have none. A remote may restrict what it brings, and change that later; it has no say about nodes that
  /// are here without it.
  package func take(_ rows: [AccessRow]) throws(RemoteError) {
    try stopping {
      let rows = rows.map { (id: $0.id, list: $0.list) }
      guard options.writes else { return }
      guard let remote = options.remote else {
        try accessWriter().append(rows) { $1 == nil }
        return
      }
      listed += try accessWriter().append(rows, from: remote) { [isHere] id, source in
        source.map { $0 == remote && remote != Self.nameless } ?? !isHere(id)
      }
    }
  }

  /// Takes back the lists of nodes that have not come.
  ///
  /// - Parameter before: the results before nodes came.
  /// - Throws: `RefsError` when it cannot be noted.
  private func forgetLists(since before: ReceiveReport) throws {
    guard let remote = options.remote, !listed.isEmpty else { return }
    var come = Set(report.new.dropFirst(before.new.count).map(\.id))
    come.formUnion(report.orphans.dropFirst(before.orphans.count).map(\.id))
    come.formUnion(report.held.dropFirst(before.held.count).map(\.id))
    let absent = listed.filter { !come.contains($0) && !isHere($0) }
    listed = []
    try accessWriter().append(absent.map { ($0, nil) }, from: remote) { $1 == remote }
  }

  private func accessWriter() throws -> AccessWriter {
    if let writer { return writer }
    let made = AccessWriter(in: opened.store.directory, try opened.refsOptions())
    writer = made
    return made
  }

  // MARK: What has come

  /// Takes in what is good of what has arrived.
  ///
  /// Anything may arrive where no request is given, and what can be is taken in from the quarantine where that is said.
  private func admit(_ asked: RangeRequest? = nil, promotes: Bool = false) throws {
    let quarantine = try openQuarantine()
    let right = options.writes ? try acquire(.admitting) : nil
    defer { extendLifetime(right) }
    // What an interrupted run has left may be of any kind.
    let nodes = packs.filter { $0.kind == .node }
    if options.objects == .node || promotes || !nodes.isEmpty {
      try admit(nodes, options.objects == .node ? asked : nil, quarantine)
    }
    for kind in ObjectKind.grouped {
      let packs = packs.filter { $0.kind == kind }
      guard
        options.objects == kind || !packs.isEmpty
          || promotes && opened.store.config.mayHaveGroups
      else { continue }
      var admitting = try GroupAdmitting(of: kind, opened, options, quarantine, effects)
      admitting.asked = options.objects == kind ? asked : nil
      try admitting.run(packs, &report, effects)
    }
    packs = []
    waitingBytes = nil
  }

  private func admit(
    _ packs: [IncomingPack], _ asked: RangeRequest?, _ quarantine: Quarantine
  ) throws {
    let begun = judging.take()
    let judged: PackJudging
    if let begun, begun.begins(with: packs.first) {
      judged = begun
      judged.add(packs.dropFirst())
    } else {
      judged = PackJudging(packs, options.transaction.intake, isAlone: options.isAlone)
    }
    var admitting = try Admitting(opened, options, quarantine, effects)
    admitting.asked = asked
    try admitting.run(packs, judged, &report, effects)
  }

  /// Removes leftovers of an interrupted run from the waiting nodes.
  private func tidy(_ quarantine: Quarantine) throws {
    guard options.writes else { return }
    let right = try acquire(.admitting)
    defer { extendLifetime(right) }
    let waiting = try quarantine.orphans()
    try waiting?.removeLeftovers(shardsToo: true)
    try quarantine.removeShown()
  }

  private func openQuarantine() throws -> Quarantine {
    if let quarantine { return quarantine }
    let sync = try opened.refsOptions().sync
    let made = try Quarantine(in: opened.store.directory, sync)
    quarantine = made
    return made
  }

  private func acquire(_ right: Quarantine.Right) throws -> LockFile {
    try opened.store.checkWritable()
    let usual = try opened.refsOptions().lockTimeoutMilliseconds
    return try openQuarantine().hold(
      right, timeoutMilliseconds: options.lockTimeoutMilliseconds ?? usual)
  }

  /// Remembers why nothing more can be done.
  private func stop(_ error: any Error) -> RemoteError {
    failure = failure ?? error
    let text = effects.describe(error)
    return RedoError(error).code == .unavailable ? .unavailable(text) : .stopped(text)
  }

  private func stopping(_ body: () throws -> Void) throws(RemoteError) {
    do { try body() } catch { throw stop(error) }
  }
}

extension Quarantine {
  /// Takes a lock, or ends the work.
  ///
  /// - Throws: `SyncFault` when another process holds it for too long, `SystemError` when it cannot be taken.
  package func hold(
    _ right: Right, timeoutMilliseconds: Int
  ) throws -> LockFile {
    if let lock = try acquire(right, timeoutMilliseconds: timeoutMilliseconds) { return lock }
    throw SyncFault.busy(lock: lockPath)
  }
}
