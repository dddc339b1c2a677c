// The options that mean the same in every command that has them, with one wording each. What is peculiar to
// a command, its manual page says.

internal import RedoRepository

/// Options of many commands: `[.json, .nul]`, `options.has(.json)`.
extension OptionSpec {
  // MARK: What is printed

  /// Rows for programs: a NUL ends each, and texts in them stand as they are.
  package static let nul = OptionSpec(letter: "z", help: "end each row with NUL")
  /// The same, where lines of standard input end so, too.
  package static let nulBoth = OptionSpec(
    letter: "z", help: "end each row, and each line of --stdin, with NUL")
  /// Only what is read ends so.
  package static let nulInput = OptionSpec(
    letter: "z", help: "end each name or field of standard input with NUL")
  /// Rows as JSON (RFC 8785).
  package static let json = OptionSpec("json", help: "print canonical JSON, an object a line")
  /// What each row shows.
  package static let format = OptionSpec(
    "format", .required("format"), help: "print each in this format, a line each")
  /// The most rows; `-20` is short for it.
  package static let maxCount = OptionSpec(
    "max-count", letter: "n", .required("n"), help: "show at most <n> rows", traits: .digits)

  /// Where a signed statement goes.
  package static let statementFile = OptionSpec(
    "output", letter: "o", .required("file"), help: "write it to a file, and print the file's name")

  // MARK: What is said

  /// No messages but errors.
  package static let quiet = OptionSpec("quiet", letter: "q", help: "say nothing but errors")
  /// Messages about how far it has come.
  package static let progress = OptionSpec(
    "progress", help: "say how far it has come; the default on a terminal")

  // MARK: What is done

  /// Everything but the change itself.
  package static let dryRun = OptionSpec(
    "dry-run", letter: "n", help: "print what would be done, and change nothing")
  /// The same, where `-n` is a count.
  package static let longDryRun = OptionSpec("dry-run", help: dryRun.help)

  // MARK: What is taken

  /// The profile by which nodes are judged.
  package static let profile = OptionSpec(
    "profile", .required("profile"), help: "the rules for nodes: v1 (default), sync or genesis")
  /// A point in time before all nodes.
  package static let allowEmpty = OptionSpec(
    "allow-empty", help: "take a point that no node precedes")
  /// A point in time.
  package static let asOf = OptionSpec(
    "as-of", .required("point"), help: "the state at a time, 'sha256:<id>' or 'lamport:<n>'")
  /// Which nodes count at a point in time.
  package static let policy = OptionSpec(
    "policy", .required("policy"), help: "which nodes count: closed (default), wall or received")
  /// The same, where nodes without their parents are of no use.
  package static let closedPolicy = OptionSpec(
    "policy", .required("policy"), help: "which nodes count: closed (default) or received")
  /// One of the tasks.
  package static let task = OptionSpec(
    "task", .required("task"), help: "only this task, by its id or the beginning of it")
  /// All nodes, named by nobody.
  package static let allNodes = OptionSpec("all", help: "check all nodes of the store")
  /// Ids, a line each.
  package static let stdinIDs = OptionSpec("stdin", help: "read ids from standard input")
}

extension ParsedOptions {
  /// What ends a row: NUL under `-z`, or a line feed.
  package var rowEnd: UInt8 { has(.nul) ? 0 : UInt8(ascii: "\n") }
}
