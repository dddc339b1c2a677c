// The options that every command has, because every command works somewhere and says something: -C, --redo-dir, --archive, -c, -q.

import Glibc
package import RedoRepository
internal import RedoStore

/// Where a command works, and with which settings.
package enum RepositoryOptions {
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

  /// The option `--archive=<file>`.
  package static let archive = OptionSpec(
    "archive", .required("file"), help: "read archives in place of a store; may be repeated",
    traits: .hidden)
  /// The option `-q`, for commands that have no special meaning for it.
  package static let quiet = OptionSpec(
    "quiet", letter: "q", help: OptionSpec.quiet.help, traits: .hidden)

  /// All of these options.
  package static var options: [OptionSpec] {
    [directory, redoDirectoryOption, archive, setting, quiet]
  }

  /// Those of them that a command does not have itself.
  ///
  /// - Parameter own: the options of the command.
  /// - Returns: the others.
  package static func options(besides own: [OptionSpec]) -> [OptionSpec] {
    options.filter { option in
      !own.contains {
        $0.letter == option.letter && $0.letter != nil
          || $0.name == option.name && !$0.name.isEmpty
      }
    }
  }

  /// Applies the given options to a run.
  ///
  /// - Throws: as the other form.
  static func apply(_ parsed: ParsedOptions, to context: inout Context) throws {
    try apply(parsed, to: &context.effects.surroundings)
    // A command that has the option itself says what it leaves out.
    let isQuiet = parsed.given.contains { given in
      given.spec.traits.contains(.hidden) && !given.isNegated && quiet ~= given
    }
    if isQuiet { context.errors.silence() }
    for path in parsed.values(archive) { context.archives.append(context.resolve(path)) }
  }

  /// Applies the given options; each `-C` is relative to the one before, as in git.
  ///
  /// - Throws: `fatal` when a directory does not exist, or a setting has no key.
  package static func apply(
    _ parsed: ParsedOptions, to surroundings: inout Surroundings
  ) throws {
    for option in parsed.given {
      switch option {
      case directory: try change(to: option.value ?? "", &surroundings)
      case redoDirectoryOption:
        surroundings.redoDirectory =
          option.isNegated ? nil : option.value.map { surroundings.resolve($0) }
      case setting: try set(option.value ?? "", &surroundings)
      default: break
      }
    }
  }

  private static func change(
    to path: String, _ surroundings: inout Surroundings
  ) throws {
    guard !path.isEmpty else { return }
    let target = surroundings.resolve(path)
    var status = stat()
    // SAFETY: fills in a plain C struct.
    var failure = unsafe stat(target, &status) == 0 ? 0 : errno
    if failure == 0, status.st_mode & S_IFMT != S_IFDIR { failure = ENOTDIR }
    guard failure == 0 else {
      throw CommandError.fatal("cannot change to '\(path)': \(SystemError.reason(of: failure))")
    }
    surroundings.workingDirectory = target
  }

  private static func set(_ text: String, _ surroundings: inout Surroundings) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let key = parts.first, !key.isEmpty else {
      throw CommandError.fatal("a setting has no key: '\(text)'")
    }
    surroundings.settings.append((String(key), parts.count == 2 ? String(parts[1]) : "true"))
  }
}
