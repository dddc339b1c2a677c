// The commands of one multi-call program: `redo`, or `redo-net`.

/// Some commands, and the name under which one program is all of them.
package struct CommandSuite {
  /// The name of the program.
  package let name: String
  private let list: () -> [any Command.Type]
  private let find: ((String) -> (any Command.Type)?)?
  /// Answers the shells' completions, if the program does.
  package let complete: ((inout Context) -> Exit)?

  /// A suite.
  ///
  /// - Parameters:
  ///   - name: the name of the program.
  ///   - commands: its commands, in the order in which they are listed.
  ///   - find: the command of a name, where that is quicker than to ask each for its own: a process that
  ///     does little else spends as much time on that as on its work.
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

  /// The command of a name; `nil` when there is none.
  func command(_ name: String) -> (any Command.Type)? {
    if let find { return find(name) }
    return list().first { $0.name == name }
  }
}
