// The usage of a command, laid out as git does.

internal import RedoRepository

/// Lays out usages.
package enum Usage {
  /// The column where the help of an option begins, in characters.
  private static let helpColumn = 26

  /// The usage lines and the options of a command.
  ///
  /// - Parameters:
  ///   - command: the command.
  ///   - hidden: whether hidden options are listed too.
  /// - Returns: lines, the last one empty.
  package static func text(of command: any Command.Type, hidden: Bool) -> String {
    let options =
      command.options + (hidden ? RepositoryOptions.options(besides: command.options) : [])
    return text(
      lines: command.usage, subcommands: command.subcommands, options: options, hidden: hidden)
  }

  /// The words that run a command: `redo-archive create`.
  static func commandWords(of command: any Command.Type) -> String? {
    guard let line = command.usage.first else { return nil }
    let words = line.split(separator: " ").prefix { word in
      word.utf8.allSatisfy {
        $0 == UInt8(ascii: "-") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
      }
        && word.utf8.first != UInt8(ascii: "-")
    }
    return words.joined(separator: " ")
  }

  /// The usage of anything that has options.
  package static func text(
    lines: [String], subcommands: [any Command.Type] = [], options: [OptionSpec], hidden: Bool
  ) -> String {
    var text = ""
    for (index, line) in lines.enumerated() {
      // Further lines of a usage are indented below its first word.
      let indented = line.split(separator: "\n").joined(separator: "\n       ")
      text += (index == 0 ? "usage: " : "   or: ") + indented + "\n"
    }
    text += "\n"
    for word in subcommands { append("    \(word.name)", word.summary, to: &text) }
    if !subcommands.isEmpty { text += "\n" }
    let listed = options.filter { hidden || !$0.traits.contains(.hidden) }
    for (index, option) in listed.enumerated() {
      if option.isHeading {
        text += (index == 0 ? "" : "\n") + option.help + "\n"
      } else {
        append(option, to: &text)
      }
    }
    return listed.isEmpty ? text : text + "\n"
  }

  private static func append(_ option: OptionSpec, to text: inout String) {
    append("    " + names(of: option), option.help, to: &text)
  }

  private static func append(_ left: String, _ help: String, to text: inout String) {
    text += left
    if left.utf8.count < helpColumn {
      text += String(repeating: " ", count: helpColumn - left.utf8.count)
    } else {
      text += "\n" + String(repeating: " ", count: helpColumn)
    }
    text += help + "\n"
  }

  private static func names(of option: OptionSpec) -> String {
    var names: [String] = []
    if let letter = option.letter { names.append("-\(letter)") }
    if !option.name.isEmpty {
      // For options with a value it goes without saying that they can be negated.
      if case .none = option.value, option.isNegatable {
        names.append("--[no-]\(option.name)")
      } else {
        names.append("--\(option.name)")
      }
    }
    let text = names.joined(separator: ", ")
    return switch option.value {
    case .none: text
    case .required(let placeholder): "\(text) <\(placeholder)>"
    case .optional(let placeholder): "\(text)[\(option.name.isEmpty ? "" : "=")<\(placeholder)>]"
    }
  }
}
