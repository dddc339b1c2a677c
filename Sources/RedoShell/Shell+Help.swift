// What can be asked of a suite itself: its commands, their manual pages, its version.

internal import RedoRepository

extension Shell {
  /// The option `--list-commands`.
  private static let listCommands = OptionSpec(
    "list-commands", help: "print the name of each command", traits: .notNegatable)

  /// Reads the options before the command's name.
  ///
  /// - Returns: `nil` when a command is to be run; then its name is the first argument.
  static func leadingOptions(
    _ context: inout Context, _ suite: CommandSuite
  ) throws -> Exit? {
    switch try OptionParser.parseLeading(
      context.arguments, [listCommands] + RepositoryOptions.options)
    {
    case .run(let options):
      try RepositoryOptions.apply(options, to: &context)
      context.arguments = options.arguments
      if options.has(listCommands) {
        for command in suite.commands { try context.output.writeLine(command.name) }
        return .ok
      }
    case .usage, .usageWithHidden:
      try context.output.write(overview(of: suite))
      return .usage
    case .manual:
      try context.output.write(overview(of: suite))
      return .ok
    case .version: context.arguments = ["version"]
    }
    return try ownCommand(&context, suite)
  }

  /// Handles the words after `redo` that are not commands of the table.
  private static func ownCommand(
    _ context: inout Context, _ suite: CommandSuite
  ) throws -> Exit? {
    switch context.arguments.first {
    case nil:
      try context.output.write(overview(of: suite))
      return .no
    case "version":
      try context.output.writeLine("redo version \(version)")
      return .ok
    case "help":
      guard context.arguments.count > 1 else {
        try context.output.write(overview(of: suite))
        return .ok
      }
      let name = context.arguments[1]
      guard let command = suite.command(name) else {
        return unknown(name, &context, suite)
      }
      return try manual(of: command, &context)
    // For the shells' completions; it is not a command, so that it is not listed.
    case "__complete": return suite.complete?(&context)
    default: return nil
    }
  }

  /// Replaces this process by a manual page, or prints the usage when there is no `man`.
  package static func manual(
    of command: any Command.Type, _ context: inout Context
  ) throws -> Exit {
    try context.output.flush()
    _ = context.execute(["man", "redo-\(command.name)"])
    try context.output.write(Usage.text(of: command, hidden: true))
    return .ok
  }

  /// Reports that there is no such command, in the words of git.
  package static func unknown(
    _ name: String, _ context: inout Context, _ suite: CommandSuite
  ) -> Exit {
    context.error("'\(name)' is not a \(suite.name) command")
    let similar = Suggestion.nearest(to: name, among: suite.commands.map { $0.name })
    if similar.isEmpty {
      context.hint("'\(suite.name) --help' lists the commands")
    } else {
      context.hint("did you mean \(similar.map { "'\($0)'" }.joined(separator: " or "))?")
    }
    return .usage
  }

  /// The usage of a suite, with one line for each command.
  static func overview(of suite: CommandSuite, withCommands: Bool = true) -> String {
    let indent = String(repeating: " ", count: suite.name.utf8.count)
    let readsArchives = suite.commands.contains { $0.readsArchives }
    let place = "[--redo-dir=<dir>\(readsArchives ? " | --archive=<file>..." : "")]"
    var text = """
      usage: \(suite.name) [-h | --help] [--version] [--list-commands] [-C <dir>]
             \(indent) \(place) [-c <key>=<value>] [-q] <command> [<args>]


      """
    guard withCommands else { return text }
    let width = suite.commands.map { $0.name.utf8.count }.max() ?? 0
    for command in suite.commands {
      let padding = String(repeating: " ", count: width - command.name.utf8.count)
      text += "   \(command.name)\(padding)   \(command.summary)\n"
    }
    return text + "\nSee '\(suite.name) help <command>' to read about a command.\n"
  }
}
