// What opens the registered archives of a store, whenever one is read: its plain private keys and those that
// `archive.identity` names. Nobody is asked for a passphrase in the middle of a command; an archive that none of these
// keys opens is like one whose file is away.

package import RedoCrypto
package import RedoStore

/// The keys of a store, looked for when one is needed.
///
/// A class, because the closure that asks it must keep an open directory.
package final class RegisteredKeys: Sendable {
  private let directory: Directory
  private let config: Config
  private let effects: Effects

  /// The keys of a store.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - effects: says where its settings look for files.
  package init(of opened: borrowing StoreDirectory, _ effects: Effects) {
    directory = opened.directory.share()
    config = opened.config
    self.effects = effects.telling(SilentReporter())
  }

  /// Whether there is a key for a file.
  func opens(_ header: AgeHeader) -> Bool {
    switch payloadKey(header) {
    case .some: true
    case .none: false
    }
  }

  /// The key of the payload of a file.
  ///
  /// - Parameter header: its header.
  /// - Returns: `nil` when no key is for it, or can be read.
  package func payloadKey(_ header: AgeHeader) -> SecretBytes? {
    guard let keyring = try? Keyring.open(in: directory) else { return nil }
    var found: SecretBytes?
    let slots = ((try? keyring.fileNames()) ?? []).filter(\.kind.isPrivateKey).map(\.text)
    let named = (try? SealKeys.named(config, keyring, effects)) ?? []
    for name in slots + named {
      let isFound = try? AgeIdentities.first(in: name, keyring, effects) { key in
        switch key {
        case .wrapped: return false
        case .key(let identity):
          guard let key = try SealKeys.open(header, identity, "") else { return false }
          found = .some(key)
          return true
        }
      }
      if isFound == true { return found }
    }
    return nil
  }
}
