// The result of an exchange: values from which commands make lines for people and rows for programs.

package import RedoObject
package import RedoRemote
package import RedoStore

/// The result of work with one remote.
package struct SyncReport {
  /// A node that a side did not take.
  package struct Refused {
    package let id: ObjectID
    /// The rule that it breaks.
    package let rule: String
    /// Further details; not escaped.
    package let detail: String
    /// Whether it was this side that refused it.
    package let isHere: Bool
    /// The node because of which it was held back, if the fault was not its own.
    package var because: ObjectID?
    /// Whether it came from the remote; otherwise it was not sent.
    package var isReceived = false
    /// Whether it was never offered or sent, and is counted among those that are held back.
    package var isHeldBack = false

    /// Whether it was sent, and waits there because of the trust file.
    package var waitsForTrust: Bool {
      !isHere && [Rule.keyUntrusted, .keyExpired, .keyRevoked].contains { $0.id == rule }
    }
  }

  /// The name of the remote in messages.
  package let remote: String
  /// Whether the remote has a name in the settings.
  package let isNamed: Bool
  /// Its location.
  package let url: String
  /// The kind of objects that was exchanged.
  package let objects: ObjectKind
  /// How often it was tried.
  package var attempts = 1
  package var roundTrips = 0
  package var bytesSent = 0
  package var bytesReceived = 0
  /// What was asked for.
  package let kind: SyncSession.Kind
  /// How many nodes the history here had, compared or not.
  package var countHere = 0
  /// The nodes here that are not sent.
  package var heldRows: [Refused] = []
  /// The same by reason.
  package var heldHere: [HeldBack] = []
  /// The nodes there that are not offered, by reason; `nil` when the remote does not say.
  package var heldThere: [HeldBack]?
  /// How many receipts the remote keeps to itself, because they are private.
  package var keptThere = 0
  /// How many schemas the remote has, if it says so in an exchange about nodes.
  package internal(set) var schemasThere: Int?
  /// Whether the remote shows only a part of its nodes, and says nothing of the rest.
  package var showsPart = false
  /// Whether a part of the nodes was asked for: nothing is known of the others.
  package var isPartial = false
  /// How many nodes that are held back are named.
  package var namedLimit = HeldBack.namedLimit
  /// How many nodes were offered, and did not come.
  package var notCome = 0
  /// How many nodes that could not be read here were replaced by what the remote has.
  package var healed = 0
  /// How many nodes that the remote could not read were sent to it again.
  package var resent = 0
  /// How many nodes wait in the quarantine here, and there as far as the remote says so.
  package var waiting = 0
  package var waitingThere = 0
  /// Whether those here may wait because of the trust file.
  package var isGuarded = false
  /// What the transport has done, if it is a program that tells.
  package private(set) var cost: TransportCost?
  /// How many nodes the remote lacks that it had.
  package var lost = 0
  /// When the nodes of the remote were listed last, in milliseconds since 1970, or 0, if that was not done in this
  /// exchange.
  package var knownSince: Int64?
  /// How many nodes both had when they were compared, and how many only this store had.
  package var both = 0
  package var onlyHere = 0
  /// How many nodes only the remote had, at least.
  package var onlyThere = 0
  /// Whether there were more.
  package var hasMore = false
  /// The new nodes, oldest first.
  package var fetched: [ObjectID] = []
  /// The tasks, or chains, that they are about.
  package var fetchedGroups: Set<HistoryPlace.Group?> = []
  /// The nodes that the remote has acknowledged.
  package var pushed: [ObjectID] = []
  package var refused: [Refused] = []
  /// The nodes that arrived and wait for parents.
  package var orphans: [OrphanNode] = []
  /// The nodes that arrived and wait because of the trust file, each with the rule.
  package var held: [RefusedNode] = []
  /// The heads that moved.
  package var moved = MovedNames()
  /// The nodes that a merge made.
  package var merged: [ObjectID] = []
  /// Whether the remote has everything, if that was checked.
  package var isVerified: Bool?

  /// What is said of nodes here that are not exchanged: what concerns this kind of exchange, and nobody has accepted.
  package var toldHere: [HeldBack] {
    let concerns = kind.pushes || kind == .list
    return heldHere.filter {
      !$0.isAccepted && !$0.isPrivate && !isShared($0) && (concerns || $0.isUnreadable)
    }
  }
  /// The same of the remote's nodes.
  package var toldThere: [HeldBack] {
    guard kind.fetches || kind == .list else { return [] }
    return (heldThere ?? []).filter { !$0.isAccepted && !isShared($0) }
  }

  /// What stays here because it is private, which nobody needs to accept, where something is sent.
  package var privateHere: [HeldBack] {
    kind.pushes || kind == .list ? heldHere.filter(\.isPrivate) : []
  }

  /// How many objects are held back here that nobody needs to be told of: accepted ones, those that the remote holds
  /// back as well, and what is private.
  package var untoldHere: (accepted: Int, shared: Int, kept: Int) {
    let shared = heldHere.filter(isShared).reduce(0) { $0 + $1.total }
    let own = heldHere.filter { !isShared($0) }
    let accepted = own.filter { $0.isAccepted && !$0.isPrivate }.reduce(0) { $0 + $1.total }
    return (accepted, shared, own.filter(\.isPrivate).reduce(0) { $0 + $1.total })
  }

  /// Whether both sides hold back the same nodes by the same rule: neither lacks them.
  private func isShared(_ held: HeldBack) -> Bool {
    func isSame(_ other: HeldBack) -> Bool {
      other.rule == held.rule && other.digest == held.digest && other.total == held.total
    }
    return !held.isUnreadable && heldHere.contains(where: isSame)
      && heldThere?.contains(where: isSame) ?? false
  }

  /// What follows for schemas from an exchange about nodes.
  package enum SchemaStep: Equatable, Sendable {
    /// They are exchanged.
    case exchange
    /// Neither side has any, or nothing would be sent.
    case nothing
    /// As many stay here: the remote takes none.
    case stay(Int)
  }

  /// What follows for schemas from this exchange about nodes, in which the remote said how many it has, if it takes any.
  ///
  /// - Parameter here: how many schemas this store has now.
  /// - Returns: what follows.
  package func schemaStep(here: Int) -> SchemaStep {
    guard let there = schemasThere else {
      return here > 0 && kind.pushes ? .stay(here) : .nothing
    }
    return here > 0 || there > 0 ? .exchange : .nothing
  }

  /// Whether everything was done, and nothing is held back that nobody has accepted.
  package var isWhole: Bool {
    refused.allSatisfy(\.isHeldBack) && orphans.isEmpty && held.isEmpty && notCome == 0
      && isVerified ?? true && toldHere.isEmpty && toldThere.isEmpty && lost == 0
  }

  /// Whether this and the remote are known to have had the same nodes when they were compared; `nil` when not all were
  /// compared, or the remote does not say what it withholds, or was not listed.
  package var isEqual: Bool? {
    guard onlyHere == 0, onlyThere == 0, keptThere == 0, !hasMore, lost == 0, isVerified ?? true
    else {
      return false
    }
    guard heldThere != nil || showsPart else { return nil }
    if let heldThere, !(heldThere + heldHere).allSatisfy(isShared) { return false }
    return knownSince == nil && !isPartial ? true : nil
  }

  /// A report of an exchange with a remote.
  package init(_ remote: Remote, _ kind: SyncSession.Kind, of objects: ObjectKind = .node) {
    self.objects = objects
    self.remote = remote.title
    isNamed = remote.name != nil
    url = remote.text
    self.kind = kind
  }

  /// Adds what the transport of one more attempt has done; that takes the place of what went through its pipe.
  package mutating func add(_ more: TransportCost?) {
    guard let more else { return }
    roundTrips += more.roundTrips
    bytesSent += more.bytesSent
    bytesReceived += more.bytesReceived
    lost = more.lost
    var sum = cost ?? TransportCost()
    sum.reads += more.reads
    sum.writes += more.writes
    cost = sum
  }

  /// Adds the result of later work with the same remote.
  package mutating func add(_ later: SyncReport) {
    attempts += later.attempts - 1
    roundTrips += later.roundTrips
    bytesSent += later.bytesSent
    bytesReceived += later.bytesReceived
    lost = later.lost
    if let more = later.cost {
      cost = TransportCost(
        reads: (cost?.reads ?? 0) + more.reads, writes: (cost?.writes ?? 0) + more.writes)
    }
    fetched += later.fetched
    fetchedGroups.formUnion(later.fetchedGroups)
    pushed += later.pushed
    countHere = later.countHere
    heldHere = later.heldHere
    heldThere = later.heldThere
    keptThere = later.keptThere
    showsPart = later.showsPart
    knownSince = later.knownSince
    both = later.both
    onlyHere = later.onlyHere
    onlyThere = later.onlyThere
    hasMore = later.hasMore
    waitingThere = later.waitingThere
    notCome += later.notCome
    healed += later.healed
    resent += later.resent
    waiting = later.waiting
    isGuarded = later.isGuarded
    // A node that was refused before is refused again.
    refused += later.refused.filter { row in !refused.contains { $0.id == row.id } }
    orphans = later.orphans
    held = later.held
    moved.add(later.moved.all)
    isVerified = later.isVerified ?? isVerified
  }
}

