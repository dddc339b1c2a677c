// Nodes of the history that cannot be read where they lie. One harms nothing but itself and what follows it: an exchange
// goes on without it, names it to both sides, and whoever has it sends it.

internal import RedoHistory
package import RedoObject
internal import RedoStore

/// What keeps a node from being read.
package enum UnreadableNode {
  /// The rule that the store breaks, and where.
  ///
  /// - Parameter error: what reading a node has thrown.
  /// - Returns: `nil` for an error that is not about this node alone.
  package static func finding(_ error: any Error) -> Finding? {
    switch error {
    case StoreError.corrupt(_, let path, let reason):
      Finding(.objectCorrupt, detail: "\(reason) (in '\(path)')")
    case StoreError.offline(_, let path): Finding(.archiveOffline, detail: path)
    case HistoryFault.missing: Finding(.objectMissing)
    case HistoryFault.invalid(_, _, let finding): finding ?? Finding(.nodeType)
    case HistoryFault.kind(_, let kind, _):
      Finding(.objectCorrupt, detail: "it is kept as a \(kind)")
    default: nil
    }
  }
}

extension Repository {
  /// The nodes of which it was noted that they cannot be read, as far as this is still so; the others are noted no longer.
  ///
  /// - Parameter others: nodes that are looked at, too, and noted if they cannot be read.
  /// - Returns: what is wrong with each.
  /// - Throws: `StoreError` when the store cannot be read at all.
  package func unreadableNodes(
    and others: some Sequence<ObjectID> = []
  ) throws -> [ObjectID: Finding] {
    let noted = usesCache ? Set(DamageNotes.read(in: store.directory)) : []
    let looked = noted.union(others)
    guard !looked.isEmpty else { return [:] }
    var found: [ObjectID: Finding] = [:]
    var reader = NodeReader()
    for id in looked.sorted() {
      do {
        _ = try HistoryWalk.object(id, objects, &reader)
      } catch {
        guard let finding = UnreadableNode.finding(error) else { throw error }
        found[id] = finding
      }
    }
    if usesCache, Set(found.keys) != noted {
      DamageNotes.write(Set(found.keys), in: store.directory)
    }
    return found
  }

  /// Which of some objects of a kind cannot be read.
  ///
  /// - Returns: what is wrong with each.
  /// - Throws: `StoreError` when the store cannot be read at all.
  func unreadable(_ ids: [ObjectID], of kind: ObjectKind) throws -> [ObjectID: Finding] {
    var found: [ObjectID: Finding] = [:]
    var next = 0
    try HistoryWalk.forEachResult(ids, objects, of: kind, { object, _ in object.id }) {
      result throws in
      if case .failure(let error) = result {
        guard let finding = UnreadableNode.finding(error) else { throw error }
        found[ids[next]] = finding
      }
      next += 1
    }
    return found
  }

  /// Notes that nodes cannot be read.
  package func note(unreadable ids: some Sequence<ObjectID>) {
    guard usesCache else { return }
    let noted = Set(DamageNotes.read(in: store.directory))
    let all = noted.union(ids)
    if all != noted { DamageNotes.write(all, in: store.directory) }
  }

  /// Reads nodes, and notes those that cannot be read.
  ///
  /// - Parameter ids: nodes of the history.
  /// - Returns: what is wrong with each that cannot be read.
  /// - Throws: `StoreError` when the store cannot be read at all.
  package func readAll(_ ids: [ObjectID]) throws -> [ObjectID: Finding] {
    let found = try unreadable(ids, of: .node)
    note(unreadable: found.keys)
    return found
  }
}
