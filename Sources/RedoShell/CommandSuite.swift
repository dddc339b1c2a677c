// The commands of one multi-call program: `redo`, or `redo-net`.

/// A set of commands, and the name of the one program that contains them all.
package struct CommandSuite {
  /// The name of the program.
  package let name: String
  private let list: () -> [any Command.Type]
  private let find: ((String) -> (any Command.Type)?)?
  /// Answers requests of the shells' completions, if the program does so.
  package let complete: ((inout Context) -> Exit)?

  /// Creates a suite.
  ///
  /// - Parameters:
  ///   - name: the name of the program.
  ///   - commands: its commands, in the order in which they are listed.
  ///   - find: finds a command by its name, where that is faster than asking each command for its name: a process that
  ///     does little else would spend as much time on that as on its work.
  ///   - complete: answers `__complete`.
  package init(
    _ name: String, _ commands: @escaping @autoclosure () -> [any Command.Type],
    find: ((String) -> (any Command.Type)?)? = nil, complete: ((inout Context) -> Exit)? = nil
  ) {
    self.name = name
    list = commands
    self.find = find
    self.complete = complete
  }

  /// The commands, in the order in which they are listed.
  package var commands: [any Command.Type] { list() }

  /// The command with a name; `nil` when there is none.
  func command(_ name: String) -> (any Command.Type)? {
    if let find { return find(name) }
    return list().first { $0.name == name }
  }
}
