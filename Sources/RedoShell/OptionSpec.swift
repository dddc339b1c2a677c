// One line of a command's option table, in the manner of git's parse-options.

internal import RedoRepository

/// An option that a command understands; the same value is later used to ask whether it was given.
///
/// ```swift
/// static let maxCount = OptionSpec(
///   "max-count", letter: "n", .required("n"), help: "stop after <n> nodes", traits: .digits)
/// static let options = [maxCount, ...]
/// ... try options.integer(maxCount, in: 0...Int.max)
/// ```
package struct OptionSpec: Sendable {
  /// Whether an option has a value; the associated text is its placeholder, without brackets.
  package enum Value: Sendable {
    /// The option has no value.
    case none
    /// `--name=value`, `--name value`, `-nvalue` or `-n value`.
    case required(String)
    /// `--name` or `--name=value`, `-n` or `-nvalue`.
    case optional(String)
  }

  /// Special properties of an option.
  package struct Traits: OptionSet, Sendable {
    /// One bit for each trait.
    package let rawValue: UInt8

    /// Traits by their bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Only `--help-all` lists it.
    package static let hidden = Traits(rawValue: 1)
    /// There is no `--no-name`.
    package static let notNegatable = Traits(rawValue: 2)
    /// `-20` is short for this option with the value 20.
    package static let digits = Traits(rawValue: 4)
    /// The required value may be missing at the end of the command line, or before another option.
    package static let lenientEnd = Traits(rawValue: 8)
  }

  /// The long name without dashes, empty if there is none.
  package let name: String
  /// The short name.
  package let letter: Unicode.Scalar?
  /// Whether it has a value.
  package let value: Value
  /// One line in lower case, without a full stop.
  package let help: String
  /// Its special properties.
  package let traits: Traits

  /// An option with a long name, a short name or both.
  package init(
    _ name: String = "", letter: Unicode.Scalar? = nil, _ value: Value = .none, help: String,
    traits: Traits = []
  ) {
    self.name = name
    self.letter = letter
    self.value = value
    self.help = help
    self.traits = traits
  }

  /// A heading between the options of a long list.
  package static func heading(_ text: String) -> OptionSpec { OptionSpec(help: text) }

  /// Whether this is a heading.
  package var isHeading: Bool { name.isEmpty && letter == nil }

  /// Whether it can be negated.
  package var isNegatable: Bool { !name.isEmpty && !traits.contains(.notNegatable) }

  /// The name in messages: `--name`, or `-n` if there is no long name.
  package var spelling: String {
    guard name.isEmpty else { return "--\(name)" }
    return letter.map { "-\($0)" } ?? ""
  }

  /// Whether two lines of a table are the same option.
  package func isSame(as other: OptionSpec) -> Bool {
    name == other.name && letter == other.letter
  }
}
