// Texts of a drawing: short, and on one line.

internal import RedoRepository

/// Texts of changes, made fit for drawings.
package enum DrawnText {
  /// A text on one line, cut to a width in columns.
  ///
  /// It is escaped, and so has no characters that XML 1.0 forbids (production `Char`): controls and noncharacters.
  package static func line(_ text: String, width: Int = .max) -> String {
    let prefix = width < .max ? String(text.unicodeScalars.prefix(4 * width)) : text
    let escaped = Escape.text(prefix)
    var columns = 0
    var end = escaped.startIndex
    for index in escaped.indices {
      columns += isWide(escaped[index]) ? 2 : 1
      // The ellipsis takes a column of its own.
      if columns < width { end = escaped.index(after: index) }
      if columns > width { return escaped[..<end] + "…" }
    }
    return prefix.utf8.count < text.utf8.count ? escaped + "…" : escaped
  }

  /// Whether a character takes two columns: roughly, East Asian text and emoji.
  ///
  /// What joiners make one picture of is one character, and so is an emoji with its U+FE0F.
  private static func isWide(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first?.value else { return false }
    if scalar > 0x7F, character.unicodeScalars.contains("\u{FE0F}") { return true }
    return (0x1100..<0x1160).contains(scalar) || (0x2E80..<0xA4D0).contains(scalar)
      || (0xAC00..<0xD7A4).contains(scalar) || (0xF900..<0xFB00).contains(scalar)
      || (0xFE30..<0xFE70).contains(scalar) || (0xFF00..<0xFF61).contains(scalar)
      || (0x1F300..<0x1FB00).contains(scalar) || (0x20000..<0x3FFFE).contains(scalar)
  }

  /// `2024-05-01 10:00`, in UTC.
  package static func minute(_ milliseconds: Int64) -> String {
    let day = CivilDay(milliseconds: milliseconds)
    let minute = (milliseconds - day.start) / 60_000
    return "\(day) \(digits(minute / 60, 2)):\(digits(minute % 60, 2))"
  }

  /// A number padded with leading zeros.
  package static func digits(_ number: Int64, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(count - text.utf8.count, 0)) + text
  }

  /// A number with commas between thousands.
  package static func grouped(_ number: Int) -> String {
    var text: [UInt8] = []
    for (index, digit) in String(number).utf8.reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(UInt8(ascii: ",")) }
      text.append(digit)
    }
    return String(decoding: text.reversed(), as: UTF8.self)
  }

  /// `1 change`, `2 changes`.
  package static func counted(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
  }
}
