// The options that mean the same in every command that has them, each worded once. The manual page of a command
// says what is special there.

internal import RedoRepository

/// Options of many commands: `[.json, .nul]`, `options.has(.json)`.
extension OptionSpec {
  // MARK: Output

  /// Rows for programs: each ends with NUL, and texts in them are unescaped.
  package static let nul = OptionSpec(letter: "z", help: "end each row with NUL")
  /// The same, where lines of standard input end with NUL, too.
  package static let nulBoth = OptionSpec(
    letter: "z", help: "end each row, and each line of --stdin, with NUL")
  /// Only the input is separated by NUL.
  package static let nulInput = OptionSpec(
    letter: "z", help: "end each name or field of standard input with NUL")
  /// Rows as JSON (RFC 8785).
  package static let json = OptionSpec("json", help: "print canonical JSON, an object a line")
  /// The format of each row.
  package static let format = OptionSpec(
    "format", .required("format"), help: "print each in this format, a line each")
  /// The most rows; `-20` is short for `-n 20`.
  package static let maxCount = OptionSpec(
    "max-count", letter: "n", .required("n"), help: "show at most <n> rows", traits: .digits)

  /// The file for a signed statement.
  package static let statementFile = OptionSpec(
    "output", letter: "o", .required("file"), help: "write it to a file, and print the file's name")

  // MARK: Messages

  /// Print no messages except errors.
  package static let quiet = OptionSpec("quiet", letter: "q", help: "say nothing but errors")
  /// Messages about progress.
  package static let progress = OptionSpec(
    "progress", help: "say how far it has come; the default on a terminal")

  // MARK: Effects

  /// Do everything except the change itself.
  package static let dryRun = OptionSpec(
    "dry-run", letter: "n", help: "print what would be done, and change nothing")
  /// The same, where `-n` is a count.
  package static let longDryRun = OptionSpec("dry-run", help: dryRun.help)

  // MARK: Selection

  /// The profile by which nodes are judged.
  package static let profile = OptionSpec(
    "profile", .required("profile"), help: "the rules for nodes: v1 (default), sync or genesis")
  /// Accept a point in time before all nodes.
  package static let allowEmpty = OptionSpec(
    "allow-empty", help: "take a point that no node precedes")
  /// A point in time.
  package static let asOf = OptionSpec(
    "as-of", .required("point"), help: "the state at a time, 'sha256:<id>' or 'lamport:<n>'")
  /// Which nodes count at a point in time.
  package static let policy = OptionSpec(
    "policy", .required("policy"), help: "which nodes count: closed (default), wall or received")
  /// The same, where nodes without their parents cannot be used.
  package static let closedPolicy = OptionSpec(
    "policy", .required("policy"), help: "which nodes count: closed (default) or received")
  /// Fields of schemas that are hidden, too.
  package static let allFields = OptionSpec("all-fields", help: "also fields that are hidden")
  /// One of the tasks.
  package static let task = OptionSpec(
    "task", .required("task"), help: "only this task, by its id or the beginning of it")
  /// All nodes, without naming any.
  package static let allNodes = OptionSpec("all", help: "check all nodes of the store")
  /// Ids from standard input, one per line.
  package static let stdinIDs = OptionSpec("stdin", help: "read ids from standard input")
}

extension ParsedOptions {
  /// The byte that ends a row: NUL with `-z`, otherwise a line feed.
  package var rowEnd: UInt8 { has(.nul) ? 0 : UInt8(ascii: "\n") }
}
