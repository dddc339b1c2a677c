// Refs, their journal and history, and the received log are rebuilt from what each of them proves; the rest is worked
// out from the nodes.

package import RedoHistory
package import RedoObject
package import RedoStore

/// Repairs the refs of a store.
package struct RepairRefs {
  private let opened: Repository
  private let isDryRun: Bool
  /// Whether missing nodes may be left out of the history, because everything that a source has of them has been taken.
  private let leavesMissing: Bool

  package init(_ opened: Repository, isDryRun: Bool, leavesMissing: Bool) {
    self.opened = opened
    self.isDryRun = isDryRun
    self.leavesMissing = leavesMissing
  }

  /// Repairs what is damaged.
  ///
  /// - Returns: a row for each thing that was wrong.
  /// - Throws: `RefsError.locked` when another writer holds the lock; `RepairFault` when a required node of the history
  ///   is missing or damaged; the error when writing fails.
  package func run(_ effects: Effects) throws -> [RepairRow] {
    guard !isDryRun else {
      let diagnosis = try Self.wrapping { () throws(RefsError) in
        try opened.store.refs.diagnose(isHere)
      }
      return rows(diagnosis, try plan(diagnosis, effects), [:])
    }
    let options = try opened.refsOptions()
    let repair = try Self.wrapping { () throws(RefsError) in
      try opened.store.refs.beginRepair(options, isHere)
    }
    let diagnosis = repair.diagnosis
    let plan = try plan(diagnosis, effects)
    guard !diagnosis.damages.isEmpty || !plan.isEmpty else { return [] }
    try effects.checkInterrupt()
    let now = effects.clock()
    let lostFound = try LostFound(in: opened.store.directory, at: now, options.sync)
    let kept = try repair.write(
      plan.refs, receiving: plan.received, message: "verify --repair-refs", at: now,
      keeping: lostFound)
    return rows(diagnosis, plan, kept)
  }

  private static func wrapping<Value: ~Copyable>(
    _ body: () throws(RefsError) -> Value
  ) throws -> Value {
    return try body()
  }

  /// Whether there is an object of this name, damaged or not; what cannot be found out counts as yes.
  private func isHere(_ id: ObjectID) -> Bool {
    (try? opened.objects.contains(id)) ?? true
  }

  // MARK: Planned refs

  /// The refs and received nodes that follow from the nodes.
  private struct Plan {
    /// The refs as they should be.
    var refs: Set<Ref>
    /// Nodes of the history that the received log does not name.
    var received: [ObjectID] = []
    /// The number of nodes that no ref reached.
    var found = 0
    /// The number of heads that are ancestors of other heads of their task.
    var stale = 0
    /// Whether nothing has to be written.
    var isEmpty: Bool { received.isEmpty && found == 0 && stale == 0 }
  }

  /// Works out refs and received nodes.
  private func plan(
    _ diagnosis: RefsDiagnosis, _ effects: Effects
  ) throws -> Plan {
    var plan = Plan(refs: diagnosis.refs)
    if case .any = diagnosis.lost {
      effects.report(.repairing(.changesLost))
    }
    let candidates = try candidates(diagnosis)
    try takeIn(candidates.ids, isReceived: candidates.isReceived, diagnosis.lost, &plan, effects)
    let others = try ObjectKind.grouped.flatMap { kind throws in
      try groups(of: kind, diagnosis, &plan, effects)
    }
    var known: Set<ObjectID> = []
    for frame in diagnosis.keptFrames {
      if frame.note == .forgotten { known.subtract(frame.ids) } else { known.formUnion(frame.ids) }
    }
    // The ancestors of a damaged node cannot be followed; the intact frames name them.
    var whole = WholeObjects(opened.objects)
    var tips: [ObjectID] = []
    for id in Self.heads(plan.refs, .node) where try whole.contains(id, .node) { tips.append(id) }
    let nodes = try HistoryLoad.nodes(from: tips, opened.objects).nodes
    plan.received = (nodes.map(\.id) + others).filter { !known.contains($0) }.sorted()
    dropStale(nodes, &plan)
    return plan
  }

  /// The objects that may have to be taken in, because no intact record tells whether they were.
  private func candidates(_ diagnosis: RefsDiagnosis) throws -> (ids: [ObjectID], isReceived: Bool)
  {
    if case .nothing = diagnosis.lost { return ([], true) }
    // Without an intact received log, every valid object whose ancestors are all here counts.
    let isWhole = !diagnosis.isReceivedDamaged && diagnosis.received.firstDamage == nil
    return (isWhole ? diagnosis.lostReceived : try everything(), isWhole)
  }

  /// Works out the heads of the chains of receipts, or of the schemas.
  ///
  /// - Returns: the objects of the kind in the history.
  private func groups(
    of kind: ObjectKind, _ diagnosis: RefsDiagnosis, _ plan: inout Plan, _ effects: Effects
  ) throws -> [ObjectID] {
    guard opened.store.config.mayHaveGroups else { return [] }
    var whole = WholeObjects(opened.objects)
    var members = GroupAdmission()
    let prefix = Array("\(kind.headsFolder ?? "")/".utf8)
    // A head that is missing stays as it is: another copy of the store may have it.
    var left: Set<ObjectID> = []
    for id in Self.heads(plan.refs, kind) {
      try effects.checkInterrupt()
      if try !whole.collect(id, of: kind, &members) { left.insert(id) }
    }
    let before = members.ids.count
    for id in try candidates(diagnosis).ids {
      try effects.checkInterrupt()
      _ = try whole.collect(id, of: kind, &members)
    }
    // What follows an object of another group has no place, however it came here.
    let refused = members.resolve { _ in nil }.filter { $0.isError(.v1) }
    left.formUnion(refused.map(\.id))
    let kept = members.excluding(left)
    plan.found += max(kept.ids.count - before, 0)
    let heads = Set(
      kept.changes { _ in [] }.flatMap { change in
        change.after.map { Ref(name: .heads(of: change.group), id: $0) }
      })
    for ref in plan.refs
    where ref.name.hasPrefix(prefix) && !left.contains(ref.id) && !heads.contains(ref) {
      plan.refs.remove(ref)
      plan.stale += 1
    }
    plan.refs.formUnion(heads)
    return kept.ids
  }

  /// Removes heads that are ancestors of other heads of their task.
  private func dropStale(_ nodes: [HistoryNode], _ plan: inout Plan) {
    let history = NodeHistory(nodes)
    let marks = TaskHeads.marks(of: history, members: nil)
    let tasks = Dictionary(nodes.map { ($0.id, $0.taskID) }) { first, _ in first }
    for position in 0..<history.count where !marks[position] {
      let id = history.id(at: position)
      if plan.refs.remove(Ref(name: .heads(of: tasks[id] ?? nil), id: id)) != nil {
        plan.stale += 1
      }
    }
  }

  /// The heads of the groups of a kind.
  private static func heads(_ refs: Set<Ref>, _ kind: ObjectKind) -> [ObjectID] {
    let prefix = Array("\(kind.headsFolder ?? "")/".utf8)
    return refs.filter { $0.name.hasPrefix(prefix) }.map(\.id).sorted()
  }

  private func everything() throws -> [ObjectID] {
    return try opened.objects.list(prefix: "")
  }

  /// Takes in nodes whose ancestors are all here, and recomputes the heads of all tasks.
  private func takeIn(
    _ candidates: [ObjectID], isReceived: Bool, _ lost: RefsDiagnosis.Lost, _ plan: inout Plan,
    _ effects: Effects
  ) throws {
    guard !candidates.isEmpty else { return }
    var whole = WholeObjects(opened.objects)
    let heads = Self.heads(plan.refs, .node)
    var tips: [ObjectID] = []
    // A missing head stays as it is: another copy of the store may have it.
    var left: Set<ObjectID> = []
    for id in heads {
      try effects.checkInterrupt()
      if try whole.contains(id, .node) { tips.append(id) } else { left.insert(id) }
    }
    let before = try HistoryLoad.nodes(from: tips, opened.objects).nodes.count
    for id in candidates {
      try effects.checkInterrupt()
      if try whole.contains(id, .node) {
        tips.append(id)
      } else if try ObjectKind.grouped.contains(where: { try whole.contains(id, $0) }) {
        continue
      } else if !leavesMissing, isReceived {
        throw RepairFault.incomplete(id)
      }
    }
    let nodes = try HistoryLoad.nodes(from: tips, opened.objects).nodes
    plan.found = nodes.count - before
    // The known heads may be older than nodes that descend from them.
    if plan.found == 0, case .end = lost { return }
    let history = NodeHistory(nodes)
    let marks = TaskHeads.marks(of: history, members: nil)
    let tasks = Dictionary(nodes.map { ($0.id, $0.taskID) }) { first, _ in first }
    let prefix = Array("heads/".utf8)
    plan.refs = plan.refs.filter { !$0.name.hasPrefix(prefix) || left.contains($0.id) }
    for position in 0..<history.count where marks[position] {
      let id = history.id(at: position)
      plan.refs.insert(Ref(name: .heads(of: tasks[id] ?? nil), id: id))
    }
  }

  // MARK: Rows

  private func rows(
    _ diagnosis: RefsDiagnosis, _ plan: Plan, _ kept: [String: String]
  ) -> [RepairRow] {
    let result: RepairRow.Result = isDryRun ? .wouldRepair : .repaired
    var rows = diagnosis.damages.map { damage in
      RepairRow(
        result: result, id: nil, path: damage.path, rule: damage.rule,
        damage: .bytes(reason: damage.detail), kept: kept[damage.path])
    }
    if plan.found > 0 {
      rows.append(
        RepairRow(
          result: result, id: nil, path: "refs", rule: .nodeUnreachable,
          damage: .unreachable(plan.found)))
    }
    if plan.stale > 0 {
      rows.append(
        RepairRow(
          result: result, id: nil, path: "refs", rule: .refHead, damage: .staleHeads(plan.stale)))
    }
    if !plan.received.isEmpty {
      rows.append(
        RepairRow(
          result: result, id: nil, path: "received", rule: .nodeUnreceived,
          damage: .unreceived(plan.received.count)))
    }
    return rows
  }
}

