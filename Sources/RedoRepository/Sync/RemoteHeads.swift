// The heads of each task on a remote, as far as known: `remotes/<name>/heads/<task>`. Only a record of earlier
// comparisons and exchanges.

package import RedoHistory
package import RedoObject
package import RedoStore

/// The heads of a remote among the nodes that are here.
package struct RemoteHeads {
  private let opened: Repository

  package init(_ opened: Repository) { self.opened = opened }

  /// The heads of tasks among the nodes that a remote has.
  ///
  /// A node is such a head if no other node of the remote in the same task has it as a parent.
  ///
  /// - Parameters:
  ///   - graph: the history; columns `ids`, `parents` and `labels`.
  ///   - tasks: the requested tasks, by number, -1 for nodes without one; all when `nil`.
  ///   - has: whether the remote has the node at a position.
  /// - Returns: the positions of the heads by task.
  /// - Complexity: O(*n*).
  package static func heads(
    _ graph: Graph, of tasks: Set<Int>? = nil, _ has: (Int) -> Bool
  ) -> [Int: [Int]] {
    var isFollowed = [Bool](repeating: false, count: graph.count)
    var heads: [Int: [Int]] = [:]
    for position in (0..<graph.count).reversed() where has(position) {
      let task = graph.task(at: position)
      guard tasks?.contains(task) ?? true else { continue }
      graph.forEachParent(at: position) { parent in
        if graph.task(at: parent) == task { isFollowed[parent] = true }
      }
      if !isFollowed[position] { heads[task, default: []].append(position) }
    }
    return heads
  }

  /// The ref under which the heads of a task are remembered; `nil` when the name is too long.
  package static func name(_ remote: RemoteName, _ task: TaskID?) -> RefName? {
    RefName("remotes/\(remote.text)/\(RefName.heads(of: task).text)")
  }

  /// Remembers heads, if they differ from those remembered.
  ///
  /// - Parameters:
  ///   - heads: the heads of each task.
  ///   - remote: the remote.
  ///   - message: the message in the reflog.
  ///   - effects: for the clock and events.
  /// - Throws: `RefsError` when the refs cannot be changed.
  package func remember(
    _ heads: [(task: TaskID?, ids: [ObjectID])], of remote: RemoteName, message: String,
    _ effects: Effects
  ) throws {
    var transaction = RefTransaction(message: message)
    let options = try opened.refsOptions()
    var snapshot = try opened.snapshot()
    let outcome: RefOutcome
    for (task, ids) in heads.sorted(on: { $0.task?.text ?? "" }) {
      guard let name = Self.name(remote, task) else { continue }
      let ids = ids.sorted()
      if try snapshot.ids(of: name) != ids { transaction.replace(name, with: ids) }
    }
    guard !transaction.isEmpty else { return }
    outcome = try opened.store.refs.commit(
      transaction, at: effects.clock(), options)
    if case .committed(let commit) = outcome {
      effects.report(commit.warnings)
    }
  }

  /// Whether nothing is remembered about a remote.
  ///
  /// - Throws: `RefsError` when the refs cannot be read.
  package func isEmpty(_ remote: RemoteName) throws -> Bool {
    var isEmpty = true
    try forEach(of: remote) { _ in
      isEmpty = false
      return false
    }
    return isEmpty
  }

  /// The number of tasks that have a remembered head for which a test is true.
  ///
  /// - Throws: `RefsError` when the refs cannot be read.
  package func count(
    of remote: RemoteName, where holds: (ObjectID) -> Bool
  ) throws -> Int {
    var names: Set<RefName> = []
    try forEach(of: remote) { ref in
      if holds(ref.id) { names.insert(ref.name) }
      return true
    }
    return names.count
  }

  private func forEach(
    of remote: RemoteName, _ visit: (Ref) -> Bool
  ) throws {
    var snapshot = try opened.snapshot()
    try snapshot.forEach(prefix: "remotes/\(remote.text)/heads/") { ref throws(RefsError) in
      visit(ref)
    }
  }
}
