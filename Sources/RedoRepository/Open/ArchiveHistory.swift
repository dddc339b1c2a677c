// The history of archives, read where they are: a store for the time of one command, which has no objects of its own and
// borrows those of the archives. Only ids and refs are written, into a directory that is gone afterwards.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// A store that is made of archives.
package final class ArchiveHistory: Sendable {
  private let scratch: ScratchDirectory

  /// A node as far as it says what is whole.
  private struct Entry {
    let id: ObjectID
    let parents: [ObjectID]
  }

  /// Makes a place for the store; nothing is read yet.
  ///
  /// - Throws: `FileFault` when there is no place for temporary files.
  package init(_ effects: Effects) throws {
    let place = effects.surroundings.usual.temporaryDirectory
    scratch = try FileFault.naming(place) { try ScratchDirectory(in: place) }
  }

  /// Reads archives from their first byte to their last, and makes a store of them.
  ///
  /// What lacks an ancestor is left out, with all that follows it, and reported.
  ///
  /// - Parameters:
  ///   - paths: the archives, as messages name them.
  ///   - effects: where files are; afterwards the store is the one that commands work on.
  /// - Throws: `ArchiveFault` for a file that is no intact archive; `ArchiveHistoryFault.empty` when no node of theirs has
  ///   all its ancestors.
  package func open(_ paths: [String], _ effects: inout Effects) throws {
    let store = joinPath(scratch.path, Layout.directoryName)
    var alone = effects
    alone.surroundings = effects.surroundings.alone(with: store)
    var making = alone
    making.surroundings.settings.append(("core.fsync", "none"))
    try Self.fill(store, paths, making)
    effects = alone
  }

  /// Removes the store; it cannot be read any more.
  package func remove() { scratch.remove() }

  private static func fill(_ store: String, _ paths: [String], _ effects: Effects) throws {
    let opened = try effects.makeRepository(store)
    var entries: [Entry] = []
    var known: Set<ObjectID> = []
    var reader = NodeReader()
    do {
      var held = try HeldArchives(opened, effects)
      for path in paths {
        let proof = try ArchiveProving.prove(
          path, .ofSettings, effects, of: [.node]
        ) { nodes throws in
          for object in nodes where known.insert(object.id).inserted {
            let parents = try HistoryLoad.node(object, &reader).0.parents
            entries.append(Entry(id: object.id, parents: parents))
          }
        }
        _ = try held.register(proof, path, .kept, effects)
      }
    }
    let whole = whole(entries, effects)
    guard !whole.isEmpty else { throw ArchiveHistoryFault.empty }
    var inner: Set<ObjectID> = []
    for entry in whole { inner.formUnion(entry.parents) }
    let tips = whole.lazy.map(\.id).filter { !inner.contains($0) }
    try moveHeads(Array(tips), opened, effects)
  }

  /// The nodes that have all their ancestors.
  private static func whole(_ entries: [Entry], _ effects: Effects) -> [Entry] {
    var places: [ObjectID: Int32] = [:]
    places.reserveCapacity(entries.count)
    for (place, entry) in entries.enumerated() { places[entry.id] = Int32(place) }
    var children: [ObjectID: [Int32]] = [:]
    var isCut = [Bool](repeating: false, count: entries.count)
    var pending: [Int32] = []
    var missing: Set<ObjectID> = []
    for (place, entry) in entries.enumerated() {
      for parent in entry.parents where places[parent] == nil {
        missing.insert(parent)
        if !isCut[place] { pending.append(Int32(place)) }
        isCut[place] = true
      }
    }
    guard let first = missing.min() else { return entries }
    for (place, entry) in entries.enumerated() {
      for parent in entry.parents { children[parent, default: []].append(Int32(place)) }
    }
    while let place = pending.popLast() {
      for child in children[entries[Int(place)].id] ?? [] where !isCut[Int(child)] {
        isCut[Int(child)] = true
        pending.append(child)
      }
    }
    effects.report(
      .archive(
        .incomplete(leftOut: isCut.count { $0 }, missing: missing.count, first: first)))
    return entries.indices.filter { !isCut[$0] }.map { entries[$0] }
  }

  /// Writes the heads of all tasks.
  private static func moveHeads(
    _ tips: [ObjectID], _ opened: Repository, _ effects: Effects
  ) throws {
    let graph = try HistoryGraph.reaching(tips, opened, usesCache: false)
    let isHead = TaskHeads.marks(of: graph, members: nil)
    var heads: [Int: [ObjectID]] = [:]
    for position in 0..<graph.count where isHead[position] {
      heads[graph.task(at: position), default: []].append(graph.id(at: position))
    }
    var transaction = RefTransaction(message: "archives")
    for (task, ids) in heads {
      let name = RefName.heads(of: task < 0 ? nil : graph.taskID(task))
      transaction.replace(name, with: ids.sorted())
    }
    _ = try opened.store.refs.commit(transaction, at: effects.clock(), try opened.refsOptions())
  }
}

/// Why archives make no history.
package enum ArchiveHistoryFault: Fault, Equatable {
  /// No node has all its ancestors.
  case empty

  /// The kind of error.
  package var code: RedoError.Code { .missing }
  /// Nothing more is known.
  package var subject: String? { nil }
}
