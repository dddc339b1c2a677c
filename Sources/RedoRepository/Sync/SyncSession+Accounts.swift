// The accounts of an exchange: how many nodes each side has, what became of those that only one of them has, and what is
// held back, by reason.

internal import RedoHistory
package import RedoObject
package import RedoRemote
internal import RedoStore

extension SyncSession {
  /// The positions of nodes in what is compared, ascending.
  func positions(of ids: some Sequence<ObjectID>, in source: some ComparedSource) -> [Int] {
    ids.compactMap { source.position(of: $0) }.sorted()
  }
}

extension SyncReport.Refused {
  /// A node of this side that is not compared.
  init(heldBack row: RefusedNode) {
    self.init(
      id: row.id, rule: row.rule, detail: "", isHere: true, because: row.ancestor, isHeldBack: true)
  }
}

extension SyncReport {
  /// Notes how many nodes each side has.
  ///
  /// - Parameters:
  ///   - difference: the result of the comparison.
  ///   - here: how many nodes were compared here, and how many the history has.
  ///   - server: the remote's greeting.
  package mutating func note(
    _ difference: RangeDifference, here: (compared: Int, history: Int), _ server: ServerHello?
  ) {
    countHere = here.history
    onlyHere = difference.haveCount
    both = here.compared - difference.haveCount
    onlyThere = 0
    hasMore = false
    for request in difference.want {
      for part in request.parts {
        switch part.content {
        case .list(let seals): onlyThere += seals.count
        case .everything: hasMore = true
        case .settled, .fingerprint, .difference, .nothing, .later: break
        }
      }
    }
    knownSince = server.flatMap { TransportCost.knownSince($0.capabilities) }
    if let server, let count = SyncWord.nodeCount(server.capabilities), count >= both {
      onlyThere = count - both
      hasMore = false
    }
  }

  /// Notes what is held back here where nothing is sent.
  ///
  /// - Parameter rows: the nodes that are not compared.
  package mutating func noteHeldHere(_ rows: [RefusedNode]) {
    heldRows = rows.map { Refused(heldBack: $0) }
  }

  /// Takes back of the remote's unreadable nodes those that were sent to it again.
  mutating func settleHeldThere() {
    guard let held = heldThere, !pushed.isEmpty else { return }
    let sent = Set(pushed)
    heldThere = held.compactMap { one in
      guard one.isUnreadable else { return one }
      var rest = one
      rest.ids.removeAll { sent.contains($0) }
      resent += one.ids.count - rest.ids.count
      rest.count -= one.ids.count - rest.ids.count
      return rest.total > 0 ? rest : nil
    }
  }

  /// The nodes here that could not be read.
  package var unreadableHere: [ObjectID] {
    heldRows.filter { $0.because == nil && HeldBack.isUnreadable($0.rule) }.map(\.id)
  }

  /// Counts what is held back here, as it is after the exchange.
  ///
  /// - Parameter unreadable: the nodes that are known to be unreadable now, and why.
  package mutating func settleHeldHere(_ unreadable: [ObjectID: Finding]) {
    let isOver = { (row: Refused) in
      row.isHeldBack && HeldBack.isUnreadable(row.rule) && unreadable[row.because ?? row.id] == nil
    }
    refused.removeAll(where: isOver)
    heldRows.removeAll(where: isOver)
    let known = Set(heldRows.lazy.map(\.id))
    for (id, finding) in unreadable.sorted(by: { $0.key < $1.key }) where !known.contains(id) {
      heldRows.append(
        Refused(
          id: id, rule: finding.rule.id, detail: finding.detail, isHere: true, isHeldBack: true))
    }
    heldHere = HeldBack.counted(
      heldRows.lazy.map { ($0.id, $0.rule, $0.because != nil) }, limit: namedLimit)
  }

  /// Notes what the remote says of the nodes that it withholds.
  ///
  /// - Parameters:
  ///   - server: its words.
  ///   - rows: what it names.
  /// - Returns: the rows that are about something else.
  package mutating func noteWithheld(
    _ server: WireCapabilities, _ rows: [RefusedNode]
  ) -> [RefusedNode] {
    keptThere = SyncWord.keptCount(server)
    showsPart = server.words.contains(WireCapabilities.partWord)
    waitingThere =
      server.words.lazy.filter { $0.hasPrefix(WireCapabilities.waits) }
      .compactMap { Int($0.dropFirst(WireCapabilities.waits.utf8.count)) }.first { $0 > 0 } ?? 0
    heldThere = Withheld(server).map { HeldBack.said($0, rows, limit: namedLimit) }
    let rules = Set((heldThere ?? []).map(\.rule))
    return rows.filter { !rules.contains($0.rule) }
  }
}

extension SyncReport {
  /// Notes nodes that the remote has offered and cannot read.
  mutating func note(unsentThere rows: [RefusedNode]) {
    guard !rows.isEmpty else { return }
    let held = HeldBack.counted(
      rows.lazy.map { ($0.id, $0.rule, $0.ancestor != nil) })
    var all = heldThere ?? []
    for one in held {
      if let place = all.firstIndex(where: { $0.rule == one.rule }) {
        all[place].count += one.count
        all[place].below += one.below
        all[place].ids = Array((all[place].ids + one.ids).prefix(HeldBack.namedLimit))
      } else {
        all.append(one)
      }
    }
    heldThere = all
  }
}
