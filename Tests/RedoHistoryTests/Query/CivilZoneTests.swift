// Time zones: where days begin when clocks are changed, and files that are to be refused.

import Foundation
import RedoHistory
import RedoObject
import Testing

@Suite("Time zones")
struct CivilZoneTests {
  /// Writes a TZif file of version 2 (RFC 8536, section 3).
  private struct ZoneMaker {
    var times: [Int64] = []
    var kinds: [UInt8] = []
    var offsets: [Int32] = [0]
    var leaps: Int32 = 0
    var footer = "\nUTC0\n"
    var magic = "TZif2"

    private static func big(_ value: some FixedWidthInteger) -> [UInt8] {
      (0..<value.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func header(_ times: Int, _ types: Int, _ names: Int) -> [UInt8] {
      var bytes = Array(magic.utf8) + [UInt8](repeating: 0, count: 15)
      for count in [0, 0, leaps, Int32(times), Int32(types), Int32(names)] {
        bytes += Self.big(count)
      }
      return bytes
    }

    var bytes: [UInt8] {
      var bytes = header(0, 1, 1) + [UInt8](repeating: 0, count: 7)
      bytes += [UInt8](repeating: 0, count: 8 * Int(leaps))
      bytes += header(times.count, offsets.count, 4)
      for time in times { bytes += Self.big(time) }
      bytes += kinds
      for offset in offsets { bytes += Self.big(offset) + [0, 0] }
      bytes += Array("ABC\0".utf8)
      bytes += [UInt8](repeating: 0, count: 12 * Int(leaps))
      return bytes + Array(footer.utf8)
    }
  }

  private func zone(rule: String) throws -> CivilZone {
    var maker = ZoneMaker()
    maker.footer = "\n\(rule)\n"
    return try #require(CivilZone(file: maker.bytes))
  }

  private func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int {
    Int(WallTime.days(year, month, day))
  }

  private func local(_ zone: CivilZone, _ text: String) -> String {
    let (day, second) = zone.local(QueryFixture.time(text))
    let (_, month, number) = WallTime.date(Int64(day))
    func two(_ number: some BinaryInteger) -> String { (number < 10 ? "0" : "") + "\(number)" }
    return "\(two(month))-\(two(number)) \(two(second / 3600)):\(two(second / 60 % 60))"
  }

  @Test("fixed distances; a day begins and ends where the zone says")
  func fixed() throws {
    let east = try #require(CivilZone(fixed: "+05:30"))
    #expect(local(east, "2025-03-10T18:29:59.999Z") == "03-10 23:59")
    #expect(local(east, "2025-03-10T18:30:00.000Z") == "03-11 00:00")
    #expect(east.start(ofDay: day(2025, 3, 11)).text == "2025-03-10T18:30:00.000Z")
    let west = try #require(CivilZone(fixed: "-03:30"))
    #expect(local(west, "2025-01-01T03:29:59.999Z") == "12-31 23:59")
    // Before 1970, too.
    #expect(local(.utc, "1969-12-31T23:59:59.999Z") == "12-31 23:59")
    #expect(CivilZone.utc.start(ofDay: 0).milliseconds == 0)
    #expect(CivilZone(fixed: "UTC") != nil && CivilZone(fixed: "Z") != nil)
    for wrong in [
      "", "utc", "+5:30", "+05:60", "+24:00", "05:30", "+05.30", "+0a:00", "Europe/Berlin",
    ] {
      #expect(CivilZone(fixed: wrong) == nil, "\(wrong)")
    }
  }

  @Test("summer time in Berlin: a day of 23 hours, a day of 25, an hour that comes twice")
  func berlin() throws {
    let zone = try zone(rule: "CET-1CEST,M3.5.0,M10.5.0/3")
    // 2025-03-30, 02:00 becomes 03:00 at 01:00Z.
    #expect(local(zone, "2025-03-30T00:59:59Z") == "03-30 01:59")
    #expect(local(zone, "2025-03-30T01:00:00Z") == "03-30 03:00")
    #expect(zone.start(ofDay: day(2025, 3, 30)).text == "2025-03-29T23:00:00.000Z")
    #expect(zone.start(ofDay: day(2025, 3, 31)).text == "2025-03-30T22:00:00.000Z")
    // 2025-10-26, 03:00 becomes 02:00 at 01:00Z.
    #expect(local(zone, "2025-10-26T00:30:00Z") == "10-26 02:30")
    #expect(local(zone, "2025-10-26T01:30:00Z") == "10-26 02:30")
    #expect(zone.start(ofDay: day(2025, 10, 26)).text == "2025-10-25T22:00:00.000Z")
    #expect(zone.start(ofDay: day(2025, 10, 27)).text == "2025-10-26T23:00:00.000Z")
    // New Year is winter on both sides.
    #expect(local(zone, "2024-12-31T23:00:00Z") == "01-01 00:00")
  }

  @Test("clocks are changed at midnight: the day begins with what there is of it")
  func midnight() throws {
    // Until 2017 in Sao Paulo: Sunday 2017-10-15, 00:00 became 01:00, at 03:00Z.
    let south = try zone(rule: "<-03>3<-02>,M10.3.0/0,M2.3.0/0")
    #expect(local(south, "2017-10-15T02:59:59Z") == "10-14 23:59")
    #expect(local(south, "2017-10-15T03:00:00Z") == "10-15 01:00")
    #expect(south.start(ofDay: day(2017, 10, 15)).text == "2017-10-15T03:00:00.000Z")
    // Havana, Sunday 2025-11-02: 01:00 becomes 00:00 at 05:00Z; the first 00:00 begins the day.
    let twice = try zone(rule: "CST5CDT,M3.2.0/0,M11.1.0/1")
    #expect(local(twice, "2025-11-02T04:00:00Z") == "11-02 00:00")
    #expect(local(twice, "2025-11-02T05:00:00Z") == "11-02 00:00")
    #expect(twice.start(ofDay: day(2025, 11, 2)).text == "2025-11-02T04:00:00.000Z")
    // Samoa left out 2011-12-30: from -10:00 to +14:00 at 10:00Z.
    var maker = ZoneMaker()
    maker.times = [1_325_239_200]
    maker.kinds = [1]
    maker.offsets = [-36_000, 50_400]
    maker.footer = "\n<+14>-14\n"
    let samoa = try #require(CivilZone(file: maker.bytes))
    #expect(local(samoa, "2011-12-30T09:59:59Z") == "12-29 23:59")
    #expect(local(samoa, "2011-12-30T10:00:00Z") == "12-31 00:00")
    #expect(samoa.start(ofDay: day(2011, 12, 30)).text == "2011-12-30T10:00:00.000Z")
    #expect(samoa.start(ofDay: day(2011, 12, 31)).text == "2011-12-30T10:00:00.000Z")
  }

  @Test("rules: Julian days, summer in the south, names in brackets, negative and long hours")
  func rules() throws {
    // J60 is March 1 whether or not there is a February 29, 59 is not.
    let julian = try zone(rule: "AAA0BBB,J60/0,J300/0")
    #expect(local(julian, "2024-02-29T23:30:00Z") == "02-29 23:30")
    #expect(local(julian, "2024-03-01T00:00:00Z") == "03-01 01:00")
    let counted = try zone(rule: "AAA0BBB,59/0,300/0")
    #expect(local(counted, "2024-02-29T00:00:00Z") == "02-29 01:00")
    #expect(local(counted, "2023-03-01T00:00:00Z") == "03-01 01:00")
    // Summer all year (RFC 8536, section 3.3.1).
    let always = try zone(rule: "XXX3EDT4,0/0,J365/23")
    for month in 1...12 {
      let text = "2025-\(month < 10 ? "0" : "")\(month)-01T04:00:00Z"
      #expect(local(always, text).hasSuffix("00:00"), "\(text)")
    }
    // Two hours before midnight of the last Sunday in March, UTC: Godthab since 2023.
    let early = try zone(rule: "<-02>2<-01>,M3.5.0/-1,M10.5.0/0")
    #expect(local(early, "2025-03-30T00:59:59Z") == "03-29 22:59")
    #expect(local(early, "2025-03-30T01:00:00Z") == "03-30 00:00")
    // Jerusalem: Thursday 26 hours on is Friday, 02:00.
    let long = try zone(rule: "IST-2IDT,M3.4.4/26,M10.5.0")
    #expect(local(long, "2025-03-27T23:59:59Z") == "03-28 01:59")
    #expect(local(long, "2025-03-28T00:00:00Z") == "03-28 03:00")
    for wrong in [
      "C-1", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
      "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J5", "CET-25",
      "CET-1CEST,M3.5.0,M10.5.0 ", "<CET-1", "CET-1CEST,M3.5.0/168,M10.5.0",
    ] {
      var maker = ZoneMaker()
      maker.footer = "\n\(wrong)\n"
      #expect(CivilZone(file: maker.bytes) == nil, "\(wrong)")
    }
  }

  @Test("changes of the file count to the last one, the rule from then on")
  func file() throws {
    var maker = ZoneMaker()
    maker.times = [0, 1_000_000]
    maker.kinds = [1, 0]
    maker.offsets = [60, 7200]
    maker.footer = "\nAAA-3\n"
    let zone = try #require(CivilZone(file: maker.bytes))
    #expect(zone.offset(at: -1) == 60)
    #expect(zone.offset(at: 0) == 7200 && zone.offset(at: 999_999) == 7200)
    #expect(zone.offset(at: 1_000_000) == 10_800)
    maker.footer = "\n\n"
    #expect(try #require(CivilZone(file: maker.bytes)).offset(at: 1_000_000) == 60)
  }

  @Test("damaged files are refused, cut at any byte, and never trap")
  func damaged() throws {
    var maker = ZoneMaker()
    maker.times = [0, 1000]
    maker.kinds = [0, 1]
    maker.offsets = [0, 3600]
    let good = maker.bytes
    #expect(CivilZone(file: good) != nil)
    for count in 0..<good.count {
      #expect(CivilZone(file: Array(good[..<count])) == nil, "\(count)")
    }
    #expect(CivilZone(file: good + [10]) == nil)
    for place in good.indices {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var bad = good
        bad[place] = value
        // Whatever a text is taken for has an offset at any time.
        _ = CivilZone(file: bad)?.offset(at: .max / 4)
      }
    }
    func refused(_ change: (inout ZoneMaker) -> Void) -> Bool {
      var bad = maker
      change(&bad)
      return CivilZone(file: bad.bytes) == nil
    }
    #expect(refused { $0.times = [1000, 0] })
    #expect(refused { $0.times = [0, 0] })
    #expect(refused { $0.kinds = [0, 2] })
    #expect(refused { $0.offsets = [0, 100_000] })
    #expect(refused { $0.leaps = 1 })
    #expect(refused { $0.magic = "TZif1" })
    #expect(refused { $0.magic = "TZiF2" })
    #expect(refused { $0.footer = "UTC0\n" })
  }

  @Test(
    "the system's database is read as Foundation reads it",
    arguments: [
      "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe",
      "America/Sao_Paulo", "Pacific/Apia", "Europe/Dublin",
    ])
  func database(name: String) throws {
    guard let data = FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)"),
      let known = TimeZone(identifier: name)
    else { return }
    let zone = try #require(CivilZone(file: Array(data)))
    // From 1970 to 2023, every 7 hours and some.
    for seconds in stride(from: Int64(0), to: 1_700_000_000, by: 25_801) {
      let date = Date(timeIntervalSince1970: Double(seconds))
      #expect(zone.offset(at: seconds) == Int64(known.secondsFromGMT(for: date)), "\(seconds)")
      if zone.offset(at: seconds) != Int64(known.secondsFromGMT(for: date)) { return }
    }
  }
}
