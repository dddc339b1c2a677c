// Passphrases that only a person knows.

package import RedoCrypto

/// A source that can be asked for a secret.
package protocol SecretSource: Sendable {
  /// Asks once.
  ///
  /// - Parameters:
  ///   - question: what the secret is for.
  ///   - limit: the most bytes of an answer.
  /// - Returns: the answer; `nil` when nobody can be asked.
  /// - Throws: the error when the answer cannot be read.
  func ask(_ question: SecretQuestion, limit: Int) throws -> SecretBytes?
}

/// What a secret is asked for.
package enum SecretQuestion: Hashable, Sendable {
  /// The passphrase of a private key; the beginning of its user ID.
  case key(user: String)
  /// A passphrase for something new.
  case new(Made)
  /// The same passphrase once more.
  case again
  /// The passphrase of an encrypted file at this path.
  case archive(path: String)

  /// Something new that needs a passphrase.
  package enum Made: Hashable, Sendable {
    /// A wrapped private key.
    case key
    /// An encrypted archive.
    case archive
    /// Any other encrypted file.
    case file
  }
}

/// A source that has no secrets.
package struct NoSecrets: SecretSource {
  /// Creates the source.
  package init() {}

  /// Returns no answer.
  package func ask(_ question: SecretQuestion, limit: Int) throws -> SecretBytes? { nil }
}
