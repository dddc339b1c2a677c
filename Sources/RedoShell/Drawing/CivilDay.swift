// Days of the proleptic Gregorian calendar, in UTC.

internal import RedoObject
internal import RedoRepository

/// A day.
package struct CivilDay: Hashable, Comparable, CustomStringConvertible {
  /// Its milliseconds.
  package static let length: Int64 = 86_400_000

  /// Days since 1970-01-01.
  package let number: Int64

  /// The day so many days from 1970-01-01.
  package init(number: Int64) { self.number = number }

  /// The day of an instant.
  package init(milliseconds: Int64) {
    let quotient = milliseconds / Self.length
    number = milliseconds % Self.length < 0 ? quotient - 1 : quotient
  }

  /// The day of a date.
  package init(_ year: Int64, _ month: Int64, _ day: Int64) {
    number = WallTime.days(year, month, day)
  }

  package static func < (left: CivilDay, right: CivilDay) -> Bool { left.number < right.number }

  /// Its first millisecond.
  package var start: Int64 { number * Self.length }

  /// Its year, month and day.
  package var date: (year: Int64, month: Int64, day: Int64) { WallTime.date(number) }

  /// 0 for Monday to 6 for Sunday; 1970-01-01 was a Thursday.
  package var weekday: Int { Int(((number + 3) % 7 + 7) % 7) }

  /// As in 2024-05-01.
  package var description: String { "\(month)-\(DrawnText.digits(date.day, 2))" }

  /// As in 2024-05.
  package var month: String {
    let (year, month, _) = date
    return "\(DrawnText.digits(year, 4))-\(DrawnText.digits(month, 2))"
  }
}
