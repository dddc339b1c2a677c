// For whom an archive is sealed: X25519 keys, and signers, whose Ed25519 keys are the same points in another
// form.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Reads what `--recipient` names.
enum SealRecipients {
  static let option = OptionSpec(
    "recipient", letter: "r", .required("key"),
    help: "encrypt for a public key, a user id, or x25519:<64 hex>")

  /// What a key of X25519 begins with.
  static let prefix = "x25519:"
  private static let hints = [
    "a recipient is a public key of 64 hex digits, a user id of 32, or 'x25519:' and 64"
  ]

  /// The keys that the options name, each once.
  ///
  /// - Throws: `usage` for what is no key; `fatal` for one that nothing can be sealed for, or a user whose
  ///   key is not known.
  static func keys(
    _ options: ParsedOptions, _ opened: Repository, _ context: inout Context
  ) throws -> [X25519PublicKey] {
    let texts = options.values(option)
    guard texts.count < SealedFile.stanzaLimit else {
      throw CommandError.usage("there can be \(SealedFile.stanzaLimit - 1) recipients at most")
    }
    guard !texts.isEmpty else { return [] }
    let trust = try context.effects.trustList(opened)
    var keys: [X25519PublicKey] = []
    for text in texts {
      let key = try key(text, opened, trust)
      if !keys.contains(key) { keys.append(key) }
    }
    return keys
  }

  private static func key(
    _ text: String, _ opened: Repository, _ trust: TrustList?
  ) throws -> X25519PublicKey {
    if text.hasPrefix(prefix) {
      guard let bytes = Hex.decode32(Array(text.utf8.dropFirst(prefix.utf8.count)).span) else {
        throw CommandError.usage("'\(text)' is no recipient", hints: hints)
      }
      guard let key = X25519PublicKey(bytes: bytes) else { throw weak(text) }
      return key
    }
    if let bytes = Hex.decode32(Array(text.utf8).span) {
      return try key(PublicKey(bytes: bytes), text, trust)
    }
    guard let user = UserID(hex: Array(text.utf8).span) else {
      throw CommandError.usage("'\(text)' is no recipient", hints: hints)
    }
    if let signer = trust?.key(of: user) { return try key(signer, text, trust) }
    let keyring = try opened.keyring()
    let own = try keyring.publicKey()
    guard let own, UserID(of: own) == user else {
      throw CommandError.fatal(
        "the key of user '\(text)' is not known: neither keyring nor trust file has it",
        hints: ["a public key, 64 hex digits, needs neither"])
    }
    return try key(own, text, trust)
  }

  private static func key(
    _ signer: PublicKey, _ text: String, _ trust: TrustList?
  ) throws -> X25519PublicKey {
    if let line = trust?.entry(of: signer)?.revokedLine {
      throw CommandError.fatal("the key of '\(text)' is revoked on line \(line) of the trust file")
    }
    guard let key = X25519PublicKey(signer) else { throw weak(text) }
    return key
  }

  private static func weak(_ text: String) -> CommandError {
    .fatal(
      "nothing can be encrypted for '\(text)'",
      hints: ["its bytes are no point of the curve, not in their one form, or of small order"])
  }
}
