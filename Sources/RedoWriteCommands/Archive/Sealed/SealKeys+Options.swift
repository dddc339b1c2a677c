// The options that say what opens a sealed archive.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

extension SealKeys {
  static let identity = OptionSpec(
    "identity", letter: "i", .required("key"),
    help: "decrypt with the private key in a slot or file")
  /// The options of commands that read archives.
  static var options: [OptionSpec] {
    [
      identity, SealPassphrase.file, SealPassphrase.asked, PassphraseSource.descriptorOption,
    ]
  }

  /// Reads the options.
  ///
  /// - Throws: `usage`.
  init(_ options: ParsedOptions) throws {
    self.init(
      identities: options.values(Self.identity), passphrase: try SealPassphrase(options),
      keyPassphrase: try PassphraseSource(options))
  }
}
