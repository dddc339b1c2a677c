// Times of the protocol (section 1.2): `YYYY-MM-DDTHH:MM:SS.mmmZ`, or the same without fraction.

/// An instant in UTC, in milliseconds since 1970-01-01T00:00:00.000Z; years 0001 to 9999.
package struct WallTime: Hashable, Comparable, Sendable {
  /// The first instant, 0001-01-01T00:00:00.000Z.
  package static let earliest = WallTime(milliseconds: -62_135_596_800_000)
  /// The last instant, 9999-12-31T23:59:59.999Z.
  package static let latest = WallTime(milliseconds: 253_402_300_799_999)

  /// Milliseconds since 1970, negative before.
  package let milliseconds: Int64

  /// The instant at a number of milliseconds since 1970.
  @inlinable
  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// 2000-01-01T00:00:00.000Z: no change is older.
  private static let plausible = WallTime(milliseconds: 946_684_800_000)
  /// How far a clock may be ahead of the one by which a node was received, a day.
  private static let tolerance: Int64 = 86_400_000

  /// Whether no right clock has shown this instant when a node was made (rule `wall-implausible`).
  ///
  /// - Parameter milliseconds: when the node was first received, since 1970; `nil` when that is unknown.
  /// - Returns: `false` also where only a known receipt could tell.
  package func isImplausible(received milliseconds: Int64?) -> Bool {
    self < Self.plausible || milliseconds.map { self.milliseconds - Self.tolerance > $0 } ?? false
  }

  @inlinable
  package static func < (left: WallTime, right: WallTime) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Reads a time by an ASCII byte loop.
  ///
  /// - Parameter text: 24 bytes, or 20 without the fraction.
  /// - Returns: the instant, and whether it was written with milliseconds; `nil` for any other form
  ///   and for dates and times that do not exist, second 60 included.
  package static func parse(_ text: Span<UInt8>) -> (time: WallTime, hasFraction: Bool)? {
    let count = text.count
    guard count == 24 || count == 20, text[count - 1] == UInt8(ascii: "Z"),
      text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"),
      text[16] == UInt8(ascii: ":")
    else { return nil }
    var wrong: UInt8 = 0
    func number(_ start: Int, _ digits: Int) -> Int64 {
      var value: Int64 = 0
      for index in start..<start + digits {
        let digit = text[index] &- UInt8(ascii: "0")
        if digit > 9 { wrong = 1 }
        value = value * 10 + Int64(digit)
      }
      return value
    }
    let year = number(0, 4)
    let month = number(5, 2)
    let day = number(8, 2)
    let hour = number(11, 2)
    let minute = number(14, 2)
    let second = number(17, 2)
    var millisecond: Int64 = 0
    if count == 24 {
      guard text[19] == UInt8(ascii: ".") else { return nil }
      millisecond = number(20, 3)
    }
    guard wrong == 0, year >= 1, month >= 1, month <= 12, day >= 1,
      day <= daysInMonth(month, of: year), hour < 24, minute < 60, second < 60
    else { return nil }
    let seconds = (days(year, month, day) * 24 + hour) * 3600 + minute * 60 + second
    return (WallTime(milliseconds: seconds * 1000 + millisecond), count == 24)
  }

  /// Appends the form that is written: 24 ASCII bytes with milliseconds.
  ///
  /// - Precondition: the year is from 0001 to 9999.
  package func append(to output: inout [UInt8]) {
    let dayLength: Int64 = 86_400_000
    var day = milliseconds / dayLength
    var rest = milliseconds % dayLength
    if rest < 0 {
      rest += dayLength
      day -= 1
    }
    let (year, month, dayOfMonth) = Self.date(day)
    precondition(year >= 1 && year <= 9999, "BUG: a year outside of 0001 to 9999")
    var text = InlineArray<24, UInt8>(repeating: UInt8(ascii: "-"))
    var place = 0
    // Two digits at a time: dividing by a constant is far faster than by a variable.
    func put(_ value: Int64, then separator: UInt8? = nil) {
      let value = UInt32(truncatingIfNeeded: value)
      text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10)
      text[place + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
      place += 2
      guard let separator else { return }
      text[place] = separator
      place += 1
    }
    put(year / 100)
    put(year % 100, then: UInt8(ascii: "-"))
    put(month, then: UInt8(ascii: "-"))
    put(dayOfMonth, then: UInt8(ascii: "T"))
    put(rest / 3_600_000, then: UInt8(ascii: ":"))
    put(rest / 60_000 % 60, then: UInt8(ascii: ":"))
    put(rest / 1000 % 60, then: UInt8(ascii: "."))
    put(rest % 1000 / 10)
    text[22] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
    text[23] = UInt8(ascii: "Z")
    output.append(text.span)
  }

  /// The form that is written, 24 characters.
  package var text: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }

  /// Days since 1970-01-01 in the proleptic Gregorian calendar, counted in years from March.
  ///
  /// - Parameters:
  ///   - year: the year.
  ///   - month: 1 to 12.
  ///   - day: 1 for the first day of the month.
  /// - Returns: the number of days, negative before 1970.
  package static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let fromMarch = month > 2 ? year : year - 1
    let era = fromMarch / 400
    let yearOfEra = fromMarch - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The date of a number of days since 1970-01-01; the inverse of `days`.
  ///
  /// - Parameter days: the number of days, negative before 1970.
  /// - Returns: year, month from 1, and day from 1.
  package static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
