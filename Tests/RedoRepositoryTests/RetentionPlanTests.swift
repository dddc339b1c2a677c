// Which of several archives a plan keeps.

import Testing

@testable import RedoRepository

@Suite("A plan for archives")
struct RetentionPlanTests {
  private static let day: Int64 = 86_400_000

  @Test("keeps the newest, whatever their order")
  func last() {
    var plan = RetentionPlan()
    #expect(plan.isEmpty)
    plan.counts[.last] = 2
    #expect(plan.reasons([3, 9, 5, 7]) == [[], [.rule(.last)], [], [.rule(.last)]])
  }

  @Test("keeps of archives of one instant the one that is named first")
  func same() {
    var plan = RetentionPlan()
    plan.counts[.last] = 1
    #expect(plan.reasons([4, 4]) == [[.rule(.last)], []])
  }

  @Test("keeps the last archive of each day, and names each rule that keeps one")
  func daily() {
    var plan = RetentionPlan()
    plan.counts = [.daily: 2, .last: 1]
    let times = [0, 1, Self.day, Self.day + 1, 2 * Self.day]
    #expect(
      plan.reasons(times) == [[], [], [], [.rule(.daily)], [.rule(.last), .rule(.daily)]])
  }

  @Test("begins weeks on Mondays, also before 1970")
  func weekly() {
    var plan = RetentionPlan()
    plan.counts[.weekly] = 9
    // 1970-01-01 was a Thursday: the following Sunday is day 3, Monday is day 4.
    #expect(
      plan.reasons([0, 3 * Self.day, 4 * Self.day]) == [[], [.rule(.weekly)], [.rule(.weekly)]])
    #expect(plan.reasons([-4 * Self.day, -3 * Self.day]) == [[.rule(.weekly)], [.rule(.weekly)]])
  }

  @Test("keeps what is not much older than the newest")
  func within() {
    var plan = RetentionPlan()
    plan.within = Self.day
    #expect(plan.reasons([0, 1, Self.day + 1]) == [[], [.within], [.within]])
    #expect(plan.reasons([]).isEmpty)
  }
}
