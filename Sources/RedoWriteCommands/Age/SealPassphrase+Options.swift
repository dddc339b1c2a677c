// The options that say where the passphrase of an archive comes from.

internal import RedoRepository
internal import RedoShell

extension SealPassphrase {
  static let file = OptionSpec(
    "passphrase-file", .required("file"), help: "the passphrase is the first line of <file>",
    traits: .notNegatable)
  static let asked = OptionSpec("passphrase", help: "ask for a passphrase on the terminal")

  /// Reads the options.
  ///
  /// - Throws: `usage` when they name two sources.
  init(_ options: ParsedOptions) throws {
    _ = try options.only(oneOf: [Self.file, Self.asked])
    let path = options.value(Self.file)
    if let path, path.isEmpty {
      throw CommandError.usage("'--passphrase-file' needs the name of a file")
    }
    self.init(path: path, isAsked: options.has(Self.asked), rule: PassphraseRule(options))
  }
}
