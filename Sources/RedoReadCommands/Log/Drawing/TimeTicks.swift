// The ticks of a time axis: at round instants in UTC, as many as fit.

internal import RedoRepository
internal import RedoShell

/// One tick.
struct TimeTick: Equatable {
  /// Milliseconds since 1970.
  let time: Int64
  let label: String
  /// A second line, where the first one does not include the date.
  let date: String?
}

/// Steps between ticks.
enum TimeTicks {
  private enum Step {
    case minutes(Int64)
    case days(Int64)
    /// Weeks begin on Monday.
    case weeks(Int64)
    case months(Int64)
  }

  /// From the finest to the coarsest; the last step spans all years that can occur.
  private static let steps: [Step] =
    [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map(Step.minutes) + [.days(1), .days(2)]
    + [1, 2].map(Step.weeks) + [1, 2, 3, 6].map(Step.months)
    + [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000].map { .months(12 * $0) }

  /// The ticks between two instants, both included: those of the finest step that does not give too many.
  static func ticks(from first: Int64, to last: Int64, limit: Int) -> [TimeTick] {
    for step in steps where (last - first) / length(step) <= Int64(limit) + 1 {
      let times = times(step, first, last)
      if times.count <= limit { return labels(times, step) }
    }
    return []
  }

  /// The shortest length of a step, in milliseconds.
  private static func length(_ step: Step) -> Int64 {
    switch step {
    case .minutes(let count): count * 60_000
    case .days(let count): count * CivilDay.length
    case .weeks(let count): count * 7 * CivilDay.length
    case .months(let count): count * 28 * CivilDay.length
    }
  }

  private static func times(_ step: Step, _ first: Int64, _ last: Int64) -> [Int64] {
    switch step {
    case .minutes, .days: return multiples(length(step), from: 0, first, last)
    // 1970-01-05 was a Monday.
    case .weeks: return multiples(length(step), from: 4 * CivilDay.length, first, last)
    case .months(let count):
      let (year, month, _) = CivilDay(milliseconds: first).date
      var times: [Int64] = []
      var index = (year * 12 + month - 1) / count * count
      while true {
        let time = CivilDay(index / 12, index % 12 + 1, 1).start
        if time > last { return times }
        if time >= first { times.append(time) }
        index += count
      }
    }
  }

  private static func multiples(
    _ length: Int64, from origin: Int64, _ first: Int64, _ last: Int64
  ) -> [Int64] {
    let rest = ((first - origin) % length + length) % length
    let start = rest == 0 ? first : first - rest + length
    return Array(stride(from: start, through: last, by: Int64.Stride(length)))
  }

  private static func labels(_ times: [Int64], _ step: Step) -> [TimeTick] {
    var shown: CivilDay?
    return times.map { time in
      let day = CivilDay(milliseconds: time)
      switch step {
      case .minutes:
        let label = String(DrawnText.minute(time).suffix(5))
        defer { shown = day }
        return TimeTick(time: time, label: label, date: shown == day ? nil : "\(day)")
      case .days, .weeks: return TimeTick(time: time, label: "\(day)", date: nil)
      case .months(let count):
        let year = String(day.month.dropLast(3))
        return TimeTick(time: time, label: count < 12 ? day.month : year, date: nil)
      }
    }
  }
}
