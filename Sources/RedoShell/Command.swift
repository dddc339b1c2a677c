// The interface between a command and the shell around it.

/// One command of `redo`.
///
/// A command is only a namespace: it keeps no state between runs.
package protocol Command {
  /// The name after `redo-`.
  static var name: String { get }
  /// One line for `redo help`, in lower case, without a full stop.
  static var summary: String { get }
  /// The ways to call it, each beginning with `redo-<name>`.
  static var usage: [String] { get }
  /// The options in the order of the usage, without those that every command has.
  static var options: [OptionSpec] { get }
  /// The words that may follow the name, each of them a command with options of its own, as in git worktree.
  ///
  /// If there are any, `run` is only called when none of them was given.
  static var subcommands: [any Command.Type] { get }
  /// Whether it can work on archives in place of a store, because it only reads.
  static var readsArchives: Bool { get }
  /// Does what the command line asks for.
  ///
  /// - Throws: the error that ends the command; the shell prints its message.
  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit
}

extension Command {
  /// Most commands have none.
  package static var subcommands: [any Command.Type] { [] }
  /// Most commands need a store.
  package static var readsArchives: Bool { false }
}
