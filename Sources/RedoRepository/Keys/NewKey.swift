// A key pair enters the keyring, generated or imported. It brings a new user ID (a lost key cannot be recovered), and
// the consequences are part of the answer.

package import RedoCrypto
package import RedoObject
package import RedoStore

/// How a private key is kept.
package struct KeyWrapping: Sendable {
  /// Whether it is wrapped with a passphrase; `nil` to follow what was there before.
  package let isWanted: Bool?
  /// The source of passphrases.
  package let source: PassphraseSource

  /// Creates a value with these members.
  package init(isWanted: Bool?, source: PassphraseSource) {
    (self.isWanted, self.source) = (isWanted, source)
  }
}

/// A key pair that is in the keyring.
package struct InstalledKey: Sendable {
  /// What it means that a key is new.
  package enum Novelty: Equatable, Sendable {
    /// Nothing: it is known, or the first.
    case none
    /// It has replaced that of another user.
    case after(UserID)
    /// It is the first of its keyring, but there are nodes of others, or of a lost key.
    case amongOthers
  }

  /// The user of the key.
  package let user: UserID
  /// What it means that the key is new.
  package let novelty: Novelty
  /// A source that takes precedence over the keyring, so that this key does not sign; `nil` when there is none.
  package let precedence: SecretOrigin?

  /// Creates the answer for a key that replaces what was there.
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

  /// Creates the answer for a key that was there already.
  fileprivate init(known user: UserID) {
    (self.user, novelty, precedence) = (user, .none, nil)
  }
}

/// The result of a key rotation.
package struct KeyRotation: Sendable {
  /// The new key.
  package let installed: InstalledKey
  /// The old and the new public key, if the old one is in the trust file and the new one is not.
  package let untrusted: (old: PublicKey, new: PublicKey)?
}

extension Repository {
  /// Generates the key pair of a store.
  ///
  /// - Parameters:
  ///   - wrapping: how the private key is kept.
  ///   - isForced: whether an existing pair is retired.
  ///   - effects: where secrets come from.
  /// - Returns: the key that is installed.
  /// - Throws: `taken`; the error when a passphrase or a keyring cannot be used.
  package func generateKey(
    _ wrapping: KeyWrapping, isForced: Bool, _ effects: Effects
  ) throws -> InstalledKey {
    let old = try keyring().userID()
    if let old, !isForced { throw KeyUseFault.taken(old) }
    return try makePair(wrapping, isForced ? .always : .never, effects)
  }

  /// Generates a new key pair, and retires the old one.
  ///
  /// - Throws: `noneToRetire`; the error when a passphrase or a keyring cannot be used.
  package func rotateKey(
    _ wrapping: KeyWrapping, _ effects: Effects
  ) throws -> KeyRotation {
    guard try keyring().userID() != nil else { throw KeyUseFault.noneToRetire }
    let old = try keyring().publicKey()
    let installed = try makePair(wrapping, .always, effects)
    // Trust is a separate question, and not a reason to keep a key.
    guard let old, let new = try keyring().publicKey(), let list = try? effects.trustList(self),
      list.entry(of: old) != nil, list.entry(of: new) == nil
    else { return KeyRotation(installed: installed, untrusted: nil) }
    return KeyRotation(installed: installed, untrusted: (old, new))
  }

  private func makePair(
    _ wrapping: KeyWrapping, _ replacing: Replacing, _ effects: Effects
  ) throws -> InstalledKey {
    let source = wrapping.source
    // A key with a passphrase is not replaced by one without, unless that is requested.
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
  /// - Throws: `taken` when there is a pair that stays.
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

  /// Imports a private key.
  ///
  /// - Parameters:
  ///   - text: the key, plain or wrapped.
  ///   - name: the name of the text in messages.
  ///   - wrapping: how it is kept.
  ///   - replacing: whether it may replace another one.
  ///   - effects: where secrets come from.
  /// - Returns: the key that is installed.
  /// - Throws: `noPrivateKey`, `taken`; the error when a passphrase or a keyring cannot be used.
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
      // A key that nobody can open is useless: the passphrase is tried before anything is written.
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
      // The same key again does not count as another one.
      return InstalledKey(known: UserID(of: publicKey))
    }
    return try install(stored, of: publicKey, replacing, effects)
  }

  private func hasPrivateKey(of key: PublicKey) throws -> Bool {
    let keyring = try keyring()
    guard let known = try keyring.privateKey() else { return false }
    return known.publicKey == key
  }

  /// Imports the public key of somebody who signs elsewhere.
  ///
  /// - Parameters:
  ///   - text: 64 hex digits.
  ///   - name: the name of the text in messages.
  ///   - replacing: whether it may replace another one.
  ///   - effects: where keys come from.
  /// - Returns: the key that is installed.
  /// - Throws: `noPublicKey`, `taken`; the error when a keyring cannot be used.
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
  /// The text under which a key is stored.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - passphrase: the passphrase that is to open it; `nil` for a plain one.
  /// - Returns: the text.
  /// - Throws: an error when there is not enough memory.
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
