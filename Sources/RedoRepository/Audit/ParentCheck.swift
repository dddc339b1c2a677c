// Whether the parents of nodes are there.

internal import RedoHistory
package import RedoObject
package import RedoStore

/// Looks for the parents of nodes if the profile asks for that: among the nodes before them, and in the store.
package struct ParentCheck {
  private let profile: Profile
  private let lookUp: HistoryLookUp
  private var seen: [ObjectID: KnownNode] = [:]
  /// The CREATE of each task, under `genesis`.
  private var creates: [TaskID: ObjectID] = [:]

  package init(_ profile: Profile, _ objects: ObjectStore?) {
    self.profile = profile
    lookUp = HistoryLookUp(objects: objects, profile)
  }

  package mutating func check(_ judged: inout [Judged]) throws {
    guard profile.checksParents else { return }
    for index in judged.indices {
      guard !judged[index].isRefused, let node = judged[index].node else { continue }
      var admission = Admission(profile: profile)
      admission.add(node, record: 0)
      let problems = try admission.resolve { id throws in
        if let known = seen[id] { return known }
        return try lookUp.node(id)
      }
      for problem in problems where profile.severity(of: problem.finding.rule) == .error {
        judged[index].refuse(problem.finding)
      }
      if profile.isGenesis, node.action == .create, let task = node.taskID {
        if creates[task, default: node.id] != node.id {
          judged[index].refuse(Finding(.genesisCreateDuplicate, at: .pointer("/action")))
        }
        creates[task] = creates[task] ?? node.id
      }
      seen[node.id] = KnownNode(node, isInHistory: true)
    }
  }
}
