// How instants are shown to people: --date=iso|unix|relative|raw.

internal import RedoObject

/// A form of instants.
package enum DateStyle: String, CaseIterable, Sendable {
  /// `2024-05-01T10:00:00.000Z`
  case iso
  /// Seconds since 1970.
  case unix
  /// `3 days ago`
  case relative
  /// Seconds since 1970 and the zone, as git writes them.
  case raw

  /// The text of an instant.
  ///
  /// - Parameters:
  ///   - milliseconds: the instant, since 1970.
  ///   - now: the present, for `relative`.
  /// - Returns: the text.
  package func text(_ milliseconds: Int64, now: Int64) -> String {
    switch self {
    case .iso:
      // A time from a broken clock is shown, not trusted.
      Moment(milliseconds: milliseconds)
        .map { WallTime(milliseconds: $0.milliseconds).text } ?? "@\(milliseconds / 1000)"
    case .unix: "\(milliseconds / 1000)"
    case .raw: "\(milliseconds / 1000) +0000"
    case .relative: Self.relative((now - milliseconds) / 1000)
    }
  }

  /// The largest unit that fits into a span at least twice, as git shows it.
  private static func relative(_ seconds: Int64) -> String {
    guard seconds >= 0 else { return "in the future" }
    let units: [(String, Int64)] = [
      ("year", 31_536_000), ("month", 2_592_000), ("week", 604_800), ("day", 86_400),
      ("hour", 3600), ("minute", 60), ("second", 1),
    ]
    for (name, length) in units where seconds >= 2 * length || length == 1 {
      let count = seconds / length
      return "\(count) \(name)\(count == 1 ? "" : "s") ago"
    }
    return "\(seconds) seconds ago"
  }
}
