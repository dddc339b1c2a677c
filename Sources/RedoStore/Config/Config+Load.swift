// Where the layers come from.

extension Config {
  /// The file of the system.
  package static let systemPath = "/etc/redo/config"
  /// The most bytes of a config file; what people write is far shorter.
  static let maximumCount = 1 << 20

  /// The settings of the user: everything but the store's.
  ///
  /// - Parameter sources: where they come from.
  /// - Returns: the settings.
  /// - Throws: what is wrong with a file, a variable or an option.
  package static func loadProtected(_ sources: ConfigSources) throws(ConfigError) -> Config {
    var entries: [Entry] = []
    if let path = sources.systemPath { entries += try read(path, .system(path: path)) }
    if let path = sources.userPath { entries += try read(path, .user(path: path)) }
    for setting in try sources.environment.get() {
      guard let key = key(setting.key) else { throw .key(setting.key, origin: .environment) }
      entries.append(Entry(key: key, value: setting.value, origin: .environment, line: 0))
    }
    for option in sources.options { entries.append(try fromOption(option)) }
    return Config(entries: entries)
  }

  /// What the file of a store says.
  ///
  /// - Parameter directory: the store's directory.
  /// - Returns: its settings, whoever they are from.
  /// - Throws: what is wrong with the store's file.
  static func entries(of directory: borrowing Directory) throws(ConfigError) -> [Entry] {
    let path = joinPath(directory.path, Layout.config)
    let bytes: [UInt8]?
    do throws(SystemError) {
      bytes = try directory.readFile(Layout.config, limit: Self.maximumCount)
    } catch {
      throw .system(error)
    }
    return try ConfigParser.parse(bytes ?? [], file: path, origin: .store(path: path))
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

  private static func fromOption(_ text: String) throws(ConfigError) -> Entry {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let key = key(String(first)) else {
      throw .key(text, origin: .option)
    }
    return Entry(
      key: key, value: parts.count > 1 ? String(parts[1]) : nil, origin: .option, line: 0)
  }
}
