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
  /// - Parameters:
  ///   - options: the options.
  ///   - inputs: what is read besides, by name.
  ///   - asks: whether a person is asked for the passphrase of a file that nothing else opens.
  /// - Throws: `usage`, when standard input is to be several things, too.
  init(_ options: ParsedOptions, reading inputs: [String] = [], asks: Bool = true) throws {
    try Self.requireOneInput(
      inputs + options.values(Self.identity) + options.values(SealPassphrase.file))
    self.init(
      identities: options.values(Self.identity), passphrase: try SealPassphrase(options),
      keyPassphrase: try PassphraseSource(options), asks: asks)
  }

  /// Makes sure that standard input is one thing only.
  ///
  /// - Throws: `usage` when it is named more than once.
  static func requireOneInput(_ names: [String]) throws {
    guard names.count(where: { $0 == InputFile.standardInputSign }) <= 1 else {
      throw CommandError.usage(
        "standard input can be one of them only: what is read, a key or a passphrase")
    }
  }
}
