// The source of the private key: a credential of systemd, a command that the user's own settings name, the keyring. The
// first one available counts.

package import RedoCrypto
package import RedoStore

/// A private key that was found, and where.
package struct KeySource: ~Copyable {
  /// The kinds of places, in the order in which they are tried.
  package enum Place: String {
    /// `$CREDENTIALS_DIRECTORY/redo.ed25519_private_key`
    case credential
    /// `key.command`
    case command
    /// The slot of the keyring.
    case keyring
  }

  /// Where it was.
  package let place: Place
  /// The key as it was read.
  package let text: PrivateKeyText

  /// The file of the credential.
  private static let credential = "redo.ed25519_private_key"
  /// The setting that names a command.
  private static let setting = "key.command"

  /// The source that takes precedence over the keyring here, if any does.
  package static func precedence(_ opened: Repository, _ effects: Effects) -> SecretOrigin? {
    if let directory = effects.surroundings.usual.credentialsDirectory,
      (try? FileStatus.at(joinPath(directory, credential))) ?? nil != nil
    {
      return .credential(name: credential)
    }
    let command = opened.store.config.get(setting)
    return command?.isEmpty == false ? .command(setting: setting) : nil
  }

  /// Finds the private key.
  ///
  /// - Returns: `nil` when there is none anywhere.
  /// - Throws: `KeyFault` or `KeyringError` when a place cannot be read, or contains something else.
  package static func find(
    _ opened: Repository, _ keyring: borrowing Keyring, _ effects: Effects
  ) throws -> KeySource? {
    if let text = try Credential.read(credential, limit: PrivateKeyText.byteLimit, effects) {
      return KeySource(
        place: .credential, text: try read(text, .credential(name: credential)))
    }
    if let text = try ProtectedCommand.run(
      setting, opened, limit: PrivateKeyText.byteLimit, effects)
    {
      return KeySource(place: .command, text: try read(text, .command(setting: setting)))
    }
    guard let text = try keyring.signingKey() else { return nil }
    return KeySource(place: .keyring, text: text)
  }

  private static func read(
    _ text: borrowing SecretBytes, _ origin: SecretOrigin
  ) throws -> PrivateKeyText {
    do throws(WrappedKey.Fault) {
      return try PrivateKeyText.read(text)
    } catch {
      throw KeyFault.notPrivateKey(origin, error)
    }
  }

  /// The opened key; the passphrase is asked for if there is one.
  ///
  /// - Throws: `KeyFault` when the passphrase is refused, or none is available.
  package consuming func open(
    _ passphrase: PassphraseSource, _ opened: Repository, _ effects: Effects
  ) throws -> SecretKey {
    switch consume text {
    case .plain(let key): return key
    case .wrapped(let key): return try passphrase.open(key, opened, effects)
    }
  }
}

/// Secrets that systemd hands to a service (systemd.exec(5), "Credentials").
package enum Credential {
  /// A credential, if there is one.
  ///
  /// - Returns: `nil` when no credentials were passed, or none of this name.
  /// - Throws: `KeyFault` when it cannot be read.
  package static func read(
    _ name: String, limit: Int, _ effects: Effects
  ) throws -> SecretBytes? {
    guard let directory = effects.surroundings.usual.credentialsDirectory else {
      return nil
    }
    let path = joinPath(directory, name)
    do throws(SystemError) {
      guard try FileStatus.at(path) != nil else { return nil }
      let file = try File.open(path, .read, [.nonBlocking])
      if try file.status().kind == .regular, let secret = try file.readSecret(limit: limit) {
        return secret
      }
    } catch {
      throw KeyFault.unreadableCredential(error)
    }
    throw KeyFault.badCredential(name: name)
  }
}

/// A command that only the user's own settings may name: otherwise anyone who can write a store's settings could run
/// programs as its user.
package enum ProtectedCommand {
  /// Runs the command of a setting.
  ///
  /// - Returns: what it printed; `nil` when no command is set.
  /// - Throws: `KeyFault` when it cannot be run, does not succeed or prints nothing.
  package static func run(
    _ setting: String, _ opened: Repository, limit: Int, _ effects: Effects
  ) throws -> SecretBytes? {
    let key = setting.lowercased()
    let config = opened.store.config
    if let ignored = config.ignored(key) {
      effects.report(.opening(.settingIgnored(key: setting, place: ignored.place)))
    }
    guard let text = config.get(key), !text.isEmpty else {
      return nil
    }
    var status: Int32 = 0
    let output: SecretBytes?
    do throws(SystemError) {
      output = try ShellCommand.run(text, limit: limit, status: &status)
    } catch {
      throw KeyFault.unstartableCommand(setting: setting, error)
    }
    try effects.checkInterrupt()
    guard status == 0 else { throw KeyFault.failedCommand(setting: setting, status: status) }
    guard let output else { throw KeyFault.silentCommand(setting: setting) }
    return output
  }
}

extension Repository {
  /// How the keyring is written.
  package func keyringOptions() throws -> RefsOptions { try refsOptions() }

  /// The keyring of the store.
  package func keyring() throws -> Keyring {
    let options = try keyringOptions()
    return try Keyring.open(in: store.directory, options)
  }

  /// The keyring of the store, to be changed.
  package func keyringWriter() throws -> KeyringWriter {
    try store.checkWritable()
    let options = try keyringOptions()
    return try KeyringWriter.open(in: store.directory, options)
  }
}

extension Keyring {
  /// The value of a slot that holds one line.
  package borrowing func text(_ name: SlotName) throws -> String? {
    return try line(name)
  }
}
