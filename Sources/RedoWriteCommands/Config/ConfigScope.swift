// Which of the settings files is meant: one that an option names, or all of them.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Where settings are read and changed.
enum ConfigScope {
  /// Every layer; changes go to the store's file.
  case everything
  /// The system's file.
  case system
  /// The user's file.
  case user
  /// The store's own file.
  case store
  /// Any file.
  case file(String)

  private static let systemOption = OptionSpec("system", help: "the file of the system")
  private static let userOption = OptionSpec("user", help: "your own file")
  private static let globalOption = OptionSpec("global", help: "the same as --user, as in git")
  private static let localOption = OptionSpec("local", help: "the store's own file")
  private static let fileOption = OptionSpec(
    "file", letter: "f", .required("file"), help: "this file")
  /// The options that name a scope.
  static var options: [OptionSpec] {
    [systemOption, userOption, globalOption, localOption, fileOption]
  }

  /// The scope that the options name.
  ///
  /// - Throws: `usage` when they name two.
  init(_ options: ParsedOptions, _ context: borrowing Context) throws {
    switch try options.only(oneOf: Self.options) {
    case nil: self = .everything
    case .some(let option) where option.isSame(as: Self.systemOption): self = .system
    case .some(let option) where option.isSame(as: Self.localOption): self = .store
    case .some(let option) where option.isSame(as: Self.fileOption):
      self = .file(context.resolve(options.value(Self.fileOption) ?? ""))
    case .some: self = .user
    }
  }

  /// Whether changes go to a store's own file.
  var isStore: Bool {
    switch self {
    case .everything, .store: true
    case .system, .user, .file: false
    }
  }

  /// The settings of the scope, from the weakest to the strongest.
  ///
  /// - Throws: `fatal` when they cannot be read.
  func entries(_ context: borrowing Context) throws -> [Config.Entry] {
    if case .everything = self, try context.effects.hasStore() {
      return try context.effects.openStore().config.entries
    }
    switch self {
    case .everything:
      return try Config.loadProtected(context.effects.surroundings.allConfigSources).entries
    case .system, .user, .store, .file: break
    }
    let file = try file(context)
    let text = try file.read()
    if text == nil, case .file(let path) = self {
      throw CommandError.fatal("'\(path)' is not there")
    }
    return text?.entries ?? []
  }

  /// How often a key occurs in the file of the scope.
  func count(of key: String, _ context: borrowing Context) throws -> Int {
    let file = try file(context)
    return try file.read()?.entries(of: key).count ?? 0
  }

  /// Changes the file of the scope.
  ///
  /// - Throws: `temporary` when others keep changing it, `fatal` for anything else.
  func change(
    _ context: borrowing Context, _ body: (inout ConfigText) throws(ConfigError) -> Void
  ) throws {
    let file = try file(context)
    var makesDirectories = false
    if case .user = self { makesDirectories = true }
    do throws(ConfigError) {
      try file.change(makesDirectories: makesDirectories, body)
    } catch {
      if case .locked = error { throw CommandError(.temporary, error.description) }
      throw CommandError.fatal(error.description)
    }
  }

  /// The file that changes are written to.
  func file(_ context: borrowing Context) throws -> ConfigFile {
    switch self {
    case .everything, .store: return .store(try context.effects.openStore().path)
    case .system: return .system
    case .user:
      guard let path = context.effects.surroundings.usual.configSources.userPath else {
        throw CommandError.fatal("neither 'XDG_CONFIG_HOME' nor 'HOME' is set")
      }
      return .user(path)
    case .file(let path): return ConfigFile(path: path, origin: .user(path: path))
    }
  }
}
