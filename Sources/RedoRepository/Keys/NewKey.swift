// A key pair enters the keyring: made, or taken in. It is a new user id (nothing can bring a lost key back), and
// what depends on that is a part of the answer.

package import RedoCrypto
package import RedoObject
package import RedoStore

/// How a private key is kept.
package struct KeyWrapping: Sendable {
  /// Whether it is put under a passphrase; `nil` for whatever fits what was there.
  package let isWanted: Bool?
  /// Where passphrases come from.
  package let source: PassphraseSource

  /// Creates a value with these members.
  package init(isWanted: Bool?, source: PassphraseSource) {
    (self.isWanted, self.source) = (isWanted, source)
  }
}

/// A key pair that is in the keyring.
package struct InstalledKey: Sendable {
  /// What its being new means.
  package enum Novelty: Equatable, Sendable {
    /// Nothing: it is known, or the first.
    case none
    /// It has taken the place of another user's.
    case after(UserID)
    /// It is the first of its keyring, but nodes of others, or of a lost key, are there.
    case amongOthers
  }

  /// Whose it is.
  package let user: UserID
  /// What its being new means.
  package let novelty: Novelty
  /// What comes before the keyring, so that this key does not sign; `nil` when nothing does.
  package let precedence: SecretOrigin?

  /// One that takes the place of what was there.
  fileprivate init(
    _ user: UserID, after old: UserID?, _ names: [SlotName], isPair: Bool, _ opened: Repository,
    _ effects: Effects
  ) throws {
    self.user = user
    if let old {
      novelty = old == user ? .none : .after(old)
    } else if isPair {
      var snapshot = try opened.snapshot()
      let isAmong = try snapshot.count() > 0 || names.contains { $0.kind.isRetired }
      novelty = isAmong ? .amongOthers : .none
    } else {
      novelty = .none
    }
    precedence = KeySource.precedence(opened, effects)
  }

  /// One that was there already.
  fileprivate init(known user: UserID) {
    (self.user, novelty, precedence) = (user, .none, nil)
  }
}

/// What a rotation of keys has done.
package struct KeyRotation: Sendable {
  /// The new key.
  package let installed: InstalledKey
  /// The old and the new public key, where the old one is in the trust file and the new one is not.
  package let untrusted: (old: PublicKey, new: PublicKey)?
}

extension Repository {
  /// Makes the key pair of a store.
  ///
  /// - Parameters:
  ///   - wrapping: how the private key is kept.
  ///   - isForced: whether a pair that is there is retired.
  ///   - effects: where secrets come from.
  /// - Returns: the key that is installed.
  /// - Throws: `taken`; what ends the reading of a passphrase or a keyring that cannot be used.
  package func generateKey(
    _ wrapping: KeyWrapping, isForced: Bool, _ effects: Effects
  ) throws -> InstalledKey {
    let old = try keyring().userID()
    if let old, !isForced { throw KeyUseFault.taken(old) }
    return try makePair(wrapping, isForced ? .always : .never, effects)
  }

  /// Makes a new key pair, and retires the old one.
  ///
  /// - Throws: `noneToRetire`; what is said of a passphrase or a keyring that cannot be used.
  package func rotateKey(
    _ wrapping: KeyWrapping, _ effects: Effects
  ) throws -> KeyRotation {
    guard try keyring().userID() != nil else { throw KeyUseFault.noneToRetire }
    let old = try keyring().publicKey()
    let installed = try makePair(wrapping, .always, effects)
    // Who is trusted is another question, and no reason to keep a key.
    guard let old, let new = try keyring().publicKey(), let list = try? effects.trustList(self),
      list.entry(of: old) != nil, list.entry(of: new) == nil
    else { return KeyRotation(installed: installed, untrusted: nil) }
    return KeyRotation(installed: installed, untrusted: (old, new))
  }

  private func makePair(
    _ wrapping: KeyWrapping, _ replacing: Replacing, _ effects: Effects
  ) throws -> InstalledKey {
    let source = wrapping.source
    // A key that was under a passphrase is not followed by one that is not, unless that is asked for.
    let wasWrapped = try keyring().pair().isWrapped
    let isWrapping = wrapping.isWanted ?? (wasWrapped || source.descriptor != nil)
    let passphrase = isWrapping ? try source.new(self, effects) : nil
    effects.cancellation.hold()
    let key = SecretKey.generate()
    let text = try source.text(of: key, under: passphrase)
    return try install(text, of: key.publicKey, replacing, effects)
  }

