// The rule of a zone for the time after its last known change: the TZ environment variable of POSIX.1-2017
// (XBD 8.3), with the hours from -167 to 167 that RFC 8536, section 3.3.1, allows.
//
//   CET-1CEST,M3.5.0,M10.5.0/3        <-03>3        EST5EDT,M3.2.0,M11.1.0

internal import RedoObject

/// A rule for all years.
struct ZoneRule: Sendable {
  private enum Day: Sendable {
    /// From 1 to 365; February 29 is never counted.
    case julian(Int64)
    /// From 0 to 365.
    case ofYear(Int64)
    /// A weekday from 0 for Sunday, of a week of a month; week 5 is the last.
    case ofMonth(Int64, week: Int64, weekday: Int64)
  }

  private struct Summer: Sendable {
    let offset: Int64
    let start: (day: Day, second: Int64)
    let end: (day: Day, second: Int64)
  }

  private let standard: Int64
  private let summer: Summer?

  /// Reads a rule: strictly, to its end.
  init?(_ text: ArraySlice<UInt8>) {
    var reader = Reader(rest: text)
    guard reader.name(), let standard = reader.offset(limitHours: 24) else { return nil }
    self.standard = -standard
    guard !reader.rest.isEmpty else {
      summer = nil
      return
    }
    guard reader.name() else { return nil }
    var offset = self.standard + 3600
    if reader.rest.first != UInt8(ascii: ",") {
      guard let given = reader.offset(limitHours: 24) else { return nil }
      offset = -given
    }
    // Without dates a rule says nothing that applies everywhere.
    guard reader.take(","), let start = reader.date(), reader.take(","), let end = reader.date(),
      reader.rest.isEmpty
    else { return nil }
    summer = Summer(offset: offset, start: start, end: end)
  }

  /// The distance from UTC at an instant.
  func offset(at seconds: Int64) -> Int64 {
    changes(around: seconds, seconds).last { $0.time <= seconds }?.offset ?? standard
  }

  /// The changes of the years of two instants, and of those before and after, ascending.
  func changes(around low: Int64, _ high: Int64) -> [(time: Int64, offset: Int64)] {
    guard let summer else { return [] }
    let years = [low, high].map { WallTime.date(CivilZone.floor($0, 86_400)).year }
    var changes: [(time: Int64, offset: Int64)] = []
    for year in years[0] - 1...years[1] + 1 {
      let start = Self.seconds(summer.start.day, year) + summer.start.second - standard
      let end = Self.seconds(summer.end.day, year) + summer.end.second - summer.offset
      // If summer ends at the moment at which it begins again, it continues.
      changes.append((end, standard))
      changes.append((start, summer.offset))
    }
    return changes.enumerated().sorted { left, right in
      left.element.time != right.element.time
        ? left.element.time < right.element.time
        : (left.element.offset == summer.offset ? 1 : 0)
          < (right.element.offset == summer.offset ? 1 : 0)
    }.map(\.element)
  }

  /// The midnight that begins a day, as if clocks showed UTC.
  private static func seconds(_ day: Day, _ year: Int64) -> Int64 {
    let newYear = WallTime.days(year, 1, 1)
    let isLeap = WallTime.days(year, 3, 1) - newYear == 60
    let number: Int64
    switch day {
    case .julian(let count): number = newYear + count - 1 + (isLeap && count >= 60 ? 1 : 0)
    case .ofYear(let count): number = newYear + count
    case .ofMonth(let month, let week, let weekday):
      let first = WallTime.days(year, month, 1)
      let next = month == 12 ? WallTime.days(year + 1, 1, 1) : WallTime.days(year, month + 1, 1)
      // 1970-01-01 was a Thursday.
      let distance = ((weekday - first - 4) % 7 + 7) % 7
      var found = first + distance + 7 * (week - 1)
      if found >= next { found -= 7 }
      number = found
    }
    return number * 86_400
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    /// A name of three letters or more, or of letters, digits and signs in angle brackets.
    mutating func name() -> Bool {
      let isQuoted = take("<")
      var count = 0
      while let byte = rest.first {
        let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26
        let isOther =
          byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
        guard isLetter || isQuoted && isOther else { break }
        count += 1
        rest.removeFirst()
      }
      return count >= 3 && (!isQuoted || take(">"))
    }

    mutating func number(_ range: ClosedRange<Int64>) -> Int64? {
      var value: Int64 = 0
      var count = 0
      while let byte = rest.first, byte &- UInt8(ascii: "0") < 10, count < 4 {
        value = value * 10 + Int64(byte &- UInt8(ascii: "0"))
        count += 1
        rest.removeFirst()
      }
      return count > 0 && range.contains(value) ? value : nil
    }

    /// `[+-]hh[:mm[:ss]]`, in seconds.
    mutating func offset(limitHours: Int64) -> Int64? {
      let isNegative = take("-")
      if !isNegative { _ = take("+") }
      guard let hours = number(0...limitHours) else { return nil }
      var seconds = hours * 3600
      if take(":") {
        guard let minutes = number(0...59) else { return nil }
        seconds += minutes * 60
        if take(":") {
          guard let rest = number(0...59) else { return nil }
          seconds += rest
        }
      }
      return isNegative ? -seconds : seconds
    }

    /// A day, and the second of it, 02:00 unless it is given.
    mutating func date() -> (day: Day, second: Int64)? {
      let day: Day
      if take("J") {
        guard let count = number(1...365) else { return nil }
        day = .julian(count)
      } else if take("M") {
        guard let month = number(1...12), take("."), let week = number(1...5), take("."),
          let weekday = number(0...6)
        else { return nil }
        day = .ofMonth(month, week: week, weekday: weekday)
      } else {
        guard let count = number(0...365) else { return nil }
        day = .ofYear(count)
      }
      guard take("/") else { return (day, 7200) }
      guard let second = offset(limitHours: 167) else { return nil }
      return (day, second)
    }
  }
}
