// What `redo` itself, or another suite of commands, can be asked: its commands, their manual pages, its version.

extension Shell {
  /// The option `--list-commands`.
  private static let listCommands = OptionSpec(
    "list-commands", help: "print the name of each command", traits: .notNegatable)

  /// Reads the options before the command's name.
  ///
  /// - Returns: `nil` when a command is to be run; its name is then the first argument.
  static func leadingOptions(
    _ context: inout Context, _ suite: String, _ commands: [any Command.Type]
  ) throws(CommandError) -> Exit? {
    switch try OptionParser.parseLeading(
      context.arguments, [listCommands] + RepositoryOptions.options)
    {
    case .run(let options):
      try context.repository.apply(options)
      context.arguments = options.arguments
      if options.has(listCommands) {
        for command in commands { try context.output.writeLine(command.name) }
        return .ok
      }
    case .usage, .usageWithHidden:
      try context.output.write(overview(of: commands, suite))
      return .usage
    case .manual:
      try context.output.write(overview(of: commands, suite))
      return .ok
    case .version: context.arguments = ["version"]
    }
    return try ownCommand(&context, suite, commands)
  }

  /// The words after `redo` that are no commands of the table.
  private static func ownCommand(
    _ context: inout Context, _ suite: String, _ commands: [any Command.Type]
  ) throws(CommandError) -> Exit? {
    switch context.arguments.first {
    case nil:
      try context.output.write(overview(of: commands, suite))
      return .no
    case "version":
      try context.output.writeLine("redo version \(version)")
      return .ok
    case "help":
      guard context.arguments.count > 1 else {
        try context.output.write(overview(of: commands, suite))
        return .ok
      }
      let name = context.arguments[1]
      guard let command = commands.first(where: { $0.name == name }) else {
        return unknown(name, &context, suite, commands)
      }
      return try manual(of: command, &context)
    // For the shells' completions; no command, so that nothing lists it.
    case "__complete": return Completion.run(&context)
    default: return nil
    }
  }

  /// Shows a manual page in place of this process, or the usage when there is no `man`.
  static func manual(
    of command: any Command.Type, _ context: inout Context
  ) throws(CommandError) -> Exit {
    try context.output.flush()
    _ = context.execute(["man", "redo-\(command.name)"])
    try context.output.write(Usage.text(of: command, hidden: true))
    return .ok
  }

  /// Says that there is no such command, as git says it.
  static func unknown(
    _ name: String, _ context: inout Context, _ suite: String, _ commands: [any Command.Type]
  ) -> Exit {
    context.error("'\(name)' is not a \(suite) command")
    let similar = Suggestion.nearest(to: name, among: commands.map { $0.name })
    if similar.isEmpty {
      context.hint("'\(suite) --help' lists the commands")
    } else {
      context.hint("did you mean \(similar.map { "'\($0)'" }.joined(separator: " or "))?")
    }
    return .usage
  }

  /// The usage of a suite with a line for each command.
  static func overview(of commands: [any Command.Type], _ suite: String) -> String {
    let indent = String(repeating: " ", count: suite.utf8.count)
    var text = """
      usage: \(suite) [-h | --help] [--version] [--list-commands] [-C <dir>] [--redo-dir=<dir>]
             \(indent) [-c <key>=<value>] <command> [<args>]


      """
    let width = commands.map { $0.name.utf8.count }.max() ?? 0
    for command in commands {
      let padding = String(repeating: " ", count: width - command.name.utf8.count)
      text += "   \(command.name)\(padding)   \(command.summary)\n"
    }
    guard !commands.isEmpty else { return text }
    return text + "\nSee '\(suite) help <command>' to read about a command.\n"
  }
}
