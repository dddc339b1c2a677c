// What a command is, as the shell around it sees it.

/// One command of `redo`.
///
/// A command is a namespace: it keeps nothing between runs.
package protocol Command {
  /// The name after `redo-`.
  static var name: String { get }
  /// One line for `redo help`, lower case, without a full stop.
  static var summary: String { get }
  /// The ways to call it, each beginning with `redo-<name>`.
  static var usage: [String] { get }
  /// The options, in the order of the listing, without those that every command has.
  static var options: [OptionSpec] { get }
  /// The words that may follow the name, each a command with options of its own, as in git worktree.
  ///
  /// Where there are any, `run` is only called when no word was given.
  static var subcommands: [any Command.Type] { get }
  /// Does what the command line asks.
  ///
  /// - Throws: what ends the command; its message is printed by the shell.
  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit
}

extension Command {
  /// Most commands have none.
  package static var subcommands: [any Command.Type] { [] }
}
