// redo remote: which other stores there are, and what is remembered about them. Each subcommand is a command
// of its own.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo remote [<subcommand>]`.
enum RemoteCommand: CommandGroup {
  static let name = "remote"
  static let summary = "name other stores, look at them, and forget them"
  static var standard: (any Command.Type)? { RemoteList.self }
  static var subcommands: [any Command.Type] {
    [
      RemoteAdd.self, RemoteList.self, RemoteShow.self, RemoteSet.self, RemoteRemove.self,
      RemoteCheck.self, RemoteCapabilities.self,
    ]
  }
}

/// Parts shared by the subcommands.
enum RemoteWords {
  static let verbose = OptionSpec("verbose", letter: "v", help: "show where each is")

  /// A word as the name of a remote.
  ///
  /// - Throws: `fatal` when it is not a valid name.
  static func name(_ text: String) throws -> RemoteName {
    guard let name = RemoteName(text) else {
      throw CommandError.fatal("'\(text)' is no name of a remote", hints: [RemoteName.rule])
    }
    return name
  }

  /// A remote that the settings name.
  ///
  /// - Throws: `absent` when they do not name it, `fatal` when its name or URL is invalid.
  static func known(
    _ text: String, _ opened: borrowing StoreDirectory, _ context: borrowing Context
  ) throws -> Remote {
    let name = try name(text)
    guard opened.config.entry(Remote.key(name, "url")) != nil else {
      throw absent(text, opened.config)
    }
    return try Remote.named(text, opened, context.effects)
  }

  /// The error for a name that no remote has.
  static func absent(_ text: String, _ config: Config) -> CommandError {
    CommandError(
      .absent, "there is no remote '\(text)'",
      hints: Suggestion.hints(for: text, among: Remote.names(config).map(\.text)))
  }
}
