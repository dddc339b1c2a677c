// The recipients of a sealed archive: X25519 keys, and signers, whose Ed25519 keys are the same points in another form.

package import RedoCrypto
internal import RedoObject
internal import RedoStore

/// Reads the names of recipients.
package enum SealRecipients {
  /// The prefix of an X25519 key.
  package static let prefix = "x25519:"

  /// The keys that texts name, without duplicates.
  ///
  /// - Parameters:
  ///   - texts: public keys, user IDs, or `x25519:` and a key.
  ///   - opened: the store, whose keyring knows its own user.
  ///   - effects: where the trust file is looked for.
  /// - Returns: the keys.
  /// - Throws: `SealingFault` for a text that is not a key, a key that nothing can be sealed for, or a user whose key
  ///   is unknown.
  package static func keys(
    _ texts: [String], _ opened: Repository, _ effects: Effects
  ) throws -> [X25519PublicKey] {
    guard texts.count < SealedFile.stanzaLimit else {
      throw SealingFault.tooMany(limit: SealedFile.stanzaLimit - 1)
    }
    guard !texts.isEmpty else { return [] }
    let trust = try effects.trustList(opened)
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
        throw SealingFault.unknown(text)
      }
      guard let key = X25519PublicKey(bytes: bytes) else { throw SealingFault.weak(text) }
      return key
    }
    if let bytes = Hex.decode32(Array(text.utf8).span) {
      return try key(PublicKey(bytes: bytes), text, trust)
    }
    guard let user = UserID(hex: Array(text.utf8).span) else {
      throw SealingFault.unknown(text)
    }
    if let signer = trust?.key(of: user) { return try key(signer, text, trust) }
    let keyring = try opened.keyring()
    let own = try keyring.publicKey()
    guard let own, UserID(of: own) == user else {
      throw SealingFault.keyless(user: text)
    }
    return try key(own, text, trust)
  }

  private static func key(
    _ signer: PublicKey, _ text: String, _ trust: TrustList?
  ) throws -> X25519PublicKey {
    if let line = trust?.entry(of: signer)?.revokedLine {
      throw SealingFault.revoked(text, line: line)
    }
    guard let key = X25519PublicKey(signer) else { throw SealingFault.weak(text) }
    return key
  }
}
