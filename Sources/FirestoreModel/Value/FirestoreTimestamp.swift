// google.protobuf.Timestamp: seconds and nanoseconds since 1970, years 0001 to 9999; in JSON a text of
// RFC 3339.

package import RedoObject

/// An instant with nanoseconds.
package struct FirestoreTimestamp: Hashable, Comparable, Sendable {
  /// The first and the last second: 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
  package static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// Seconds since 1970-01-01T00:00:00Z, negative before.
  package let seconds: Int64
  /// Nanoseconds after that second, 0 to 999,999,999.
  package let nanoseconds: Int32

  /// An instant.
  ///
  /// `nil` outside of the years 0001 to 9999, and of 0 to 999,999,999 nanoseconds.
  ///
  /// - Parameters:
  ///   - seconds: seconds since 1970.
  ///   - nanoseconds: nanoseconds after them.
  package init?(seconds: Int64, nanoseconds: Int64 = 0) {
    guard Self.range.contains(seconds), (0..<1_000_000_000).contains(nanoseconds) else {
      return nil
    }
    self.seconds = seconds
    self.nanoseconds = Int32(nanoseconds)
  }

  /// The instant of a time of the protocol.
  ///
  /// - Parameter time: a time of the years 0001 to 9999.
  package init(_ time: WallTime) {
    let milliseconds = time.milliseconds
    let seconds = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    self.seconds = seconds
    nanoseconds = Int32(milliseconds - seconds * 1000) * 1_000_000
  }

  /// The time of the protocol, what is below a millisecond cut off.
  package var wallTime: WallTime {
    WallTime(milliseconds: seconds * 1000 + Int64(nanoseconds) / 1_000_000)
  }

  package static func < (left: FirestoreTimestamp, right: FirestoreTimestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// Reads a time of RFC 3339 with 0 to 9 decimals.
  ///
  /// `nil` for any other form, and for times that do not exist.
  ///
  /// - Parameter text: `YYYY-MM-DDTHH:MM:SS[.fraction]`, then `Z` or an offset.
  package init?(text: String) {
    guard let time = RFC3339.parse(Array(text.utf8).span) else { return nil }
    self.init(seconds: time.seconds, nanoseconds: time.nanoseconds)
  }

  /// The text with `Z` and 0, 3, 6 or 9 decimals, as few as needed (proto3 JSON).
  package var text: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text with `Z` and 0, 3, 6 or 9 decimals.
  ///
  /// - Parameter output: receives ASCII.
  package func append(to output: inout [UInt8]) {
    WallTime(milliseconds: seconds * 1000).append(to: &output)
    // What was appended ends with `.000Z`.
    output.removeLast(5)
    defer { output.append(UInt8(ascii: "Z")) }
    guard nanoseconds > 0 else { return }
    output.append(UInt8(ascii: "."))
    var count = 9
    var rest = nanoseconds
    while rest % 1000 == 0 {
      rest /= 1000
      count -= 3
    }
    var digits: [UInt8] = []
    for _ in 0..<count {
      digits.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    }
    output += digits.reversed()
  }
}
