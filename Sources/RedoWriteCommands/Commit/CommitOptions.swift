// The options of every command that records changes: who signs, at what time, and under which rules.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// The options for recording changes.
enum CommitOptions {
  static let date = OptionSpec(
    "date", .required("time"), help: "the wall time to write; now unless given")
  static let unsigned = OptionSpec("unsigned", help: "do not sign")
  static let message = OptionSpec(
    "message", letter: "m", .required("reason"), help: "the reason, for the reflog")

  /// The options that say how nodes are recorded.
  static let recording = [
    date, unsigned, .profile, PassphraseSource.descriptorOption, message, .dryRun, .quiet,
  ]
  /// The options that say how new nodes are printed.
  static let printing: [OptionSpec] = [.format, .json, .nul]

  /// Reads how nodes are to be recorded.
  ///
  /// - Throws: `usage` or `fatal` for an invalid value.
  static func writing(
    _ options: ParsedOptions, _ context: borrowing Context
  ) throws -> CommitWriter.Options {
    var writing = CommitWriter.Options()
    writing.profile = try options.choice(.profile, as: Profile.self) ?? .v1
    writing.isUnsigned = options.has(unsigned)
    writing.isDryRun = options.has(.dryRun)
    writing.isQuiet = options.has(.quiet)
    writing.message = options.value(message)
    writing.wall = try wall(date, options, context)
    writing.passphrase = try PassphraseSource(options)
    return writing
  }

  /// The wall time that an option or the environment variable names.
  static func wall(
    _ option: OptionSpec, _ options: ParsedOptions, _ context: borrowing Context
  ) throws -> WallTime? {
    if let time = try options.time(option, context) { return time }
    guard let text = context.environment("REDO_AUTHOR_DATE"), !text.isEmpty else {
      return nil
    }
    guard let moment = Moment(instant: text, now: context.clock()) else {
      throw CommandError.fatal(
        "'REDO_AUTHOR_DATE' is not a time such as 2025-01-15T10:30:00.000Z: '\(text)'")
    }
    return WallTime(milliseconds: moment.milliseconds)
  }
}

/// How a command prints the nodes that it has made.
struct NewNodeStyle {
  private enum Form {
    case format(Format<ObjectAtom>)
    case json
  }

  private let form: Form
  private let end: UInt8

  /// Reads the options.
  ///
  /// - Throws: `fatal` for an invalid format, `usage` when two forms are given.
  init(_ options: ParsedOptions) throws {
    end = options.rowEnd
    let mode = try options.only(oneOf: [.format, .json])
    if let mode, mode.isSame(as: .json) {
      form = .json
    } else {
      form = .format(
        try Format(
          options.value(.format) ?? "%(id)", atoms: ObjectAtom.ofObjects))
    }
  }

  /// Prints a new node.
  func show(_ node: Node, _ context: inout Context) throws {
    let object = StoredObject(node)
    var line: [UInt8] = []
    switch form {
    case .json: object.appendContents(to: &line)
    case .format(let format):
      let row = ObjectRow(object: object, node: node, isRaw: end == 0)
      format.append(to: &line) { atom, output in row.append(atom, to: &output) }
    }
    line.append(end)
    try context.output.write(line)
  }
}
