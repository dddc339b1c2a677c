// The key that opened one of several files opens the next one, too, as a rule: it is kept, so that its passphrase is
// not asked for again.

internal import RedoCrypto
internal import Synchronization

/// A place for a private key; threads may share it.
final class ServedKey: Sendable {
  private let identity = Mutex<AgeIdentity?>(nil)

  /// Keeps a copy of a key.
  func keep(_ key: borrowing AgeIdentity) {
    var copy: AgeIdentity? = key.copy()
    identity.withLock { swap(&$0, &copy) }
  }

  /// What the key makes of a header.
  ///
  /// - Parameters:
  ///   - header: the header of an encrypted file.
  ///   - path: its name in messages.
  /// - Returns: the key of its payload; `nil` when there is no key, or it does not open the file.
  /// - Throws: `SealFault.file` when the header is damaged.
  func open(_ header: AgeHeader, _ path: String) throws -> SecretBytes? {
    var copy: AgeIdentity?
    identity.withLock { kept in
      copy = kept?.copy()
    }
    guard let copy else { return nil }
    return try SealKeys.open(header, copy, path)
  }
}
