// The history of a point in time as the history of this store: only its heads move back. Nothing is said to others, and so
// whoever has the rest brings it back.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// A recovery that moves the heads of this store back.
package struct RecoverLocal {
  /// Creates a value.
  package init() {}

  /// Moves the heads, all of them or none.
  ///
  /// - Parameters:
  ///   - log: the whole history.
  ///   - members: for each position whether the node stays.
  ///   - groups: the receipts, and schemas, that stay; of a kind that is not among them all do.
  ///   - isDryRun: whether nothing is written.
  ///   - message: the message in the reflog.
  ///   - opened: the store.
  ///   - effects: the surroundings.
  /// - Returns: what is taken out of the history.
  /// - Throws: `RecoverFault.heldByTask` when another task follows what would be taken out, `movedMeanwhile` when heads
  ///   have moved since the history was read; the error when refs cannot be written.
  func run(
    _ log: NodeHistory, _ members: [Bool], _ groups: [RecoveredGroups], isDryRun: Bool,
    _ message: String, _ opened: Repository, _ effects: Effects
  ) throws -> TakenOut {
    let isOut = members.map { !$0 }
    for position in 0..<log.count where !isOut[position] {
      var isHeld = false
      log.forEachParent(at: position) { if $0 >= 0, isOut[$0] { isHeld = true } }
      if isHeld { throw RecoverFault.heldByTask(log.id(at: position)) }
    }
    var taken = try TakenOut(log, isOut, opened)
    for part in groups {
      taken.add(try TakenOut(part.graph, part.members.map { !$0 }, of: part.kind, opened))
    }
    guard !isDryRun, taken.count > 0 else { return taken }
    let before = Self.heads(log, [Bool](repeating: true, count: log.count))
    let after = Self.heads(log, isOut.map { !$0 })
    var transaction = RefTransaction(message: message)
    for (task, heads) in before.sorted(by: { ($0.key?.text ?? "") < ($1.key?.text ?? "") }) {
      let next = after[task] ?? []
      guard Set(next) != Set(heads) else { continue }
      transaction.replace(.heads(of: task), with: next, expecting: heads)
    }
    for part in groups {
      let after = part.heads
      for (group, heads) in part.presentHeads.sorted(by: { $0.key < $1.key }) {
        guard after[group] ?? [] != heads else { continue }
        transaction.replace(.heads(of: group), with: after[group] ?? [], expecting: heads)
      }
    }
    let options = try opened.refsOptions()
    let outcome = try opened.store.refs.commit(transaction, at: effects.clock(), options)
    guard case .committed(let commit) = outcome else { throw RecoverFault.movedMeanwhile }
    effects.report(commit.warnings)
    return taken
  }

  private static func heads(_ log: NodeHistory, _ members: [Bool]) -> [TaskID?: [ObjectID]] {
    var heads: [TaskID?: [ObjectID]] = [:]
    for change in RecoveredHistory(log, members).heads { heads[change.task] = change.added }
    return heads
  }
}

/// Nodes that are taken out of the history, and the remotes that will bring them back.
package struct TakenOut {
  /// A remote that had some of them when it was last met.
  package struct Holder {
    /// The remote.
    package let remote: RemoteName
    /// How many it had, as far as is remembered.
    package fileprivate(set) var count: Int
  }

  /// How many there are.
  package private(set) var count: Int
  /// The remotes that have some, by name.
  package private(set) var holders: [Holder]

  /// Adds those of another kind.
  mutating func add(_ other: TakenOut) {
    count += other.count
    for holder in other.holders {
      if let place = holders.firstIndex(where: { $0.remote.text == holder.remote.text }) {
        holders[place].count += holder.count
      } else {
        holders.append(holder)
      }
    }
  }

  /// Looks up what is remembered of remotes.
  ///
  /// - Parameters:
  ///   - log: the history before.
  ///   - isOut: for each position whether the node is taken out.
  ///   - kind: the kind of the objects.
  ///   - opened: the store.
  /// - Throws: `RefsError` when the refs cannot be read.
  init(
    _ log: some HistoryLog, _ isOut: [Bool], of kind: ObjectKind = .node, _ opened: Repository
  ) throws {
    count = isOut.count { $0 }
    var holders: [Holder] = []
    var snapshot = try opened.snapshot()
    for remote in Remote.names(opened.store.config) {
      var has = [Bool](repeating: false, count: log.count)
      let prefix = "remotes/\(remote.text)/\(kind.headsFolder ?? "")/"
      try snapshot.forEach(prefix: prefix) { ref throws(RefsError) in
        if let position = log.position(of: ref.id) { has[position] = isOut[position] }
        return true
      }
      // What follows a node that is out is out, too: a remote has it if it has a head above.
      for position in (0..<log.count).reversed() where has[position] {
        log.forEachParent(at: position) { if $0 >= 0, isOut[$0] { has[$0] = true } }
      }
      let count = has.count { $0 }
      if count > 0 { holders.append(Holder(remote: remote, count: count)) }
    }
    self.holders = holders
  }

  /// Compares the heads before and after a change of refs.
  ///
  /// - Throws: the error when a node is missing or corrupt.
  init(
    before: [ObjectID], after: [ObjectID], of kind: ObjectKind, _ opened: Repository
  ) throws {
    if ObjectKind.grouped.contains(kind) {
      let walk = try GroupWalk(
        of: kind, from: before + after, opened.objects, includesPrecise: true)
      try self.init(walk.graph(received: [:]), before: before, after: after, of: kind, opened)
    } else {
      let nodes = try HistoryLoad.nodes(from: before + after, opened.objects).nodes
      try self.init(NodeHistory(nodes), before: before, after: after, of: kind, opened)
    }
  }

  private init(
    _ log: some HistoryLog, before: [ObjectID], after: [ObjectID], of kind: ObjectKind,
    _ opened: Repository
  ) throws {
    func reached(_ heads: [ObjectID]) -> [Bool] {
      var marks = [Bool](repeating: false, count: log.count)
      for id in heads { if let position = log.position(of: id) { marks[position] = true } }
      for position in (0..<log.count).reversed() where marks[position] {
        log.forEachParent(at: position) { if $0 >= 0 { marks[$0] = true } }
      }
      return marks
    }
    let isOut = zip(reached(before), reached(after)).map { $0 && !$1 }
    try self.init(log, isOut, of: kind, opened)
  }
}

extension Repository {
  /// What a change of refs takes out of the history.
  ///
  /// - Throws: the error when a node is missing or corrupt.
  package func takenOut(by moves: [ReflogUndo.Move]) throws -> TakenOut {
    func taken(_ kind: ObjectKind) throws -> TakenOut {
      let own = moves.filter { $0.name.isOfOwnHistory && $0.name.kind == kind }
      // Of the other heads, none reaches what is gone unless it is in another task.
      return try TakenOut(
        before: own.flatMap(\.gone), after: own.flatMap(\.back), of: kind, self)
    }
    var found = try taken(.node)
    for kind in ObjectKind.grouped { found.add(try taken(kind)) }
    return found
  }
}
