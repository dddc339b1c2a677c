// redo remote add: gives another store a name.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo remote add <name> <url>`.
enum RemoteAdd: Command {
  static let name = "add"
  static let summary = "give another store a name"
  static var usage: [String] { ["redo-remote add <name> <url>"] }
  static var options: [OptionSpec] { [] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count == 2 else {
      throw CommandError.usage("a name and a URL are needed")
    }
    let name = try RemoteWords.name(options.arguments[0])
    let opened = try context.effects.openRepository()
    let url = try RemoteAdd.written(options.arguments[1], context)
    let taken = CommandError(
      .refused, "there is a remote '\(name.text)' already",
      hints: ["'redo remote set \(name.text) url <url>' says where it is now"])
    guard opened.store.config.entry(Remote.key(name, "url")) == nil else { throw taken }
    let remembered = try RemoteMemory(name, opened).files()
    if !remembered.isEmpty {
      context.warning("an earlier remote '\(name.text)' is remembered: \(remembered[0])")
      context.hint("it must be the same store; 'redo remote rm \(name.text)' forgets it")
    }
    context.holdSignals()
    var isTaken = false
    try ConfigScope.store.change(context) { file throws(ConfigError) in
      // Another process may have added it in the meantime.
      isTaken = !file.entries(of: Remote.key(name, "url")).isEmpty
      if !isTaken { try file.set(Remote.key(name, "url"), name: "url", to: url) }
    }
    guard !isTaken else { throw taken }
    return .ok
  }

  /// A URL as it is written to the settings; a local path becomes absolute.
  ///
  /// - Throws: `fatal` when it is not a valid URL.
  static func written(
    _ text: String, _ context: borrowing Context
  ) throws -> String {
    guard case .path(let path) = try Remote.url(text, from: context.workingDirectory),
      !text.contains("://")
    else { return text }
    return try SystemError.naming(text) {
      if let real = try? CurrentProcess.realPath(path) { return real }
      return path.hasPrefix("/") ? path : joinPath(try CurrentProcess.workingDirectory(), path)
    }
  }
}
