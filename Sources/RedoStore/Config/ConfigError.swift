// What can be wrong with settings; every message names the place.

/// Why settings could not be used.
package enum ConfigError: Error, Hashable, Sendable {
  /// A file could not be read.
  case system(SystemError)
  /// A file breaks the grammar.
  case syntax(file: String, line: Int, rule: String)
  /// Others keep changing a file.
  case locked(file: String)
  /// The text before the `=` is not a key.
  case key(String, origin: Config.Origin)
  /// A variable of the environment is missing or wrong.
  case environment(variable: String, rule: String)
  /// A value is not of the kind that its key has.
  case value(Config.Entry, expected: String)
  /// A store has another format than this program knows, or names none (`nil`).
  case format(file: String, found: String?)
}

extension ConfigError: CustomStringConvertible {
  /// One line for people.
  package var description: String {
    switch self {
    case .system(let error): error.description
    case .syntax(let file, let line, let rule):
      "bad config line \(line) in '\(file)': \(rule)"
    case .locked(let file): "'\(file)' is locked by another process"
    case .key(let text, let origin): "'\(text)' is not a config key (\(origin))"
    case .environment(let variable, let rule): "'\(variable)' \(rule)"
    case .value(let entry, let expected):
      "bad value '\(entry.value ?? "")' for '\(entry.key)' (\(entry.place)): not \(expected)"
    case .format(let file, .some(let found)):
      "'\(file)' names the store format '\(found)', this program knows \(Config.nodesFormat) and "
        + "\(Config.groupsFormat)"
    case .format(let file, nil): "'\(file)' names no store format (core.format)"
    }
  }
}

extension Config.Origin: CustomStringConvertible {
  /// The place, for messages.
  package var description: String {
    switch self {
    case .system(let path), .user(let path), .store(let path): "'\(path)'"
    case .environment: "environment"
    case .option: "option -c"
    }
  }
}

extension Config.Entry {
  /// The place with its line, for messages.
  package var place: String { line > 0 ? "line \(line) of \(origin)" : "\(origin)" }
}
