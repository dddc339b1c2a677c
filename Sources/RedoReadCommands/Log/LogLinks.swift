// How the changes of a log follow each other, for its drawings.

internal import RedoHistory
internal import RedoRepository
internal import RedoShell

/// How the changes of a log follow each other.
enum LogLinks {
  /// The parents of changes among those that are shown; a hidden parent is replaced by its nearest shown ancestors.
  ///
  /// - Parameters:
  ///   - positions: the changes that are shown.
  ///   - set: the changes that were walked.
  /// - Returns: for each change, the places of its parents in `positions`.
  /// - Complexity: O(*n*) in the changes of the set from the oldest shown one on, and their parents.
  static func parents(of positions: [Int], in set: LogSet) -> [[Int]] {
    guard let oldest = positions.min() else { return [] }
    var places: [Int: Int] = [:]
    for (place, position) in positions.enumerated() { places[position] = place }
    var result = [[Int]](repeating: [], count: positions.count)
    // For each hidden change, its nearest shown ancestors.
    var nearest: [Int: [Int]] = [:]
    let graph = set.graph
    for position in oldest..<graph.count {
      let place = places[position]
      guard place != nil || set.place(of: position) != nil else { continue }
      var found: [Int] = []
      graph.forEachParent(at: position) { parent in
        if let shown = places[parent] {
          if !found.contains(shown) { found.append(shown) }
        } else {
          for shown in nearest[parent] ?? [] where !found.contains(shown) { found.append(shown) }
        }
      }
      if let place { result[place] = found } else if !found.isEmpty { nearest[position] = found }
    }
    return result
  }

  /// The order of a drawing: children before parents, and the changes of one line of history together,
  /// as in git's `--topo-order`.
  ///
  /// - Parameter parents: for each change, the places of its parents, newest first.
  /// - Returns: the places in that order.
  /// - Complexity: O(*n*) in changes and parents.
  static func order(_ parents: [[Int]]) -> [Int] {
    var children = [Int](repeating: 0, count: parents.count)
    for each in parents { for parent in each { children[parent] += 1 } }
    var order: [Int] = []
    order.reserveCapacity(parents.count)
    // The candidates for the next place; the last one is taken.
    var open = children.indices.filter { children[$0] == 0 }
    open.reverse()
    while let place = open.popLast() {
      order.append(place)
      for parent in parents[place] {
        children[parent] -= 1
        if children[parent] == 0 { open.append(parent) }
      }
    }
    return order
  }
}
