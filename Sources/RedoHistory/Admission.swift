// Taking nodes into a history (protocol, sections 1.3 and 2): are the parents there, do the clocks
// fit, and which heads does each task have afterwards? Pure: what is known of nodes outside of the
// set is asked for through a closure.

package import RedoObject

/// What a set needs to know about a node outside of it.
package struct KnownNode: Sendable {
  /// Its task.
  package let task: TaskID?
  /// Its logical time.
  package let lamport: Lamport
  /// Its parents.
  package let parents: [ObjectID]
  /// Whether a head of the history reaches it, rather than its lying in the store by itself.
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
  private var records: [Int32] = []
  private var lamports: [Lamport] = []
  private var taskIndices: [Int32] = []
  private var parentStarts: [Int32] = [0]
  private var parents: [ObjectID] = []
  private var index: [ObjectID: Int32] = [:]
  private var tasks: [TaskID?] = []
  private var taskIndex: [TaskID?: Int32] = [:]
  /// The positions of CREATE nodes, in order and for look-up; kept under `genesis` only.
  private var creates: [Int32] = []
  private var createPositions: Set<Int32> = []

  /// A set without nodes.
  package init(profile: Profile) { self.profile = profile }

  /// The number of nodes.
  package var count: Int { ids.count }

  /// Whether a node is in the set.
  package func contains(_ id: ObjectID) -> Bool { index[id] != nil }

  /// The position of a node in the set.
  func position(of id: ObjectID) -> Int? { index[id].map(Int.init) }

  /// The parents of the node at a position.
  func parents(at position: Int) -> ArraySlice<ObjectID> {
    parents[Int(parentStarts[position])..<Int(parentStarts[position + 1])]
  }

  /// The position of each task in `taskIDs`.
  var taskPositions: [TaskID?: Int32] { taskIndex }

  /// The tasks of the set.
  package var taskIDs: [TaskID?] { tasks }

  /// The position in `taskIDs` of the task of the node at a position.
  func task(at position: Int) -> Int { Int(taskIndices[position]) }

  /// Adds a node; one that is there already is passed over.
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
      creates.append(Int32(ids.count - 1))
      createPositions.insert(Int32(ids.count - 1))
    }
    return isNew
  }

  private mutating func add(_ id: ObjectID, _ node: KnownNode, record: Int32) -> Bool {
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
  package func excluding(_ others: Set<ObjectID>) -> Admission {
    var kept = Admission(profile: profile)
    for position in 0..<count where !others.contains(ids[position]) {
      let node = KnownNode(
        task: tasks[Int(taskIndices[position])], lamport: lamports[position],
        parents: Array(parents(at: position)), isInHistory: false)
      _ = kept.add(ids[position], node, record: records[position])
    }
    return kept
  }

  /// Finds every parent and judges the clocks.
  ///
  /// Parents that lie in the store outside of its history join the set, with theirs, so that the
  /// history stays closed.
  ///
  /// - Parameter lookUp: what is known of a node outside of the set; `nil` if it is not there.
  /// - Returns: every broken rule, in the order of the nodes, warnings included.
  package mutating func resolve<Failure: Error>(
    _ lookUp: (ObjectID) throws(Failure) -> KnownNode?
  ) throws(Failure) -> [Problem] {
    var problems: [Problem] = []
    var known: [ObjectID: Lamport?] = [:]
    var position = 0
    while position < ids.count {
      var greatest: Lamport?
      var isComplete = true
      for parent in Array(parents(at: position)) {
        let lamport: Lamport?
        if let place = index[parent] {
          lamport = lamports[Int(place)]
        } else if let remembered = known[parent] {
          lamport = remembered
        } else {
          let found = try lookUp(parent)
          lamport = found?.lamport
          if let found, !found.isInHistory {
            _ = add(parent, found, record: -1)
          } else {
            known.updateValue(lamport, forKey: parent)
          }
        }
        guard let lamport else {
          isComplete = false
          problems.append(
            problem(position, Finding(.parentMissing, at: .whole, detail: parent.text)))
          continue
        }
        greatest = max(greatest ?? lamport, lamport)
      }
      if isComplete { judgeClock(position, greatest, &problems) }
      position += 1
    }
    judgeCreates(&problems)
    return problems
  }

  private func problem(_ position: Int, _ finding: Finding) -> Problem {
    let record = records[position]
    return Problem(id: ids[position], record: record < 0 ? nil : Int(record), finding: finding)
  }

  private func judgeClock(
    _ position: Int, _ greatest: Lamport?, _ problems: inout [Problem]
  ) {
    let own = lamports[position].value
    let base = greatest?.value ?? 0
    func report(_ rule: Rule) {
      problems.append(
        problem(
          position,
          Finding(
            rule, at: .pointer("/timestamp/lamport"),
            detail: "\(own), the greatest of the parents is \(base)")))
    }
    if own <= base { report(.lamportNotIncreasing) }
    if profile.checksParents, own > base, own - base > Lamport.jumpLimit { report(.lamportJump) }
    guard profile.isGenesis else { return }
    let isCreate = createPositions.contains(Int32(position))
    if isCreate, greatest != nil || own != 1 { report(.genesisCreate) }
    if !isCreate, own != base + 1 { report(.genesisLamport) }
  }

  private func judgeCreates(_ problems: inout [Problem]) {
    guard profile.isGenesis else { return }
    var seen: Set<Int32> = []
    for position in creates where !seen.insert(taskIndices[Int(position)]).inserted {
      problems.append(problem(Int(position), Finding(.genesisCreateDuplicate)))
    }
  }
}
