// Times of RFC 3339 as other programs write them: 0 to 9 decimals, and an offset from UTC.

/// Reads times of RFC 3339.
package enum RFC3339 {
  /// Reads a time.
  ///
  /// - Parameter text: `YYYY-MM-DDTHH:MM:SS[.fraction]`, then `Z`, `+hh:mm` or `-hh:mm`.
  /// - Returns: seconds since 1970, which may lie a day outside of the years 0001 to 9999, and nanoseconds after
  ///   them; `nil` for any other form and for dates and times that do not exist.
  package static func parse(_ text: Span<UInt8>) -> (seconds: Int64, nanoseconds: Int64)? {
    guard text.count >= 20, text.count <= 35 else { return nil }
    // The first 19 bytes are those of the protocol's times.
    var whole: [UInt8] = []
    whole.append(text.extracting(0..<19))
    whole.append(UInt8(ascii: "Z"))
    guard let time = WallTime.parse(whole.span)?.time else { return nil }
    var index = 19
    var nanoseconds: Int64 = 0
    if text[index] == UInt8(ascii: ".") {
      index += 1
      var scale: Int64 = 1_000_000_000
      while index < text.count, text[index] &- UInt8(ascii: "0") < 10 {
        guard scale > 1 else { return nil }
        scale /= 10
        nanoseconds += Int64(text[index] - UInt8(ascii: "0")) * scale
        index += 1
      }
      guard scale < 1_000_000_000 else { return nil }
    }
    guard let offset = offsetSeconds(text.extracting(index..<text.count)) else { return nil }
    return (time.milliseconds / 1000 - offset, nanoseconds)
  }

  /// The seconds of `Z`, `+hh:mm` or `-hh:mm`.
  private static func offsetSeconds(_ text: Span<UInt8>) -> Int64? {
    if text.count == 1, text[0] == UInt8(ascii: "Z") { return 0 }
    guard text.count == 6, text[3] == UInt8(ascii: ":"),
      text[0] == UInt8(ascii: "+") || text[0] == UInt8(ascii: "-")
    else { return nil }
    func digit(_ index: Int) -> Int64 { Int64(text[index]) - Int64(UInt8(ascii: "0")) }
    guard [1, 2, 4, 5].allSatisfy({ (0..<10).contains(digit($0)) }) else { return nil }
    let hours = digit(1) * 10 + digit(2)
    let minutes = digit(4) * 10 + digit(5)
    guard hours < 24, minutes < 60 else { return nil }
    return (hours * 3600 + minutes * 60) * (text[0] == UInt8(ascii: "-") ? -1 : 1)
  }
}
