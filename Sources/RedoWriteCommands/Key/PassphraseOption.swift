// The options that say where the passphrase of a key is read from, and what a new one may be.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

extension PassphraseSource {
  /// The option `--passphrase-fd=<n>`.
  static let descriptorOption = OptionSpec(
    "passphrase-fd", .required("n"), help: "read the passphrase from this descriptor",
    traits: .notNegatable)

  /// Reads the source from the options.
  ///
  /// - Throws: `usage` when the descriptor is not a number.
  init(_ options: ParsedOptions) throws {
    let range = 0...Int(Int32.max)
    self.init(
      descriptor: try options.integer(Self.descriptorOption, in: range).map { Int32($0) },
      rule: PassphraseRule(options))
  }
}

extension PassphraseRule {
  /// The option `--weak-passphrase`.
  static let option = OptionSpec(
    "weak-passphrase", help: "take a new passphrase of fewer than \(least) characters too",
    traits: .notNegatable)

  /// Reads the options.
  init(_ options: ParsedOptions) { self = options.has(Self.option) ? .any : .measured }
}
