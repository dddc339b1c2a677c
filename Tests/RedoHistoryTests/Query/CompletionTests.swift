// The questions about completions, each answer computed by hand from the table of QueryFixture.

import RedoHistory
import RedoObject
import Testing

@Suite("Questions about completions")
struct CompletionTests {
  private let facts = QueryFixture.facts
  private let now = QueryFixture.now

  private func close(_ left: Double, _ right: Double) -> Bool { abs(left - right) < 1e-9 }

  @Test("48: the completed share; 0 without todos")
  func rate() {
    // Todos 1, 4, 5, 6 of 1...8: 4 / 8.
    #expect(CompletionRate(facts).value == 0.5)
    #expect(CompletionRate(facts).todos == 8)
    // Task 1: todo 1 of 1 and 2.
    #expect(CompletionRate([facts[0]]).value == 0.5)
    // Task 4 has none.
    #expect(CompletionRate([facts[3]]) == CompletionRate())
    #expect(CompletionRate([facts[3]]).value == 0)
    #expect(CompletionRate([]).value == 0)
  }

  @Test("49: the mean days from making to completion; 0 when nothing is completed")
  func average() {
    // 1: 7 d 12 h 30 = 10,830 min; 4: 6 d 23 h 15 = 10,035; 5: 7 d 10 h 45 = 10,725;
    // 6: 7 d 23 h 05 = 11,465. Sum 43,055 / 4 / 1,440 = 7.4748263888...
    let time = CompletionTime(facts)
    #expect(time.completed == 4)
    #expect(close(time.averageDays, 43_055.0 / 4 / 1440))
    #expect(Urgency.text(time.averageDays) == "7.474826")
    #expect(CompletionTime([facts[3]]).averageDays == 0)
  }

  @Test("52: by priority, 1 to 5 always, any other one unless counted literally")
  func byPriority() {
    func text(_ facts: [CompletionFacts], isLiteral: Bool = false) -> [String] {
      CompletionRate.byPriority(facts, isLiteral: isLiteral).map {
        "\(Int($0.priority)): \($0.rate.completed)/\($0.rate.todos)"
      }
    }
    // 3: tasks 3 and 5; 4: task 1; 5: task 2; 1: task 4 without todos.
    #expect(text(facts) == ["1: 0/0", "2: 0/0", "3: 3/5", "4: 1/2", "5: 0/1"])
    var log = LogMaker()
    log.add(
      "CREATE",
      "\"title\":\"t\",\"priority\":9,\"todos\":[{\"completed\":\"2025-03-01T09:00:00Z\"}]")
    let odd = log.states.values.map { CompletionFacts($0) }
    #expect(text(odd) == ["1: 0/0", "2: 0/0", "3: 0/0", "4: 0/0", "5: 0/0", "9: 1/1"])
    #expect(text(odd, isLiteral: true) == ["1: 0/0", "2: 0/0", "3: 0/0", "4: 0/0", "5: 0/0"])
  }

  private func streak(
    _ time: String, _ rule: CompletionStreak.Rule, _ zone: CivilZone = .utc
  ) -> Int {
    CompletionStreak(facts, now: QueryFixture.time(time), in: zone, rule).days
  }

  @Test("51: distinct days up to today; a gap today; the literal count")
  func streak() {
    // Completions on the 8th, twice on the 9th, on the 10th.
    #expect(streak("2025-03-10T12:00:00Z", .today) == 3)
    // Literally: the 10th, the 9th at 20:45, and then the 9th again where the 8th is expected.
    #expect(streak("2025-03-10T12:00:00Z", .literal) == 2)
    // On the 11th nothing is completed yet; on the 12th not on the 11th either.
    #expect(streak("2025-03-11T00:00:00Z", .today) == 0)
    #expect(streak("2025-03-11T23:59:59Z", .todayOrYesterday) == 3)
    #expect(streak("2025-03-11T12:00:00Z", .literal) == 0)
    #expect(streak("2025-03-12T00:00:00Z", .todayOrYesterday) == 0)
    // What is completed later than now does not count: the 9th at 09:15 and the 8th.
    #expect(streak("2025-03-09T12:00:00Z", .today) == 2)
    // Literally it does, and ends the count at once.
    #expect(streak("2025-03-09T12:00:00Z", .literal) == 0)
    // At +04:00 the 8th 20:30 is the 9th, the 9th 20:45 is the 10th: two days.
    #expect(streak("2025-03-10T12:00:00Z", .today, CivilZone(offsetSeconds: 14_400)) == 2)
    #expect(CompletionStreak([], now: now, in: .utc, .today).lastDay == nil)
  }

