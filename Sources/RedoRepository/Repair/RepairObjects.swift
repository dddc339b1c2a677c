// Damaged and missing objects are replaced by good copies: the bytes must hash to the ID, nodes and receipts must keep the rules,
// and a signature is never replaced by a worse one.

internal import RedoCrypto
package import RedoObject
internal import RedoStore

/// Repairs the objects of a store.
package struct RepairObjects: ~Copyable {
  private let opened: Repository
  private let source: RepairSource
  private let isDryRun: Bool
  /// The present, in milliseconds since 1970.
  private let now: Int64
  private var scan: RepairScan
  private var decoder = PlaceDecoder()
  private var keys: KeyDirectory
  private var hasKeys = false
  private var workspace = LooseStore.Workspace()
  private var lostFound: LostFound?

  package init(
    _ opened: Repository, from source: RepairSource, isDryRun: Bool, isThorough: Bool,
    trust: TrustList?, now: Int64
  ) {
    keys = KeyDirectory(trust)
    self.now = now
    self.opened = opened
    self.source = source
    self.isDryRun = isDryRun
    scan = RepairScan(opened, isThorough: isThorough, trust)
  }

  /// Repairs everything that can be repaired.
  ///
  /// - Parameters:
  ///   - effects: the surroundings.
  ///   - write: receives a row for every damaged or missing object, in rounds: objects that a repaired node names are
  ///     looked for after it.
  /// - Throws: `StoreError` when the store cannot be read or written at all.
  package mutating func run(
    _ effects: Effects,
    _ write: (RepairRow) throws -> Void
  ) throws {
    try scan.run(effects)
    var isComplete = true
    var seen: Set<ObjectID> = []
    var strays: [ObjectID] = []
    while true {
      let round = scan.problems.keys.filter { !seen.contains($0) }.sorted()
      guard !round.isEmpty else { break }
      seen.formUnion(round)
      // Two files with swapped names contain each other's good copies.
      var own: [ObjectID: [StoredObject]] = [:]
      for id in round {
        if let object = scan.problems[id]?.misplaced { own[object.id, default: []].append(object) }
      }
      for id in round {
        if let object = scan.problems[id]?.other { own[id, default: []].append(object) }
      }
      let wanted =
        try source.remote == nil ? round : round.filter { try isWanted($0, own[$0] ?? []) }
      let found = try source.find(Set(wanted), for: opened, effects)
      for id in round {
        try effects.checkInterrupt()
        guard let problem = scan.problems[id] else { continue }
        var candidates: [RepairSource.Answer] = []
        if let answer = found[id] { candidates.append(answer) }
        candidates += (own[id] ?? []).map { .object($0) }
        if candidates.isEmpty, problem.misplaced != nil, !scan.named.contains(id) {
          strays.append(id)
          continue
        }
        let row = try repair(id, problem, candidates)
        if row.result == .unrepaired { isComplete = false }
        try write(row)
      }
    }
    try repairPacks(isComplete: isComplete, effects, write)
    for id in strays { try write(try putAside(id)) }
  }

  /// Rewrites damaged packs once their nodes are stored elsewhere.
  private mutating func repairPacks(
    isComplete: Bool, _ effects: Effects,
    _ write: (RepairRow) throws -> Void
  ) throws {
    guard !scan.packs.isEmpty else { return }
    var hold: LockFile?
    if !isDryRun { hold = try opened.holdPacks() }
    defer { extendLifetime(hold) }
    for var pack in scan.packs {
      pack.worse.formIntersection(scan.good)
      if pack.salvage.reasons.isEmpty, pack.worse.isEmpty { continue }
      try effects.checkInterrupt()
      let place = isDryRun ? nil : try place()
      try write(try repair(pack, isComplete: isComplete, scan.good, place))
    }
  }

  // MARK: One object

  private static func path(of id: ObjectID) -> String {
    joinPath(Layout.objects, Layout.loose(id))
  }

  private func row(
    _ result: RepairRow.Result, _ id: ObjectID, _ problem: ObjectProblem,
    _ remark: RepairRemark? = nil,
    kept: String? = nil
  ) -> RepairRow {
    RepairRow(
      result: result, id: id, path: problem.pack ?? Self.path(of: id), rule: problem.rule,
      damage: problem.damage, remarks: remark.map { [$0] } ?? [], kept: kept)
  }

  /// Whether a remote is asked for an object: not for one of which there is a good copy here, nor for one that nothing
  /// names, and in whose place there is another one.
  private mutating func isWanted(_ id: ObjectID, _ own: [StoredObject]) throws -> Bool {
    guard let problem = scan.problems[id] else { return false }
    if problem.misplaced != nil, !scan.named.contains(id) { return false }
    for object in own {
      if try refuse(object, problem) == nil { return false }
    }
    return true
  }

  /// Repairs an object with the first suitable candidate.
  private mutating func repair(
    _ id: ObjectID, _ problem: ObjectProblem, _ candidates: [RepairSource.Answer]
  ) throws -> RepairRow {
    var refusal = RepairRemark.absent
    for candidate in candidates {
      let object: StoredObject
      switch candidate {
      case .object(let found): object = found
      case .incoming(let found):
        if let finding = try refuse(incoming: found) {
          refusal = .invalid(finding)
          continue
        }
        object = found
      case .damaged(let damage):
        refusal = .damaged(damage)
        continue
      }
      if let reason = try refuse(object, problem) {
        refusal = reason
        continue
      }
      if isDryRun {
        try settle(object)
        return row(.wouldRepair, id, problem)
      }
      // A node is never here without the list that says who may see it.
      if problem.rule == .objectMissing { try source.remote?.giveAccess(to: id) }
      // Another process may have healed it in the meantime.
      let kept = try isHealed(object) ? nil : replace(object)
      try settle(object)
      return row(.repaired, id, problem, kept: kept)
    }
    return row(.unrepaired, id, problem, refusal)
  }

  /// Why a candidate must not be taken; `nil` when it may.
  private mutating func refuse(
    _ object: StoredObject, _ problem: ObjectProblem
  ) throws -> RepairRemark? {
    let (key, verdict): (PublicKey?, Verdict)
    switch object.kind {
    case .blob:
      return scan.wantedNodes.contains(object.id) || problem.present?.kind.hasHistory == true
        ? .kind(object.kind) : nil
    case .node:
      guard let node = decoder.nodes.decode(object) else {
        return Self.invalid(decoder.nodes.findings, or: .nodeType)
      }
      key = try self.key(of: node)
      verdict = node.verify(key: key)
    case .receipt, .schema:
      guard let grouped = decoder.grouped(object) else {
        return Self.invalid(decoder.findings(of: object.kind), or: object.kind.formRule)
      }
      (key, verdict) = grouped.verdict(scan.devices)
    }
    if case .bad(let finding) = verdict { return .noBetter(finding) }
    guard let present = problem.present, present.kind == object.kind else { return nil }
    let choice = SignatureChoice.between(
      stored: present.signature, arriving: object.signature, of: object, key: key)
    return choice == .take ? nil : .noBetter(nil)
  }

  private static func invalid(_ findings: [Finding], or rule: Rule) -> RepairRemark {
    .invalid(findings.first { $0.rule.severity == .error } ?? Finding(rule))
  }

  /// Why a node that a remote has sent is not taken: the rules for all that comes.
  private mutating func refuse(incoming object: StoredObject) throws -> Finding? {
    let options = Intake.Options(
      profile: .sync, identity: .required,
      allowsUnsigned: source.remote?.options.allowsUnsigned ?? false)
    var decoder = options.makeDecoder()
    let node = decoder.decode(object)
    var judged = Intake.judge(node, decoder, options)
    if judged.verdict == nil, let node {
      let key = try key(of: node)
      judged.settle(node.verify(key: key), by: key, options)
    }
    return judged.errors(.sync).first
  }

  private mutating func key(of node: Node) throws -> PublicKey? {
    guard node.signature != nil, node.publicKey == nil else { return node.publicKey }
    if !hasKeys, keys.trustedKey(of: node.userID) == nil {
      hasKeys = true
      try keys.noteAll(in: opened.objects)
    }
    return keys.key(of: node.userID)
  }

  /// Whether exactly this object is in its place.
  private mutating func isHealed(_ object: StoredObject) throws -> Bool {
    guard case .good(let found) = try opened.objects.primary.condition(of: object.id, &workspace)
    else { return false }
    return found == object
  }

  private mutating func replace(_ object: StoredObject) throws -> String? {
    let lostFound = try place()
    let kept = try opened.objects.primary.replace(object, keeping: lostFound, &workspace)
    return kept
  }

  private mutating func settle(_ object: StoredObject) throws {
    scan.settle(object)
    guard let place = decoder.place(of: object) else { return }
    try scan.want(place.parents)
  }

  /// The directory for files that are put aside, created when it is needed.
  private mutating func place() throws -> LostFound {
    if let lostFound { return lostFound }
    let sync = try opened.refsOptions().sync
    let place = try LostFound(in: opened.store.directory, at: now, sync)
    lostFound = place
    return place
  }

  // MARK: Wrong names

  /// Moves away a file that nothing names and that contains an object of another name, once that object is good.
  private mutating func putAside(_ id: ObjectID) throws -> RepairRow {
    guard let problem = scan.problems[id], let object = problem.misplaced else {
      preconditionFailure("BUG: a stray file is none")
    }
    guard scan.isGood(object.id) else {
      return row(.unrepaired, id, problem, .absent)
    }
    if isDryRun { return row(.wouldRepair, id, problem, .unnamed) }
    let lostFound = try place()
    let kept = try opened.objects.primary.putAside(id, keeping: lostFound)
    return row(.repaired, id, problem, .unnamed, kept: kept)
  }
}
