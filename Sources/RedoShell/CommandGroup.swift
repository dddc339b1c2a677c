// Commands whose first argument names another command, as in git worktree: `redo archive create`.

internal import RedoRepository

/// A command that does nothing itself: each of its subcommands is a command of its own.
package protocol CommandGroup: Command {
  /// The subcommand that runs when none is named; `nil` when one must be named.
  static var standard: (any Command.Type)? { get }
  /// Whether a word that is no subcommand is an argument of the standard subcommand.
  static var takesArguments: Bool { get }
}

extension CommandGroup {
  /// Most groups require a subcommand.
  package static var standard: (any Command.Type)? { nil }

  /// In most groups such a word is a mistake.
  package static var takesArguments: Bool { false }

  /// The usages of all subcommands.
  package static var usage: [String] { subcommands.flatMap { $0.usage } }

  /// Options follow the subcommand.
  package static var options: [OptionSpec] { [] }

  /// Runs the standard subcommand.
  ///
  /// - Throws: `usage` when one must be named.
  package static func run(_ context: inout Context, _ options: ParsedOptions) throws -> Exit {
    guard let standard else { throw CommandError.unknownWord("a subcommand is needed") }
    return try standard.run(&context, options)
  }
}

extension Shell {
  /// The subcommand that the arguments name; its name and the options before it are removed from them.
  ///
  /// - Parameters:
  ///   - command: the command that was named first.
  ///   - context: holds the arguments of the command.
  /// - Returns: `nil` when the command has no subcommands, or none is named.
  /// - Throws: `usage` for a word that is not a subcommand, and for an option that the subcommand would not see.
  static func subcommand(
    of command: any Command.Type, _ context: inout Context
  ) throws -> (any Command.Type)? {
    let known = command.subcommands
    if let group = command as? any CommandGroup.Type, group.takesArguments,
      case .run(let options) = try OptionParser.parseLeading(
        context.arguments, command.options + RepositoryOptions.options),
      !known.contains(where: { $0.name == options.arguments.first })
    {
      return nil
    }
    guard !known.isEmpty, let word = try leadingOptions(of: command, &context) else { return nil }
    guard let found = known.first(where: { $0.name == word }) else {
      throw CommandError.unknownWord(
        "unknown subcommand '\(word)'",
        hints: Suggestion.hints(for: word, among: known.map { $0.name }))
    }
    return found
  }

  /// Reads the options between a command's name and its subcommand's.
  ///
  /// - Returns: the subcommand's name, which is removed from the arguments; `nil` when there is none.
  private static func leadingOptions(
    of command: any Command.Type, _ context: inout Context
  ) throws -> String? {
    let specs = command.options + RepositoryOptions.options(besides: command.options)
    guard case .run(let options) = try OptionParser.parseLeading(context.arguments, specs),
      let word = options.arguments.first
    else { return nil }
    // The subcommand would not see an option of the command itself.
    if let lost = options.given.first(where: { given in
      !RepositoryOptions.options.contains { $0.isSame(as: given.spec) }
    }) {
      throw CommandError.usage(
        "option '\(lost.spec.spelling)' belongs after the subcommand '\(word)'")
    }
    try RepositoryOptions.apply(options, to: &context)
    context.arguments = Array(options.arguments.dropFirst())
    return word
  }
}
