// Every loose object of a store: read, inflated, hashed, decoded and verified, one shard at a time on each processor.
// On the way each node is compared with what the index of the history says about it. The packed ones are in
// ObjectAudit+Frames.swift.

package import RedoHistory
package import RedoObject
package import RedoStore

/// What the shards of an audit share.
package struct ObjectAudit: Sendable {
  package let store: ObjectStore
  package let profile: Profile
  /// The part that is judged in this run.
  package let part: AuditPart
  /// The index of the history, if there is one that can be used.
  package let graph: Graph?
  /// When each node was received; `nil` when unknown.
  package let times: [ObjectID: Int64]?
  /// What the trust file says, if there is one.
  package let trust: TrustList?

  /// Creates a value with these members.
  package init(
    store: ObjectStore, profile: Profile, part: AuditPart, graph: Graph?, times: [ObjectID: Int64]?,
    trust: TrustList?
  ) {
    self.store = store
    self.profile = profile
    self.part = part
    self.graph = graph
    self.times = times
    self.trust = trust
  }

  /// What is found in a shard, or in a frame.
  package struct Part: Sendable {
    /// Where the objects are, if they are packed.
    package var place: PackedPlace?
    /// What is wrong with single files.
    package var findings: [StoreFinding] = []
    /// Nodes that wait for a key, or for their parents.
    package var waiting: [Judged] = []
    /// Where each of these is among the facts.
    package var waitingPlaces: [Int] = []
    /// Receipts, which wait for the key of their device, and schemas.
    package var grouped: [JudgedObject] = []
    /// Where each of these is among the facts.
    package var groupedPlaces: [Int] = []
    /// What is known about the objects.
    package var facts = NodeFacts()
    /// Where the index differs.
    package var differences = IndexDifferences()
  }

  /// A judge for one thread.
  package func makeJudge() -> StoredJudge {
    StoredJudge(Intake.Options(profile: profile, identity: .required), trust)
  }

  /// Examines a shard.
  package func shard(_ byte: UInt8, _ judge: inout StoredJudge) -> Part {
    var found = Part()
    var names: [StoreFinding] = []
    let shard = store.primary.checkShard(byte, &names)
    // Names are reported once, by the run that judges the shard.
    if byte >= part.start { found.findings = names }
    guard let own = shard else {
      for id in otherIDs(byte, besides: []) { learn(id, judge.read(id, store), &judge, &found) }
      return found
    }
    let others = otherIDs(byte, besides: own.ids)
    var next = 0
    func readOthers(before id: ObjectID?, _ judge: inout StoredJudge) {
      while next < others.count, id.map({ others[next] < $0 }) ?? true {
        learn(others[next], judge.read(others[next], store), &judge, &found)
        next += 1
      }
    }
    for id in own.ids {
      readOthers(before: id, &judge)
      if !part.contains(id), let graph, let position = graph.position(of: id) {
        found.facts.append(id, .node, graph, at: position)
        continue
      }
      let object = judge.read(id, in: own, store.primary)
      guard part.contains(id) else {
        learn(id, object, &judge, &found)
        continue
      }
      examine(id, object, &judge, &found)
    }
    readOthers(before: nil, &judge)
    return found
  }

  /// The loose objects of a shard that only alternates have.
  private func otherIDs(_ byte: UInt8, besides own: [ObjectID]) -> [ObjectID] {
    guard !store.alternates.isEmpty else { return [] }
    var ids: Set<ObjectID> = []
    for alternate in store.alternates {
      ids.formUnion((try? alternate.loose.list(prefix: Layout.shard(byte))) ?? [])
    }
    return ids.subtracting(own).sorted()
  }

  /// Notes an object that is not judged: it is in a part that belongs to another run, or in an alternate, or damaged.
  ///
  /// - Parameters:
  ///   - id: the object.
  ///   - result: what was read; of a damaged object, another copy.
  ///   - judge: the tools of the thread.
  ///   - found: receives what is known about it.
  ///   - judgement: `bad` when it is damaged.
  func learn(
    _ id: ObjectID, _ result: Result<StoredObject?, StoreError>, _ judge: inout StoredJudge,
    _ found: inout Part, _ judgement: NodeJudgement = .unjudged
  ) {
    guard case .success(let object?) = result else {
      note(id, &found, judgement)
      return
    }
    _ = learn(object, &judge, &found, judgement)
  }

  /// Notes an object that can be read, and is not judged.
  ///
  /// - Returns: its place in the history of its kind, if it has one.
  func learn(
    _ object: StoredObject, _ judge: inout StoredJudge, _ found: inout Part,
    _ judgement: NodeJudgement
  ) -> PackEntry? {
    switch object.kind {
    case .blob:
      found.facts.append(object.id, .blob)
      return nil
    case .receipt, .schema:
      let grouped = judge.judge(grouped: object).object
      found.facts.append(object.id, grouped, judgement)
      return grouped.map { PackEntry(object, $0.place) }
    case .node:
      let node =
        judge.decoder.decode(object).map { HistoryNode($0) }
        ?? judge.decoder.decodeBroken(object).map { HistoryNode($0) }
      note(node, object.id, &found, judgement)
      return node.map { PackEntry(object, $0.place) }
    }
  }

  /// Judges an object.
  private func examine(
    _ id: ObjectID, _ result: Result<StoredObject?, StoreError>, _ judge: inout StoredJudge,
    _ found: inout Part
  ) {
    switch result {
    case .success(nil): return  // It has gone since the shard was listed.
    case .failure(let error):
      found.findings.append(damage(id, error, &judge))
      // Another copy may tell what it was.
      learn(id, judge.read(id, store), &judge, &found, .bad)
    case .success(let object?): _ = examine(object, &judge, &found)
    }
  }

  /// Judges an object.
  ///
  /// - Returns: its place in the history of its kind, if it has one.
  func examine(
    _ object: StoredObject, _ judge: inout StoredJudge, _ found: inout Part
  ) -> PackEntry? {
    switch object.kind {
    case .blob:
      found.facts.append(object.id, .blob)
      return nil
    case .receipt, .schema:
      let judged = judge.judge(grouped: object)
      found.groupedPlaces.append(found.facts.count)
      found.grouped.append(judged)
      found.facts.append(object.id, judged.object, .unjudged)
      return judged.object.map { PackEntry(object, $0.place) }
    case .node: return examine(node: object, &judge, &found)
    }
  }

  private func examine(
    node object: StoredObject, _ judge: inout StoredJudge, _ found: inout Part
  ) -> PackEntry? {
    let judged = judge.judge(object)
    var judgement = NodeJudgement.unjudged
    if judge.waits(judged) {
      found.waiting.append(judged)
      found.waitingPlaces.append(found.facts.count)
    } else {
      judgement = NodeJudgement(judged, profile)
      found.findings += Self.findings(judged, object.id, found.place)
    }
    let broken = judged.node == nil ? judge.decoder.decodeBroken(object) : nil
    let node = judged.node.map { HistoryNode($0) } ?? broken.map { HistoryNode($0) }
    note(node, object.id, &found, judgement)
    // A node with a bad signature was never kept: the index does not know it, and another finding reports it.
    var isBad = false
    if case .bad = judged.verdict { isBad = true }
    if let graph, let node, !isBad { found.differences.compare(node, graph, times) }
    if let node, let finding = clock(of: node, found.place) { found.findings.append(finding) }
    return node.map { PackEntry(object, $0.place) }
  }

  /// What is wrong with a node's wall time, as far as it is known when the node was received.
  private func clock(of node: HistoryNode, _ place: PackedPlace?) -> StoreFinding? {
    let (wall, received) = (node.order.wall, times?[node.id])
    guard wall.isImplausible(received: received) else { return nil }
    let words = received.map { " and was received at \(WallTime(milliseconds: $0).text)" } ?? ""
    return StoreFinding(
      .wallImplausible, id: node.id, path: place?.path ?? Self.path(node.id),
      detail: "it says \(wall.text)\(words)")
  }

  /// Notes a node; for one that has no place in a history, what the index says about it.
  package func note(
    _ node: HistoryNode?, _ id: ObjectID, _ found: inout Part, _ judgement: NodeJudgement
  ) {
    if let node { found.facts.append(node, judgement) } else { note(id, &found, judgement) }
  }

  /// Notes an object that cannot be read here.
  private func note(_ id: ObjectID, _ found: inout Part, _ judgement: NodeJudgement) {
    if let graph, let position = graph.position(of: id) {
      found.facts.append(id, .unreadable, graph, at: position, judgement)
    } else {
      found.facts.append(id, .unreadable, judgement)
    }
  }

  /// What is wrong with an object that cannot be read.
  private func damage(
    _ id: ObjectID, _ error: StoreError, _ judge: inout StoredJudge
  ) -> StoreFinding {
    let detail: String
    switch error {
    case .corrupt(_, _, let reason):
      if let other = store.primary.contentID(of: id, &judge.workspace), other != id {
        return StoreFinding(
          .hashMismatch, id: id, path: Self.path(id), detail: "its bytes hash to '\(other.text)'",
          repair: StoreRepair.objects)
      }
      detail = reason
    case .system(let error): detail = "it cannot be read: \(error.reason)"
    case .tooLarge, .locked, .offline, .archives, .unwritten: detail = error.description
    }
    return StoreFinding(
      .objectCorrupt, id: id, path: Self.path(id), detail: detail, repair: StoreRepair.objects)
  }

  /// What is wrong with a node by itself; its relations are checked with the history.
  package static func findings(
    _ judged: Judged, _ id: ObjectID, _ place: PackedPlace?
  ) -> [StoreFinding] {
    findings(judged.findings, judged.verdict, judged.standing, id, place)
  }

  /// What is wrong with a receipt or a schema by itself; what is only worth knowing is not told of each.
  package static func findings(
    _ judged: JudgedObject, _ id: ObjectID, _ place: PackedPlace?
  ) -> [StoreFinding] {
    findings(
      judged.findings.filter { $0.rule.severity != .info }, judged.verdict, judged.standing, id,
      place)
  }

  private static func findings(
    _ findings: [Finding], _ verdict: Verdict?, _ standing: Standing?, _ id: ObjectID,
    _ place: PackedPlace?
  ) -> [StoreFinding] {
    var all = findings
    if let finding = verdict?.finding(under: .sync),
      !all.contains(where: { $0.rule == finding.rule })
    {
      all.append(finding)
    }
    if let rule = standing?.rule { all.append(Finding(rule)) }
    return all.compactMap { finding in
      guard finding.rule != .parentMissing, finding.rule != .lamportNotIncreasing else {
        return nil
      }
      var words = place.map { ["frame \($0.frame)"] } ?? []
      if !finding.placed.isEmpty { words.append(finding.placed) }
      return StoreFinding(
        finding.rule, id: id, path: place?.path ?? path(id), detail: words.joined(separator: ": "),
        repair: finding.rule == .signatureBad ? StoreRepair.objects : "",
        isMild: Profile.v1.severity(of: finding) != .error && finding.rule.severity == .error)
    }
  }

  /// The path of an object's file below `.redo`.
  package static func path(_ id: ObjectID) -> String { "\(Layout.objects)/\(Layout.loose(id))" }
}

extension Finding {
  /// Where it is, and what is there instead, as a finding about a store says it.
  var placed: String {
    var words: [String] = []
    switch place {
    case .whole: break
    case .offset(let offset): words.append("at byte \(offset)")
    case .pointer("/signature") where detail.isEmpty: break
    case .pointer(let pointer): words.append("at \(pointer)")
    }
    if !detail.isEmpty { words.append(detail) }
    return words.joined(separator: ": ")
  }
}
