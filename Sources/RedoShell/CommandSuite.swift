// The commands of one multi-call program: `redo`, or `redo-net`.

package import RedoRepository

/// Some commands, and the name under which one program is all of them.
package struct CommandSuite {
  /// The name of the program.
  package let name: String
  /// The commands, in the order in which they are listed.
  package let commands: [any Command.Type]
  /// Answers the shells' completions, if the program does.
  package let complete: ((inout Context) -> Exit)?

  /// A suite.
  ///
  /// - Parameters:
  ///   - name: the name of the program.
  ///   - commands: its commands, in the order in which they are listed.
  ///   - complete: answers `__complete`.
  package init(
    _ name: String, _ commands: [any Command.Type], complete: ((inout Context) -> Exit)? = nil
  ) {
    self.name = name
    self.commands = commands
    self.complete = complete
  }

  /// The command of a name; `nil` when there is none.
  package func command(_ name: String) -> (any Command.Type)? { commands.first { $0.name == name } }
}
