// Settings as they are printed, and their values converted to a type.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Values of the types that `--type` knows.
enum ConfigValue {
  private enum Kind: String, CaseIterable {
    case bool, int, path
  }

  /// A value in the canonical form of its type: `true`, `10240`, an absolute path.
  ///
  /// - Parameters:
  ///   - value: the value as written; `nil` for a name without `=`.
  ///   - options: names the type; without one the value stays as it is.
  ///   - context: provides the home directory.
  ///   - subject: what messages call the value.
  /// - Returns: the value.
  /// - Throws: `fatal` when the value does not fit the type, `usage` when there is no such type.
  static func converted(
    _ value: String?, _ options: ParsedOptions, _ context: borrowing Context,
    _ subject: () -> String
  ) throws -> String {
    guard let kind = try options.choice(ConfigCommand.type, as: Kind.self) else {
      return value ?? ""
    }
    let entry = Config.Entry(key: "a.b", value: value, origin: .option, line: 0)
    let config = Config(entries: [entry])
    func wrong(_ what: String) -> CommandError {
      .fatal("bad \(subject()): '\(value ?? "")' is not \(what)")
    }
    switch kind {
    case .bool:
      guard let truth = try? config.bool("a.b") else { throw wrong("true or false") }
      return truth ? "true" : "false"
    case .int:
      guard let number = try? config.int("a.b") else { throw wrong("a number") }
      return "\(number)"
    case .path:
      guard let value, !value.isEmpty else { throw wrong("a path") }
      guard value == "~" || value.hasPrefix("~/") else { return value }
      guard let home = context.environment("HOME"), !home.isEmpty else {
        throw CommandError.fatal("'\(value)' needs 'HOME', which is not set")
      }
      return home + value.dropFirst()
    }
  }
}

/// Prints settings.
struct ConfigRows {
  private let options: ParsedOptions
  private let isJSON: Bool
  private let hasNul: Bool
  private let showsOrigin: Bool
  /// Whether control characters are escaped: on a terminal, and in lists.
  private let isEscaped: Bool

  init(_ options: ParsedOptions, _ context: borrowing Context) throws {
    self.options = options
    _ = try options.only(oneOf: [.json, .nul])
    isJSON = options.has(.json)
    hasNul = options.has(.nul)
    showsOrigin = options.has(ConfigCommand.showOrigin)
    isEscaped = !hasNul && context.isTerminal(.output)
  }

  /// Writes one setting.
  ///
  /// - Parameters:
  ///   - setting: the setting.
  ///   - isNamed: whether the key precedes the value, as in a list.
  ///   - context: receives the output.
  /// - Throws: `fatal` when the value is not of the requested type.
  func write(
    _ setting: ConfigScope.Setting, isNamed: Bool, _ context: inout Context
  ) throws {
    let entry = setting.entry
    let value = try ConfigValue.converted(entry.value, options, context) {
      "value for '\(entry.key)' (\(entry.place))"
    }
    if isJSON {
      try context.output.write(Self.json(setting, value))
      try context.output.write(byte: UInt8(ascii: "\n"))
      return
    }
    let ends = hasNul || !(isNamed || isEscaped)
    func shown(_ text: String) -> String { ends ? text : Escape.text(text) }
    var text = ""
    if showsOrigin { text += shown(Self.origin(setting)) + (hasNul ? "\0" : "\t") }
    if isNamed {
      text += shown(entry.key)
      if entry.value != nil || options.has(ConfigCommand.type) { text += hasNul ? "\n" : "=" }
    }
    text += shown(value)
    try context.output.write(text)
    try context.output.write(byte: hasNul ? 0 : UInt8(ascii: "\n"))
  }

  /// Writes the keys that commands read: name, values, default, meaning and whether a store may say it, separated by
  /// tabs.
  static func writeKeys(_ hasNul: Bool, _ context: inout Context) throws {
    for key in KnownKey.all {
      let words = [key.name, key.kindText, key.standard, key.meaning, key.speaker.rawValue]
      try context.output.write(words.joined(separator: "\t"))
      try context.output.write(byte: hasNul ? 0 : UInt8(ascii: "\n"))
    }
  }

  /// Where a setting comes from, in git's words; in our own where it is not in force.
  private static func origin(_ setting: ConfigScope.Setting) -> String {
    switch setting.entry.origin {
    case .store(let path) where !setting.isInForce: "passed over:\(path)"
    case .system(let path), .user(let path), .store(let path): "file:\(path)"
    case .environment: "environment:"
    case .option: "command line:"
    }
  }

  /// `{"key":…,"line":…,"path":…,"scope":…,"value":…}`; line and path only for settings from files, and no value
  /// for a name without `=`; `"inForce":false` for one that is passed over.
  private static func json(_ setting: ConfigScope.Setting, _ value: String) -> [UInt8] {
    let entry = setting.entry
    let scope: String
    var file: String?
    switch entry.origin {
    case .system(let path): (scope, file) = ("system", path)
    case .user(let path): (scope, file) = ("user", path)
    case .store(let path): (scope, file) = ("local", path)
    case .environment: scope = "environment"
    case .option: scope = "option"
    }
    var row = JSONRow()
    if !setting.isInForce { row.add("inForce", false) }
    row.add("key", entry.key)
    if entry.line > 0 { row.add("line", entry.line) }
    if let file { row.add("path", file) }
    row.add("scope", scope)
    if entry.value != nil { row.add("value", value) }
    var line: [UInt8] = []
    row.append(to: &line)
    return line
  }
}
