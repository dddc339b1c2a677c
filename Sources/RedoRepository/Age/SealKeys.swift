// What opens an encrypted file: private keys that options name, a passphrase, or whatever the keyring has.

package import RedoCrypto
internal import RedoObject
package import RedoStore

/// What is tried to open encrypted files.
package struct SealKeys: Sendable {
  /// The setting that names private keys besides those of the keyring.
  package static let setting = "archive.identity"

  private let identities: [String]
  private let passphrase: SealPassphrase
  /// The source of the passphrase of a private key, which is separate from the file's.
  private let keyPassphrase: PassphraseSource
  /// Whether a person is asked for the passphrase of a file that nothing else opens.
  private let asks: Bool
  /// Whether there are options for all this, which a message can advise.
  private let hasOptions: Bool
  /// The named key that has opened a file.
  private let served = ServedKey()

  /// Creates the keys to try in addition to those of the keyring.
  ///
  /// - Parameters:
  ///   - identities: slots or files of private keys; if there are any, the keyring is not tried.
  ///   - passphrase: where the passphrase of the file comes from.
  ///   - keyPassphrase: where the passphrase of a private key comes from.
  ///   - asks: whether a person is asked for the passphrase of a file that nothing else opens.
  ///   - hasOptions: whether there are options for all this, which a message can advise.
  package init(
    identities: [String] = [], passphrase: SealPassphrase = SealPassphrase(),
    keyPassphrase: PassphraseSource = PassphraseSource(), asks: Bool = true,
    hasOptions: Bool = true
  ) {
    self.identities = identities
    self.passphrase = passphrase
    self.keyPassphrase = keyPassphrase
    self.asks = asks
    self.hasOptions = hasOptions
  }

  /// The keys of work that no option gives any: those of the keyring and of `archive.identity`.
  package static var ofSettings: SealKeys { SealKeys(hasOptions: false) }

  /// Finds what opens a file: the keys that the options name, or else those of the keyring and of `archive.identity`,
  /// and finally a passphrase that is asked for.
  ///
  /// - Parameters:
  ///   - header: the header of the file.
  ///   - path: its name in messages.
  ///   - effects: whose keyring and terminal are asked.
  /// - Returns: the key of its payload.
  /// - Throws: `SealFault`: `locked` when nothing opens it, others for a key that cannot be read and for damage.
  package func payloadKey(
    _ header: AgeHeader, _ path: String, _ effects: Effects
  ) throws -> SecretBytes {
    // Nobody is asked twice for the passphrase of a key, and standard input is read once.
    if let key = try served.open(header, path) { return key }
    for name in identities {
      if let key = try key(in: name, header, path, effects) { return key }
    }
    if passphrase.isGiven {
      guard header.hasPassphrase else { throw locked(header, path, .passphraseForKeys) }
      guard let secret = try passphrase.known(path, effects),
        let key = try Self.open(header, secret, path)
      else { throw locked(header, path, .passphrase) }
      return key
    }
    if identities.isEmpty {
      if header.keyCount > 0, let key = try keyOfStore(header, path, effects) { return key }
      if asks, header.hasPassphrase, let secret = try SealPassphrase.last(path, effects) {
        guard let key = try Self.open(header, secret, path) else {
          throw locked(header, path, .passphrase)
        }
        return key
      }
    }
    throw locked(header, path, .all)
  }

  // MARK: Keys of the store

  private func keyOfStore(
    _ header: AgeHeader, _ path: String, _ effects: Effects
  ) throws -> SecretBytes? {
    guard let opened = try effects.openRepositoryIfPresent() else { return nil }
    let keyring = try opened.keyring()
    let names = try keyring.fileNames().filter { $0.kind.isPrivateKey }
    // The plain ones first: they cost nothing, and need no question.
    for name in names {
      guard let text = try keyring.privateKey(name), !text.isWrapped else { continue }
      if let key = try key(text, header, path, opened, effects) { return key }
    }
    for name in try Self.named(opened.store.config, keyring, effects) {
      if let key = try key(in: name, header, path, effects) { return key }
    }
    for name in names {
      guard let text = try keyring.privateKey(name), text.isWrapped else { continue }
      if let key = try key(text, header, path, opened, effects) { return key }
    }
    // The one in use may come from elsewhere.
    guard let source = try KeySource.find(opened, keyring, effects), source.place != .keyring else {
      return nil
    }
    let identity = AgeIdentity(try source.open(keyPassphrase, opened, effects))
    return try Self.open(header, identity, path)
  }

  /// The slots and files that the settings name.
  ///
  /// - Throws: `SealFault.relative` for what is neither the name of a slot nor a whole path.
  static func named(
    _ config: Config, _ keyring: borrowing Keyring, _ effects: Effects
  ) throws -> [String] {
    let values = config.all(setting).compactMap(\.value).filter { !$0.isEmpty }
    guard !values.isEmpty else { return [] }
    let slots = try keyring.fileNames()
    return try values.map { value in
      if value.hasPrefix("~/"), let home = effects.surroundings.usual.home {
        return home + value.dropFirst()
      }
      guard value.hasPrefix("/") || slots.contains(where: { $0.text == value }) else {
        let isKey = AgeIdentities.isKey(value) || Hex.decode32(Array(value.utf8).span) != nil
        throw SealFault.relative(value: isKey ? nil : value)
      }
      return value
    }
  }

  private func key(
    _ text: consuming PrivateKeyText, _ header: AgeHeader, _ path: String, _ opened: Repository,
    _ effects: Effects
  ) throws -> SecretBytes? {
    switch consume text {
    case .plain(let key): return try Self.open(header, AgeIdentity(key), path)
    case .wrapped(let wrapped):
      // Nobody is asked for a passphrase that opens nothing.
      guard header.names(wrapped.publicKey) else { return nil }
      let identity = AgeIdentity(try keyPassphrase.open(wrapped, opened, effects))
      guard let key = try Self.open(header, identity, path) else { return nil }
      served.keep(identity)
      return key
    }
  }

  // MARK: Named keys

  /// What the keys of a slot or a file make of a header.
  private func key(
    in name: String, _ header: AgeHeader, _ path: String, _ effects: Effects
  ) throws -> SecretBytes? {
    var found: SecretBytes?
    let isFound = try AgeIdentities.first(in: name, effects) { key in
      switch key {
      case .key(let identity):
        guard let key = try Self.open(header, identity, path) else { return false }
        served.keep(identity)
        found = .some(key)
      case .wrapped(let wrapped):
        guard header.names(wrapped.publicKey) else { return false }
        guard let opened = try effects.openRepositoryIfPresent() else {
          throw SealFault.wrappedOutside
        }
        let identity = AgeIdentity(try keyPassphrase.open(wrapped, opened, effects))
        guard let key = try Self.open(header, identity, path) else { return false }
        served.keep(identity)
        found = .some(key)
      }
      return true
    }
    guard isFound else { return nil }
    return found
  }

  // MARK: Ends

  static func open(
    _ header: AgeHeader, _ identity: borrowing AgeIdentity, _ path: String
  ) throws -> SecretBytes? {
    do throws(AgeFault) {
      guard let key = try header.fileKey(identity) else { return nil }
      return try header.payloadKey(for: key)
    } catch {
      throw SealFault.file(.age(error), path: path)
    }
  }

  private static func open(
    _ header: AgeHeader, _ passphrase: borrowing SecretBytes, _ path: String
  ) throws -> SecretBytes? {
    do throws(AgeFault) {
      guard let key = try header.fileKey(passphrase: passphrase) else { return nil }
      return try header.payloadKey(for: key)
    } catch {
      throw SealFault.file(.age(error), path: path)
    }
  }

  private func locked(
    _ header: AgeHeader, _ path: String, _ tried: SealFault.Tried
  ) -> SealFault {
    .locked(path: path, SealLocks(header), tried, hasOptions: hasOptions)
  }

  /// The error for an encrypted file that cannot be read: that of a system call with the name of the file, or what is
  /// wrong with the file.
  package static func failure(_ error: AgeFileError, _ path: String) -> any Error {
    if case .system(let error) = error { return error.named(path) }
    return SealFault.file(error, path: path)
  }
}
