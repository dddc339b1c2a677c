// How many story points are done, and how many are left: questions 54 and 55.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo query velocity`: the story points per week.
enum QueryVelocity: QueryQuestion {
  static let name = "velocity"
  static let summary = "tell how many story points were completed in the last 7 days"
  static var usage: [String] {
    ["redo-query velocity [--literal] [--plot | --svg] [<options>]"]
  }
  static var ownOptions: [OptionSpec] { [QueryWords.literal] }
  static var hasChart: Bool { true }
  private static let weekCount = 12

  static func answer(_ facts: [CompletionFacts], _ asked: QueryAsked) -> QueryReply {
    let velocity = Velocity(
      facts, now: asked.now, weeks: weekCount, isLiteral: asked.isLiteral)
    var chart = QueryChart(
      title: "Completed story points by week",
      subtitle: "\(weekCount) weeks of 7 days, the last one up to \(asked.now.text); "
        + "begun on the day shown, \(asked.zoneName)",
      unit: "points")
    chart.bars = velocity.weeks.map { week in
      QueryChart.Bar(label: dayText(week.since, asked.zone), value: week.storyPoints)
    }
    let latest = velocity.latest
    let row: AnswerRow = [
      "completedTodos": .count(latest.completed),
      "since": .text(latest.since.text),
      "velocityStoryPointsPerWeek": .number(latest.storyPoints),
      "weeks": .list(
        velocity.weeks.map { week in
          .row([
            "completedTodos": .count(week.completed), "since": .text(week.since.text),
            "storyPoints": .number(week.storyPoints),
          ])
        }),
    ]
    return QueryReply(rows: [row], chart: chart)
  }

  /// The date of a time in a zone.
  static func dayText(_ time: WallTime, _ zone: CivilZone) -> String {
    "\(CivilDay(number: Int64(zone.local(time).day)))"
  }
}

/// `redo query burndown`: the story points done and remaining.
enum QueryBurndown: QueryQuestion {
  static let name = "burndown"
  static let summary = "tell how many story points are completed, and how many are left"
  static var usage: [String] {
    ["redo-query burndown [--literal] [--plot | --svg] [<options>]"]
  }
  static var ownOptions: [OptionSpec] { [QueryWords.literal] }
  static var hasChart: Bool { true }
  /// The most points in the series.
  private static let pointLimit = 31

  static func answer(_ facts: [CompletionFacts], _ asked: QueryAsked) -> QueryReply {
    let burndown = Burndown(facts, isLiteral: asked.isLiteral)
    let series = Burndown.series(
      facts, to: asked.now, limit: pointLimit, in: asked.zone)
    var chart = QueryChart(
      title: "Story points left",
      subtitle: series.isEmpty
        ? "no todos"
        : "at the ends of days, \(asked.zoneName); the last one at \(asked.now.text)",
      unit: "left")
    chart.rest = "completed"
    chart.bars = series.map { point in
      QueryChart.Bar(
        label: QueryVelocity.dayText(point.at, asked.zone), value: point.remaining,
        rest: point.total - point.remaining)
    }
    let row: AnswerRow = [
      "burndownRatio": .number(burndown.ratio),
      "completedStoryPoints": .number(burndown.completed),
      "remainingStoryPoints": .number(burndown.remaining),
      "series": .list(
        series.map { point in
          .row([
            "at": .text(point.at.text), "remainingStoryPoints": .number(point.remaining),
            "totalStoryPoints": .number(point.total),
          ])
        }),
      "totalStoryPoints": .number(burndown.total),
    ]
    return QueryReply(rows: [row], chart: chart)
  }
}
