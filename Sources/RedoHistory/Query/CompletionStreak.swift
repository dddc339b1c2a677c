// On how many days in a row something was completed (question 51).
//
//   days        d: distinct days with a completion that is not later than now
//   streak      the number of days today, today - 1, ... that are in d, up to the first that is not
//   gap today   if today is not in d, the count begins yesterday
//   literal     all completions, latest first: each must be on the day expected, which begins as today and
//               goes one day back with each; so a second completion on a day ends the count

package import RedoObject

/// A streak of days.
package struct CompletionStreak: Equatable, Sendable {
  /// How the days are counted.
  package enum Rule: Sendable {
    /// The streak has to include today.
    case today
    /// It may end yesterday.
    case todayOrYesterday
    /// As the source document counts.
    case literal
  }

  /// The number of days.
  package let days: Int
  /// The last day of the streak, in days since 1970; `nil` without one.
  package let lastDay: Int?
  /// How many completions each day has.
  package let counts: [Int: Int]

  /// Counts days.
  ///
  /// - Parameters:
  ///   - tasks: the tasks.
  ///   - now: the present.
  ///   - zone: where days begin.
  ///   - rule: how they are counted.
  package init(_ tasks: [CompletionFacts], now: WallTime, in zone: CivilZone, _ rule: Rule) {
    let completions = tasks.flatMap { $0.todos.compactMap(\.completed) }
    let today = zone.local(now).day
    var counts: [Int: Int] = [:]
    for completion in completions where completion <= now {
      counts[zone.local(completion).day, default: 0] += 1
    }
    self.counts = counts
    var day = today
    switch rule {
    case .literal:
      for completion in completions.sorted(by: >) {
        guard zone.local(completion).day == day else { break }
        day -= 1
      }
      lastDay = day < today ? today : nil
      days = today - day
      return
    case .today: break
    case .todayOrYesterday: if counts[today] == nil { day -= 1 }
    }
    let last = day
    while counts[day] != nil { day -= 1 }
    days = last - day
    lastDay = days > 0 ? last : nil
  }

  /// Whether a day is of the streak.
  package func contains(_ day: Int) -> Bool {
    lastDay.map { day <= $0 && day > $0 - days } ?? false
  }
}

/// At which hours of the day todos are completed (question 53).
package struct ProductiveHours: Equatable, Sendable {
  /// How many completions each hour from 0 to 23 has.
  package let counts: [Int]

  /// Counts the completions of some tasks by the hours of a zone.
  package init(_ tasks: [CompletionFacts], in zone: CivilZone) {
    var counts = [Int](repeating: 0, count: 24)
    for task in tasks {
      for completed in task.todos.compactMap(\.completed) {
        counts[zone.local(completed).second / 3600] += 1
      }
    }
    self.counts = counts
  }

  /// The hour with most completions, of several the first one; `nil` without completions.
  package var best: Int? {
    guard let most = counts.max(), most > 0 else { return nil }
    return counts.firstIndex(of: most)
  }

  /// How many completions there are.
  package var total: Int { counts.reduce(0, +) }
}
