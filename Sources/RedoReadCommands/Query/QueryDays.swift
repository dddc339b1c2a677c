// On which days and at which hours todos are completed: questions 51 and 53.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo query streak`: days in a row with a completion.
enum QueryStreak: QueryQuestion {
  static let name = "streak"
  static let summary = "tell on how many days in a row a todo was completed"
  static var usage: [String] {
    ["redo-query streak [--allow-gap-today | --literal] [--plot | --svg] [<options>]"]
  }

  private static let gap = OptionSpec(
    "allow-gap-today", help: "a streak that ended yesterday goes on")
  static var ownOptions: [OptionSpec] { [gap, QueryWords.literal] }
  static var exclusiveOptions: [OptionSpec] { ownOptions }
  static var hasChart: Bool { true }
  /// The least and the most days that the answer covers.
  private static let dayRange = 28...60

  static func answer(_ facts: [CompletionFacts], _ asked: QueryAsked) -> QueryReply {
    let rule: CompletionStreak.Rule =
      asked.isLiteral ? .literal : asked.options.has(gap) ? .todayOrYesterday : .today
    let streak = CompletionStreak(facts, now: asked.now, in: asked.zone, rule)
    let today = asked.zone.local(asked.now).day
    let count = min(max(streak.days + 1, dayRange.lowerBound), dayRange.upperBound)
    let days = Array(today - count + 1...today)
    var chart = QueryChart(
      title: "Completed todos by day",
      subtitle: "the last \(count) days, \(asked.zoneName); a streak of "
        + DrawnText.counted(streak.days, "day"),
      unit: "completed")
    chart.mark = "of the streak"
    chart.bars = days.map { day in
      QueryChart.Bar(
        label: "\(CivilDay(number: Int64(day)))", value: Double(streak.counts[day] ?? 0),
        isMarked: streak.contains(day))
    }
    let row: AnswerRow = [
      "days": .list(
        days.map { day in
          .row([
            "completedTodos": .count(streak.counts[day] ?? 0),
            "day": .text("\(CivilDay(number: Int64(day)))"),
            "inStreak": .truth(streak.contains(day)),
          ])
        }),
      "lastDay": streak.lastDay.map { .text("\(CivilDay(number: Int64($0)))") } ?? .missing,
      "streakDays": .count(streak.days),
    ]
    return QueryReply(rows: [row], chart: chart)
  }
}

/// `redo query productive-hour`: the hour with most completions.
enum QueryProductiveHour: QueryQuestion {
  static let name = "productive-hour"
  static let summary = "tell at which hour of the day most todos are completed"
  static var usage: [String] { ["redo-query productive-hour [--plot | --svg] [<options>]"] }
  static var hasChart: Bool { true }

  static func answer(_ facts: [CompletionFacts], _ asked: QueryAsked) -> QueryReply {
    let hours = ProductiveHours(facts, in: asked.zone)
    var chart = QueryChart(
      title: "Completed todos by hour of the day",
      subtitle: "\(DrawnText.counted(hours.total, "todo")), \(asked.zoneName)",
      unit: "completed")
    chart.mark = "the most"
    chart.bars = hours.counts.enumerated().map { hour, count in
      QueryChart.Bar(
        label: DrawnText.digits(Int64(hour), 2), value: Double(count),
        isMarked: hour == hours.best)
    }
    let row: AnswerRow = [
      "completedTodos": .count(hours.total),
      "hours": .list(hours.counts.map { .count($0) }),
      "productiveHour": hours.best.map { .count($0) } ?? .missing,
      "productiveHourTodos": .count(hours.best.map { hours.counts[$0] } ?? 0),
    ]
    return QueryReply(rows: [row], chart: chart)
  }
}
