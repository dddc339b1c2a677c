// Questions about ancestors: answered by the index of the history if it is current and has the nodes, otherwise by the
// nodes themselves.

package import RedoHistory
package import RedoObject

/// A question about the ancestors of nodes.
package enum AncestryQuestion {
  /// The best common ancestors of two sides; each side counts as a merge of its nodes.
  case common([ObjectID], [ObjectID])
  /// The best common ancestors of all nodes at once.
  case octopus([ObjectID])
  /// The nodes that are not ancestors of any other of them.
  case independent([ObjectID])
  /// Whether the first is the second, or an ancestor of it: the answer is the first, or nothing.
  case isAncestor(ObjectID, of: ObjectID)

  /// The nodes that it is about.
  package var ids: [ObjectID] {
    switch self {
    case .common(let left, let right): left + right
    case .octopus(let ids), .independent(let ids): ids
    case .isAncestor(let ancestor, let id): [ancestor, id]
    }
  }

  /// The answer as positions of a log.
  ///
  /// - Returns: `nil` when the log lacks one of the nodes.
  package func answer(in log: some HistoryLog) -> [Int]? {
    var places: [ObjectID: Int] = [:]
    for id in ids {
      guard let place = log.position(of: id) else { return nil }
      places[id] = place
    }
    func positions(_ ids: [ObjectID]) -> [Int] { ids.compactMap { places[$0] } }
    switch self {
    case .common(let left, let right):
      return MergeBase.best(positions(left), positions(right), in: log)
    case .octopus(let ids): return MergeBase.octopus(positions(ids), in: log)
    case .independent(let ids): return MergeBase.independent(positions(ids), in: log)
    case .isAncestor(let ancestor, let id):
      guard let first = places[ancestor], let second = places[id] else { return nil }
      return MergeBase.isAncestor(first, of: second, in: log) ? [first] : []
    }
  }
}

extension Revisions {
  /// The common ancestors of two sets that are not ancestors of another common one, newest first.
  package func mergeBases(
    _ left: [ObjectID], _ right: [ObjectID]
  ) throws -> [ObjectID] {
    try answer(.common(left, right), usesCache: true)
  }

  /// Answers a question about ancestors.
  ///
  /// - Parameters:
  ///   - question: the question.
  ///   - usesCache: whether the index of the history may be used.
  /// - Returns: IDs, the newest first if the question gives no order.
  /// - Throws: `HistoryFault` or `StoreError` when one of the nodes or of their ancestors is missing or corrupt.
  package func answer(
    _ question: AncestryQuestion, usesCache: Bool
  ) throws -> [ObjectID] {
    // A damaged index is ignored.
    for usesCache in [usesCache, false] {
      let graph = try HistoryGraph.reaching(question.ids, opened, usesCache: usesCache)
      guard let positions = question.answer(in: graph) else { break }
      if positions.allSatisfy({ graph.check(.ids, of: $0..<$0 + 1) }) {
        return positions.map { graph.id(at: $0) }
      }
    }
    preconditionFailure("BUG: a graph that was just made lacks its tips")
  }
}
