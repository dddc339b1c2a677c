// Taking nodes into a history (protocol, sections 1.3 and 2): are the parents there, do the clocks
// fit, and which heads does each task have afterwards? Pure: a closure looks up nodes outside of the set.

package import RedoObject

/// What a set needs to know about a node outside of it.
package struct KnownNode: Sendable {
  /// Its task.
  package let task: TaskID?
  /// Its logical time.
  package let lamport: Lamport
  /// Its parents.
  package let parents: [ObjectID]
  /// Whether a head of the history reaches it, rather than its merely being in the store.
  package let isInHistory: Bool

  init(task: TaskID?, lamport: Lamport, parents: [ObjectID], isInHistory: Bool) {
    self.task = task
    self.lamport = lamport
    self.parents = parents
    self.isInHistory = isInHistory
  }

  /// What is known of a node.
  package init(_ node: Node, isInHistory: Bool) {
    task = node.taskID
    lamport = node.lamport
    parents = node.parents
    self.isInHistory = isInHistory
  }
}

/// Nodes that are to enter a history together, in whatever order they come.
///
/// A node takes about 100 bytes here; its text is not kept.
package struct Admission: Sendable {
  /// A broken rule of one of the nodes.
  package struct Problem: Sendable {
    /// The node.
    package let id: ObjectID
    /// The number the node was added under; `nil` for a node that was in the store before.
    package let record: Int?
    /// What is wrong.
    package let finding: Finding
  }

  /// The rules that apply.
  package let profile: Profile
  /// The ids, in the order they were added.
  package private(set) var ids: [ObjectID] = []
  private(set) var records: [Int32] = []
  private(set) var lamports: [Lamport] = []
  private var taskIndices: [Int32] = []
  private var parentStarts: [Int32] = [0]
  private var parents: [ObjectID] = []
  private(set) var index: [ObjectID: Int32] = [:]
  private var tasks: [TaskID?] = []
  private var taskIndex: [TaskID?: Int32] = [:]
  /// The CREATE nodes, by position; kept under `genesis` only.
  private(set) var creates: [Int32: OrderEntry] = [:]
  /// Nodes that were taken out: unless the history has them, they are missing to their children.
  private(set) var excluded: Set<ObjectID> = []

  /// A set without nodes.
  package init(profile: Profile) { self.profile = profile }

  /// Makes room for nodes.
  ///
  /// - Parameter count: how many are to come.
  package mutating func reserve(_ count: Int) {
    ids.reserveCapacity(count)
    records.reserveCapacity(count)
    lamports.reserveCapacity(count)
    taskIndices.reserveCapacity(count)
    parentStarts.reserveCapacity(count + 1)
    parents.reserveCapacity(count)
    index.reserveCapacity(count)
  }

  /// The number of nodes.
  package var count: Int { ids.count }

  /// Whether a node is in the set.
  package func contains(_ id: ObjectID) -> Bool { index[id] != nil }

  /// Whether a node was added to the set, rather than found in the store while resolving its child.
  package func isRecorded(_ id: ObjectID) -> Bool {
    index[id].map { records[Int($0)] >= 0 } ?? false
  }

  /// How many of some nodes of the set were added to it, rather than found in the store.
  ///
  /// - Parameter some: nodes of the set, each once.
  /// - Returns: the number; of all of them it takes no look-ups.
  package func recordedCount(among some: [ObjectID]) -> Int {
    some.count == count ? records.count { $0 >= 0 } : some.count { isRecorded($0) }
  }

  /// The position of a node in the set.
  func position(of id: ObjectID) -> Int? { index[id].map(Int.init) }

  /// The parents of the node at a position.
  func parents(at position: Int) -> ArraySlice<ObjectID> {
    parents[Int(parentStarts[position])..<Int(parentStarts[position + 1])]
  }

  /// The positions of the parents of all nodes, one after another; -1 for those outside of the set.
  func parentPositions() -> [Int32] { parents.map { index[$0] ?? -1 } }

  /// The range of the node's parents in `parentPositions()`.
  func parentRange(at position: Int) -> Range<Int> {
    Int(parentStarts[position])..<Int(parentStarts[position + 1])
  }

  /// The position of each task in `taskIDs`.
  var taskPositions: [TaskID?: Int32] { taskIndex }

  /// The tasks of the set.
  package var taskIDs: [TaskID?] { tasks }

  /// The position in `taskIDs` of the task of the node at a position.
  func task(at position: Int) -> Int { Int(taskIndices[position]) }

  /// Adds a node; one that is there already is skipped.
  ///
  /// - Parameters:
  ///   - node: a valid node.
  ///   - record: the number to name it by in problems.
  /// - Returns: whether it was not there.
  @discardableResult
  package mutating func add(_ node: Node, record: Int) -> Bool {
    let isNew = add(
      node.id, KnownNode(node, isInHistory: false), record: Int32(truncatingIfNeeded: record))
    if isNew, profile.isGenesis, node.action == .create {
      creates[Int32(ids.count - 1)] = OrderEntry(node)
    }
    return isNew
  }

  /// Adds a node of the store.
  package mutating func add(_ id: ObjectID, _ node: KnownNode) { _ = add(id, node, record: -1) }

  /// Adds a node that the store knows about; its record is negative when the store has it.
  mutating func add(_ id: ObjectID, _ node: KnownNode, record: Int32) -> Bool {
    guard index[id] == nil else { return false }
    index[id] = Int32(ids.count)
    ids.append(id)
    records.append(record)
    lamports.append(node.lamport)
    parents += node.parents
    parentStarts.append(Int32(parents.count))
    if let known = taskIndex[node.task] {
      taskIndices.append(known)
    } else {
      taskIndex[node.task] = Int32(tasks.count)
      taskIndices.append(Int32(tasks.count))
      tasks.append(node.task)
    }
    return true
  }

  /// The same set without some of its nodes.
  ///
  /// - Parameter others: nodes that are refused, or that have entered the history meanwhile.
  /// - Returns: the rest; the nodes left out are missing to their children unless `resolve` finds
  ///   them in the history.
  package func excluding(_ others: Set<ObjectID>) -> Admission {
    var kept = Admission(profile: profile)
    kept.excluded = excluded.union(others)
    for position in 0..<count where !others.contains(ids[position]) {
      let node = KnownNode(
        task: tasks[Int(taskIndices[position])], lamport: lamports[position],
        parents: Array(parents(at: position)), isInHistory: false)
      if let create = creates[Int32(position)] { kept.creates[Int32(kept.count)] = create }
      _ = kept.add(ids[position], node, record: records[position])
    }
    return kept
  }
}
