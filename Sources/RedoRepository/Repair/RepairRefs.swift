// Refs, their journal and history, and the received log are rebuilt from what each of them proves; the rest is worked
// out from the nodes.

internal import RedoHistory
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
    if case .nothing = diagnosis.lost {
    } else {
      // Without an intact received log, every valid node whose ancestors are all here counts.
      let isWhole = !diagnosis.isReceivedDamaged && diagnosis.received.firstDamage == nil
      let candidates = isWhole ? diagnosis.lostReceived : try everything()
      try takeIn(candidates, isReceived: isWhole, diagnosis.lost, &plan, effects)
    }
    var known: Set<ObjectID> = []
    for frame in diagnosis.keptFrames {
      if frame.note == .forgotten { known.subtract(frame.ids) } else { known.formUnion(frame.ids) }
    }
    // The ancestors of a damaged node cannot be followed; the intact frames name them.
    var whole = WholeNodes(opened.objects)
    var tips: [ObjectID] = []
    for id in Self.heads(plan.refs) where try whole.contains(id) { tips.append(id) }
    let nodes = try HistoryLoad.nodes(from: tips, opened.objects).nodes
    plan.received = nodes.map(\.id).filter { !known.contains($0) }.sorted()
    dropStale(nodes, &plan)
    return plan
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

  private static func heads(_ refs: Set<Ref>) -> [ObjectID] {
    let prefix = Array("heads/".utf8)
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
    var whole = WholeNodes(opened.objects)
    let heads = Self.heads(plan.refs)
    var tips: [ObjectID] = []
    // A missing head stays as it is: another copy of the store may have it.
    var left: Set<ObjectID> = []
    for id in heads {
      try effects.checkInterrupt()
      if try whole.contains(id) { tips.append(id) } else { left.insert(id) }
    }
    let before = try HistoryLoad.nodes(from: tips, opened.objects).nodes.count
    for id in candidates {
      try effects.checkInterrupt()
      if try whole.contains(id) {
        tips.append(id)
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

/// Which nodes are valid, with all their ancestors.
package struct WholeNodes: ~Copyable {
  private let store: ObjectStore
  private var reader = NodeReader()
  private var known: [ObjectID: Bool] = [:]

  package init(_ store: ObjectStore) { self.store = store }

  /// Whether a node and all its ancestors are here and valid.
  package mutating func contains(_ id: ObjectID) throws -> Bool {
    if let answer = known[id] { return answer }
    var stack: [(id: ObjectID, parents: ArraySlice<ObjectID>)] = []
    try enter(id, &stack)
    while var top = stack.popLast() {
      guard let parent = top.parents.popFirst() else {
        known[top.id] = true
        continue
      }
      switch known[parent] {
      case true: stack.append(top)
      case false:
        // Descendants of an incomplete node are incomplete too.
        known[top.id] = false
        for entry in stack { known[entry.id] = false }
        return false
      case nil:
        stack.append(top)
        try enter(parent, &stack)
        // Checked again once the answer for its parents is known.
        if known[parent] == nil { continue }
        if known[parent] == false {
          for entry in stack { known[entry.id] = false }
          return false
        }
      }
    }
    return known[id] ?? false
  }

  private mutating func enter(
    _ id: ObjectID, _ stack: inout [(id: ObjectID, parents: ArraySlice<ObjectID>)]
  ) throws {
    let node: Node?
    do throws(StoreError) {
      node = try reader.node(id, in: store)
    } catch {
      switch error {
      case .corrupt: node = nil
      case .system(let cause) where cause.isMissing || cause.isUnreadable: node = nil
      default: throw error
      }
    }
    guard let node else {
      known[id] = false
      return
    }
    stack.append((id, node.parents[...]))
  }
}
