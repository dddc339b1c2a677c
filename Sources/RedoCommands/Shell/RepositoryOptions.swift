// The options that every command has, because every command works somewhere: -C, --redo-dir, -c.

import Glibc

/// Where a command works, and with which settings.
package struct RepositoryOptions: Sendable {
  /// The directory that relative paths start from; "." is the process's own.
  package var workingDirectory: String
  /// What `--redo-dir` names, unresolved: the store itself instead of a search upwards.
  package var redoDirectory: String?
  /// What `-c` sets, in the order given; the last one of a key holds.
  package var settings: [(key: String, value: String)] = []

  /// Options that say nothing.
  package init(workingDirectory: String = ".") {
    self.workingDirectory = workingDirectory
  }

  /// The option `-C <dir>`.
  package static let directory = OptionSpec(
    letter: "C", .required("dir"), help: "run as if started in <dir>", traits: .hidden)
  /// The option `--redo-dir=<dir>`.
  package static let redoDirectoryOption = OptionSpec(
    "redo-dir", .required("dir"), help: "use the store in <dir>", traits: .hidden)
  /// The option `-c <key>=<value>`.
  package static let setting = OptionSpec(
    letter: "c", .required("key>=<value"), help: "set a configuration value for this run",
    traits: .hidden)

  /// All of them.
  package static var options: [OptionSpec] { [directory, redoDirectoryOption, setting] }

  /// Takes in what was given; each `-C` counts from the one before, as in git.
  ///
  /// - Throws: `fatal` when a directory is not there, or a setting has no key.
  package mutating func apply(_ parsed: ParsedOptions) throws {
    for option in parsed.given {
      switch option {
      case Self.directory: try change(to: option.value ?? "")
      case Self.redoDirectoryOption:
        redoDirectory = option.isNegated ? nil : option.value.map(resolve)
      case Self.setting: try set(option.value ?? "")
      default: break
      }
    }
  }

  /// A path as the file system is to be asked for it.
  package func resolve(_ path: String) -> String {
    if workingDirectory == "." || path.utf8.first == UInt8(ascii: "/") { return path }
    return workingDirectory.hasSuffix("/") ? workingDirectory + path : "\(workingDirectory)/\(path)"
  }

  private mutating func change(to path: String) throws {
    guard !path.isEmpty else { return }
    let target = resolve(path)
    var status = stat()
    // SAFETY: fills in a plain C struct.
    var failure = unsafe stat(target, &status) == 0 ? 0 : errno
    if failure == 0, status.st_mode & S_IFMT != S_IFDIR { failure = ENOTDIR }
    guard failure == 0 else {
      throw CommandError.fatal("cannot change to '\(path)': \(ErrorNumber.text(failure))")
    }
    workingDirectory = target
  }

  private mutating func set(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let key = parts.first, !key.isEmpty else {
      throw CommandError.fatal("a setting has no key: '\(text)'")
    }
    settings.append((String(key), parts.count == 2 ? String(parts[1]) : "true"))
  }
}