  @Test("53: the hour with most completions, the first of several, by the zone")
  func hours() {
    // 20:30, 09:15, 20:45, 09:05.
    let hours = ProductiveHours(facts, in: .utc)
    #expect(hours.counts[9] == 2 && hours.counts[20] == 2 && hours.total == 4)
    #expect(hours.best == 9)
    // At +04:00: 00:30, 13:15, 00:45, 13:05.
    #expect(ProductiveHours(facts, in: CivilZone(offsetSeconds: 14_400)).best == 0)
    #expect(ProductiveHours([facts[3]], in: .utc).best == nil)
  }

  @Test("54: story points of the last 7 days, both bounds included")
  func velocity() {
    func points(_ time: String, weeks: Int = 1, isLiteral: Bool = false) -> [Double] {
      Velocity(
        facts, now: QueryFixture.time(time), weeks: weeks, isLiteral: isLiteral
      ).weeks.map(\.storyPoints)
    }
    // 2 + 1 + 1 + 1.
    #expect(points("2025-03-10T12:00:00Z") == [5])
    // The 8th 20:30 is the bound, and a millisecond later it is of the week before.
    #expect(points("2025-03-15T20:30:00.000Z", weeks: 2) == [0, 5])
    #expect(points("2025-03-15T20:30:00.001Z", weeks: 2) == [2, 3])
    // Completions after now count only literally.
    #expect(points("2025-03-09T12:00:00Z") == [3])
    #expect(points("2025-03-09T12:00:00Z", isLiteral: true) == [5])
    #expect(points("2025-03-10T09:05:00.000Z") == [5])
    #expect(points("2025-03-10T09:04:59.999Z") == [4])
  }

  @Test("55: all story points, those left, and their share; the literal count")
  func burndown() {
    // Total 2 * 2 + 5 * 1 + 1 * 3 + 0 + 1 * 2 = 14; left 2 + 5 + 0 + 0 + 1 * 2 = 9.
    let burndown = Burndown(facts, isLiteral: false)
    #expect(burndown.total == 14 && burndown.remaining == 9 && burndown.completed == 5)
    #expect(close(burndown.ratio, 5.0 / 14))
    // Literally task 5 has its point left once: 2 + 5 + 1 = 8.
    let literal = Burndown(facts, isLiteral: true)
    #expect(literal.total == 14 && literal.remaining == 8 && literal.completed == 6)
    #expect(close(literal.ratio, 6.0 / 14))
    #expect(Burndown([facts[3]], isLiteral: false).ratio == 0)
  }

  @Test("55: the series at the ends of days")
  func series() {
    func text(_ limit: Int) -> [String] {
      Burndown.series(facts, to: now, limit: limit, in: .utc).map {
        "\($0.at.text.dropFirst(8).prefix(8)) \(Int($0.remaining))/\(Int($0.total))"
      }
    }
    // 1st: tasks 1 (one todo) and 2: 2 + 5. 2nd: + 3. 3rd: + 2. 8th: + 2 (todo 2), - 2 (todo 1).
    // 9th: - 2. 10th: - 1.
    #expect(
      text(31) == [
        "01T23:59 7/7", "02T23:59 10/10", "03T23:59 12/12", "04T23:59 12/12", "05T23:59 12/12",
        "06T23:59 12/12", "07T23:59 12/12", "08T23:59 12/14", "09T23:59 10/14", "10T12:00 9/14",
      ])
    #expect(text(10).count == 10)
    #expect(
      text(5) == [
        "02T23:59 10/10", "04T23:59 12/12", "06T23:59 12/12", "08T23:59 12/14", "10T12:00 9/14",
      ])
    #expect(text(1) == ["10T12:00 9/14"])
    #expect(Burndown.series([facts[3]], to: now, limit: 31, in: .utc).isEmpty)
    let before = QueryFixture.time("2025-02-01T00:00:00Z")
    #expect(Burndown.series(facts, to: before, limit: 31, in: .utc).isEmpty)
  }
}
