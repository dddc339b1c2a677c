// What some nodes reach of one author's work. Positions are in total order, so that a walk from the
// highest position downwards meets every node after all its descendants.

internal import RedoObject

/// The nodes of an author that some tips reach.
package struct AuthorReach: Sendable {
  /// How many there are.
  package private(set) var count = 0
  /// The positions from which no other of them descends, by whatever path, the newest first: they reach the
  /// same nodes of the author as the tips do.
  package private(set) var last: [Int] = []

  private struct Marks: OptionSet {
    let rawValue: UInt8
    /// A tip reaches it.
    static let isReached = Marks(rawValue: 1)
    /// A node of the author that a tip reaches descends from it.
    static let isBelow = Marks(rawValue: 2)
  }

  /// Looks at what tips reach.
  ///
  /// - Parameters:
  ///   - tips: positions; they reach themselves.
  ///   - log: nodes with all their ancestors.
  ///   - isOwn: whether a node, by its position, is the author's.
  /// - Complexity: O(*n*) in the nodes and parents below the highest position.
  package init(from tips: [Int], in log: some HistoryLog, isOwn: (Int) -> Bool) {
    let top = tips.max() ?? -1
    var marks = [Marks](repeating: [], count: top + 1)
    for tip in tips { marks[tip] = .isReached }
    for position in stride(from: top, through: 0, by: -1) {
      var mark = marks[position]
      guard mark.contains(.isReached) else { continue }
      if isOwn(position) {
        count += 1
        if !mark.contains(.isBelow) { last.append(position) }
        mark.insert(.isBelow)
      }
      log.forEachParent(at: position) { parent in
        if parent >= 0 { marks[parent].formUnion(mark) }
      }
    }
  }
}
