// The key by which others share secrets with this device, opened.

internal import RedoCrypto
internal import RedoObject
internal import RedoStore

extension Repository {
  /// The X25519 key of this device, for whom the key that signs is open already: a passphrase is asked for once.
  ///
  /// - Parameters:
  ///   - signer: the key that signs.
  ///   - source: the passphrase of a retired key, if one is needed.
  ///   - effects: where secrets come from.
  /// - Returns: the key.
  /// - Throws: as below.
  func exchangeKey(
    for signer: borrowing SecretKey, _ source: PassphraseSource, _ effects: Effects
  ) throws -> X25519PrivateKey {
    let found = try keyring().exchangeKey()
    guard let found else { throw ShareFault.noExchangeKey }
    switch consume found {
    case .plain(let key): return key
    case .sealed(let sealed):
      if let key = sealed.open(by: signer) { return key }
      return try open(sealed, try keyring(), source, effects)
    }
  }

  /// The X25519 key of this device.
  ///
  /// - Parameters:
  ///   - source: the passphrase, if one is needed.
  ///   - effects: where secrets come from.
  /// - Returns: the key.
  /// - Throws: `ShareFault.noExchangeKey`; `KeyFault` when the key that opens it cannot be opened.
  func exchangeKey(_ source: PassphraseSource, _ effects: Effects) throws -> X25519PrivateKey {
    let keyring = try keyring()
    let found = try keyring.exchangeKey()
    guard let found else { throw ShareFault.noExchangeKey }
    switch consume found {
    case .plain(let key): return key
    case .sealed(let sealed): return try open(sealed, keyring, source, effects)
    }
  }

  /// Opens a sealed key with the key that signs, or with a retired one that it names.
  private func open(
    _ sealed: SealedExchangeKey, _ keyring: borrowing Keyring, _ source: PassphraseSource,
    _ effects: Effects
  ) throws -> X25519PrivateKey {
    if let found = try KeySource.find(self, keyring, effects) {
      let signer = try found.open(source, self, effects)
      if signer.publicKey == sealed.signer, let key = sealed.open(by: signer) { return key }
    }
    for name in try keyring.fileNames() where name.kind == .retiredPrivateKey {
      let text = try keyring.privateKey(name)
      guard let text, text.publicKey == sealed.signer else { continue }
      let signer: SecretKey
      switch consume text {
      case .plain(let key): signer = key
      case .wrapped(let key): signer = try source.open(key, self, effects)
      }
      if let key = sealed.open(by: signer) { return key }
    }
    throw ShareFault.noExchangeKey
  }
}
