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

  /// Whether all layers are read.
  var isEverything: Bool {
    if case .everything = self { true } else { false }
  }

  /// A setting as it is shown.
  struct Setting {
    /// What it is, and where it stands.
    let entry: Config.Entry
    /// Whether it is in force.
    var isInForce = true
  }

  /// The settings of the scope, from the weakest to the strongest.
  ///
  /// - Throws: `fatal` when they cannot be read.
  func settings(_ context: borrowing Context) throws -> [Setting] {
    switch self {
    case .everything:
      guard try context.effects.hasStore() else {
        return try Config.loadProtected(context.effects.surroundings.allConfigSources).entries
          .map { Setting(entry: $0) }
      }
      let config = try context.effects.openStore().config
      let start = config.entries.firstIndex { $0.origin.isAboveFiles } ?? config.entries.endIndex
      let weaker = config.entries[..<start].filter(\.origin.isProtected)
      return weaker.map { Setting(entry: $0) } + Self.ofStore(config)
        + config.entries[start...].map { Setting(entry: $0) }
    case .store: return Self.ofStore(try context.effects.openStore().config)
    case .system, .user: return try (file(context).read()?.entries ?? []).map { Setting(entry: $0) }
    case .file(let path):
      guard let text = try file(context).read() else {
        throw CommandError.fatal("'\(path)' is not there")
      }
      return text.entries.map { Setting(entry: $0) }
    }
  }

  /// The settings of the store's file, in its order.
  private static func ofStore(_ config: Config) -> [Setting] {
    let inForce = config.entries.filter { !$0.origin.isProtected }.map { Setting(entry: $0) }
    let passed = config.passedOver.map {
      // A key that only other programs read is theirs to understand.
      Setting(entry: $0.entry, isInForce: $0.reason == .unknown && config.standing.isOwn)
    }
    return (inForce + passed).enumerated().sorted {
      ($0.element.entry.line, $0.offset) < ($1.element.entry.line, $1.offset)
    }.map(\.element)
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
    do {
      switch self {
      case .everything, .store: try context.effects.openStore().changeSettings(body)
      case .user: try file(context).change(makesDirectories: true, body)
      case .system, .file: try file(context).change(makesDirectories: false, body)
      }
    } catch let error as ConfigError {
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
