// Months and years, into which a history is split. The calendar is that of UTC.

internal import RedoObject

/// A month or a year.
package struct HistoryPeriod: Hashable, Comparable, Sendable {
  /// How long periods are.
  package enum Length: String, CaseIterable, Sendable {
    /// A month.
    case month
    /// Twelve of them, from January on.
    case year
  }

  /// How long it is.
  package let length: Length
  /// The number of the year, or that of the month from January of the year 0 on.
  package let number: Int32

  /// A period by its number.
  init(_ number: Int32, _ length: Length) {
    self.length = length
    self.number = number
  }

  /// The period that an instant is in; one before the year 1 or after 9999 counts as the nearest of these.
  ///
  /// - Parameters:
  ///   - time: milliseconds since 1970.
  ///   - length: how long periods are.
  package init(of time: Int64, _ length: Length) {
    let (days, rest) = time.quotientAndRemainder(dividingBy: 86_400_000)
    let first = WallTime.days(1, 1, 1)
    let last = WallTime.days(9999, 12, 31)
    let date = WallTime.date(min(max(rest < 0 ? days - 1 : days, first), last))
    switch length {
    case .month: number = Int32(date.year * 12 + date.month - 1)
    case .year: number = Int32(date.year)
    }
    self.length = length
  }

  /// `YYYY-MM` or `YYYY`.
  package var text: String {
    func padded(_ number: Int32, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
    switch length {
    case .month: return "\(padded(number / 12, 4))-\(padded(number % 12 + 1, 2))"
    case .year: return padded(number, 4)
    }
  }

  package static func < (left: HistoryPeriod, right: HistoryPeriod) -> Bool {
    left.number < right.number
  }
}
