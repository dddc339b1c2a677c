// Who signs: the key, and the other details of the author in a new node. The order of the sources of a key is that of
// redo-key(1).

package import RedoCrypto
package import RedoObject
package import RedoStore

/// Who signs: the key of this store's keyring, the device and the names that new nodes carry.
package struct Identity: ~Copyable {
  /// The private key; `nil` when there is none anywhere, so that only unsigned work can be done.
  package let key: SecretKey?
  /// The public key of the private key, otherwise that of the slot.
  package let publicKey: PublicKey?
  /// The user ID of the public key, otherwise that of the slot.
  package let userID: UserID
  /// The value of the slot; created on first use.
  package let deviceID: String
  /// The setting `user.name`.
  package let name: String?
  /// The setting `user.email`.
  package let email: String?
  /// The value of the slot.
  package let deviceName: String?

  /// Finds out who signs.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - effects: receives warnings, and asks for passphrases.
  ///   - needsKey: whether a private key is required.
  ///   - passphrase: the source of the passphrase of a wrapped key.
  ///   - makesDevice: whether to create a device ID if there is none yet.
  /// - Returns: the identity.
  /// - Throws: `KeyFault` when there is neither key nor user ID, no key though it is required, or the passphrase is
  ///   refused; `KeyringError` when the keyring cannot be used.
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
    // A key always has a user ID, so without one there is no key either.
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

/// The name of this device in nodes: a UUID, created once.
package enum DeviceID {
  /// The device id of a keyring.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - keyring: its keyring.
  ///   - makes: whether to create one if there is none.
  /// - Returns: `nil` when there is none and none was to be created.
  /// - Throws: `KeyringError` when the keyring cannot be read or written.
  package static func find(
    _ opened: Repository, _ keyring: borrowing Keyring, makes: Bool
  ) throws -> String? {
    if let known = try keyring.text(.deviceID) { return known }
    guard makes else { return nil }
    let writer = try opened.keyringWriter()
    // If another process created one first, that one counts.
    _ = try writer.put(.deviceID, new(), .never)
    return try Keyring.open(in: opened.store.directory).line(.deviceID)
  }

  /// A random UUID (RFC 9562, version 4).
  package static func new() -> SecretBytes {
    var text = Array(TaskID.random(Random.uint64).text.utf8)
    return SecretBytes(moving: &text)
  }
}
