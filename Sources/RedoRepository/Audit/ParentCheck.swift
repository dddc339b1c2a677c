// Whether the parents of nodes are there.

internal import RedoHistory
package import RedoObject
package import RedoStore

/// Looks for the parents of nodes if the profile asks for that: among the nodes before them, and in the store.
package struct ParentCheck {
  private let profile: Profile
  private let lookUp: HistoryLookUp
  private var seen: [ObjectID: KnownNode] = [:]
  private var refused: Set<ObjectID> = []
  /// The CREATE of each task, under `genesis`.
  private var creates: [TaskID: ObjectID] = [:]

  package init(_ profile: Profile, _ objects: ObjectStore?) {
    self.profile = profile
    lookUp = HistoryLookUp(objects: objects, profile)
  }

  package mutating func check(_ judged: inout [Judged]) throws {
    guard profile.checksParents else { return }
    for index in judged.indices {
      guard !judged[index].isRefused, let node = judged[index].node else {
        note(refused: judged[index])
        continue
      }
      try judge(node, &judged[index])
    }
  }

  /// Judges a node by its parents, which come before it.
  private mutating func judge(_ node: Node, _ judged: inout Judged) throws {
    var admission = Admission(profile: profile)
    admission.add(node, record: 0)
    let problems = try admission.resolve { id throws in try known(id) }
    for problem in problems where profile.severity(of: problem.finding) == .error {
      judged.refuse(named(problem.finding))
    }
    if profile.isGenesis, node.action == .create, let task = node.taskID {
      if creates[task, default: node.id] != node.id {
        judged.refuse(Finding(.genesisCreateDuplicate, at: .pointer("/action")))
      }
      creates[task] = creates[task] ?? node.id
    }
    if judged.isRefused {
      note(refused: judged)
    } else {
      seen[node.id] = KnownNode(node, isInHistory: true)
    }
  }

  /// Remembers a node that is refused, by the ID that it states.
  private mutating func note(refused judged: Judged) {
    if let id = judged.statedID ?? judged.node?.id { refused.insert(id) }
  }

  /// Whether a node came and was refused.
  func isRefused(_ id: ObjectID) -> Bool { refused.contains(id) }

  /// What is known of a node that was taken, or that the store has.
  func known(_ id: ObjectID) throws -> KnownNode? {
    if let known = seen[id] { return known }
    return try lookUp.node(id)
  }

  /// The same finding, or that the parent came and was refused rather than being nowhere.
  private func named(_ finding: Finding) -> Finding {
    guard finding.rule == .parentMissing, let id = ObjectID(text: finding.detail),
      refused.contains(id)
    else { return finding }
    return Finding(.parentRefused, at: finding.place, detail: finding.detail)
  }
}
