// How many story points are completed (questions 54 and 55).
//
//   velocity    the sum of storyPoints of the tasks of all todos with now - 7 d <= completed <= now
//   literal     the same without an upper end
//
//   total       the sum over all tasks of storyPoints * number of todos
//   remaining   the sum over all tasks of storyPoints * number of pending todos
//   literal     the sum of storyPoints over the tasks that have a pending todo, however many
//   completed   total - remaining
//   burndown    completed / total, 0 without a total

package import RedoObject

/// A sum that stays finite, whatever story points tasks have.
private func sum(_ left: Double, _ right: Double) -> Double {
  min(left + right, .greatestFiniteMagnitude)
}

/// Story points by week.
package struct Velocity: Equatable, Sendable {
  /// Seven days of 24 hours.
  package static let weekMilliseconds: Int64 = 7 * 86_400_000

  /// A week: of all that is later than the week before, up to its end.
  package struct Week: Equatable, Sendable {
    /// Its first instant.
    package let since: WallTime
    /// Its last instant.
    package let until: WallTime
    /// The number of completions.
    package fileprivate(set) var completed = 0
    /// Their story points.
    package fileprivate(set) var storyPoints = 0.0
  }

  /// Weeks, the latest last: it ends now.
  package let weeks: [Week]
  /// The latest week.
  package var latest: Week { weeks[weeks.count - 1] }

  /// Counts the completions of some tasks.
  ///
  /// - Parameters:
  ///   - tasks: the tasks.
  ///   - now: the end of the latest week.
  ///   - count: the number of weeks, 1 or more.
  ///   - isLiteral: whether what is completed after now counts in the latest week.
  package init(_ tasks: [CompletionFacts], now: WallTime, weeks count: Int, isLiteral: Bool) {
    let length = Self.weekMilliseconds
    // No time is earlier than 0001-01-01.
    let earliest = WallTime.days(1, 1, 1) * 86_400_000
    var weeks = (0..<count).map { number in
      let end = now.milliseconds - Int64(count - 1 - number) * length
      // The bound of the latest week is in it, as the source document has it, and so not in the
      // week before.
      let until = number == count - 1 ? end : end - 1
      return Week(
        since: WallTime(milliseconds: max(end - length, earliest)),
        until: WallTime(milliseconds: until))
    }
    for task in tasks {
      for completed in task.todos.compactMap(\.completed) {
        let age = now.milliseconds - completed.milliseconds
        if age < 0, !isLiteral { continue }
        let number = count - 1 - Int(max(age - 1, 0) / length)
        guard number >= 0 else { continue }
        weeks[number].completed += 1
        weeks[number].storyPoints = sum(weeks[number].storyPoints, task.storyPoints)
      }
    }
    self.weeks = weeks
  }
}

/// How much of the work is done.
package struct Burndown: Equatable, Sendable {
  /// The work at an instant.
  package struct Point: Equatable, Sendable {
    /// The instant.
    package let at: WallTime
    /// The story points of the todos that had been made.
    package let total: Double
    /// Those that were not completed.
    package let remaining: Double
  }

  /// The story points of all todos.
  package let total: Double
  /// Those that are not completed.
  package let remaining: Double
  /// The others.
  package var completed: Double { total - remaining }
  /// The completed share, from 0 to 1; 0 without any work.
  package var ratio: Double { total > 0 ? completed / total : 0 }

  /// Adds up the work of some tasks.
  ///
  /// - Parameters:
  ///   - tasks: the tasks.
  ///   - isLiteral: whether a task with pending todos has its story points left once, as in the source
  ///     document.
  package init(_ tasks: [CompletionFacts], isLiteral: Bool) {
    var total = 0.0
    var remaining = 0.0
    for task in tasks {
      let pending = task.todos.count - task.completedCount
      total = sum(total, task.storyPoints * Double(task.todos.count))
      remaining = sum(
        remaining, task.storyPoints * Double(isLiteral ? min(pending, 1) : pending))
    }
    self.total = total
    self.remaining = remaining
  }

  /// The work over time, at the ends of days, each as many days after the one before.
  ///
  /// - Parameters:
  ///   - tasks: the tasks.
  ///   - end: the last instant.
  ///   - limit: the most points, 1 or more; if that many suffice, there is one a day.
  ///   - zone: where days end.
  /// - Returns: the points, the earliest first; none when no todo had been made by then.
  package static func series(
    _ tasks: [CompletionFacts], to end: WallTime, limit: Int, in zone: CivilZone
  ) -> [Point] {
    let todos = tasks.flatMap { task in task.todos.map { (todo: $0, points: task.storyPoints) } }
    guard let first = todos.lazy.map(\.todo.created).min(), first <= end else { return [] }
    let (firstDay, lastDay) = (zone.local(first).day, zone.local(end).day)
    let step = max(1, (lastDay - firstDay + limit) / limit)
    var events: [(at: WallTime, total: Double, remaining: Double)] = []
    for (todo, points) in todos {
      events.append((todo.created, points, points))
      // Work that is noted as completed before it was made is never remaining.
      if let done = todo.completed { events.append((max(done, todo.created), 0, -points)) }
    }
    events.sort { $0.at < $1.at }
    var total = 0.0
    var remaining = 0.0
    var next = 0
    return stride(from: lastDay, through: firstDay, by: -step).reversed().map { day in
      let dayEnd = zone.start(ofDay: day + 1).milliseconds - 1
      let at = day == lastDay ? end : WallTime(milliseconds: dayEnd)
      while next < events.count, events[next].at <= at {
        total = sum(total, events[next].total)
        remaining = max(0, sum(remaining, events[next].remaining))
        next += 1
      }
      return Point(at: at, total: total, remaining: remaining)
    }
  }
}
