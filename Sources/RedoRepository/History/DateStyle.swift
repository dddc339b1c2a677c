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
    case .relative: Self.relative(now - milliseconds)
    }
  }

  /// The largest unit that fits into a span at least twice, as git shows it.
  private static func relative(_ span: Int64) -> String {
    guard span > -1000 else { return "in the future" }
    for (name, length) in Moment.units where span >= 2 * length || name == "second" {
      let count = span / length
      return "\(count) \(name)\(count == 1 ? "" : "s") ago"
    }
    return "0 seconds ago"
  }
}
