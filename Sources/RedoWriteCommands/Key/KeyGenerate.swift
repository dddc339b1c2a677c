// redo key generate, rotate: makes a new key pair. It is a new user id (nothing can bring a lost key
// back), so the consequences are stated.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo key generate [--passphrase] [--weak-passphrase] [-f]`.
enum KeyGenerate: Command {
  static let name = "generate"
  static let summary = "make a key pair and print its user id"
  static var usage: [String] {
    ["redo-key generate [--passphrase] [--passphrase-fd=<n>] [--weak-passphrase] [-f]"]
  }
  static var options: [OptionSpec] {
    [
      KeyWords.passphrase, PassphraseSource.descriptorOption, PassphraseRule.option, KeyWords.force,
    ]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else { throw CommandError.usage("there is nothing to name") }
    let opened = try context.effects.openRepository()
    let key = try opened.generateKey(
      try KeyWrapping(options), isForced: options.has(KeyWords.force), context.effects)
    return try key.show(&context)
  }
}

/// `redo key rotate [--passphrase]`.
enum KeyRotate: Command {
  static let name = "rotate"
  static let summary = "make a new key pair and retire the old one"
  static var usage: [String] {
    ["redo-key rotate [--[no-]passphrase] [--passphrase-fd=<n>] [--weak-passphrase]"]
  }
  static var options: [OptionSpec] {
    [KeyWords.passphrase, PassphraseSource.descriptorOption, PassphraseRule.option]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else { throw CommandError.usage("there is nothing to name") }
    let opened = try context.effects.openRepository()
    let rotation = try opened.rotateKey(try KeyWrapping(options), context.effects)
    let exit = try rotation.installed.show(&context)
    if let (old, new) = rotation.untrusted {
      let (old, new) = (Hex.text(old.bytes.span), Hex.text(new.bytes.span))
      try context.output.flush()
      context.hint("the new key is not trusted: 'redo trust add --prove --same-as=\(old) \(new)'")
    }
    return exit
  }
}

extension KeyWrapping {
  /// Reads the options.
  ///
  /// - Throws: `usage` when the descriptor is not a number.
  init(_ options: ParsedOptions) throws {
    self.init(
      isWanted: options.flag(KeyWords.passphrase), source: try PassphraseSource(options))
  }
}

extension InstalledKey {
  /// Prints the user id, and says what it means that the id is new.
  func show(_ context: inout Context) throws -> Exit {
    try context.output.writeLine(user.text)
    try context.output.flush()
    switch novelty {
    case .none: break
    case .after(let old):
      context.warning(
        "'\(user.text)' is a new user id: nodes of '\(old.text)' stay what they are, and "
          + "still verify")
    case .amongOthers:
      context.warning(
        "'\(user.text)' is a new user id: nodes of others, and of a lost key, stay what they are, "
          + "and still verify")
    }
    if let precedence {
      // A command is named by its setting only: it is not known whether its output is a key.
      let place =
        if case .command(let setting) = precedence { "'\(setting)'" } else { precedence.words }
      context.warning("\(place) comes before the keyring: this key does not sign")
    }
    return .ok
  }
}
