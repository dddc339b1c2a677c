// The passphrase of an archive: the first line of a file, or asked for on the terminal. It never stands in
// the arguments or the environment, where others can read it.

internal import RedoCrypto
internal import RedoStore

/// Where the passphrase of an archive comes from.
struct SealPassphrase {
  static let file = OptionSpec(
    "passphrase-file", .required("file"), help: "the passphrase is the first line of <file>",
    traits: .notNegatable)
  static let asked = OptionSpec("passphrase", help: "ask for a passphrase on the terminal")

  /// The most bytes of a passphrase.
  private static let byteLimit = 1024

  private let path: String?
  private let isAsked: Bool

  /// None.
  init() {
    path = nil
    isAsked = false
  }

  /// What the options say.
  ///
  /// - Throws: `usage` when they name two.
  init(_ options: ParsedOptions) throws {
    _ = try options.only(oneOf: [Self.file, Self.asked])
    path = options.value(Self.file)
    isAsked = options.has(Self.asked)
    if let path, path.isEmpty {
      throw CommandError.usage("'--passphrase-file' needs the name of a file")
    }
  }

  /// Whether the options name one.
  var isGiven: Bool { path != nil || isAsked }

  /// A passphrase for a new archive; a person is asked twice.
  ///
  /// - Returns: `nil` when the options name none.
  /// - Throws: `fatal` when it cannot be read, is empty, or was not repeated.
  func new(_ context: inout Context) throws -> SecretBytes? {
    if let path { return try Self.firstLine(of: path, context) }
    guard isAsked else { return nil }
    let first = try Self.ask("new passphrase of the archive: ", &context)
    let second = try Self.ask("the same again: ", &context)
    guard first.isEqual(to: second) else { throw CommandError.fatal("the passphrases differ") }
    return first
  }

  /// The passphrase of an archive that is there.
  ///
  /// - Returns: `nil` when the options name none.
  /// - Throws: `fatal` when it cannot be read, or is empty.
  func known(_ path: String, _ context: inout Context) throws -> SecretBytes? {
    if let file = self.path { return try Self.firstLine(of: file, context) }
    guard isAsked else { return nil }
    return try Self.ask("passphrase of '\(Escape.text(path))': ", &context)
  }

  /// The passphrase of an archive that nothing else opens; `nil` when there is no terminal.
  static func last(_ path: String, _ context: inout Context) throws -> SecretBytes? {
    context.holdSignals()
    return try SecretPrompt.ask("passphrase of '\(Escape.text(path))': ", limit: byteLimit)
  }

  private static func ask(
    _ question: String, _ context: inout Context
  ) throws -> SecretBytes {
    context.holdSignals()
    guard let answer = try SecretPrompt.ask(question, limit: byteLimit) else {
      throw CommandError.fatal(
        "there is no terminal to ask for a passphrase",
        hints: ["'--passphrase-file' names a file whose first line it is"])
    }
    return answer
  }

  private static func firstLine(
    of path: String, _ context: borrowing Context
  ) throws -> SecretBytes {
    let line: SecretBytes?
    if path == "-" {
      line = try SecretInput.line(
        of: context.input, limit: byteLimit, name: InputFile.standardInputName)
    } else {
      let file = try InputFile.open(path, at: context.resolve(path))
      line = try SecretInput.line(of: file.raw, limit: byteLimit, name: path)
      extendLifetime(file)
    }
    guard let line else { throw CommandError.fatal("the first line of '\(path)' is empty") }
    return line
  }
}
