// Times as text: `YYYY-MM-DDTHH:MM:SS.mmmZ` (RFC 3339, UTC) and milliseconds since 1970, in the
// proleptic Gregorian calendar without leap seconds.

/// How commands show times.
package enum DateStyle: String, CaseIterable, Sendable {
  /// `2024-01-01T00:00:00.000Z`
  case iso
  /// Seconds since 1970.
  case unix
  /// `3 days ago`
  case relative
  /// Milliseconds since 1970, as the log has them.
  case raw
}

/// Reads and writes times.
package enum Dates {
  /// The number of bytes of `YYYY-MM-DDTHH:MM:SS.mmmZ`.
  package static let textCount = 24
  private static let dayMilliseconds: Int64 = 86_400_000

  /// Reads exactly `YYYY-MM-DDTHH:MM:SS.mmmZ`.
  ///
  /// - Returns: milliseconds since 1970, or `nil` for anything else, 30 February included.
  package static func parse(_ text: Span<UInt8>) -> Int64? {
    guard text.count == textCount, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"),
      text[16] == UInt8(ascii: ":"), text[19] == UInt8(ascii: "."),
      text[23] == UInt8(ascii: "Z"),
      let year = number(text, 0..<4), let month = number(text, 5..<7),
      let day = number(text, 8..<10), let hour = number(text, 11..<13),
      let minute = number(text, 14..<16), let second = number(text, 17..<19),
      let thousandth = number(text, 20..<23),
      1...12 ~= month, day >= 1, day <= dayCount(year: year, month: month),
      hour < 24, minute < 60, second < 60
    else { return nil }
    let days = daysSince1970(year: year, month: month, day: day)
    return days * dayMilliseconds + ((hour * 60 + minute) * 60 + second) * 1000 + thousandth
  }

  /// Reads exactly `YYYY-MM-DDTHH:MM:SS.mmmZ`.
  package static func parse(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    return parse(bytes.span)
  }

  /// Appends a time as `YYYY-MM-DDTHH:MM:SS.mmmZ`.
  ///
  /// - Parameters:
  ///   - time: milliseconds since 1970; a year beyond 9999 takes more digits, one before 0 a sign.
  ///   - output: receives the text.
  package static func append(_ time: Int64, to output: inout [UInt8]) {
    let clock = floorModulo(time, dayMilliseconds)
    let (year, month, day) = civil(daysSince1970: floorQuotient(time, dayMilliseconds))
    if year < 0 { output.append(UInt8(ascii: "-")) }
    append(abs(year), width: 4, to: &output)
    output.append(UInt8(ascii: "-"))
    append(month, width: 2, to: &output)
    output.append(UInt8(ascii: "-"))
    append(day, width: 2, to: &output)
    output.append(UInt8(ascii: "T"))
    append(clock / 3_600_000, width: 2, to: &output)
    output.append(UInt8(ascii: ":"))
    append(clock / 60_000 % 60, width: 2, to: &output)
    output.append(UInt8(ascii: ":"))
    append(clock / 1000 % 60, width: 2, to: &output)
    output.append(UInt8(ascii: "."))
    append(clock % 1000, width: 3, to: &output)
    output.append(UInt8(ascii: "Z"))
  }

  /// A time as `YYYY-MM-DDTHH:MM:SS.mmmZ`.
  package static func text(_ time: Int64) -> String {
    var bytes: [UInt8] = []
    append(time, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a time as people asked to see it.
  ///
  /// - Parameters:
  ///   - time: milliseconds since 1970.
  ///   - style: how.
  ///   - now: what `relative` counts from, in milliseconds since 1970.
  ///   - output: receives the text.
  package static func append(
    _ time: Int64, as style: DateStyle, now: Int64, to output: inout [UInt8]
  ) {
    switch style {
    case .iso: append(time, to: &output)
    case .unix: output += String(floorQuotient(time, 1000)).utf8
    case .relative: output += relative(time, now: now).utf8
    case .raw: output += String(time).utf8
    }
  }

  /// How long ago a time was, in the largest unit that fits twice, as in `36 hours ago`.
  package static func relative(_ time: Int64, now: Int64) -> String {
    let (difference, isTooFar) = now.subtractingReportingOverflow(time)
    guard !isTooFar, difference > Int64.min else { return text(time) }
    let seconds = abs(difference) / 1000
    let units: [(name: String, seconds: Int64)] = [
      ("year", 31_556_952), ("month", 2_629_746), ("week", 604_800), ("day", 86_400),
      ("hour", 3600), ("minute", 60),
    ]
    let unit = units.first { seconds >= 2 * $0.seconds } ?? ("second", 1)
    let count = seconds / unit.seconds
    let amount = "\(count) \(unit.name)\(count == 1 ? "" : "s")"
    return difference < 0 ? "in \(amount)" : "\(amount) ago"
  }
}

// The calendar, by Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms": years that
// begin in March, in eras of 400 years, so that the leap day comes last.
extension Dates {
  private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let yearOfEra = floorModulo(year, 400)
    let era = floorQuotient(year, 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func civil(daysSince1970 days: Int64) -> (Int64, Int64, Int64) {
    let shifted = days + 719_468
    let dayOfEra = floorModulo(shifted, 146_097)
    let era = floorQuotient(shifted, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  private static func dayCount(year: Int64, month: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func floorModulo(_ value: Int64, _ divisor: Int64) -> Int64 {
    let rest = value % divisor
    return rest < 0 ? rest + divisor : rest
  }

  private static func floorQuotient(_ value: Int64, _ divisor: Int64) -> Int64 {
    value / divisor - (value % divisor < 0 ? 1 : 0)
  }

  private static func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    var value: Int64 = 0
    for index in range {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[index] else { return nil }
      value = value * 10 + Int64(text[index] - UInt8(ascii: "0"))
    }
    return value
  }

  private static func append(_ value: Int64, width: Int, to output: inout [UInt8]) {
    var divisor: Int64 = 1
    for _ in 1..<width { divisor *= 10 }
    while value / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      output.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
      divisor /= 10
    }
  }
}
