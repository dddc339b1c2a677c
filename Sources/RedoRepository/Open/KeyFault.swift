// What keeps the private key, or its passphrase, from being available.

package import RedoStore

/// A source of a secret other than the keyring and a terminal.
package enum SecretOrigin: Hashable, Sendable {
  /// A credential of systemd.
  case credential(name: String)
  /// The command that a setting names.
  case command(setting: String)
  /// A descriptor that an option names.
  case descriptor(Int32)
}

/// The errors of looking for a key or its passphrase.
package enum KeyFault: Fault {
  /// There is neither a key nor a user id.
  case noKey
  /// A user ID is known, but there is no private key to sign with.
  case noPrivateKey
  /// The text found is not a private key.
  case notPrivateKey(SecretOrigin, WrappedKey.Fault)
  /// A credential cannot be read.
  case unreadableCredential(SystemError)
  /// A credential is empty, or not a regular file.
  case badCredential(name: String)
  /// The command of a setting cannot be run.
  case unstartableCommand(setting: String, SystemError)
  /// The command of a setting ended with a status other than 0.
  case failedCommand(setting: String, status: Int32)
  /// The command of a setting prints nothing.
  case silentCommand(setting: String)
  /// The key is wrapped, and there is nobody to ask for its passphrase.
  case nobodyToAsk
  /// A new passphrase is needed, and there is nobody to ask for it.
  case nobodyToAskForNew
  /// The passphrase does not open the key of a user; the beginning of the user's ID.
  case refusedPassphrase(user: String)
  /// The passphrase was not repeated.
  case differentPassphrases
  /// The passphrase is empty.
  case emptyPassphrase(SecretOrigin)
  /// There is not enough memory for a passphrase.
  case noMemory(neededKiB: Int)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .noKey, .noPrivateKey, .nobodyToAsk, .nobodyToAskForNew: .missing
    case .notPrivateKey: .malformed
    case .badCredential, .silentCommand, .differentPassphrases, .emptyPassphrase: .invalid
    case .unreadableCredential, .unstartableCommand, .failedCommand, .noMemory: .system
    case .refusedPassphrase: .denied
    }
  }

  /// The credential, the setting or the user.
  package var subject: String? {
    switch self {
    case .noKey, .noPrivateKey, .nobodyToAsk, .nobodyToAskForNew, .differentPassphrases, .noMemory:
      nil
    case .notPrivateKey(let origin, _), .emptyPassphrase(let origin):
      switch origin {
      case .credential(let name), .command(let name): name
      case .descriptor: nil
      }
    case .unreadableCredential(let error): error.path
    case .badCredential(let name), .unstartableCommand(let name, _), .failedCommand(let name, _),
      .silentCommand(let name):
      name
    case .refusedPassphrase(let user): user
    }
  }
}
