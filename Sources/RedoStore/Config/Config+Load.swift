// Where the layers come from.

extension Config {
  /// The file of the system.
  static let systemPath = "/etc/redo/config"
  /// The most bytes of a config file; what people write is far shorter.
  static let maximumCount = 1 << 20

  /// The settings of the user: everything but the store's.
  ///
  /// - Parameters:
  ///   - environment: the variables.
  ///   - options: the texts of the options `-c`: `key=value`, or `key` for true.
  ///   - systemPath: the file of the system; `nil` for the usual place.
  /// - Returns: the settings.
  /// - Throws: what is wrong with a file, a variable or an option.
  package static func loadProtected(
    _ environment: Environment, options: [String] = [], systemPath: String? = nil
  ) throws(ConfigError) -> Config {
    var entries: [Entry] = []
    if !isSet(environment["REDO_CONFIG_NOSYSTEM"]) {
      let path = systemPath ?? Self.systemPath
      entries += try read(path, .system(path: path))
    }
    if let path = userPath(environment) { entries += try read(path, .user(path: path)) }
    entries += try fromEnvironment(environment)
    for option in options { entries.append(try fromOption(option)) }
    return Config(entries: entries)
  }

  /// These settings with those of a store below the environment and the options.
  ///
  /// - Parameter directory: the store's directory.
  /// - Returns: all settings.
  /// - Throws: what is wrong with the store's file.
  package func adding(store directory: borrowing Directory) throws(ConfigError) -> Config {
    let path = joinPath(directory.path, Layout.config)
    let bytes: [UInt8]?
    do throws(SystemError) {
      bytes = try directory.readFile(Layout.config, limit: Self.maximumCount)
    } catch {
      throw .system(error)
    }
    return adding(try ConfigParser.parse(bytes ?? [], file: path, origin: .store(path: path)))
  }

  /// These settings with those of a store below the environment and the options.
  ///
  /// - Parameter own: the settings of the store.
  /// - Returns: all settings.
  func adding(_ own: [Entry]) -> Config {
    let above = entries.firstIndex { $0.origin == .environment || $0.origin == .option }
    var all = entries
    all.insert(contentsOf: own, at: above ?? entries.endIndex)
    return Config(entries: all)
  }

  /// The user's file; `nil` when the environment names no place for it.
  static func userPath(_ environment: Environment) -> String? {
    if let base = environment.nonEmpty("XDG_CONFIG_HOME") {
      return joinPath(base, "redo/config")
    }
    return environment.nonEmpty("HOME").map { joinPath($0, ".config/redo/config") }
  }

  private static func read(_ path: String, _ origin: Origin) throws(ConfigError) -> [Entry] {
    let bytes: [UInt8]
    do throws(SystemError) {
      guard try FileStatus.at(path) != nil else { return [] }
      bytes = try File.open(path, .read, [.nonBlocking]).readAll(limit: maximumCount)
    } catch {
      throw .system(error)
    }
    return try ConfigParser.parse(bytes, file: path, origin: origin)
  }

  private static func fromEnvironment(
    _ environment: Environment
  ) throws(ConfigError) -> [Entry] {
    guard let text = environment.nonEmpty("REDO_CONFIG_COUNT") else { return [] }
    guard let count = Int(text), (0...10_000).contains(count) else {
      throw .environment(variable: "REDO_CONFIG_COUNT", rule: "is not a count")
    }
    var entries: [Entry] = []
    for index in 0..<count {
      let names = (key: "REDO_CONFIG_KEY_\(index)", value: "REDO_CONFIG_VALUE_\(index)")
      guard let text = environment[names.key] else {
        throw .environment(variable: names.key, rule: "is missing")
      }
      guard let value = environment[names.value] else {
        throw .environment(variable: names.value, rule: "is missing")
      }
      guard let key = key(text) else { throw .key(text, origin: .environment) }
      entries.append(Entry(key: key, value: value, origin: .environment, line: 0))
    }
    return entries
  }

  private static func fromOption(_ text: String) throws(ConfigError) -> Entry {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let key = key(String(first)) else {
      throw .key(text, origin: .option)
    }
    return Entry(
      key: key, value: parts.count > 1 ? String(parts[1]) : nil, origin: .option, line: 0)
  }

  private static func isSet(_ value: String?) -> Bool {
    !["", "0", "false", "no", "off"].contains(value?.lowercased() ?? "")
  }
}
