// The tasks that a commit touches: which heads they have, what a new node of them follows, and which
// heads they have afterwards (protocol, section 2).

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// The tasks of one commit, over the refs of one moment.
struct CommitTasks: ~Copyable {
  /// What a new node follows.
  struct Place {
    /// Its parents, sorted by id.
    var parents: [ObjectID] = []
    /// Its logical time.
    var lamport: Lamport
    /// The nodes of the task so far, in total order.
    var chain: [ObjectID] = []
  }

  private struct State {
    /// The heads as they are in the refs.
    let before: [ObjectID]
    /// The heads after the new nodes.
    var after: [ObjectID]
    var living: [OrderEntry]
    var chain: [ObjectID]
  }

  private let store: ObjectStore
  /// The nodes that can be followed without reading their ancestors.
  private let notes: LivingNotes?
  /// Whether the nodes of each task are wanted.
  private let needsChain: Bool
  /// Reads nodes, those of others that need them as well.
  var reader = NodeReader()
  private var states: [TaskID?: State] = [:]
  /// The new nodes.
  private var new: [ObjectID: TaskNode] = [:]

  /// - Parameters:
  ///   - opened: the store.
  ///   - needsChain: whether the nodes of each task are wanted.
  init(_ opened: Repository, needsChain: Bool) {
    store = opened.objects
    notes = opened.usesCache ? LivingNotes(in: opened.store.directory) : nil
    self.needsChain = needsChain
  }

  /// Finds what a new node of a task follows.
  ///
  /// - Parameters:
  ///   - request: what it says; its task is settled.
  ///   - takesAllHeads: whether it follows the heads of all tasks.
  ///   - snapshot: the refs.
  /// - Returns: parents and clock.
  /// - Throws: `CommitFault` when the task exists and should not, or the reverse.
  mutating func place(
    of request: ChangeRequest, takesAllHeads: Bool, _ snapshot: inout RefsSnapshot
  ) throws -> Place {
    let state = try state(of: request.task, &snapshot)
    var parents = state.living
    if request.isCreate {
      guard state.after.isEmpty else {
        throw CommitFault.taskIsThere(request.task)
      }
    } else if parents.isEmpty, request.revives.isEmpty {
      try refuse(request, state)
    }
    if takesAllHeads {
      parents += try otherHeads(request.task, &snapshot)
      guard parents.count <= Node.parentLimit else {
        throw CommitFault.tooManyHeads(count: parents.count)
      }
    }
    // If there are too many, the newest: a head that is left out stays a head, for another node to follow.
    let revived = try request.revives.map { id throws in try node(id).order }
    parents = parents.suffix(Node.parentLimit - revived.count) + revived
    let greatest = parents.map(\.lamport.value).max() ?? 0
    guard let lamport = Lamport(greatest + 1) else {
      throw CommitFault.clockAtEnd(request.task)
    }
    let place = Place(parents: parents.map(\.id).sorted(), lamport: lamport, chain: state.chain)
    if let expected = request.parents, expected != place.parents {
      throw CommitFault.movedMeanwhile(request.task)
    }
    return place
  }

  private func refuse(_ request: ChangeRequest, _ state: State) throws {
    // The first node without a task follows nothing.
    if request.task == nil, state.after.isEmpty { return }
    throw state.after.isEmpty
      ? CommitFault.noTask(request.task) : CommitFault.taskIsDeleted(request.task)
  }

  /// Adds a new node.
  mutating func add(_ node: Node) {
    let entry = TaskNode(node)
    new[node.id] = entry
    let parents = Set(node.parents)
    guard var state = states[node.taskID] else {
      preconditionFailure("BUG: a node of a task that was not asked for")
    }
    state.after.removeAll { parents.contains($0) }
    state.after.append(node.id)
    // A DELETE ends what it follows; after anything else the next node follows the new one.
    state.living.removeAll { parents.contains($0.id) }
    if !entry.isDelete { state.living.append(entry.order) }
    state.chain.append(node.id)
    states[node.taskID] = state
  }

  /// The change of all refs that the new nodes cause.
  func transaction(message: String) -> RefTransaction {
    var transaction = RefTransaction(message: message)
    for (task, state) in states where state.before != state.after {
      transaction.replace(.heads(of: task), with: state.after, expecting: state.before)
    }
    return transaction
  }

  private mutating func state(
    of task: TaskID?, _ snapshot: inout RefsSnapshot
  ) throws -> State {
    if let state = states[task] { return state }
    let tips = try snapshot.ids(of: .heads(of: task))
    if let living = try noted(tips) {
      let state = State(
        before: tips, after: tips, living: living, chain: [])
      states[task] = state
      return state
    }
    let found = try LivingHeads(of: task, tips: tips) { id throws in
      try self.node(id)
    }
    let isTip = Set(tips)
    for entry in found.heads where isTip.contains(entry.id) { notes?.note(entry.id) }
    let state = State(
      before: tips, after: tips, living: found.heads, chain: found.chain)
    states[task] = state
    return state
  }

  /// The head of a task, if it is the only one and known to be living.
  ///
  /// With several heads, their order, and whether one descends from another, can only be learned from their ancestors.
  private mutating func noted(_ tips: [ObjectID]) throws -> [OrderEntry]? {
    guard !needsChain, tips.count == 1, notes?.contains(tips[0]) ?? false else { return nil }
    return [try node(tips[0]).order]
  }

  /// Records the new nodes for those that will follow them.
  func keepNotes() {
    for (id, node) in new where !node.isDelete { notes?.note(id) }
  }

  /// The heads of all other tasks, except DELETEs.
  private mutating func otherHeads(
    _ task: TaskID?, _ snapshot: inout RefsSnapshot
  ) throws -> [OrderEntry] {
    let own = RefName.heads(of: task)
    var tips: [ObjectID] = []
    var changed: Set<RefName> = []
    for (other, state) in states where other != task {
      changed.insert(.heads(of: other))
      tips += state.after
    }
    try snapshot.forEach(prefix: "heads/") { ref throws(RefsError) in
      if ref.name != own, !changed.contains(ref.name) { tips.append(ref.id) }
      return true
    }
    var entries: [OrderEntry] = []
    // One more than is allowed is enough to refuse them.
    for id in tips where entries.count <= Node.parentLimit {
      let node = try node(id)
      if !node.isDelete { entries.append(node.order) }
    }
    return entries
  }

  private mutating func node(_ id: ObjectID) throws -> TaskNode {
    if let node = new[id] { return node }
    let object = try HistoryWalk.object(id, store, &reader)
    guard let node = reader.decode(object) else {
      throw HistoryFault.invalid(object)
    }
    return TaskNode(node)
  }
}
