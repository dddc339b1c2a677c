// The proof that two keys belong to one person: both sign a statement that they do.

internal import RedoCrypto
internal import RedoObject
internal import RedoStore

/// Makes proofs with the keys of a keyring.
enum KeyProof {
  /// Signs what a line says about its signer and another key.
  ///
  /// - Parameters:
  ///   - line: says that a key belongs to the same person as another one.
  ///   - passphrase: the source of passphrases, that of the older key first.
  ///   - opened: the store whose keyring has both.
  ///   - effects: the clock; supplies secrets.
  /// - Throws: `proofOfWholeKeys` when the line does not name two keys; `noPrivateKey` when the keyring lacks one; the
  ///   error when a passphrase is refused.
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
    // A signature that this program cannot verify is never returned.
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
