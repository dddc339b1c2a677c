// Messages about private keys and passphrases that cannot be obtained.

package import RedoRepository
internal import RedoStore

extension SecretOrigin {
  /// The name in messages.
  package var words: String {
    switch self {
    case .credential(let name): "the credential '\(name)'"
    case .command(let setting): "the output of '\(setting)'"
    case .descriptor(let number): "'descriptor \(number)'"
    }
  }
}

extension KeyFault: WordedFault {
  private static let passphraseHints = [
    "'--passphrase-fd' names a descriptor to read it from, 'key.passphraseCommand' a command"
  ]

  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .noKey: .fatal("there is no key", hints: ["'redo key generate' makes one"])
    case .noPrivateKey:
      .fatal(
        "there is no private key to sign with", hints: ["'redo key generate' makes one"])
    case .notPrivateKey(let origin, let fault):
      .fatal("\(origin.words) is no private key: \(fault.reason)", code: "KEYCHAIN_003")
    case .unreadableCredential(let error): .fatal(error.description, code: "KEYCHAIN_002")
    case .badCredential(let name):
      .fatal("the credential '\(name)' is empty, or no regular file", code: "KEYCHAIN_003")
    case .unstartableCommand(let setting, let error):
      .fatal("'\(setting)' cannot be run: \(error.reason)", code: "KEYCHAIN_002")
    case .failedCommand(let setting, let status):
      .fatal("'\(setting)' ends with status \(status)", code: "KEYCHAIN_002")
    case .silentCommand(let setting): .fatal("'\(setting)' prints nothing", code: "KEYCHAIN_002")
    case .nobodyToAsk:
      .fatal(
        "the key is wrapped, and there is no terminal to ask for its passphrase",
        hints: Self.passphraseHints)
    case .nobodyToAskForNew:
      .fatal("there is no terminal to ask for a passphrase", hints: Self.passphraseHints)
    case .refusedPassphrase(let user):
      CommandError(.access, "the passphrase does not open the key of user '\(user)'")
    case .differentPassphrases: .fatal("the passphrases differ")
    case .emptyPassphrase(let origin):
      switch origin {
      case .descriptor: .fatal("the passphrase on \(origin.words) is empty")
      case .credential, .command: .fatal("the passphrase in \(origin.words) is empty")
      }
    case .noMemory(let needed):
      .fatal("there is not enough memory for the passphrase of a key: it takes \(needed) KiB")
    }
  }
}

extension PassphraseFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .tooShort(let least):
      .fatal(
        "the passphrase has fewer than \(least) characters",
        hints: [
          "a few words that nobody else would put together are easy to remember",
          "'--weak-passphrase' takes it all the same",
        ])
    }
  }
}

extension PassphraseWeakness {
  /// The message, which says nothing of the passphrase but this.
  var words: String {
    switch self {
    case .short(let good): "the passphrase has fewer than \(good) characters, and may be guessed"
    case .uniform(let good):
      "the passphrase has fewer than \(good) different characters, and may be guessed"
    }
  }
}
