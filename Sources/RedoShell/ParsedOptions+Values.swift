// Option values that are numbers, sizes or words of a closed set.

internal import RedoRepository

extension ParsedOptions {
  /// The last value of an option as a whole number.
  ///
  /// - Throws: `usage` when it is not a number, or not in the range.
  package func integer(
    _ spec: OptionSpec, in range: ClosedRange<Int> = 0...Int.max
  ) throws -> Int? {
    guard let text = value(spec) else { return nil }
    guard let number = Self.decimal(text) else {
      throw CommandError.usage("option '\(spec.spelling)' expects a number, not '\(text)'")
    }
    guard range.contains(number) else {
      throw CommandError.usage(
        range.upperBound == Int.max
          ? "option '\(spec.spelling)' expects a number of at least \(range.lowerBound), not '\(text)'"
          : "option '\(spec.spelling)' expects a number from \(range.lowerBound) to "
            + "\(range.upperBound), not '\(text)'")
    }
    return number
  }

  /// The last value of an option as a count of bytes, with an optional suffix k, m or g.
  ///
  /// - Throws: `usage` when it is not a valid size.
  package func sizeBytes(_ spec: OptionSpec) throws -> Int? {
    guard let text = value(spec) else { return nil }
    guard let number = Self.size(text) else {
      throw CommandError.usage(
        "option '\(spec.spelling)' expects a number of bytes with an optional suffix k, m or g, "
          + "not '\(text)'")
    }
    return number
  }

  /// A count of bytes, with an optional suffix k, m or g; `nil` when a text is none.
  package static func size(_ text: String) -> Int? {
    var shift = 0
    switch text.utf8.last {
    case UInt8(ascii: "k"), UInt8(ascii: "K"): shift = 10
    case UInt8(ascii: "m"), UInt8(ascii: "M"): shift = 20
    case UInt8(ascii: "g"), UInt8(ascii: "G"): shift = 30
    default: break
    }
    let digits = shift == 0 ? text : String(text.dropLast())
    guard let number = decimal(digits), number >= 0, number <= Int.max >> shift else { return nil }
    return number << shift
  }

  /// The last value of an option as a word of a closed set.
  ///
  /// - Throws: `usage` with all the words when it is none of them.
  package func choice<Word: RawRepresentable<String> & CaseIterable>(
    _ spec: OptionSpec, as type: Word.Type = Word.self
  ) throws -> Word? {
    guard let text = value(spec) else { return nil }
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    throw CommandError.usage(
      "option '\(spec.spelling)' expects one of \(words.joined(separator: ", ")), not '\(text)'",
      hints: Suggestion.hints(for: text, among: words))
  }

  /// The age that an option gives, in milliseconds.
  ///
  /// - Throws: `fatal` when it is none.
  package func age(_ spec: OptionSpec) throws -> Int64? {
    try value(spec).map { try Self.age($0) }
  }

  /// Reads an age, as in 2w.
  ///
  /// - Returns: milliseconds.
  /// - Throws: `fatal` when it is none.
  package static func age(_ text: String) throws -> Int64 {
    guard let moment = Moment("now-\(text)", .start, now: 0), moment.milliseconds <= 0 else {
      throw CommandError.fatal(
        "not a valid age '\(text)'",
        hints: ["an age is a number and one of s, m, h, d, w and y, as in 2w, 12h or 1y"])
    }
    return -moment.milliseconds
  }

  /// Reads an optional minus sign and ASCII digits, nothing else.
  package static func decimal(_ text: String) -> Int? {
    guard let first = text.utf8.first, first != UInt8(ascii: "+") else { return nil }
    return Int(text)
  }
}
