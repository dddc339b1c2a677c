// What a name looks like: names with the same look cannot be told apart by eye, whatever their bytes.
//
// Left out is what is drawn as nothing, runs of blanks count as one, and the rest is compared as canonically equivalent,
// which is how Swift compares strings. Letters of different scripts that look alike (Unicode UTS 39, "confusables")
// and compatibility forms (NFKC) are not folded: the standard library knows neither.

/// The looks of names.
package enum LookAlike {
  /// A text as it looks; equal for texts that look alike.
  package static func look(of text: String) -> String {
    var look = ""
    var isAfterBlank = false
    for scalar in text.unicodeScalars {
      if isBlank(scalar) {
        isAfterBlank = true
        continue
      }
      guard !isNothing(scalar) else { continue }
      if isAfterBlank, !look.isEmpty { look += " " }
      isAfterBlank = false
      look.unicodeScalars.append(scalar)
    }
    return look
  }

  /// Whether a character is drawn as an empty place: spaces, and the pattern of Braille without dots.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x80 { return scalar == " " }
    return scalar.value == 0x2800 || scalar.properties.generalCategory == .spaceSeparator
  }

  private static func isNothing(_ scalar: Unicode.Scalar) -> Bool {
    if 0x20...0x7E ~= scalar.value { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  // MARK: For people

  /// Names that look alike, written so that they can be told apart: what is drawn as nothing, blanks but U+0020
  /// and combining marks are shown as `\u{…}`, or if that is not enough, everything but ASCII.
  package static func distinct(_ names: [String]) -> [String] {
    let mild = names.map { shown($0) { isBlank($0) || isNothing($0) || isMark($0) } }
    return Set(mild).count == names.count ? mild : names.map { name in shown(name) { _ in true } }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    default: false
    }
  }

  private static func shown(_ name: String, _ isHidden: (Unicode.Scalar) -> Bool) -> String {
    var shown = ""
    for scalar in name.unicodeScalars {
      if scalar.value >= 0x80, isHidden(scalar) {
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return Escape.text(shown)
  }
}
