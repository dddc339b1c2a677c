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
      .usage("'--remove' cannot be used with encryption: a store reads single nodes")
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
    case .notANode(let id): .fatal("object '\(id.text)' is no valid node")
    case .differs(let path):
      .fatal("'\(path)' is not what was written into it; nothing was removed")
    case .undated(let id):
      .fatal(
        "it is not known when node '\(id.text)' was received",
        hints: ["'--clock=wall' goes by the clocks of authors"])
    case .allArchived(let count):
      .fatal("all \(count) nodes are in registered archives, not in the store")
    case .empty: .fatal("there is no node to archive")
    case .noneBefore(let limit):
      .fatal("no node of the history is from before \(WallTime(milliseconds: limit).text)")
    }
  }
}

extension SealingFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .tooMany(let limit): .usage("there can be \(limit) recipients at most")
    case .unknown(let text):
      .usage(
        "'\(text)' is no recipient",
        hints: [
          "a recipient is a public key of 64 hex digits, a user id of 32, or 'x25519:' and 64"
        ])
    case .keyless(let user):
      .fatal(
        "the key of user '\(user)' is not known: neither keyring nor trust file has it",
        hints: ["a public key, 64 hex digits, needs neither"])
    case .revoked(let text, let line):
      .fatal("the key of '\(text)' is revoked on line \(line) of the trust file")
    case .weak(let text):
      .fatal(
        "nothing can be encrypted for '\(text)'",
        hints: ["its bytes are no point of the curve, not in their one form, or of small order"])
    case .noMemory(let kibibytes):
      .fatal("there is not enough memory for a passphrase: it takes \(kibibytes) KiB")
    }
  }
}
