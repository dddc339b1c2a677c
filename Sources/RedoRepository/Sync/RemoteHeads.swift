// The heads of each task or chain on a remote, as far as known: `remotes/<name>/heads/<task>`, `remotes/<name>/receipts/<root>`.
// Only a record of earlier comparisons and exchanges.

package import RedoHistory
package import RedoObject
package import RedoStore

/// The heads of a remote among the objects of one kind that are here.
package struct RemoteHeads {
  private let opened: Repository
  private let kind: ObjectKind

  /// - Parameters:
  ///   - opened: the store.
  ///   - kind: the kind of objects, which has a history.
  package init(_ opened: Repository, _ kind: ObjectKind = .node) {
    self.opened = opened
    self.kind = kind
  }

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

  /// The ref under which heads are remembered; `nil` when the name is too long.
  ///
  /// - Parameters:
  ///   - remote: the remote.
  ///   - name: the ref of this store that names heads of the same task or chain.
  /// - Returns: the ref.
  package static func name(_ remote: RemoteName, _ name: RefName) -> RefName? {
    RefName("remotes/\(remote.text)/\(name.text)")
  }

  /// Remembers heads, if they differ from those remembered.
  ///
  /// - Parameters:
  ///   - heads: the heads of each task or chain, by the ref of this store.
  ///   - remote: the remote.
  ///   - message: the message in the reflog.
  ///   - effects: for the clock and events.
  /// - Throws: `RefsError` when the refs cannot be changed.
  package func remember(
    _ heads: [(name: RefName, ids: [ObjectID])], of remote: RemoteName, message: String,
    _ effects: Effects
  ) throws {
    var transaction = RefTransaction(message: message)
    let options = try opened.refsOptions()
    var snapshot = try opened.snapshot()
    let outcome: RefOutcome
    for (own, ids) in heads.sorted(on: { $0.name.text }) {
      guard let name = Self.name(remote, own) else { continue }
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

  /// The number of tasks or chains that have a remembered head for which a test is true.
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
    try snapshot.forEach(prefix: "remotes/\(remote.text)/\(kind.headsFolder ?? "")/") {
      ref throws(RefsError) in
      visit(ref)
    }
  }
}
