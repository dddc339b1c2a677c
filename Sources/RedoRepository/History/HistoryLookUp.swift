// What is known about a node of the store: its task, parents and clock, and whether a head reaches it.

package import RedoHistory
package import RedoObject
package import RedoStore

/// Answers questions about a store and its refs at one moment.
///
/// A class, because several closures use the same answers at once.
package final class HistoryLookUp {
  private let objects: ObjectStore?
  private let opened: Repository?
  private var refs: RefsSnapshot?
  private var received: Set<ObjectID>?
  /// Nodes that heads reach, as far as that has been determined.
  private var reached: Set<ObjectID> = []
  /// For each task that was asked about, the nodes whose parents have not been looked at.
  private var frontiers: [TaskID?: [ObjectID]] = [:]
  /// Whether the heads reach every received node, according to the index; `nil` before it is determined.
  private var reachesAll: Bool?
  /// The heads of all tasks, once many were asked for.
  private var allHeads: [TaskID?: [ObjectID]]?
  private var reader = NodeReader()
  private var strict: NodeDecoder
  private let profile: Profile
  private let allowsUnsigned: Bool

  /// Creates a look-up for a store whose refs count.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - profile: the rules that a node outside the history must satisfy to count as present.
  ///   - allowsUnsigned: whether it may lack the signature that the profile asks for.
  /// - Throws: `RefsError` when its refs cannot be read.
  package init(
    _ opened: Repository, _ profile: Profile, allowsUnsigned: Bool = false
  ) throws {
    self.opened = opened
    self.profile = profile
    self.allowsUnsigned = allowsUnsigned
    strict = NodeDecoder(profile: profile)
    objects = opened.objects
    refs = try opened.snapshot()
  }

  /// Creates a look-up for objects alone: all of them count as history.
  package init(objects: ObjectStore?, _ profile: Profile) {
    self.objects = objects
    self.profile = profile
    allowsUnsigned = false
    strict = NodeDecoder(profile: profile)
    opened = nil
    refs = nil
  }

  /// The length of the received log at this moment, in bytes.
  package var receivedBytes: Int { refs?.receivedBytes ?? 0 }

  /// What is known about a node; `nil` when it is not here.
  package func node(_ id: ObjectID) throws -> KnownNode? {
    guard let objects else { return nil }
    let object = try reader.storedNode(id, in: objects)
    guard let object, let node = reader.decode(object) else { return nil }
    let isHead = try heads(of: node.taskID).contains(id)
    let isInHistory = isHead ? true : try self.isInHistory(id, of: node.taskID)
    // An ancestor that would enter the history with its child is judged as strictly as the child.
    guard isInHistory || profile == .v1 || passes(object) else { return nil }
    return KnownNode(node, isInHistory: isInHistory)
  }

  private func passes(_ object: StoredObject) -> Bool {
    switch strict.decode(object)?.verify() {
    case .good: true
    case .unsigned: allowsUnsigned
    case .bad, .keyUnknown, nil: false
    }
  }

  /// Finds the parents of a set, and judges it: every broken rule, warnings included.
  package func problems(of admission: inout Admission) throws -> [Admission.Problem] {
    var problems = try admission.resolve { id throws in try self.node(id) }
    guard profile.isGenesis else { return problems }
    for create in admission.createProblems {
      // A task with heads in the history has its CREATE.
      let task = admission.task(of: create)
      if try !heads(of: task).isEmpty { problems.append(create) }
    }
    return problems
  }

  /// The heads of a task; for `nil`, those of the nodes without a task.
  package func heads(of task: TaskID?) throws -> [ObjectID] {
    guard refs != nil else { return [] }
    return try refs?.ids(of: .heads(of: task)) ?? []
  }

  /// Whether a node has been accepted into the history.
  package func isReceived(_ id: ObjectID) throws -> Bool {
    guard let opened else { return true }
    if received == nil { received = try loadReceived(opened) }
    return received?.contains(id) ?? false
  }

  private func loadReceived(_ opened: Repository) throws -> Set<ObjectID> {
    do throws(RefsError) {
      return try opened.store.received.load(to: receivedBytes)
    } catch {
      // A wipe shortens the log: to readers who do not hold the objects it may look cut off.
      let newer = try opened.snapshot()
      guard case .corrupt = error, newer.generation != refs?.generation else {
        throw error
      }
      return try opened.store.received.load(to: newer.receivedBytes)
    }
  }

  /// Whether a node is in the history: it was accepted once, and a head still reaches it.
  ///
  /// Undoing an import takes nodes out of it, and so does moving a head back.
  package func isInHistory(_ id: ObjectID, of task: TaskID?) throws -> Bool {
    guard try isReceived(id) else { return false }
    return try isReached(id, of: task)
  }

  /// Whether the heads of its task reach a received node: a node of the history is a head of its task or an ancestor of
  /// one, by the definition of heads.
  ///
  /// - Complexity: O(1) if the index says that the heads reach all nodes; otherwise the heads' ancestors are read from
  ///   the newest on until the node is found, each once however many nodes are asked about.
  private func isReached(_ id: ObjectID, of task: TaskID?) throws -> Bool {
    guard let opened else { return true }
    if reached.contains(id) { return true }
    if try indexReachesAll(opened) { return true }
    var pending: [ObjectID]
    if let known = frontiers[task] {
      pending = known
    } else {
      pending = try knownHeads(of: task)
      reached.formUnion(pending)
    }
    while !pending.isEmpty, !reached.contains(id) {
      var next: [ObjectID] = []
      for child in pending {
        guard let parents = parents(of: child) else {
          // The ancestors of a damaged node cannot be known; an import that heals it must not make heads of them. It
          // stays in the way of the next question.
          frontiers[task] = pending + next
          return true
        }
        for parent in parents where reached.insert(parent).inserted { next.append(parent) }
      }
      pending = next
    }
    frontiers[task] = pending
    return reached.contains(id)
  }

  private func indexReachesAll(_ opened: Repository) throws -> Bool {
    if let reachesAll { return reachesAll }
    let index = GraphIndex(opened, usesCache: true)
    let chain = refs?.chain
    let found = chain.map { index.isComplete(at: $0, received: receivedBytes) } ?? false
    reachesAll = found
    return found
  }

  private func parents(of id: ObjectID) -> [ObjectID]? {
    guard let objects else { return nil }
    return ((try? reader.node(id, in: objects)) ?? nil)?.parents
  }

  /// The largest number of tasks that are looked up one by one.
  private static let fewTasks = 64

  /// The heads of a task, taken from all heads at once when many tasks are asked for.
  private func knownHeads(of task: TaskID?) throws -> [ObjectID] {
    if let allHeads { return allHeads[task] ?? [] }
    guard frontiers.count >= Self.fewTasks else { return try heads(of: task) }
    var all: [TaskID?: [ObjectID]] = [:]
    try refs?.forEach(prefix: "heads/") { (ref) throws(RefsError) in
      if ref.name.isHeadsWithoutTask || ref.name.task != nil {
        all[ref.name.task, default: []].append(ref.id)
      }
      return true
    }
    allHeads = all
    return all[task] ?? []
  }

  /// The nodes that others have taken into the history after an earlier moment.
  func receivedSince(_ bytes: Int) throws -> Set<ObjectID> {
    guard let opened, bytes < receivedBytes else { return [] }
    var ids: Set<ObjectID> = []
    try opened.store.received.forEach(from: bytes, to: receivedBytes) { id, note in
      if note == .forgotten { ids.remove(id) } else { ids.insert(id) }
      return true
    }
    return ids
  }
}

extension RefName {
  /// The name of the ref that holds the heads of a task.
  package static func heads(of task: TaskID?) -> RefName {
    guard let name = RefName("heads/" + (task?.text ?? "-")) else {
      preconditionFailure("BUG: a task's id is no ref name")
    }
    return name
  }
}
