// Messages about changes to the trust file.

internal import RedoCrypto
internal import RedoObject
package import RedoRepository

extension TrustEditFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .contradiction(let fault): CommandError(.refused, fault.reason)
    case .revoked(let signer, let line):
      CommandError(
        .refused, "'\(signer.text)' is revoked on line \(line)",
        hints: ["trust that was taken away is given back by editing the file, never by 'add'"])
    case .saysOtherwise(let signer, let line):
      CommandError(
        .refused, "'\(signer.text)' stands on line \(line), which says something else",
        hints: ["what a line says is changed by editing the file"])
    case .trustedByUser(let signer, let user, let line):
      CommandError(
        .refused, "'\(signer.text)' is trusted by its user id, on line \(line)",
        hints: ["name '\(user.text)' instead"])
    case .notListed(let signer):
      CommandError(
        .refused, "'\(signer.text)' is not in the trust file",
        hints: [
          "a key that is not there is not trusted; where there is no file, "
            + "'redo trust add --seen' makes one of all keys that nodes carry"
        ])
    case .revokedOtherwise(let signer, let line):
      CommandError(
        .refused, "'\(signer.text)' is revoked on line \(line) already, and other nodes stay good",
        hints: ["what a revocation says is changed by editing the file"])
    case .sameAsItself: .usage("'--same-as' names the signer itself")
    case .proofOfOneKey: .usage("'--prove' is of one key, in a store")
    case .proofOfWholeKeys:
      .usage("'--prove' needs '--same-as', and of both the whole keys")
    case .noPrivateKey(let key):
      .fatal("the keyring has no private key of '\(Hex.text(key.bytes.span))'")
    case .unsound: .fatal("the signature made does not hold", code: "KEYCHAIN_003")
    }
  }
}
