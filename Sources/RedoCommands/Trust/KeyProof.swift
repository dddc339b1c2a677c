// redo trust add --prove: both keys of a person sign that they are.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Makes proofs with the keys of a keyring.
enum KeyProof {
  /// Signs what a line says of its signer and another key.
  ///
  /// - Parameters:
  ///   - line: says of a key that it is the same as another one.
  ///   - passphrase: where passphrases come from, that of the older key first.
  ///   - opened: the store whose keyring has both.
  ///   - context: the clock, and whose terminal is asked.
  /// - Throws: `usage` when the line names no two keys; `fatal` when the keyring lacks one; `access`
  ///   when a passphrase is refused.
  static func add(
    to line: inout TrustLine, _ passphrase: PassphraseSource, _ opened: Repository,
    _ context: inout Context
  ) throws {
    guard let new = line.signer.key, let old = line.sameAs?.key else {
      throw CommandError.usage("'--prove' needs '--same-as', and of both the whole keys")
    }
    let time = WallTime(milliseconds: context.clock())
    let message = KeyLink.message(old: old, new: new, time: time)
    let keyring = try opened.keyring()
    let proof = KeyLink(
      time: time, old: try sign(message, by: old, keyring, passphrase, opened, &context),
      new: try sign(message, by: new, keyring, passphrase, opened, &context))
    // What this program cannot verify it does not let out.
    guard proof.holds(old: old, new: new) else {
      throw CommandError.fatal("the signature made does not hold", code: "KEYCHAIN_003")
    }
    line.proof = proof
  }

  private static func sign(
    _ message: [UInt8], by key: PublicKey, _ keyring: borrowing Keyring,
    _ passphrase: PassphraseSource, _ opened: Repository, _ context: inout Context
  ) throws -> Signature {
    let names = try keyring.names()
    for name in names where name.kind.isPrivateKey {
      let found = try keyring.privateKey(name)
      guard let text = found, text.publicKey == key else { continue }
      switch consume text {
      case .plain(let secret): return secret.sign(message.span)
      case .wrapped(let wrapped):
        return try passphrase.open(wrapped, opened, context.effects).sign(message.span)
      }
    }
    throw CommandError.fatal("the keyring has no private key of '\(Hex.text(key.bytes.span))'")
  }
}
