// The proof that two keys are one person's: both sign that they are.

internal import RedoCrypto
internal import RedoObject
internal import RedoStore

/// Makes proofs with the keys of a keyring.
enum KeyProof {
  /// Signs what a line says of its signer and another key.
  ///
  /// - Parameters:
  ///   - line: says of a key that it is the same as another one.
  ///   - passphrase: where passphrases come from, that of the older key first.
  ///   - opened: the store whose keyring has both.
  ///   - effects: the clock, and who is asked for secrets.
  /// - Throws: `proofOfWholeKeys` when the line names no two keys; `noPrivateKey` when the keyring lacks one; what
  ///   is said of a passphrase that is refused.
  static func add(
    to line: inout TrustLine, _ passphrase: PassphraseSource, _ opened: Repository,
    _ effects: Effects
  ) throws {
    guard let new = line.signer.key, let old = line.sameAs?.key else {
      throw TrustEditFault.proofOfWholeKeys
    }
    let time = WallTime(milliseconds: effects.clock())
    let message = KeyLink.message(old: old, new: new, time: time)
    let keyring = try opened.keyring()
    let proof = KeyLink(
      time: time, old: try sign(message, by: old, keyring, passphrase, opened, effects),
      new: try sign(message, by: new, keyring, passphrase, opened, effects))
    // What this program cannot verify it does not let out.
    guard proof.holds(old: old, new: new) else { throw TrustEditFault.unsound }
    line.proof = proof
  }

  private static func sign(
    _ message: [UInt8], by key: PublicKey, _ keyring: borrowing Keyring,
    _ passphrase: PassphraseSource, _ opened: Repository, _ effects: Effects
  ) throws -> Signature {
    let names = try keyring.names()
    for name in names where name.kind.isPrivateKey {
      let found = try keyring.privateKey(name)
      guard let text = found, text.publicKey == key else { continue }
      switch consume text {
      case .plain(let secret): return secret.sign(message.span)
      case .wrapped(let wrapped):
        return try passphrase.open(wrapped, opened, effects).sign(message.span)
      }
    }
    throw TrustEditFault.noPrivateKey(key)
  }
}
