// Who signs: the key, and what else a new node says of its author. The order of the sources of a
// key is that of redo-key(1).

package import RedoCrypto
package import RedoObject
package import RedoStore

/// Who signs: the key of this store's keyring, the device and the names that new nodes carry.
package struct Identity: ~Copyable {
  /// The private key; `nil` when there is none anywhere, so that only unsigned work can be done.
  package let key: SecretKey?
  /// That of the private key, else what the slot says.
  package let publicKey: PublicKey?
  /// That of the public key, else what the slot says.
  package let userID: UserID
  /// What the slot says; made on first use.
  package let deviceID: String
  /// The setting `user.name`.
  package let name: String?
  /// The setting `user.email`.
  package let email: String?
  /// What the slot says.
  package let deviceName: String?

  /// Finds out who signs.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - effects: where warnings go, and whose terminal is asked.
  ///   - needsKey: whether an identity without a private key is of no use.
  ///   - passphrase: where the passphrase of a wrapped key comes from.
  ///   - makesDevice: whether to make a device id where there is none yet.
  /// - Returns: the identity.
  /// - Throws: `KeyFault` when there is neither key nor user id, no key though it is needed, or the passphrase
  ///   is refused; `KeyringError` when the keyring cannot be used.
  package static func load(
    _ opened: Repository, _ effects: Effects, needsKey: Bool,
    passphrase: PassphraseSource = PassphraseSource(), makesDevice: Bool = true
  ) throws -> Identity {
    let keyring = try opened.keyring()
    let key = try KeySource.find(opened, keyring, effects)?.open(passphrase, opened, effects)
    let publicKey: PublicKey?
    let userID: UserID?
    if let own = Self.publicKey(of: key) {
      publicKey = own
    } else {
      publicKey = try keyring.publicKey()
    }
    if let publicKey { userID = UserID(of: publicKey) } else { userID = try keyring.userID() }
    // A key has a user id, so that without one there is no key either.
    guard let userID, !needsKey || Self.publicKey(of: key) != nil else {
      throw userID == nil ? KeyFault.noKey : KeyFault.noPrivateKey
    }
    let config = opened.store.config
    return Identity(
      key: key, publicKey: publicKey, userID: userID,
      deviceID: try DeviceID.find(opened, keyring, makes: makesDevice) ?? "",
      name: config.get("user.name").flatMap { $0.isEmpty ? nil : $0 },
      email: config.get("user.email").flatMap { $0.isEmpty ? nil : $0 },
      deviceName: try keyring.text(.deviceName))
  }

  private static func publicKey(of key: borrowing SecretKey?) -> PublicKey? {
    switch key {
    case .some(let key): key.publicKey
    case .none: nil
    }
  }
}

/// The name of this device in nodes: a UUID, made once.
package enum DeviceID {
  /// The device id of a keyring.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - keyring: its keyring.
  ///   - makes: whether to make one where there is none.
  /// - Returns: `nil` when there is none and none was to be made.
  /// - Throws: `KeyringError` when the keyring cannot be read or written.
  package static func find(
    _ opened: Repository, _ keyring: borrowing Keyring, makes: Bool
  ) throws -> String? {
    if let known = try keyring.text(.deviceID) { return known }
    guard makes else { return nil }
    let options = try opened.keyringOptions()
    let writer = try KeyringWriter.open(in: opened.store.directory, options)
    // One that another process made first is the one.
    _ = try writer.put(.deviceID, new(), .never)
    return try Keyring.open(in: opened.store.directory).line(.deviceID)
  }

  /// A random UUID (RFC 9562, version 4).
  package static func new() -> SecretBytes {
    var text = Array(TaskID.random(Random.uint64).text.utf8)
    return SecretBytes(moving: &text)
  }
}
