// The way from a process to a command and back: finds the command, reads its options, runs it, reports
// errors, and determines how the process ends.

internal import RedoRepository

/// The layer between a process and its commands.
package enum Shell {
  /// The version that `--version` prints.
  package static let version = "0.2.0"

  /// Runs a command line.
  ///
  /// - Parameters:
  ///   - context: holds the words after the program's name as its arguments.
  ///   - program: the program's name or path: that of the suite, or `redo-<command>`.
  ///   - suite: the available commands.
  /// - Returns: how the process is to end; all output has been flushed.
  package static func run(
    _ context: inout Context, as program: String, _ suite: CommandSuite
  ) -> Ending {
    if let problem = context.trace.problem { context.warning(problem) }
    context.trace.begin(program, context.arguments, suite, context.clock)
    var command: (any Command.Type)?
    var ending: Ending
    do {
      ending = .exit(try dispatch(&context, program, suite, &command))
      try context.output.flush()
    } catch {
      let error = CommandError(error)
      ending = fail(&context, error, command, suite)
    }
    context.closeArchives()
    context.trace.end(ending)
    if context.trace.hasFailed { context.warning("the trace could not be written") }
    return ending
  }

  /// Reports the error that ended a command.
  private static func fail(
    _ context: inout Context, _ failure: CommandError, _ command: (any Command.Type)?,
    _ suite: CommandSuite
  ) -> Ending {
    if case .signal = failure.kind { return failure.ending }
    // Results found before the failure come before its message.
    context.output.flushOrDrop()
    let failure = context.advised(failure)
    let asJSON = command.map { wantsJSON(context.arguments, $0) } ?? false
    context.report(failure, asJSON: asJSON)
    if !asJSON { showUsage(after: failure, of: command, suite, &context) }
    return failure.ending
  }

  /// What follows an error in the command line: the usage when a word is unknown, otherwise where it is found.
  private static func showUsage(
    after failure: CommandError, of command: (any Command.Type)?, _ suite: CommandSuite,
    _ context: inout Context
  ) {
    guard failure.kind == .usage || failure.kind == .unknownWord else { return }
    guard let command else {
      context.errors.write(overview(of: suite, withCommands: false))
      return
    }
    if failure.kind == .unknownWord {
      context.errors.write(Usage.text(of: command, hidden: false))
    } else if let words = Usage.commandWords(of: command) {
      context.hint("show the usage: \(words) -h")
    }
  }

  /// Whether errors are to be reported in JSON; the options may not have been readable.
  private static func wantsJSON(_ arguments: [String], _ command: any Command.Type) -> Bool {
    guard command.options.contains(where: { $0.name == "json" }) else { return false }
    let words = arguments.prefix { $0 != "--" && $0 != "--end-of-options" }
    return words.last { $0 == "--json" || $0 == "--no-json" } == "--json"
  }

  private static func dispatch(
    _ context: inout Context, _ program: String, _ suite: CommandSuite,
    _ command: inout (any Command.Type)?
  ) throws -> Exit {
    let slash = program.utf8.lastIndex(of: UInt8(ascii: "/"))
    let base = slash.map { String(program[program.utf8.index(after: $0)...]) } ?? program
    var name = base.hasPrefix("redo-") && base != suite.name ? String(base.dropFirst(5)) : ""
    if name.isEmpty {
      guard let exit = try leadingOptions(&context, suite) else {
        name = context.arguments.removeFirst()
        return try run(name, &context, suite, &command)
      }
      return exit
    }
    return try run(name, &context, suite, &command)
  }

  /// Runs the command with a name.
  private static func run(
    _ name: String, _ context: inout Context, _ suite: CommandSuite,
    _ command: inout (any Command.Type)?
  ) throws -> Exit {
    guard let found = suite.command(name) else {
      return unknown(name, &context, suite)
    }
    command = found
    if let below = try subcommand(of: found, &context) {
      command = below
      return try run(below, of: found, &context)
    }
    return try run(found, of: found, &context)
  }

  /// Reads the options of a command and does what they ask for.
  ///
  /// - Parameters:
  ///   - command: a command, or a subcommand.
  ///   - page: the command that the manual page is about.
  ///   - context: holds the arguments of the command.
  /// - Returns: the exit status of the command.
  /// - Throws: the error that ends the command.
  private static func run(
    _ command: any Command.Type, of page: any Command.Type, _ context: inout Context
  ) throws -> Exit {
    let specs = command.options + RepositoryOptions.options(besides: command.options)
    switch try OptionParser.parse(context.arguments, specs) {
    case .run(let options):
      try RepositoryOptions.apply(options, to: &context)
      if command.options.contains(where: { $0.isSame(as: .progress) }) {
        context.errors.showProgress(options.has(.quiet) ? false : options.flag(.progress))
      }
      try context.openArchives(for: page)
      return try command.run(&context, options)
    case .usage:
      try context.output.write(Usage.text(of: command, hidden: false))
      return .usage
    case .usageWithHidden:
      try context.output.write(Usage.text(of: command, hidden: true))
      return .usage
    case .manual: return try manual(of: page, &context)
    case .version:
      try context.output.writeLine("redo version \(version)")
      return .ok
    }
  }
}
