// Times: the form, the calendar, and the way back.

import Foundation
import RedoObject
import TestSupport
import Testing

@Suite("Wall times")
struct WallTimeTests {
  private func parse(_ text: String) -> WallTime? { parseBoth(text)?.time }

  private func parseBoth(_ text: String) -> (time: WallTime, hasFraction: Bool)? {
    WallTime.parse(Array(text.utf8).span)
  }

  /// The first and last instants that have a text.
  static let first: Int64 = -62_135_596_800_000
  static let last: Int64 = 253_402_300_799_999

  @Test(
    "known instants",
    arguments: [
      ("1970-01-01T00:00:00.000Z", 0), ("1969-12-31T23:59:59.999Z", -1),
      ("0001-01-01T00:00:00.000Z", first), ("9999-12-31T23:59:59.999Z", last),
      ("2000-02-29T12:34:56.789Z", 951_827_696_789),
      ("2025-03-01T08:00:00.000Z", 1_740_816_000_000),
    ])
  func knownInstants(text: String, milliseconds: Int64) {
    #expect(parse(text)?.milliseconds == milliseconds)
    #expect(WallTime(milliseconds: milliseconds).text == text)
  }

  @Test("random instants of the years 0001 to 9999 come back from their texts")
  func roundTrip() {
    for seed in SeededRandom.seeds("wall times") {
      var random = SeededRandom(seed: seed)
      for _ in 0..<20_000 {
        let time = WallTime(milliseconds: .random(in: Self.first...Self.last, using: &random))
        #expect(parse(time.text) == time, "seed \(seed): \(time.text)")
      }
    }
  }

  @Test("every day from 1582 on is the day that Foundation's Gregorian calendar names")
  func calendar() throws {
    var gregorian = Calendar(identifier: .gregorian)
    gregorian.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    for day in stride(from: Int64(-141_400), through: 2_932_896, by: 37) {
      let date = Date(timeIntervalSince1970: Double(day * 86_400))
      let parts = gregorian.dateComponents([.year, .month, .day], from: date)
      let text = WallTime(milliseconds: day * 86_400_000).text
      let expected = [parts.year, parts.month, parts.day].map { $0 ?? 0 }
      #expect(text.prefix(10).split(separator: "-").map { Int($0) ?? -1 } == expected)
    }
  }

  @Test("texts and instants have the same order")
  func order() {
    var random = SeededRandom(seed: 9)
    let times = (0..<500).map { _ in
      WallTime(milliseconds: .random(in: Self.first...Self.last, using: &random))
    }
    #expect(times.sorted().map(\.text) == times.map(\.text).sorted())
  }

  @Test("the fraction may be left out, which is told; nothing else may")
  func fraction() throws {
    let short = try #require(parseBoth("2025-03-01T08:00:00Z"))
    let full = try #require(parseBoth("2025-03-01T08:00:00.000Z"))
    #expect(short.time == full.time)
    #expect(!short.hasFraction && full.hasFraction)
  }

  @Test("leap years: every fourth, not every hundredth, but every 400th")
  func leapYears() {
    for year in 1...9999 {
      let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
      let text = String(repeating: "0", count: 4 - "\(year)".count) + "\(year)"
      #expect((parse("\(text)-02-29T00:00:00.000Z") != nil) == isLeap, "\(year)")
    }
  }

  @Test("days that do not exist are no times", arguments: 1...12)
  func monthLengths(month: Int) {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    for day in 0...32 {
      let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
      let time = parse("2025-\(two(month))-\(two(day))T00:00:00.000Z")
      #expect((time != nil) == (1...lengths[month - 1]).contains(day), "\(month)-\(day)")
    }
  }

  @Test(
    "other forms are no times",
    arguments: [
      "", "Z", "2025-03-01", "2025-03-01T08:00Z", "2025-03-01T08:00:00.00Z",
      "2025-03-01T08:00:00.0000Z", "2025-03-01T08:00:00.000", "2025-03-01T08:00:00.000z",
      "2025-03-01t08:00:00.000Z", "2025-03-01 08:00:00.000Z", "2025-03-01T08:00:00,000Z",
      "2025-03-01T08:00:00.000+00:00", "2025-03-01T24:00:00.000Z", "2025-03-01T08:60:00.000Z",
      "2025-03-01T08:00:60.000Z", "2025-00-01T08:00:00.000Z", "2025-13-01T08:00:00.000Z",
      "0000-01-01T00:00:00.000Z", "+025-03-01T08:00:00.000Z", "2025-3-001T08:00:00.000Z",
      "2025-03-01T08:00:0 .000Z", "2025-03-01T08:00:00.-00Z", "12025-03-01T08:00:00.00Z",
      "2025-03-01T08:00:00.000Z ", "２025-03-01T08:00:0.00Z",
    ])
  func otherForms(text: String) {
    #expect(parse(text) == nil)
  }
}
