// One thing that is wrong with a store: what an audit reports, a row each.

package import RedoObject

/// A rule that a store breaks, and where.
package struct StoreFinding: Error, Hashable, Sendable {
  /// The rule.
  package let rule: Rule
  /// The object that it concerns.
  package let id: ObjectID?
  /// The file that it concerns, below `.redo`; empty without one.
  package let path: String
  /// What is there instead, unescaped text; empty when the rule says it all.
  package let detail: String
  /// What to run or to do against it; empty when nothing helps, or nothing has to be done.
  package let repair: String
  /// Whether it is a warning where the rule is broken here, though the rule is an error elsewhere.
  package let isMild: Bool
  /// Whether it is an error where the rule is broken here, though the rule is a warning elsewhere.
  package let isFatal: Bool

  /// A rule that is broken.
  ///
  /// - Parameters:
  ///   - rule: the rule.
  ///   - id: the object that it concerns.
  ///   - path: the file that it concerns, below `.redo`.
  ///   - detail: what is there instead, unescaped.
  ///   - repair: what to run or to do against it.
  ///   - isMild: whether it is a warning here, though the rule is an error elsewhere.
  ///   - isFatal: whether it is an error here, though the rule is a warning elsewhere.
  package init(
    _ rule: Rule, id: ObjectID? = nil, path: String = "", detail: String = "", repair: String = "",
    isMild: Bool = false, isFatal: Bool = false
  ) {
    self.rule = rule
    self.id = id
    self.path = path
    self.detail = detail
    self.repair = repair
    self.isMild = isMild
    self.isFatal = isFatal
  }
}

extension StoreFinding: Comparable {
  /// The order in which findings are printed: by path, then id, rule and detail; bytewise.
  ///
  /// - Parameters:
  ///   - left: a finding.
  ///   - right: another one.
  /// - Returns: whether the first one is printed first.
  package static func < (left: StoreFinding, right: StoreFinding) -> Bool {
    if left.path != right.path { return left.path.utf8.lexicographicallyPrecedes(right.path.utf8) }
    if left.id != right.id {
      guard let first = left.id else { return true }
      guard let second = right.id else { return false }
      return first < second
    }
    if left.rule != right.rule { return left.rule.id < right.rule.id }
    return left.detail.utf8.lexicographicallyPrecedes(right.detail.utf8)
  }
}
