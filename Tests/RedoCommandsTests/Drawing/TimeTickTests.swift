// Ticks at round times, and texts of drawings.

import RedoObject
import TestSupport
import Testing

@testable import RedoCommands
@testable import RedoReadCommands
@testable import RedoWriteCommands
@testable import RedoRepository
@testable import RedoShell

@Suite("Time ticks")
struct TimeTickTests {
  private static let day: Int64 = 86_400_000

  @Test(
    "steps from minutes to years",
    arguments: [
      (600_000, ["10:00 2024-05-01", "10:01", "10:02", "10:10"]),
      (3_600_000, ["10:00 2024-05-01", "10:10", "10:20", "11:00"]),
      (day, ["12:00 2024-05-01", "15:00", "18:00", "09:00"]),
      (4 * day, ["12:00 2024-05-01", "00:00 2024-05-02", "12:00", "00:00 2024-05-05"]),
      (10 * day, ["2024-05-02", "2024-05-03", "2024-05-04", "2024-05-11"]),
      (30 * day, ["2024-05-06", "2024-05-13", "2024-05-20", "2024-05-27"]),
      (300 * day, ["2024-06", "2024-07", "2024-08", "2025-02"]),
      (4 * 366 * day, ["2024-07", "2025-01", "2025-07", "2028-01"]),
      (20 * 366 * day, ["2026", "2028", "2030", "2044"]),
      (7000 * 366 * day, ["3000", "4000", "5000", "9000"]),
    ] as [(Int64, [String])])
  func steps(_ length: Int64, _ expected: [String]) {
    let ticks = TimeTicks.ticks(from: Drawn.now, to: Drawn.now + length, limit: 11)
    let texts = ticks.map { tick in tick.label + (tick.date.map { " " + $0 } ?? "") }
    #expect(texts.prefix(3) + texts.suffix(1) == ArraySlice(expected))
  }

  @Test("ticks are few, in order, and within the span", arguments: SeededRandom.seeds("Ticks"))
  func spans(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let earliest: Int64 = -62_135_596_800_000
    let whole = WallTime.latest.milliseconds - earliest
    for _ in 0..<500 {
      let length = max(600_000, Int64(random.next() >> 1) % whole >> Int64(random.below(28)))
      let first = earliest + Int64(random.next() >> 1) % (whole - length + 1)
      let ticks = TimeTicks.ticks(from: first, to: first + length, limit: 11).map(\.time)
      #expect((2...11).contains(ticks.count), "seed \(seed): \(first) and \(length) more")
      #expect(zip(ticks, ticks.dropFirst()).allSatisfy(<))
      #expect(ticks.allSatisfy { $0 >= first && $0 <= first + length })
    }
  }

  @Test("days of the week, before 1970 too")
  func weekdays() {
    #expect(CivilDay(1970, 1, 1).weekday == 3)
    #expect(CivilDay(1969, 12, 29).weekday == 0)
    #expect(CivilDay(2024, 5, 5).weekday == 6)
    #expect(CivilDay(1, 1, 1).weekday == 0)
    #expect(CivilDay(milliseconds: -1) == CivilDay(1969, 12, 31))
  }

  @Test(
    "texts are cut by columns",
    arguments: [
      ("", ""), ("abcdef", "abcdef"), ("abcdefg", "abcde…"), ("平板电", "平板电"),
      ("平板电脑", "平板…"), ("\u{1B}[m", "\\x1b[m"), ("ab\ncd", "ab\\x0…"), ("e\u{301}", "e\u{301}"),
      ("\u{FFFE}", "\\u{ff…"), ("👩\u{200D}👩\u{200D}👧❤\u{FE0F}👩", "👩\u{200D}👩\u{200D}👧❤\u{FE0F}👩"),
      ("👩\u{200D}👩\u{200D}👧❤\u{FE0F}👩a", "👩\u{200D}👩\u{200D}👧❤\u{FE0F}…"),
    ])
  func cut(_ text: String, _ expected: String) {
    #expect(DrawnText.line(text, width: 6) == expected)
  }

  @Test("numbers and lengths")
  func numbers() {
    #expect(
      [0, 999, 1000, 1_234_567].map(DrawnText.grouped) == ["0", "999", "1,000", "1,234,567"])
    #expect(
      [0, 5, 10, 123, -5, -123].map(SVGText.tenths) == ["0", "0.5", "1", "12.3", "-0.5", "-12.3"])
    #expect(DrawnText.minute(-1) == "1969-12-31 23:59")
  }
}
