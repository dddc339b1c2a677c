// The diverged tasks of a store, and what their MERGEs say.

package import RedoHistory
internal import RedoObject
internal import RedoStore

/// How the members of a merge are decided.
package struct MergeDecider {
  /// The rule for members that several sides wrote; `nil` when replay decides.
  package let rule: MergeRule?
  /// Members and their values: the text of a JSON object.
  package let values: [UInt8]

  /// Creates a value with these members.
  package init(rule: MergeRule?, values: [UInt8] = Array("{}".utf8)) {
    (self.rule, self.values) = (rule, values)
  }

  /// Whether a person decides anything.
  package var isManual: Bool { rule != nil || hasValues }
  /// Whether members are given values.
  package var hasValues: Bool { !values.elementsEqual("{}".utf8) }
}

/// Tasks that may have diverged.
package struct MergeTasks {
  /// A diverged task.
  package struct Found {
    /// What is known of it.
    package let plan: MergePlan
    /// How many living heads it has.
    package let headCount: Int
    /// Whether a person decides.
    package let isManual: Bool
    /// The MERGE.
    package let request: ChangeRequest
  }

  private let opened: Repository
  /// Tasks with several heads, and these.
  private var heads: [(task: TaskID, ids: [ObjectID])] = []

  /// Finds the tasks that have several heads.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - names: the tasks to look for, by ID or prefix; all when there are none.
  /// - Throws: `MergeFault` when a name matches no task.
  init(_ opened: Repository, names: [String]) throws {
    self.opened = opened
    var wanted: [TaskID] = []
    for name in names {
      let task = try TaskName.known(name, opened)
      if !wanted.contains(task) { wanted.append(task) }
    }
    var snapshot = try opened.snapshot()
    var heads: [(task: TaskID, ids: [ObjectID])] = []
    if wanted.isEmpty {
      try snapshot.forEach(prefix: "heads/") { ref throws(RefsError) in
        guard let task = ref.name.task else { return true }
        if heads.last?.task == task {
          heads[heads.count - 1].ids.append(ref.id)
        } else {
          heads.append((task, [ref.id]))
        }
        return true
      }
    } else {
      for task in wanted { heads.append((task, try snapshot.ids(of: .heads(of: task)))) }
    }
    if let unknown = heads.first(where: { $0.ids.isEmpty }) {
      throw MergeFault.noTask(unknown.task)
    }
    // A named task is examined whatever its refs are.
    self.heads = wanted.isEmpty ? heads.filter { $0.ids.count > 1 } : heads
  }

  /// The tasks that have several living heads, by id.
  ///
  /// - Parameters:
  ///   - decider: how their members are decided.
  ///   - own: the head that is ours, for `ours` and `theirs`.
  /// - Returns: tasks and their MERGEs.
  /// - Throws: `StoreError` or `HistoryFault` when a node is missing or corrupt, `MergeFault` when `own` is no head of
  ///   a diverged task.
  func plans(_ decider: MergeDecider, own: ObjectID?) throws -> [Found] {
    var found: [Found] = []
    for (task, ids) in heads {
      // A task's state depends only on its heads and their ancestors.
      let log = NodeHistory(try HistoryLoad.nodes(from: ids, opened.objects).nodes)
      let cut = Cut(whole: log)
      var replay = Replay(log, cut, TaskNodes(log, cut))
      guard let index = (0..<log.taskCount).first(where: { log.taskID($0) == task }),
        let plan = replay.mergePlan(of: index)
      else { continue }
      var place: Int?
      if let own {
        place = plan.parents.firstIndex(of: own)
        guard place != nil else {
          throw MergeFault.noHead(own, of: task, heads: plan.parents)
        }
      }
      if decider.rule == .theirs, plan.parents.count > 2 {
        throw MergeFault.severalTheirs(task, headCount: plan.parents.count)
      }
      let decided = decider.rule.map { replay.decisions(of: index, by: $0, own: place) } ?? []
      found.append(
        Found(
          plan: plan, headCount: replay.livingHeads(of: index).count, isManual: decider.isManual,
          request: MergeContent.request(plan, decider, decided)))
    }
    return found
  }
}
