// The refs of a store, and how they change when nodes are removed: heads move back to the ancestors that stay, all
// other names of removed objects are deleted.

internal import RedoHistory
package import RedoObject
package import RedoStore

/// The refs of a store at one moment.
package struct WipeRefs {
  /// All names, in order, with the IDs of each.
  private var names: [(name: RefName, ids: [ObjectID])] = []
  /// The number of the last change of them.
  package let entry: Int
  /// The objects that an earlier wipe has not removed yet.
  package let forgotten: Set<ObjectID>
  /// The nodes that were accepted into the history.
  package let received: Set<ObjectID>

  /// - Throws: `RefsError` when they cannot be read.
  package init(_ opened: Repository) throws {
    var snapshot = try opened.snapshot()
    entry = snapshot.entry
    var names: [(name: RefName, ids: [ObjectID])] = []
    try snapshot.forEach { ref throws(RefsError) in
      if names.last?.name == ref.name {
        names[names.count - 1].ids.append(ref.id)
      } else {
        names.append((ref.name, [ref.id]))
      }
      return true
    }
    let log = opened.store.received
    forgotten = try log.forgotten(to: snapshot.receivedBytes)
    received = try log.load(to: snapshot.receivedBytes)
    self.names = names
  }

  /// All names.
  package var all: [RefName] { names.map(\.name) }

  /// The refs that name the notes of an import.
  package var notes: [Ref] {
    let prefix = Array(RefName.notesPrefix.utf8)
    return names.filter { $0.name.hasPrefix(prefix) }.flatMap { name, ids in
      ids.map { Ref(name: name, id: $0) }
    }
  }

  /// Adds steps to a change that take the removed nodes out of all refs.
  ///
  /// - Parameters:
  ///   - isWiped: whether a node is removed.
  ///   - known: the objects of the store.
  ///   - transaction: receives the steps.
  /// - Throws: `WipeFault.brokenHistory` when a history is incomplete, so that its heads cannot be found.
  func dropWiped(
    _ isWiped: (ObjectID) -> Bool, _ known: [ObjectID: WipeEntry],
    _ transaction: inout RefTransaction
  ) throws {
    var histories: [String: [(name: RefName, ids: [ObjectID])]] = [:]
    for (name, ids) in names {
      if name.isOfGroup {
        try move(name, ids, isWiped, known, &transaction)
      } else if let history = name.historyPrefix {
        histories[history, default: []].append((name, ids))
      } else if ids.contains(where: isWiped) {
        // What is remembered of a remote, or a name that somebody gave.
        transaction.replace(name, with: ids.filter { !isWiped($0) })
      }
    }
    for (prefix, refs) in histories.sorted(on: \.key) {
      try move(refs, below: prefix, isWiped, known, &transaction)
    }
  }

  /// Moves the heads of a chain of receipts or of a schema: what stays of it and has no child there.
  private func move(
    _ name: RefName, _ ids: [ObjectID], _ isWiped: (ObjectID) -> Bool,
    _ known: [ObjectID: WipeEntry], _ transaction: inout RefTransaction
  ) throws {
    guard ids.contains(where: isWiped) else { return }
    let stays = try Self.reach(ids, known, mustBeWhole: true).filter { !isWiped($0) }
    let parents = Set(stays.flatMap { known[$0]?.order?.parents ?? [] })
    transaction.replace(name, with: stays.subtracting(parents).sorted())
  }

  /// Moves the heads of one history.
  private func move(
    _ refs: [(name: RefName, ids: [ObjectID])], below prefix: String,
    _ isWiped: (ObjectID) -> Bool, _ known: [ObjectID: WipeEntry],
    _ transaction: inout RefTransaction
  ) throws {
    guard refs.contains(where: { $0.ids.contains(where: isWiped) }) else { return }
    let history = try Self.reach(refs.flatMap(\.ids), known, mustBeWhole: true)
    var admission = Admission(profile: .v1)
    for id in history.sorted() where !isWiped(id) {
      if let node = known[id]?.node { admission.add(id, node.known) }
    }
    let none: (ObjectID) throws -> KnownNode? = { _ in nil }
    let changes = try admission.headsChanges(
      heads: { _ throws in [] }, lookUp: none)
    let heads = Dictionary(uniqueKeysWithValues: changes.map { ($0.task, $0.added) })

    var new: [RefName: [ObjectID]] = [:]
    var tasks: Set<TaskID?> = []
    for (name, ids) in refs {
      new[name] = ids.filter { !isWiped($0) }
      for id in ids where isWiped(id) {
        if let task = known[id]?.node?.known.task { tasks.insert(task) } else { tasks.insert(nil) }
      }
    }
    // If refs were moved by hand, a task that lost no head may lose its path to one.
    let reached = try Self.reach(new.values.flatMap(\.self), known, mustBeWhole: false)
    for id in history where !isWiped(id) && !reached.contains(id) {
      if let node = known[id]?.node { tasks.insert(node.known.task) }
    }
    for task in tasks {
      guard let name = RefName(prefix + (task?.text ?? "-")) else { continue }
      let others = (new[name] ?? []).filter { known[$0]?.node?.known.task != task }
      new[name] = others + (heads[task] ?? [])
    }
    for (name, ids) in new.sorted(on: \.key) { transaction.replace(name, with: ids) }
  }

  /// The nodes that are still reached by refs once a change is made.
  package func reached(
    after transaction: RefTransaction, _ known: [ObjectID: WipeEntry]
  ) -> Set<ObjectID> {
    var standing = Dictionary(uniqueKeysWithValues: names.map { ($0.name, Set($0.ids)) })
    transaction.apply(to: &standing)
    let tips = standing.values.flatMap(\.self)
    return (try? Self.reach(tips, known, mustBeWhole: false)) ?? []
  }

  /// What some tips reach.
  private static func reach(
    _ tips: [ObjectID], _ known: [ObjectID: WipeEntry], mustBeWhole: Bool
  ) throws -> Set<ObjectID> {
    var seen = Set(tips)
    var pending = Array(seen)
    while let id = pending.popLast() {
      guard let order = known[id]?.order else {
        guard mustBeWhole else { continue }
        guard let entry = known[id] else { throw WipeFault.brokenHistory(id, .missing) }
        throw WipeFault.brokenHistory(id, entry.label == "blob" ? .blob : .damaged)
      }
      for parent in order.parents where seen.insert(parent).inserted {
        pending.append(parent)
      }
    }
    return seen
  }
}

extension RefName {
  /// The prefix of the names of notes on converted logs.
  static let notesPrefix = "notes/v0/"

  /// Whether it names heads of a chain of receipts or of a schema, of our own or of a recovered history.
  fileprivate var isOfGroup: Bool {
    guard let kind, ObjectKind.grouped.contains(kind) else { return false }
    return isOfOwnHistory || hasPrefix(Array("recovered/".utf8))
  }

  /// The prefix of the name of a head of a history, our own or a recovered one.
  fileprivate var historyPrefix: String? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    switch (parts.count, parts[0]) {
    case (2, "heads"): return "heads/"
    case (4, "recovered") where parts[2] == "heads": return "recovered/\(parts[1])/heads/"
    default: return nil
    }
  }
}
