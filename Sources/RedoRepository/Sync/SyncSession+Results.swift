// What the steps of an exchange have found, noted in its report.

internal import RedoHistory
internal import RedoObject
internal import RedoRemote
internal import RedoStore

extension SyncSession {
  /// The heads of the remote among what is here.
  func heads<Objects: ComparedObjects>(
    _ history: Objects, _ difference: RangeDifference
  ) throws -> [Ref] where Objects.Source: ComparedSource {
    var lacks = [Bool](repeating: false, count: try history.source().count)
    for range in difference.have { for position in range { lacks[position] = true } }
    return try history.heads { !lacks[$0] }
  }

  /// Notes what each side has and does not exchange.
  mutating func noteWithheld(
    _ rows: [RefusedNode], _ history: some ComparedObjects, _ effects: Effects
  ) throws {
    let others = report.noteWithheld(server?.capabilities ?? .none, rows)
    // What is none of a push's business.
    let unfit = kind == .push ? [] : report.add(unfit: others)
    if !unfit.isEmpty { effects.report(.notOffered(unfit, remote: remote.title)) }
    guard !kind.pushes else { return }
    report.noteHeldHere(try history.held(limit: nil))
  }

  /// Notes what came, and what did not although it was offered.
  mutating func noteArrivals(
    _ received: ReceiveReport, after before: ReceiveReport, _ unsent: [RefusedNode]
  ) {
    // Those that waited in the quarantine have not come now.
    let new = received.new.count - received.promoted - (before.new.count - before.promoted)
    report.healed += received.healed - before.healed
    report.note(unsentThere: unsent)
    guard !isNarrowed, options.only == nil, !report.hasMore else { return }
    let known = received.known + received.upgraded + received.healed
    let knownBefore = before.known + before.upgraded + before.healed
    let came =
      new + known - knownBefore + received.refused.count - before.refused.count
      + received.orphans.count - before.orphans.count + received.held.count - before.held.count
    report.notCome = max(0, report.onlyThere - came - unsent.count)
  }

  /// Takes back nodes that could not be read when they were to be sent.
  mutating func note(unsent rows: [RefusedNode]) {
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

  /// Notes what each side has.
  mutating func note<Objects: ComparedObjects>(
    _ difference: RangeDifference, _ history: Objects
  ) throws where Objects.Source: ComparedSource {
    report.note(difference, here: try history.counts, server)
    // Nodes that were sent before a connection broke, and are no longer lacking there, have arrived.
    guard !sent.isEmpty else { return }
    let lacking = try history.ids(at: difference.have)
    report.pushed += sent.filter { !lacking.contains($0) }
    sent = []
  }

  /// The nodes that the remote lacks and that may be sent.
  mutating func check(
    _ difference: RangeDifference, _ history: some ComparedObjects, _ effects: Effects
  ) throws -> PushCheck.Outcome {
    report.refused.removeAll { $0.isHere && !$0.isReceived }
    report.refused += try history.held(limit: nil).map { SyncReport.Refused(heldBack: $0) }
    defer { report.heldRows = report.refused.filter(\.isHeldBack) }
    if let server, server.capabilities.words.contains(SyncWord.readOnly) {
      if difference.haveCount > 0, !options.isDryRun { isDenied = true }
      return PushCheck.Outcome()
    }
    guard !difference.have.isEmpty else { return PushCheck.Outcome() }
    let outcome = try history.check(difference.have, effects)
    for row in outcome.rows {
      report.refused.append(
        SyncReport.Refused(
          id: row.id, rule: row.rule.id, detail: row.detail, isHere: true, because: row.ancestor,
          isHeldBack: true))
    }
    return outcome
  }

  /// Notes what was received.
  mutating func take(
    _ received: ReceiveReport, after before: ReceiveReport = ReceiveReport()
  ) {
    let new = received.new.dropFirst(before.new.count)
    for node in new {
      report.fetched.append(node.id)
      report.fetchedGroups.insert(node.group)
    }
    report.moved.add(received.heads.dropFirst(before.heads.count))
    let orphans = received.orphans.dropFirst(before.orphans.count)
    let held = received.held.dropFirst(before.held.count).map { RefusedNode($0) }
    // What waits comes again with the next attempt, and may be taken then.
    let settled = Set(new.map(\.id) + orphans.map(\.id) + held.map(\.id))
    report.orphans.removeAll { settled.contains($0.id) }
    report.held.removeAll { settled.contains($0.id) }
    report.orphans += orphans
    report.held += held
    let known = Set(report.refused.lazy.filter(\.isReceived).map(\.id))
    for row in received.refused.dropFirst(before.refused.count) where !known.contains(row.id) {
      var refused = SyncReport.Refused(
        id: row.id, rule: row.rule, detail: row.detail, isHere: true)
      refused.isReceived = true
      report.refused.append(refused)
    }
  }

  /// Notes the results for nodes that were sent.
  mutating func take(_ there: Admitted, _ ids: [ObjectID]) {
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
