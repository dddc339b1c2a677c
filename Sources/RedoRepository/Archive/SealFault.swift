// What keeps an encrypted archive from being opened or made.

package import RedoStore

/// The errors of work on encrypted archives.
package enum SealFault: Fault {
  /// The passphrase of a new archive was not repeated.
  case passphrasesDiffer
  /// There is nobody to ask for a passphrase.
  case nobodyToAsk
  /// The first line of the passphrase file is empty.
  case emptyPassphrase(path: String)
  /// The key file is empty.
  case emptyKey(name: String)
  /// A file or slot that should hold a private key does not.
  case notKey(name: String, WrappedKey.Fault)
  /// A key is wrapped, and there is no store whose settings say where its passphrase is.
  case wrappedOutside
  /// Nothing that was tried opens it.
  case locked(path: String, SealLocks, Tried)
  /// The file cannot be read.
  case file(SealedError, path: String)

  /// What an archive was tried with.
  package enum Tried: Sendable {
    /// Everything that is available.
    case all
    /// A passphrase, but it is encrypted only for keys.
    case passphraseForKeys
    /// A wrong passphrase.
    case passphrase
  }

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .passphrasesDiffer, .nobodyToAsk, .wrappedOutside: .refused
    case .emptyPassphrase, .emptyKey, .notKey: .malformed
    case .locked: .denied
    case .file(let error, _):
      switch error {
      case .system, .noMemory: .system
      case .notSealed: .malformed
      case .unsupported: .unsupported
      case .corrupt: .corrupt
      case .cost: .refused
      }
    }
  }

  /// The file or the slot that it is about.
  package var subject: String? {
    switch self {
    case .passphrasesDiffer, .nobodyToAsk, .wrappedOutside: nil
    case .emptyPassphrase(let path), .locked(let path, _, _), .file(_, let path): path
    case .emptyKey(let name), .notKey(let name, _): name
    }
  }
}

/// What opens an encrypted archive.
package struct SealLocks: Sendable {
  /// The number of keys that open it.
  package let keys: Int
  /// Whether a passphrase opens it.
  package let hasPassphrase: Bool
  /// Whether there is a lock that this release does not know.
  package let hasUnknown: Bool
}
