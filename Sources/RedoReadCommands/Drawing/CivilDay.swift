// Days of the proleptic Gregorian calendar, in UTC.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// A day.
struct CivilDay: Hashable, Comparable, CustomStringConvertible {
  static let length: Int64 = 86_400_000

  /// Days since 1970-01-01.
  let number: Int64

  init(number: Int64) { self.number = number }

  /// The day of an instant.
  init(milliseconds: Int64) {
    let quotient = milliseconds / Self.length
    number = milliseconds % Self.length < 0 ? quotient - 1 : quotient
  }

  init(_ year: Int64, _ month: Int64, _ day: Int64) {
    number = WallTime.days(year, month, day)
  }

  static func < (left: CivilDay, right: CivilDay) -> Bool { left.number < right.number }

  /// Its first millisecond.
  var start: Int64 { number * Self.length }

  var date: (year: Int64, month: Int64, day: Int64) { WallTime.date(number) }

  /// 0 for Monday to 6 for Sunday; 1970-01-01 was a Thursday.
  var weekday: Int { Int(((number + 3) % 7 + 7) % 7) }

  /// As in 2024-05-01.
  var description: String { "\(month)-\(DrawnText.digits(date.day, 2))" }

  /// As in 2024-05.
  var month: String {
    let (year, month, _) = date
    return "\(DrawnText.digits(year, 4))-\(DrawnText.digits(month, 2))"
  }
}
