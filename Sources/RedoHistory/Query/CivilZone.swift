// A time zone: how far its clocks are from UTC at each instant. It determines days and hours.

package import RedoObject

/// A zone with a fixed distance from UTC, or of the time zone database.
package struct CivilZone: Sendable {
  /// UTC.
  package static let utc = CivilZone(offsetSeconds: 0)

  private static let daySeconds: Int64 = 86_400

  /// The instants at which the distance changes, in seconds since 1970, ascending.
  private let times: [Int64]
  /// The distance after each of them, in seconds.
  private let offsets: [Int64]
  /// The distance before the first of them.
  private let first: Int64
  /// The rule after the last of them; `nil` when nothing changes any more.
  private let rule: ZoneRule?

  /// A zone that is always as far from UTC, in seconds eastwards.
  package init(offsetSeconds: Int64) {
    self.init(times: [], offsets: [], first: offsetSeconds, rule: nil)
  }

  init(times: [Int64], offsets: [Int64], first: Int64, rule: ZoneRule?) {
    self.times = times
    self.offsets = offsets
    self.first = first
    self.rule = rule
  }

  /// The zone of a fixed distance, written `UTC`, `Z`, `+hh:mm` or `-hh:mm`; `nil` for anything else.
  package init?(fixed text: String) {
    if text == "UTC" || text == "Z" {
      self = .utc
      return
    }
    let bytes = Array(text.utf8)
    guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
      bytes[3] == UInt8(ascii: ":")
    else { return nil }
    let digits = [1, 2, 4, 5].map { Int64(bytes[$0] &- UInt8(ascii: "0")) }
    guard digits.allSatisfy({ $0 < 10 }) else { return nil }
    let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
    guard hours < 24, minutes < 60 else { return nil }
    let seconds = hours * 3600 + minutes * 60
    self.init(offsetSeconds: bytes[0] == UInt8(ascii: "-") ? -seconds : seconds)
  }

  /// The distance from UTC at an instant.
  ///
  /// - Parameter seconds: since 1970.
  /// - Returns: seconds eastwards.
  package func offset(at seconds: Int64) -> Int64 {
    if let rule, seconds >= times.last ?? .min { return rule.offset(at: seconds) }
    // The first change that is later.
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? first : offsets[low - 1]
  }

  /// The day and the second of the day that clocks show at an instant.
  ///
  /// - Parameter time: the instant.
  /// - Returns: days since 1970-01-01, and seconds from 0 to 86,399.
  package func local(_ time: WallTime) -> (day: Int, second: Int) {
    let seconds = Self.floor(time.milliseconds, 1000)
    let shown = seconds + offset(at: seconds)
    let day = Self.floor(shown, Self.daySeconds)
    return (Int(day), Int(shown - day * Self.daySeconds))
  }

  /// Where a day begins.
  ///
  /// - Parameter day: days since 1970-01-01.
  /// - Returns: its first instant, or that of the next day where clocks leave out the day.
  package func start(ofDay day: Int) -> WallTime {
    let middle = Int64(day) * Self.daySeconds
    // No clock is two days from UTC.
    let (low, high) = (middle - 2 * Self.daySeconds, middle + 4 * Self.daySeconds)
    let edges = [low] + changes(after: low, before: high)
    for (place, edge) in edges.enumerated() {
      let end = place + 1 < edges.count ? edges[place + 1] : high
      let start = max(edge, middle - offset(at: edge))
      if start < end { return WallTime(milliseconds: start * 1000) }
    }
    return WallTime(milliseconds: high * 1000)
  }

  /// The instants at which the distance may change between two instants, ascending.
  private func changes(after low: Int64, before high: Int64) -> [Int64] {
    var found = times.filter { $0 > low && $0 < high }
    if let rule {
      let last = times.last ?? .min
      found += rule.changes(around: low, high).map(\.time)
        .filter { $0 > max(low, last) && $0 < high }
    }
    return found
  }

  /// The quotient, rounded downwards.
  static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
    value / divisor - (value % divisor < 0 ? 1 : 0)
  }
}
