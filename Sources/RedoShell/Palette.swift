// Colours for people: only on a terminal, unless requested (ECMA-48, "SGR").

internal import RedoRepository

/// When output has colours.
package enum ColorChoice: String, CaseIterable, Sendable {
  /// On a terminal that supports them.
  case auto
  /// Always.
  case always
  /// Never.
  case never
}

/// Paints parts of a text, or leaves them as they are.
package struct Palette: Sendable {
  /// The role of a part of a text.
  package enum Role: Sendable {
    /// The id that a text begins with.
    case id
    /// A good answer.
    case good
    /// A bad answer.
    case bad
    /// Something unusual.
    case odd
    /// A line of a drawing: neighbouring numbers have different colours.
    case lane(Int)

    /// The parameters of the escape sequence.
    fileprivate var code: StaticString {
      switch self {
      case .id, .odd: "33"
      case .good: "32"
      case .bad: "31"
      case .lane(let number): Self.lanes[number % Self.lanes.count]
      }
    }

    /// As in git: six colours, then the same ones in bold.
    private static let lanes: [StaticString] = [
      "31", "32", "33", "34", "35", "36", "1;31", "1;32", "1;33", "1;34", "1;35", "1;36",
    ]
  }

  /// Whether colours are used at all.
  package let isOn: Bool

  /// A palette with or without colours.
  package init(isOn: Bool = false) { self.isOn = isOn }

  /// The escape sequence that begins the colour of a role.
  package static func start(_ role: Role) -> String { "\u{1B}[\(role.code)m" }

  /// The escape sequence that ends a colour.
  package static let end = "\u{1B}[m"

  /// Appends what a closure appends, in the colour of its role.
  package func paint(
    _ role: Role, to output: inout [UInt8], _ body: (inout [UInt8]) -> Void
  ) {
    if isOn { output += Self.start(role).utf8 }
    body(&output)
    if isOn { output += Self.end.utf8 }
  }
}

extension Palette {
  /// The option that every command with colours has.
  package static let option = OptionSpec(
    "color", .optional("auto|always|never"), help: "use colours (default: on a terminal)")
}

extension Context {
  /// The colours for standard output: decided by the option, else by `NO_COLOR`, else by the setting `color.ui`,
  /// else by whether it is a terminal.
  ///
  /// - Parameters:
  ///   - options: the options that were given; `--color` alone means always.
  ///   - setting: the value of `color.ui`.
  /// - Returns: the colours.
  /// - Throws: `usage` or `fatal` when one of them is not a valid choice.
  package func palette(
    _ options: ParsedOptions, setting: String?
  ) throws -> Palette {
    if let isWanted = options.flag(Palette.option) {
      guard isWanted else { return Palette(isOn: false) }
      return palette(try options.choice(Palette.option, as: ColorChoice.self) ?? .always)
    }
    if let value = environment("NO_COLOR"), !value.isEmpty { return Palette(isOn: false) }
    guard let setting else { return palette(.auto) }
    switch setting.lowercased() {
    case "auto", "true", "yes", "on", "1", "": return palette(.auto)
    case "always": return palette(.always)
    case "never", "false", "no", "off", "0": return palette(.never)
    default:
      throw CommandError.fatal("bad value '\(setting)' for 'color.ui': not auto, always or never")
    }
  }

  private func palette(_ choice: ColorChoice) -> Palette {
    switch choice {
    case .always: Palette(isOn: true)
    case .never: Palette(isOn: false)
    case .auto: Palette(isOn: isTerminal(.output) && environment("TERM") ?? "dumb" != "dumb")
    }
  }
}
