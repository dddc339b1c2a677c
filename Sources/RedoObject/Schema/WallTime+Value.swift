// Times as values of fields, and the app's files, have them (schemas, section 2): a time of RFC 3339, a date, or a number.

package import CanonicalJSON

extension WallTime {
  /// 2001-01-01T00:00:00.000Z, from where the app's language counts.
  private static let start2001: Int64 = 978_307_200_000

  /// A number of seconds since 2001, to the nearest millisecond, halves away from zero; `nil` for what is after the year 9999, or no
  /// number.
  ///
  /// - Parameter seconds: what is before the year 1 is its beginning.
  package init?(secondsSince2001 seconds: Double) {
    let milliseconds = (seconds * 1000).rounded(.toNearestOrAwayFromZero)
    guard milliseconds <= Double(Self.latest.milliseconds - Self.start2001) else { return nil }
    let least = Double(Self.earliest.milliseconds - Self.start2001)
    self.init(milliseconds: Self.start2001 + Int64(max(milliseconds, least)))
  }

  /// Reads a time of RFC 3339, or a date, which is its beginning in UTC; rounded and bounded as a number is.
  ///
  /// - Parameter text: ASCII; anything else gives `nil`.
  package init?(written text: Span<UInt8>) {
    if let time = Self.parse(text) {
      self = time.time
    } else if text.count == 10 {
      var bytes: [UInt8] = []
      bytes.append(text)
      bytes += "T00:00:00Z".utf8
      guard let time = Self.parse(bytes.span) else { return nil }
      self = time.time
    } else {
      guard let (seconds, nanoseconds) = RFC3339.parse(text) else { return nil }
      // A half goes away from 2001.
      let half: Int64 = seconds * 1000 < Self.start2001 ? 499_999 : 500_000
      let time = WallTime(milliseconds: seconds * 1000 + (nanoseconds + half) / 1_000_000)
      guard time <= .latest else { return nil }
      self = max(time, .earliest)
    }
  }

  /// Reads a time, a date, or a number of seconds since 2001.
  ///
  /// - Parameter value: anything else gives `nil`.
  package init?(_ value: borrowing JSONValue) {
    if let text = value.escaped {
      self.init(written: text)
    } else if value.isNumber, let seconds = Double(value.contentText) {
      self.init(secondsSince2001: seconds)
    } else {
      return nil
    }
  }
}
