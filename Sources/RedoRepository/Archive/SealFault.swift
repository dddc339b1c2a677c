// What keeps an encrypted archive from being opened or made.

package import RedoStore

/// What ends work on encrypted archives.
package enum SealFault: Fault {
  /// The passphrase of a new archive was not repeated.
  case passphrasesDiffer
  /// Nobody can be asked for a passphrase.
  case nobodyToAsk
  /// The first line of the file of a passphrase is empty.
  case emptyPassphrase(path: String)
  /// The file of a key is empty.
  case emptyKey(name: String)
  /// What should be a private key is none.
  case notKey(name: String, WrappedKey.Fault)
  /// A key is wrapped, and there is no store whose settings say where its passphrase is.
  case wrappedOutside
  /// Nothing that was tried opens it.
  case locked(path: String, SealLocks, Tried)
  /// The file cannot be read.
  case file(SealedError, path: String)

  /// What an archive was tried with.
  package enum Tried: Sendable {
    /// Whatever there is.
    case all
    /// A passphrase, and it is encrypted for keys alone.
    case passphraseForKeys
    /// A passphrase that is another one.
    case passphrase
  }

  /// What kind of end it is.
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
  /// How many keys do.
  package let keys: Int
  /// Whether a passphrase does.
  package let hasPassphrase: Bool
  /// Whether something does that this release does not know.
  package let hasUnknown: Bool
}
