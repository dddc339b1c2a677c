// All commands.

internal import RedoReadCommands
package import RedoShell
internal import RedoWriteCommands

/// The commands of `redo`.
package enum CommandTable {
  /// The commands, sorted by name.
  ///
  /// These are types only: no command is set up before it is chosen.
  package static var all: [any Command.Type] {
    (ReadCommands.all + WriteCommands.all).sorted { $0.name < $1.name }
  }

  /// Finds a command by its name.
  package static func command(_ name: String) -> (any Command.Type)? {
    ReadCommands.command(name) ?? WriteCommands.command(name)
  }

  /// The suite of commands that `redo` offers.
  package static var suite: CommandSuite {
    CommandSuite("redo", all, find: command) { ReadCommands.complete(&$0) }
  }

  /// Runs this process's command line and ends the process.
  ///
  /// - Parameter name: `redo-<command>` for an executable that is one command; `nil` for the one that takes
  ///   the command from its own name or first argument.
  package static func main(as name: String? = nil) -> Never { Shell.main(as: name, suite) }
}
