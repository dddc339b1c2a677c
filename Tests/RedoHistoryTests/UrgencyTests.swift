// Urgency and rank: the protocol's worked values, and the exponential function against the system's.

import Foundation
import RedoHistory
import RedoObject
import Testing

@Suite("Urgency")
struct UrgencyTests {
  @Test("the worked values of the protocol")
  func worked() {
    #expect(Urgency.text(Urgency.value(days: 14)) == "1.036842")
    #expect(Urgency.text(Urgency.value(days: 0)) == "6.000000")
    #expect(Urgency.text(Urgency.value(days: -7)) == "10.426758")
    #expect(Urgency.text(Urgency.value(days: -30)) == "10.999939")
  }

  @Test("levels: each bound belongs to the level above it")
  func levels() {
    func level(_ days: Double) -> Urgency.Level {
      Urgency(
        due: WallTime(milliseconds: Int64(days * 86_400_000)), at: WallTime(milliseconds: 0)
      ).level
    }
    #expect(level(14) == .low)
    #expect(level(2.2) == .low && level(2.1) == .medium)
    #expect(level(0) == .medium)
    #expect(level(-1) == .medium && level(-1.1) == .high)
    #expect(level(-5.4) == .high && level(-5.5) == .critical)
    #expect(Urgency(due: nil, at: WallTime(milliseconds: 0)).level == .none)
  }

  @Test("rank = priority * U * sqrt(storyPoints); 0 without a deadline")
  func rank() {
    let now = WallTime(milliseconds: 0)
    let due = Urgency(due: now, at: now)
    #expect(due.rank(priority: 3, storyPoints: 4) == 36)
    #expect(due.rank(priority: 5, storyPoints: 0) == 0)
    #expect(Urgency(due: nil, at: now).rank(priority: 5, storyPoints: 5) == 0)
  }

  @Test("the current todo is the pending one that was made last")
  func current() throws {
    var maker = LogMaker()
    let root = maker.add(
      "CREATE",
      #""priority":4,"title":"a","todos":[{"deadline":"2025-03-01T00:00:00Z"},{"completed":"2025-03-01T00:00:00Z","deadline":"2025-03-03T00:00:00Z"}]"#
    )
    let at = WallTime(milliseconds: 1_740_787_200_000)  // 2025-03-01T00:00:00Z
    #expect(try #require(maker.states[1]).rank(at: at) == 24)
    maker.add("ADD_TODO", "\"todoTaskId\":\"\(LogMaker.todo(1))\"", [root])
    // It has no deadline, so nothing is urgent, though an older todo is due.
    let state = try #require(maker.states[1])
    #expect(state.urgency(at: at).level == .none && state.rank(at: at) == 0)
    #expect(state.rank(of: state.todos.items[0], at: at) == 24)
  }

  @Test("the exponential function is the system's to the last places")
  func exponential() {
    for step in -7450...7090 {
      let power = Double(step) / 10
      let own = Urgency.exponential(power)
      let theirs = Foundation.exp(power)
      #expect((own - theirs).magnitude <= 4 * theirs.ulp, "\(power)")
    }
    #expect(Urgency.exponential(800) == .infinity && Urgency.exponential(-800) == 0)
  }

  @Test("six decimals, whatever the size")
  func text() {
    #expect(Urgency.text(0) == "0.000000")
    #expect(Urgency.text(0.0000005) == "0.000001")
    #expect(Urgency.text(-1.5) == "-1.500000")
    #expect(Urgency.text(123_456_789.25) == "123456789.250000")
    #expect(Urgency.text(1e30) == "1e+30")
  }
}
