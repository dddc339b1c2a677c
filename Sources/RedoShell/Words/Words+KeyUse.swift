// Messages about making, importing and using keys.

internal import RedoObject
package import RedoRepository
internal import RedoStore

extension KeyUseFault: WordedFault {
  /// The code that the protocol's documents give to something that is not a key.
  private static let malformed = "KEYCHAIN_003"
  /// Hints about other forms in which a key may have been given.
  private static let hints = [
    "a key is 64 lower-case hex digits; upper case, Base58 and Base64 are other forms of it",
    "a private key is its seed: of 128 digits the first 64",
  ]

  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .taken(let user):
      CommandError(
        .refused, "there is a key already, of user '\(user.text)'",
        hints: [
          "'redo key rotate' makes a new one, and '--force' replaces it; both keep the old one"
        ])
    case .noneToRetire:
      .fatal("there is no key to retire", hints: ["'redo key generate' makes the first"])
    case .noneToSign: .fatal("there is no private key", hints: ["'redo key generate' makes one"])
    case .slotTaken(let name):
      CommandError(
        .refused, "there is something in slot '\(name.text)' already",
        hints: ["'--force' replaces it"])
    case .misfit(let source, let name, let fault):
      .fatal("'\(source)' does not fit into '\(name.text)': \(fault)", code: Self.malformed)
    case .unbindable(let name):
      CommandError(
        .refused, "'\(name.text)' is sent nowhere, and cannot be for an address",
        hints: ["tokens and slots with names of your own can"])
    case .notFor(let address, let name, let origins):
      CommandError(
        .access,
        "the token in slot '\(name.text)' is not for '\(address)', but for "
          + origins.map { "'\($0.text)'" }.joined(separator: ", "),
        hints: ["'redo key put --force --for=<url>' stores one with the addresses it is for"])
    case .empty(let source): .fatal("'\(source)' is empty", code: Self.malformed)
    case .ofPair(let name):
      CommandError(
        .refused, "'\(name.text)' is part of a key pair",
        hints: ["'redo key import' takes in keys"])
    case .noPrivateKey(let source, let fault):
      .fatal(
        "'\(source)' is no private key: \(fault.reason)", hints: Self.hints, code: Self.malformed)
    case .noPublicKey(let source):
      .fatal("'\(source)' is no public key", hints: [Self.hints[0]], code: Self.malformed)
    case .madeOf(let copy, let source):
      CommandError(
        .refused, "'\(copy.text)' is made of '\(source.text)', which would stay")
    case .unsound: .fatal("the signature made does not hold", code: Self.malformed)
    }
  }
}
