// Which of several archives are kept, in the way of restic's forget plans: the newest ones, and the last of each hour,
// day, week, month or year. Times are instants; nothing here looks at a clock or a file.

internal import RedoObject

/// A plan by which archives are kept.
package struct RetentionPlan: Sendable {
  /// A rule of a plan.
  package enum Rule: String, CaseIterable, Sendable {
    /// The newest ones.
    case last
    case hourly
    case daily
    case weekly
    case monthly
    case yearly

    /// What archives of the same period have in common; the calendar is that of UTC.
    ///
    /// - Parameter time: milliseconds since 1970.
    /// - Returns: `nil` when each archive counts by itself.
    func period(of time: Int64) -> String? {
      let text = WallTime(milliseconds: time).text
      switch self {
      case .last: return nil
      case .hourly: return String(text.prefix(13))
      case .daily: return String(text.prefix(10))
      // The first of January 1970 was a Thursday; weeks begin on Mondays.
      case .weekly: return "\(Self.floor(Self.floor(time, 86_400_000) + 3, 7))"
      case .monthly: return String(text.prefix(7))
      case .yearly: return String(text.prefix(4))
      }
    }

    private static func floor(_ value: Int64, _ unit: Int64) -> Int64 {
      value >= 0 ? value / unit : (value - unit + 1) / unit
    }
  }

  /// How many archives each rule keeps; rules that are not listed keep none.
  package var counts: [Rule: Int] = [:]
  /// How long before the newest archive others are kept, in milliseconds.
  package var within: Int64?

  /// A plan that keeps nothing.
  package init() {}

  /// Whether there is any rule.
  package var isEmpty: Bool { counts.isEmpty && within == nil }

  /// Why each of some archives is kept.
  ///
  /// - Parameter times: their instants in milliseconds since 1970, in any order.
  /// - Returns: for each archive the rules that keep it; empty for one that may go.
  func reasons(_ times: [Int64]) -> [[PrunedArchive.Reason]] {
    var reasons = [[PrunedArchive.Reason]](repeating: [], count: times.count)
    // The newest first; among equal instants, the one that is named first.
    let order = times.indices.sorted { (times[$1], $0) < (times[$0], $1) }
    for rule in Rule.allCases {
      guard var left = counts[rule] else { continue }
      var last: String?
      for index in order where left > 0 {
        let period = rule.period(of: times[index])
        if let period, period == last { continue }
        last = period
        left -= 1
        reasons[index].append(.rule(rule))
      }
    }
    if let within, let newest = order.first {
      for index in order where times[newest] - times[index] <= within {
        reasons[index].append(.within)
      }
    }
    return reasons
  }
}