/// Which objects with a history are valid, with all their ancestors.
package struct WholeObjects: ~Copyable {
  private let store: ObjectStore
  private var reader = NodeReader()
  /// The kind of each object that was looked at; `nil` for one that is not whole.
  private var known: [ObjectID: ObjectKind?] = [:]

  package init(_ store: ObjectStore) { self.store = store }

  /// Whether an object of a kind and all its ancestors are here and valid.
  package mutating func contains(_ id: ObjectID, _ kind: ObjectKind) throws -> Bool {
    if let answer = known[id] { return answer == kind }
    var stack: [Entry] = []
    try enter(id, &stack)
    while var top = stack.popLast() {
      guard let parent = top.parents.first else {
        known[top.id] = .some(top.kind)
        continue
      }
      switch known[parent] {
      case .some(top.kind):
        top.parents.removeFirst()
        stack.append(top)
      case .some:
        // Descendants of an incomplete object, or of one of another kind, are incomplete too.
        known[top.id] = .some(nil)
        for entry in stack { known[entry.id] = .some(nil) }
        return false
      case nil:
        // Asked again once the answer for its parents is known.
        stack.append(top)
        try enter(parent, &stack)
      }
    }
    return known[id] == kind
  }

  /// Adds a receipt or a schema, and all that it follows, to a set of objects.
  ///
  /// - Returns: `false` when it is none, or not all of these are here and valid.
  package mutating func collect(
    _ id: ObjectID, of kind: ObjectKind, _ members: inout GroupAdmission
  ) throws -> Bool {
    guard try contains(id, kind) else { return false }
    var pending = [id]
    while let id = pending.popLast() {
      guard let object = try reader.storedNode(id, in: store),
        let grouped = reader.places.grouped(object)
      else { return false }
      // What it follows was added with it.
      if members.add(grouped) { pending += grouped.place.parents }
    }
    return true
  }

  private struct Entry {
    let id: ObjectID
    let kind: ObjectKind
    var parents: ArraySlice<ObjectID>
  }

  private mutating func enter(_ id: ObjectID, _ stack: inout [Entry]) throws {
    var found: StoredObject?
    do throws(StoreError) {
      found = try reader.storedNode(id, in: store)
    } catch {
      switch error {
      case .corrupt: found = nil
      case .system(let cause) where cause.isMissing || cause.isUnreadable: found = nil
      default: throw error
      }
    }
    guard let object = found, let parents = parents(of: object) else {
      known[id] = .some(nil)
      return
    }
    stack.append(Entry(id: id, kind: object.kind, parents: parents[...]))
  }

  /// The parents of an object that keeps the rules of its kind.
  private mutating func parents(of object: StoredObject) -> [ObjectID]? {
    switch object.kind {
    case .node: reader.decode(object)?.parents
    case .receipt, .schema: reader.places.grouped(object)?.place.parents
    case .blob: nil
    }
  }
}
