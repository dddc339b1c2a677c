// Whether a node is in the history, for those who need to know nothing else of it.

internal import RedoHistory
package import RedoObject

extension Effects {
  /// Whether nodes are in the history of the store.
  ///
  /// - Returns: answers from the index, which is read for the first of them; of a history that cannot be read, nothing is
  ///   in it.
  package func membership() -> (ObjectID) -> Bool {
    let silent = telling(EventLog())
    var known: HistoryGraph??
    return { id in
      let history: HistoryGraph?
      if let known { history = known } else { history = silent.history() }
      known = .some(history)
      guard let history else { return false }
      return history.graph.position(of: id).map { history.members?[$0] ?? true } ?? false
    }
  }

  private func history() -> HistoryGraph? {
    guard let opened = try? openRepository() else { return nil }
    return try? HistoryGraph.open(opened, usesCache: true, .ids)
  }
}