/// The heads of tasks that moved, combined into one move for each task.
package struct MovedNames {
  private var places: [RefName: Int] = [:]
  package private(set) var all: [MovedHeads] = []

  /// Adds later moves.
  package mutating func add(_ moved: some Sequence<MovedHeads>) {
    for heads in moved {
      guard let place = places[heads.name] else {
        places[heads.name] = all.count
        all.append(heads)
        continue
      }
      all[place] = MovedHeads(name: heads.name, before: all[place].before, after: heads.after)
    }
  }
}

/// A head that moved.
package struct HeadRow {
  /// How a head moved.
  package enum Flag: String {
    /// The task is new.
    case new = "*"
    /// It follows the old one.
    case forward = " "
    /// It exists beside the old one.
    case united = "+"
    /// It did not move: the node was refused.
    case refused = "!"
  }

  package let flag: Flag
  /// The ref.
  package let name: String
  package let old: ObjectID?
  package let new: ObjectID

  /// How the heads of a task moved.
  ///
  /// - Parameters:
  ///   - name: the ref.
  ///   - old: its ids before.
  ///   - new: its ids after.
  /// - Returns: a row for each new id, and for each old one that is gone.
  package static func rows(_ name: RefName, old: [ObjectID], new: [ObjectID]) -> [HeadRow] {
    let added = new.filter { !old.contains($0) }.sorted()
    let gone = old.filter { !new.contains($0) }.sorted()
    guard let last = added.last else { return [] }
    var rows: [HeadRow] = []
    for index in 0..<max(added.count, gone.count) {
      let id = index < added.count ? added[index] : last
      if index < gone.count {
        rows.append(HeadRow(flag: .forward, name: name.text, old: gone[index], new: id))
      } else if old.isEmpty {
        rows.append(HeadRow(flag: .new, name: name.text, old: nil, new: id))
      } else {
        rows.append(HeadRow(flag: .united, name: name.text, old: old.min(), new: id))
      }
    }
    return rows
  }
}

extension SyncReport {
  /// The heads that moved.
  package var heads: [HeadRow] {
    moved.all.flatMap { HeadRow.rows($0.name, old: $0.before, new: $0.after) }
  }

  /// The heads that moved, and what came and was not taken.
  package var rows: [HeadRow] {
    let left = refused.filter(\.isReceived).map(\.id) + orphans.map(\.id) + held.map(\.id)
    return heads + left.map { HeadRow(flag: .refused, name: "-", old: nil, new: $0) }
  }
}