  /// Puts a pair into its slots.
  ///
  /// - Throws: `taken` when there is one that stays.
  private func install(
    _ text: borrowing SecretBytes, of key: PublicKey, _ replacing: Replacing, _ effects: Effects
  ) throws -> InstalledKey {
    let writer = try keyringWriter()
    let old = try writer.keyring.userID()
    let names = try writer.keyring.fileNames()
    guard try writer.install(text, of: key, replacing) else {
      throw KeyUseFault.taken(old ?? UserID(of: key))
    }
    return try InstalledKey(UserID(of: key), after: old, names, isPair: true, self, effects)
  }

  /// Takes in a private key.
  ///
  /// - Parameters:
  ///   - text: the key, plain or wrapped.
  ///   - name: what messages call the text.
  ///   - wrapping: how it is kept.
  ///   - replacing: whether it takes the place of another one.
  ///   - effects: where secrets come from.
  /// - Returns: the key that is installed.
  /// - Throws: `noPrivateKey`, `taken`; what ends the reading of a passphrase or a keyring that cannot be used.
  package func importPrivateKey(
    _ text: borrowing SecretBytes, _ name: String, _ wrapping: KeyWrapping,
    _ replacing: Replacing, _ effects: Effects
  ) throws -> InstalledKey {
    let source = wrapping.source
    let read: PrivateKeyText
    do throws(WrappedKey.Fault) {
      read = try PrivateKeyText.read(text)
    } catch {
      throw KeyUseFault.noPrivateKey(source: name, error)
    }
    let publicKey = read.publicKey
    let stored: SecretBytes
    switch consume read {
    case .plain(let key):
      let wraps = wrapping.isWanted ?? (source.descriptor != nil)
      let passphrase = wraps ? try source.new(self, effects) : nil
      stored = try source.text(of: key, under: passphrase)
    case .wrapped(let wrapped):
      // A key that nobody can open is none: the passphrase is tried before anything is written.
      let key = try source.open(wrapped, self, effects)
      if wrapping.isWanted == false {
        stored = PrivateKeyText.plainText(of: key)
      } else {
        var bytes = wrapped.text
        stored = SecretBytes(moving: &bytes)
      }
    }
    effects.cancellation.hold()
    if case .never = replacing, try hasPrivateKey(of: publicKey) {
      // Again the same: that is no other key.
      return InstalledKey(known: UserID(of: publicKey))
    }
    return try install(stored, of: publicKey, replacing, effects)
  }

  private func hasPrivateKey(of key: PublicKey) throws -> Bool {
    let keyring = try keyring()
    guard let known = try keyring.privateKey() else { return false }
    return known.publicKey == key
  }

  /// Takes in a public key, of somebody who signs elsewhere.
  ///
  /// - Parameters:
  ///   - text: 64 hex digits.
  ///   - name: what messages call the text.
  ///   - replacing: whether it takes the place of another one.
  ///   - effects: where keys come from.
  /// - Returns: the key that is installed.
  /// - Throws: `noPublicKey`, `taken`; what ends the reading of a keyring that cannot be used.
  package func importPublicKey(
    _ text: borrowing SecretBytes, _ name: String, _ replacing: Replacing, _ effects: Effects
  ) throws -> InstalledKey {
    let bytes = text.withSpan { span in
      let hasEnd = span[span.count - 1] == UInt8(ascii: "\n")
      return Hex.decode32(span.extracting(0..<(span.count - (hasEnd ? 1 : 0))))
    }
    guard let bytes else { throw KeyUseFault.noPublicKey(source: name) }
    let key = PublicKey(bytes: bytes)
    effects.cancellation.hold()
    let writer = try keyringWriter()
    let old = try writer.keyring.userID()
    guard try writer.install(publicKey: key, replacing) else {
      throw KeyUseFault.taken(old ?? UserID(of: key))
    }
    return try InstalledKey(UserID(of: key), after: old, [], isPair: false, self, effects)
  }
}

extension PassphraseSource {
  /// The text to store of a key.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - passphrase: what is to open it; `nil` for a plain one.
  /// - Returns: the text.
  /// - Throws: what is said where there is not enough memory.
  func text(
    of key: borrowing SecretKey, under passphrase: borrowing SecretBytes?
  ) throws -> SecretBytes {
    switch passphrase {
    case .none: return PrivateKeyText.plainText(of: key)
    case .some(let passphrase):
      var text = try wrap(passphrase, key).text
      return SecretBytes(moving: &text)
    }
  }
}
