// How often nodes have no effect for one reason, and which came first.

package import RedoHistory
package import RedoObject

/// The number of occurrences of one reason, and the first in total order.
package struct SkipTally: Sendable {
  /// Why nodes have no effect.
  package let reason: SkipReason
  /// How many there are.
  package let count: Int
  /// The first of them.
  package let first: ObjectID
  /// The place of the first in the total order.
  package let place: Int

  /// Creates a tally with these members.
  package init(reason: SkipReason, count: Int, first: ObjectID, place: Int) {
    self.reason = reason
    self.count = count
    self.first = first
    self.place = place
  }

  /// The tallies of some skips, in the order of the reasons.
  package static func tallies(of skips: [KeptSkip]) -> [SkipTally] {
    SkipReason.allCases.compactMap { reason in
      let found = skips.filter { $0.reason == reason }
      guard let first = found.min(by: { $0.place < $1.place }) else { return nil }
      return SkipTally(
        reason: reason, count: found.count, first: first.node, place: first.place)
    }
  }

  /// The tallies of two parts of a set together.
  package static func union(_ one: [SkipTally], _ other: [SkipTally]) -> [SkipTally] {
    SkipReason.allCases.compactMap { reason in
      let both = (one + other).filter { $0.reason == reason }
      guard let first = both.min(by: { $0.place < $1.place }) else { return nil }
      return SkipTally(
        reason: reason, count: both.reduce(0) { $0 + $1.count }, first: first.first,
        place: first.place)
    }
  }
}
