// Best common ancestors, as git-merge-base(1) defines them. Positions are in total order, so that a walk
// from the highest position downwards meets every node after all its descendants: what is known of a
// node then is final, and each node is looked at once.

internal import RedoObject

/// Questions about the ancestors of nodes; a node is an ancestor of itself here, as in git.
package enum MergeBase {
  /// What is known of a node from its descendants.
  private struct Marks: OptionSet {
    let rawValue: UInt8
    /// It is an ancestor of the left side.
    static let left = Marks(rawValue: 1)
    /// It is an ancestor of the right side.
    static let right = Marks(rawValue: 2)
    /// It is above a common ancestor, and so is everything above it.
    static let isCovered = Marks(rawValue: 4)
    static let isCommon: Marks = [.left, .right]
    static let all: Marks = [.left, .right, .isCovered]
  }

  /// The common ancestors of two sets that are not ancestors of other common ancestors.
  ///
  /// A node is common if one of the left and one of the right nodes have it as ancestor: either side
  /// counts as a merge of its nodes.
  ///
  /// - Parameters:
  ///   - left: positions.
  ///   - right: positions.
  ///   - log: nodes with all their ancestors.
  /// - Returns: positions, the newest first; none when nothing is common.
  /// - Complexity: O(*n*) in the nodes and parents from the highest position down to the place where
  ///   everything that is left is covered.
  package static func best(
    _ left: [Int], _ right: [Int], in log: some HistoryLog
  ) -> [Int] {
    let top = max(left.max() ?? -1, right.max() ?? -1)
    var marks = [Marks](repeating: [], count: top + 1)
    // Nodes that the walk is going to meet and that may still be, or lead to, something new.
    var open = 0
    func add(_ new: Marks, to position: Int) {
      let old = marks[position]
      let united = old.union(new)
      marks[position] = united
      let wasOpen = !old.isEmpty && !old.contains(.isCovered)
      let isOpen = !united.contains(.isCovered)
      if isOpen != wasOpen { open += isOpen ? 1 : -1 }
    }
    for position in left { add(.left, to: position) }
    for position in right { add(.right, to: position) }
    var bases: [Int] = []
    var position = top
    while open > 0 {
      var own = marks[position]
      if !own.isEmpty {
        if !own.contains(.isCovered) {
          open -= 1
          if own.isSuperset(of: .isCommon) {
            bases.append(position)
            own = .all
          }
        }
        log.forEachParent(at: position) { if $0 >= 0 { add(own, to: $0) } }
      }
      position -= 1
    }
    return bases
  }

  /// The best common ancestors of all of some nodes, for a merge of all of them at once.
  ///
  /// - Parameters:
  ///   - tips: positions.
  ///   - log: nodes with all their ancestors.
  /// - Returns: positions, the newest first; for a single node itself, for no nodes an empty array.
  /// - Complexity: that of `best` for each node after the first.
  package static func octopus(_ tips: [Int], in log: some HistoryLog) -> [Int] {
    guard let first = tips.first else { return [] }
    // What is common to some nodes is what their best common ancestors have as ancestors.
    return tips.dropFirst().reduce([first]) { bases, tip in best(bases, [tip], in: log) }
  }

  /// The nodes among some that none of the others has as ancestor.
  ///
  /// - Parameters:
  ///   - tips: positions.
  ///   - log: nodes with all their ancestors.
  /// - Returns: these of them, each once, in the order in which they are first given.
  /// - Complexity: O(*n*) in the nodes and parents from the highest position down to the lowest one.
  package static func independent(_ tips: [Int], in log: some HistoryLog) -> [Int] {
    guard let top = tips.max(), let bottom = tips.min() else { return [] }
    var isReached = [Bool](repeating: false, count: top + 1)
    var isTip = isReached
    for tip in tips { isTip[tip] = true }
    for position in stride(from: top, to: bottom, by: -1)
    where isTip[position] || isReached[position] {
      log.forEachParent(at: position) { if $0 >= 0 { isReached[$0] = true } }
    }
    // Taken once: a node that is given again is no longer a tip.
    return tips.filter { tip in
      defer { isTip[tip] = false }
      return isTip[tip] && !isReached[tip]
    }
  }

  /// Whether a node is the same as another, or an ancestor of it.
  ///
  /// - Parameters:
  ///   - ancestor: a position.
  ///   - position: a position.
  ///   - log: nodes with all their ancestors.
  /// - Returns: whether it is.
  /// - Complexity: O(*n*) in the nodes and parents between the two.
  package static func isAncestor(
    _ ancestor: Int, of position: Int, in log: some HistoryLog
  ) -> Bool {
    guard ancestor < position else { return ancestor == position }
    var isReached = [Bool](repeating: false, count: position + 1)
    isReached[position] = true
    for place in stride(from: position, to: ancestor, by: -1) where isReached[place] {
      log.forEachParent(at: place) { if $0 >= 0 { isReached[$0] = true } }
      if isReached[ancestor] { return true }
    }
    return false
  }
}
