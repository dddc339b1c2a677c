// The notes of nodes that can be followed: whether they are true.

internal import RedoObject
internal import RedoStore

/// The check of `cache/living`.
enum LivingAudit {
  /// Looks whether a node that is noted has a DELETE of its task or something broken among its ancestors, or is such a
  /// node itself.
  ///
  /// - Parameters:
  ///   - table: every object.
  ///   - store: the store's directory.
  /// - Returns: one finding for all of them; a note about a node that is not here is skipped.
  static func finding(_ table: NodeTable, in store: borrowing Directory) -> StoreFinding? {
    let noted = LivingNotes.all(in: store).compactMap { table.place(of: $0) }
      .filter { table.kind($0) == .node }
    var wrong = Set(below(table.broken, of: noted, table))
    var byTask: [TaskID?: [Int]] = [:]
    for place in noted { byTask[table.task(place), default: []].append(place) }
    var deletes: [TaskID?: [ObjectID]] = [:]
    for id in table.deletes {
      guard let place = table.place(of: id), byTask[table.task(place)] != nil else { continue }
      deletes[table.task(place), default: []].append(id)
    }
    for (task, ids) in deletes { wrong.formUnion(below(ids, of: byTask[task] ?? [], table)) }
    guard let first = wrong.map({ table.id($0) }).min() else { return nil }
    let more = wrong.count > 1 ? ", and \(wrong.count - 1) more" : ""
    return StoreFinding(
      .cacheWrong, id: first, path: LivingNotes.path,
      detail: "it says that this node can be followed, and it descends from a DELETE of its task "
        + "or from what is no node\(more)",
      repair: StoreRepair.cache)
  }

  /// Those of some nodes that are among others, or descend from them.
  ///
  /// - Complexity: O(*n*) in the ancestors of the nodes.
  private static func below(
    _ others: [ObjectID], of places: [Int], _ table: NodeTable
  ) -> [Int] {
    guard !others.isEmpty else { return [] }
    let sought = Set(others.compactMap { table.place(of: $0) })
    // Whether a node is one of those, or descends from one; of a node whose ancestors are being looked at, not yet.
    var known: [Int: Bool] = [:]
    var stack: [(place: Int, parents: [Int])] = []
    func enter(_ place: Int) {
      known[place] = sought.contains(place)
      stack.append((place, table.parents(place).compactMap { table.place(of: $0) }))
    }
    for start in places where known[start] == nil {
      enter(start)
      while let (place, parents) = stack.last {
        guard let parent = parents.last else {
          stack.removeLast()
          if known[place] == true, let child = stack.last?.place { known[child] = true }
          continue
        }
        stack[stack.count - 1].parents.removeLast()
        switch known[parent] {
        case nil: enter(parent)
        case true?: known[place] = true
        case false?: break
        }
      }
    }
    return places.filter { known[$0] == true }
  }
}
