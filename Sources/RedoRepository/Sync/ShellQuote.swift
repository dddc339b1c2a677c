// Words for a POSIX shell (IEEE Std 1003.1-2024, XCU 2.2), harmless for a terminal.

/// Quotes words.
package enum ShellQuote {
  /// A word that a shell reads as exactly this text.
  ///
  /// Text that could move a cursor is written in dollar-single-quotes, which bash, zsh, ksh and the shells of
  /// POSIX.1-2024 read.
  ///
  /// - Parameter text: UTF-8 without NUL.
  /// - Returns: the text itself if no shell would change it, otherwise in quotes.
  package static func word(_ text: [UInt8]) -> String {
    let plain = String(decoding: text, as: UTF8.self)
    if !text.isEmpty, text.allSatisfy(isSafe) { return plain }
    guard Escape.text(plain) != plain else {
      // By scalars: a quote with a combining mark is another `Character`, but a shell knows no marks.
      var quoted = "'"
      for scalar in plain.unicodeScalars {
        if scalar == "'" { quoted += #"'\''"# } else { quoted.unicodeScalars.append(scalar) }
      }
      return quoted + "'"
    }
    var word = "$'"
    for scalar in plain.unicodeScalars {
      switch scalar {
      case "\n": word += #"\n"#
      case "\t": word += #"\t"#
      case "\\": word += #"\\"#
      case "'": word += #"\'"#
      default:
        let one = String(scalar)
        if Escape.text(one) == one { word += one } else { word += one.utf8.map(octal).joined() }
      }
    }
    return word + "'"
  }

  private static func octal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 8)
    return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
  }

  private static func isSafe(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-_./:=,@%+".utf8.contains(byte)
    }
  }
}
