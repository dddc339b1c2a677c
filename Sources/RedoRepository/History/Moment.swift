// Instants as people write them on a command line (protocol, section 5). Strict: a text of any other form is not an
// instant.
//
//   2024-05-01T10:00:00.000Z   or without the fraction, or with an offset for the Z: +02:00
//   2024-05-01                 a day in UTC: its first or its last millisecond, as the option says
//   today, yesterday           the same
//   now                        now-<n><unit>, unit s, m, h, d, w or y (60 s, 60 m, 24 h, 7 d, 365 d)
//   2 weeks ago                seconds, minutes, hours, days, weeks, months (30 d) or years; also 2.weeks.ago
//   @1714557600                seconds since 1970

internal import RedoObject

/// An instant that was written on a command line.
package struct Moment: Hashable, Sendable {
  /// Which end of a day a date alone stands for.
  package enum Side: Sendable {
    /// Its first millisecond: for `--since` and `--after`.
    case start
    /// Its last millisecond: for `--until`, `--before` and `--as-of`.
    case end
  }

  /// Milliseconds since 1970, negative before; from year 0001 to 9999.
  package let milliseconds: Int64

  private static let dayLength: Int64 = 86_400_000
  /// The units of spans, as they are shown and read.
  static let units: [(name: String, length: Int64)] = [
    ("year", 365 * dayLength), ("month", 30 * dayLength), ("week", 7 * dayLength),
    ("day", dayLength), ("hour", 3_600_000), ("minute", 60_000), ("second", 1000),
  ]
  /// The first instant, 0001-01-01T00:00:00.000Z.
  private static let first: Int64 = -62_135_596_800_000
  /// The last instant, 9999-12-31T23:59:59.999Z.
  private static let last: Int64 = 253_402_300_799_999

  /// The instant at a number of milliseconds since 1970.
  ///
  /// - Parameter milliseconds: for a number outside the years 0001 to 9999 the result is `nil`.
  package init?(milliseconds: Int64) {
    guard (Self.first...Self.last).contains(milliseconds) else { return nil }
    self.milliseconds = milliseconds
  }

  /// Reads an instant.
  ///
  /// The result is `nil` for any other form, for dates that do not exist, and outside the years 0001 to 9999.
  ///
  /// - Parameters:
  ///   - text: the text as it was written.
  ///   - side: which end of a day a date alone stands for.
  ///   - now: the present, in milliseconds since 1970.
  package init?(_ text: some StringProtocol, _ side: Side, now: Int64) {
    let bytes = Array(text.utf8)
    let day = Self.day(bytes, now)
    let end = side == .end ? Self.dayLength - 1 : 0
    guard let milliseconds = day.map({ $0 + end }) ?? Self.read(bytes, now) else { return nil }
    self.init(milliseconds: milliseconds)
  }

  /// Reads an instant where a day alone would say too little.
  ///
  /// The result is `nil` for days, and for what the other initializer does not read.
  ///
  /// - Parameters:
  ///   - text: the text as it was written.
  ///   - now: the present, in milliseconds since 1970.
  package init?(instant text: some StringProtocol, now: Int64) {
    guard let milliseconds = Self.read(Array(text.utf8), now) else { return nil }
    self.init(milliseconds: milliseconds)
  }

  /// Whether a text begins like an instant and unlike any other name: if it is not an instant, it is a mistake in a
  /// date.
  package static func isMeant(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8)
    let words = ["now", "today", "yesterday"]
    if words.contains(where: { bytes.elementsEqual($0.utf8) }) { return true }
    if bytes.starts(with: "now-".utf8) || bytes.suffix(4).elementsEqual(" ago".utf8) { return true }
    if bytes.first == UInt8(ascii: "@") { return bytes.count > 1 && isDigit(bytes[1]) }
    return bytes.count >= 7 && bytes[..<4].allSatisfy(isDigit) && bytes[4] == UInt8(ascii: "-")
      && isDigit(bytes[5])
  }

  /// The first millisecond of a day in UTC.
  private static func day(_ bytes: [UInt8], _ now: Int64) -> Int64? {
    let isToday = bytes.elementsEqual("today".utf8)
    if isToday || bytes.elementsEqual("yesterday".utf8) {
      let day = now - (now % dayLength + dayLength) % dayLength
      return isToday ? day : day - dayLength
    }
    guard bytes.count == 10 else { return nil }
    return WallTime.parse((bytes + Array("T00:00:00Z".utf8)).span)?.time.milliseconds
  }

  private static func read(_ bytes: [UInt8], _ now: Int64) -> Int64? {
    if bytes.first == UInt8(ascii: "@") {
      let digits = bytes.dropFirst()
      let isNegative = digits.first == UInt8(ascii: "-")
      guard let seconds = number(isNegative ? digits.dropFirst() : digits) else { return nil }
      let (product, isOver) = seconds.multipliedReportingOverflow(by: isNegative ? -1000 : 1000)
      return isOver ? nil : product
    }
    if bytes.starts(with: "now".utf8) { return relative(bytes.dropFirst(3), now) }
    if bytes.last == UInt8(ascii: "o") { return ago(bytes, now) }
    return WallTime.parse(bytes.span)?.time.milliseconds ?? local(bytes)
  }

  /// Reads a time with an offset: `2024-05-01T12:00:00+02:00`.
  private static func local(_ bytes: [UInt8]) -> Int64? {
    guard bytes.count > 6, case let offset = bytes.suffix(6), let sign = offset.first,
      sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      offset[offset.startIndex + 3] == UInt8(ascii: ":"),
      let hours = number(offset.dropFirst().prefix(2)), hours < 24,
      let minutes = number(offset.suffix(2)), minutes < 60,
      case let utc = Array(bytes.dropLast(6)) + [UInt8(ascii: "Z")],
      let time = WallTime.parse(utc.span)?.time
    else { return nil }
    let milliseconds = (hours * 60 + minutes) * 60_000
    return time.milliseconds + (sign == UInt8(ascii: "+") ? -milliseconds : milliseconds)
  }

  /// Reads a span before the present: `2 weeks ago`, `2.weeks.ago`.
  private static func ago(_ bytes: [UInt8], _ now: Int64) -> Int64? {
    for separator in [UInt8(ascii: " "), UInt8(ascii: ".")] {
      let words = bytes.split(separator: separator, omittingEmptySubsequences: false)
      guard words.count == 3, words[2].elementsEqual("ago".utf8), let count = number(words[0]),
        let unit = units.first(where: { unit in
          words[1].elementsEqual(unit.name.utf8)
            || count != 1 && words[1].elementsEqual("\(unit.name)s".utf8)
        })
      else { continue }
      return before(now, count, unit.length)
    }
    return nil
  }

  private static func before(_ now: Int64, _ count: Int64, _ length: Int64) -> Int64? {
    let (span, isOver) = count.multipliedReportingOverflow(by: length)
    let (instant, isUnder) = now.subtractingReportingOverflow(span)
    return isOver || isUnder ? nil : instant
  }

  /// Reads what follows `now`.
  private static func relative(_ bytes: ArraySlice<UInt8>, _ now: Int64) -> Int64? {
    if bytes.isEmpty { return now }
    guard bytes.first == UInt8(ascii: "-"), let unit = bytes.last.flatMap(unitLength),
      let count = number(bytes.dropFirst().dropLast())
    else { return nil }
    return before(now, count, unit)
  }

  private static func unitLength(_ letter: UInt8) -> Int64? {
    switch letter {
    case UInt8(ascii: "s"): 1000
    case UInt8(ascii: "m"): 60_000
    case UInt8(ascii: "h"): 3_600_000
    case UInt8(ascii: "d"): dayLength
    case UInt8(ascii: "w"): 7 * dayLength
    case UInt8(ascii: "y"): 365 * dayLength
    default: nil
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  /// Reads one or more digits.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return nil }
    return Int64(String(decoding: digits, as: UTF8.self))
  }
}
