// Messages about archives that cannot be made.

internal import RedoObject
package import RedoRepository

extension ArchiveMakingFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .unnamed: .usage("'-o' needs the name of a file")
    case .manifestOfStream: .usage("'--manifest' needs the name of a file")
    case .sealedRemote:
      .usage("'--remote' cannot be used with encryption: what lies beside would be readable")
    case .sealedRemoval:
      .fatal(
        "the store could not read the archive: none of its keys is a recipient",
        hints: [
          "'-r' with the public key of the keyring, or of a key that 'archive.identity' names, makes it one; "
            + "a key under a passphrase does not count"
        ])
    case .registered(let path):
      .fatal(
        "'\(path)' is a registered archive, whose nodes may be nowhere else",
        hints: ["'redo archive list' shows all of them; write into another file"])
    case .registeredElsewhere(let path):
      .fatal(
        "another file of the same nodes is registered: '\(Escape.text(path))'",
        hints: [
          "their signatures may differ; 'redo archive forget' takes the other one out of the list"
        ])
    case .foreignManifest(let path):
      .fatal(
        "'\(path)' is there already, which is not about this archive",
        hints: ["'--manifest --force' replaces it"])
    case .tooLarge(let id): .fatal("object '\(id.text)' is larger than a node may be")
    case .differs(let path):
      .fatal("'\(path)' is not what was written into it; nothing was removed")
    case .undated(let kind, let id):
      .fatal(
        "it is not known when \(kind.name) '\(id.text)' was received",
        hints: ["'--clock=wall' goes by the clocks of authors"])
    case .allArchived(let kind, let count):
      .fatal("all \(count) \(kind.name)s are in registered archives, not in the store")
    case .empty(let kind): .fatal("there is no \(kind.name) to archive")
    case .noneBefore(let kind, let limit):
      .fatal("no \(kind.name) of the history is from before \(WallTime(milliseconds: limit).text)")
    }
  }
}

extension SealingFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .tooMany(let limit): .usage("there can be \(limit) recipients at most")
    case .unknown(let name):
      CommandError(
        name.isOption ? .usage : .fatal, "\(name.words) is no recipient",
        hints: [
          "a recipient is 'age1...', 'ssh-ed25519 ...', a signer's public key of 64 hex digits or a user id of 32"
        ])
    case .secret(let name):
      CommandError(
        name == nil ? .usage : .fatal,
        "\(name?.words ?? "a recipient that is given") is a private key",
        hints: ["a recipient is a public key; 'redo age -y' prints that of a private key in a file"]
      )
    case .keysAndPassphrase:
      .usage("a file for a passphrase is for nobody else: recipients cannot be given as well")
    case .hybrid(let name):
      .fatal(
        "\(name.words) is a post-quantum key, which is not supported",
        hints: ["age itself encrypts for such keys"])
    case .noRecipients(let path): .fatal("no line of '\(path)' is a recipient")
    case .keyless(let user):
      .fatal(
        "the key of \(user.isOption ? "user " : "the user in ")\(user.words) is not known: "
          + "neither keyring nor trust file has it",
        hints: ["a public key, 64 hex digits, needs neither"])
    case .revoked(let name, let line):
      .fatal(
        "the key \(name.isOption ? "of" : "in") \(name.words) is revoked on line \(line) of the trust file"
      )
    case .weak(let name):
      .fatal(
        "nothing can be encrypted for \(name.isOption ? "" : "the key in ")\(name.words)",
        hints: ["its bytes are no point of the curve, not in their one form, or of small order"])
    }
  }
}

extension SealingFault.Name {
  fileprivate var isOption: Bool { if case .text = self { true } else { false } }

  fileprivate var words: String {
    switch self {
    case .text(let text): "'\(text.utf8.count > 128 ? "\(text.prefix(20))..." : text)'"
    case .line(let number, let path): "line \(number) of '\(path)'"
    }
  }
}
