// Instants as written on command lines: refusals first.

import RedoCommands
import RedoReadCommands
import RedoWriteCommands
import RedoRepository
import RedoShell
import Testing

@Suite("Moments")
struct MomentTests {
  /// The instant 2024-05-01T10:00:00.000Z.
  private static let now: Int64 = 1_714_557_600_000

  @Test(
    "what is no instant",
    arguments: [
      "", "2024", "2024-05", "2024-5-1", "2024-02-30", "2023-02-29", "2024-13-01", "2024-00-10",
      "2024-05-01 ", " 2024-05-01", "2024-05-01T10:00:00", "2024-05-01T10:00Z",
      "2024-05-01T10:00:00.0Z", "2024-05-01T10:00:00.0000Z", "2024-05-01T10:00:60Z",
      "2024-05-01T24:00:00Z", "2024-05-01T10:00:00z", "2024-05-01t10:00:00Z",
      "2024-05-01 10:00:00", "0000-01-01", "Yesterday", "tomorrow", "ago", " ago", "7 days",
      "days ago",
      "7  days ago", "7 day ago.", "7 Days ago", "-7 days ago", "+7 days ago", "1 days ago",
      "7 fortnights ago", "7.days ago", "7 days ago ", "99999999999999999999 days ago",
      "3000 years ago", "2024-05-01+02:00", "2024-05-01T10:00:00Z+02:00",
      "2024-05-01T10:00:00+2:00",
      "2024-05-01T10:00:00+0200", "2024-05-01T10:00:00+24:00", "2024-05-01T10:00:00+02:60",
      "2024-05-01T10:00:00 02:00", "2024-05-01T25:00:00+02:00", "0001-01-01T00:00:00+00:01",
      "Now", "NOW", "now-", "now+7d", "now-7", "now-d", "now--7d", "now-7D", "now-7M", "now-7days",
      "now-1.5d", "now 7d", "now-99999999999999999999d", "now-9223372036854775807y", "now-3000y",
      "@", "@x", "@1.5", "@+1", "@99999999999999999999", "@999999999999", "@-99999999999999",
      "２024-05-01", "2024-05-01\0",
    ])
  func refused(_ text: String) {
    #expect(Moment(text, .end, now: Self.now) == nil)
    #expect(Moment(text, .start, now: Self.now) == nil)
  }

  @Test(
    "instants",
    arguments: [
      ("2024-05-01T10:00:00.000Z", 1_714_557_600_000), ("2024-05-01T10:00:00Z", 1_714_557_600_000),
      ("2024-05-01T10:00:00.001Z", 1_714_557_600_001), ("now", 1_714_557_600_000),
      ("now-0s", 1_714_557_600_000), ("now-90s", 1_714_557_510_000),
      ("now-2m", 1_714_557_480_000), ("now-24h", 1_714_471_200_000),
      ("now-1d", 1_714_471_200_000), ("now-1w", 1_713_952_800_000),
      ("now-1y", 1_683_021_600_000), ("@0", 0), ("@1714557600", 1_714_557_600_000),
      ("@-1", -1000), ("0001-01-01T00:00:00.000Z", -62_135_596_800_000),
      ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
      ("2024-05-01T12:00:00+02:00", 1_714_557_600_000),
      ("2024-05-01T04:30:00.250-05:30", 1_714_557_600_250),
      ("2024-05-01T10:00:00-00:00", 1_714_557_600_000),
      ("9999-12-31T23:59:59.999+00:01", 253_402_300_739_999),
      ("2 weeks ago", 1_713_348_000_000), ("2.weeks.ago", 1_713_348_000_000),
      ("1 second ago", 1_714_557_599_000), ("0 minutes ago", 1_714_557_600_000),
      ("1 hour ago", 1_714_554_000_000), ("2 days ago", 1_714_384_800_000),
      ("1 day ago", 1_714_471_200_000), ("1 month ago", 1_711_965_600_000),
      ("1 year ago", 1_683_021_600_000),
    ] as [(String, Int64)])
  func instants(_ text: String, _ milliseconds: Int64) {
    for side in [Moment.Side.start, .end] {
      #expect(Moment(text, side, now: Self.now)?.milliseconds == milliseconds)
    }
  }

  @Test(
    "a day is its first or its last millisecond",
    arguments: [
      ("2024-05-01", 1_714_521_600_000), ("2024-02-29", 1_709_164_800_000),
      ("1970-01-01", 0), ("1969-12-31", -86_400_000), ("today", 1_714_521_600_000),
      ("yesterday", 1_714_435_200_000),
    ] as [(String, Int64)])
  func days(_ text: String, _ first: Int64) {
    #expect(Moment(text, .start, now: Self.now)?.milliseconds == first)
    #expect(Moment(text, .end, now: Self.now)?.milliseconds == first + 86_399_999)
    #expect(Moment(instant: text, now: Self.now) == nil)
  }

  @Test("today is the day of the present, also before 1970")
  func today() {
    #expect(Moment("today", .start, now: -1)?.milliseconds == -86_400_000)
    #expect(Moment("today", .end, now: -1)?.milliseconds == -1)
    #expect(Moment("yesterday", .end, now: 0)?.milliseconds == -1)
  }

  @Test(
    "what was meant to be an instant is never taken for a name",
    arguments: [
      "2024-13-01", "2024-05-0", "now-7q", "now", "@17", "2024-05-01T", "today", "two weeks ago",
    ])
  func meant(_ text: String) { #expect(Moment.isMeant(text)) }

  @Test(
    "names that only look alike",
    arguments: [
      "nowhere", "2024", "20240501", "2024-ab", "4f2c8a01-1111", "@", "@{1}", "heads/now", "no",
    ])
  func names(_ text: String) { #expect(!Moment.isMeant(text)) }

  @Test("how instants are shown")
  func shown() {
    let time = Self.now - 3 * 86_400_000
    #expect(DateStyle.iso.text(time, now: Self.now) == "2024-04-28T10:00:00.000Z")
    #expect(DateStyle.unix.text(time, now: Self.now) == "1714298400")
    #expect(DateStyle.raw.text(time, now: Self.now) == "1714298400 +0000")
    #expect(DateStyle.relative.text(time, now: Self.now) == "3 days ago")
    for (seconds, text) in [
      (0, "0 seconds ago"), (1, "1 second ago"), (119, "119 seconds ago"), (120, "2 minutes ago"),
      (7200, "2 hours ago"), (86_400, "24 hours ago"), (14 * 86_400, "2 weeks ago"),
      (70 * 86_400, "2 months ago"), (800 * 86_400, "2 years ago"), (-5, "in the future"),
    ] as [(Int64, String)] {
      #expect(DateStyle.relative.text(Self.now - seconds * 1000, now: Self.now) == text)
    }
    #expect(DateStyle.iso.text(.max, now: 0) == "@9223372036854775")
  }
}
