// Passphrases that only a person knows.

package import RedoCrypto

/// Somebody who can be asked for a secret.
package protocol SecretSource: Sendable {
  /// Asks once.
  ///
  /// - Parameters:
  ///   - question: what for.
  ///   - limit: the most bytes of an answer.
  /// - Returns: the answer; `nil` where nobody can be asked.
  /// - Throws: what keeps the answer from being read.
  func ask(_ question: SecretQuestion, limit: Int) throws -> SecretBytes?
}

/// What a secret is asked for.
package enum SecretQuestion: Hashable, Sendable {
  /// The passphrase of a private key; the beginning of its user id.
  case key(user: String)
  /// A passphrase for something that is made.
  case new(Made)
  /// The same once more.
  case again
  /// The passphrase of an archive at this path.
  case archive(path: String)

  /// What is made.
  package enum Made: Hashable, Sendable {
    /// A wrapped private key.
    case key
    /// An encrypted archive.
    case archive
  }
}

/// Nobody.
package struct NoSecrets: SecretSource {
  /// A source that has no answer.
  package init() {}

  /// No answer.
  package func ask(_ question: SecretQuestion, limit: Int) throws -> SecretBytes? { nil }
}
