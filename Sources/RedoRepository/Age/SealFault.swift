// What keeps an encrypted file from being opened or made.

package import RedoCrypto
package import RedoStore

/// The errors of work on encrypted files.
package enum SealFault: Fault {
  /// The passphrase of a new file was not repeated.
  case passphrasesDiffer
  /// There is nobody to ask for a passphrase.
  case nobodyToAsk
  /// The first line of the passphrase file is empty.
  case emptyPassphrase(path: String)
  /// There is no key in a file or slot that should hold some.
  case emptyKey(name: String)
  /// A file or slot that should hold a private key does not.
  case notKey(name: String, Unreadable)
  /// A key is wrapped, and there is no store whose settings say where its passphrase is.
  case wrappedOutside
  /// The setting `archive.identity` is neither the name of a slot nor a whole path; `nil` for what may be a private key.
  case relative(value: String?)
  /// A private key stands where the name of its slot or file belongs.
  case keyAsName
  /// Nothing that was tried opens it; whether the command has options that name more.
  case locked(path: String, SealLocks, Tried, hasOptions: Bool)
  /// The file cannot be read.
  case file(AgeFileError, path: String)
  /// There is not enough memory for a new passphrase: the base-2 logarithm of scrypt's N.
  case memory(logarithm: Int)

  /// What an encrypted file was tried with.
  package enum Tried: Sendable {
    /// Everything that is available.
    case all
    /// A passphrase, but it is encrypted only for keys.
    case passphraseForKeys
    /// A wrong passphrase.
    case passphrase
  }

  /// Why a text is no private key that serves.
  package enum Unreadable: Equatable, Sendable {
    /// Its lines are comments, or empty.
    case comments
    /// This line, counted from 1, is none, nor a comment.
    case line(Int)
    /// This line is a post-quantum key.
    case hybrid(line: Int)
    /// This line is a public key.
    case recipient(line: Int)
    /// It is itself an encrypted file.
    case encrypted
    /// It looks like a key of OpenSSH, and is none that serves.
    case ssh(SSHPrivateKey.Fault)
    /// It looks like a wrapped key of redo, and is none.
    case wrapped(WrappedKey.Fault)
  }

  /// Whether it means that nothing here opens a file.
  var isLocked: Bool { if case .locked = self { true } else { false } }

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .passphrasesDiffer, .nobodyToAsk, .wrappedOutside: .refused
    case .emptyPassphrase, .emptyKey, .notKey: .malformed
    case .relative, .keyAsName: .invalid
    case .locked: .denied
    case .memory: .system
    case .file(let error, _):
      switch error {
      case .system: .system
      case .age(let fault):
        switch fault {
        case .notAge, .header, .armor: .malformed
        case .version: .unsupported
        case .work: .refused
        case .memory: .system
        case .changedHeader, .payload: .corrupt
        }
      }
    }
  }

  /// The file or the slot that it is about.
  package var subject: String? {
    switch self {
    case .passphrasesDiffer, .nobodyToAsk, .wrappedOutside, .memory, .keyAsName: nil
    case .emptyPassphrase(let path), .locked(let path, _, _, _), .file(_, let path):
      path
    case .emptyKey(let name), .notKey(let name, _): name
    case .relative(let value): value
    }
  }
}

/// What opens an encrypted file.
package struct SealLocks: Sendable {
  /// The number of keys that open it.
  package let keys: Int
  /// Whether a passphrase opens it.
  package let hasPassphrase: Bool
  /// Whether a post-quantum key opens it.
  package let hasHybrid: Bool
  /// Whether there is a lock that this release does not know.
  package let hasUnknown: Bool

  /// Locks of these kinds.
  package init(
    keys: Int, hasPassphrase: Bool = false, hasHybrid: Bool = false, hasUnknown: Bool = false
  ) {
    self.keys = keys
    self.hasPassphrase = hasPassphrase
    self.hasHybrid = hasHybrid
    self.hasUnknown = hasUnknown
  }

  init(_ header: AgeHeader) {
    self.init(
      keys: header.keyCount, hasPassphrase: header.hasPassphrase, hasHybrid: header.hasHybrid,
      hasUnknown: header.hasUnknown)
  }
}
