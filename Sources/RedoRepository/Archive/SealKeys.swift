// What opens a sealed archive: private keys that options name, a passphrase, or whatever the keyring has.

internal import RedoCrypto
internal import RedoObject
package import RedoStore

/// What is tried to open sealed archives.
package struct SealKeys {
  /// The prefix of an X25519 private key in a file.
  package static let prefix = "x25519-private:"

  private let identities: [String]
  private let passphrase: SealPassphrase
  /// The source of the passphrase of a private key, which is separate from the archive's.
  private let keyPassphrase: PassphraseSource

  /// Creates the keys to try in addition to those of the keyring.
  ///
  /// - Parameters:
  ///   - identities: slots or files of private keys; if there are any, the keyring is not tried.
  ///   - passphrase: where the passphrase of the archive comes from.
  ///   - keyPassphrase: where the passphrase of a private key comes from.
  package init(
    identities: [String] = [], passphrase: SealPassphrase = SealPassphrase(),
    keyPassphrase: PassphraseSource = PassphraseSource()
  ) {
    self.identities = identities
    self.passphrase = passphrase
    self.keyPassphrase = keyPassphrase
  }

  /// Finds what opens a file: the keys that the options name, or else those of the keyring, and finally a passphrase
  /// that is asked for.
  ///
  /// - Throws: `SealFault`: `locked` when nothing opens it, others for a key that cannot be read and for damage.
  func unlock(
    _ reader: inout SealedReader, _ path: String, _ effects: Effects
  ) throws {
    for name in identities {
      let key = try key(name, effects)
      if try Self.wrapping(path, { () throws(SealedError) in try reader.unlock(key) }) { return }
    }
    if passphrase.isGiven {
      guard reader.hasPassphrase else {
        throw Self.locked(reader, path, .passphraseForKeys)
      }
      guard let secret = try passphrase.known(path, effects) else { return }
      if try Self.open(&reader, secret, path) { return }
      throw Self.locked(reader, path, .passphrase)
    }
    if identities.isEmpty {
      if reader.boxCount > 0, try unlockByKeyring(&reader, path, effects) { return }
      if reader.hasPassphrase, let secret = try SealPassphrase.last(path, effects) {
        if try Self.open(&reader, secret, path) { return }
        throw Self.locked(reader, path, .passphrase)
      }
    }
    throw Self.locked(reader, path, .all)
  }

  // MARK: The keyring

  private func unlockByKeyring(
    _ reader: inout SealedReader, _ path: String, _ effects: Effects
  ) throws -> Bool {
    guard let opened = try effects.openRepositoryIfPresent() else { return false }
    let keyring = try opened.keyring()
    let names = try keyring.fileNames()
    // The plain ones first: they cost nothing, and need no question.
    for name in names where name.kind.isPrivateKey {
      guard
        let text = try keyring.privateKey(name)
      else { continue }
      guard case .plain(let key) = consume text else { continue }
      let own = X25519PrivateKey(key)
      if try Self.wrapping(path, { () throws(SealedError) in try reader.unlock(own) }) {
        return true
      }
    }
    // The one in use may come from elsewhere, or be under a passphrase.
    guard let source = try KeySource.find(opened, keyring, effects),
      source.place != .keyring || source.text.isWrapped
    else { return false }
    let key = X25519PrivateKey(try source.open(keyPassphrase, opened, effects))
    return try Self.wrapping(path) { () throws(SealedError) in try reader.unlock(key) }
  }

  // MARK: Named keys

  /// The key that `--identity` names: the slot of that name if there is one, otherwise a file.
  private func key(
    _ name: String, _ effects: Effects
  ) throws -> X25519PrivateKey {
    if let slot = SlotName(name), let opened = try effects.openRepositoryIfPresent() {
      let keyring = try opened.keyring()
      let names = try keyring.fileNames()
      if names.contains(slot) {
        if slot.kind.isPrivateKey {
          let text = try keyring.privateKey(slot)
          if let text { return try key(text, opened, effects) }
        }
        let value = try keyring.value(slot)
        if let value { return try key(value, name, opened, effects) }
      }
    }
    guard
      let text = try InputFile.secret(from: name, limit: PrivateKeyText.byteLimit, effects)
    else { throw SealFault.emptyKey(name: name) }
    return try key(text, name, try effects.openRepositoryIfPresent(), effects)
  }

  private func key(
    _ text: borrowing SecretBytes, _ name: String, _ opened: Repository?,
    _ effects: Effects
  ) throws -> X25519PrivateKey {
    if let key = Self.plainKey(text) { return key }
    let read: PrivateKeyText
    do throws(WrappedKey.Fault) {
      read = try PrivateKeyText.read(text)
    } catch {
      throw SealFault.notKey(name: name, error)
    }
    return try key(read, opened, effects)
  }

  private func key(
    _ text: consuming PrivateKeyText, _ opened: Repository?, _ effects: Effects
  ) throws -> X25519PrivateKey {
    switch consume text {
    case .plain(let key): return X25519PrivateKey(key)
    case .wrapped(let wrapped):
      guard let opened else {
        throw SealFault.wrappedOutside
      }
      return X25519PrivateKey(try keyPassphrase.open(wrapped, opened, effects))
    }
  }

  /// The key of a text that begins with the prefix.
  private static func plainKey(_ text: borrowing SecretBytes) -> X25519PrivateKey? {
    let prefix = Array(Self.prefix.utf8)
    let bytes: SecretBytes? = text.withSpan { span in
      let hasEnd = span.count > 0 && span[span.count - 1] == UInt8(ascii: "\n")
      let end = span.count - (hasEnd ? 1 : 0)
      guard end == prefix.count + 64, prefix.indices.allSatisfy({ span[$0] == prefix[$0] }) else {
        return nil
      }
      return SecretBytes.decodeHex(span.extracting(prefix.count..<end))
    }
    guard let bytes else { return nil }
    return X25519PrivateKey(bytes: bytes)
  }

  // MARK: Ends

  private static func open(
    _ reader: inout SealedReader, _ secret: borrowing SecretBytes, _ path: String
  ) throws -> Bool {
    do throws(SealedError) { return try reader.unlock(passphrase: secret) } catch {
      throw failure(error, path)
    }
  }

  private static func wrapping<Value: ~Copyable>(
    _ path: String, _ body: () throws(SealedError) -> Value
  ) throws -> Value {
    do throws(SealedError) { return try body() } catch { throw failure(error, path) }
  }

  private static func locked(
    _ reader: borrowing SealedReader, _ path: String, _ tried: SealFault.Tried
  ) -> SealFault {
    let locks = SealLocks(
      keys: reader.boxCount, hasPassphrase: reader.hasPassphrase, hasUnknown: reader.hasUnknown)
    return .locked(path: path, locks, tried)
  }

  /// The error for a sealed file that cannot be read: that of a system call with the name of the file, or what is wrong
  /// with the file.
  package static func failure(_ error: SealedError, _ path: String) -> any Error {
    if case .system(let error) = error { return error.named(path) }
    return SealFault.file(error, path: path)
  }
}
