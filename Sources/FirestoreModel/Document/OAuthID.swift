// Who may read a document, and who owns a users/ document: an account of the identity provider, never
// the crypto user id that signs (the two have been mixed up before).

internal import RedoCrypto

/// The id of an account at the identity provider: the `uid` of its tokens.
package struct OAuthID: Hashable, Comparable, Sendable {
  /// The longest id in bytes (Firebase Authentication).
  package static let byteLimit = 128

  /// Why a text is not such an id.
  package enum Fault: Error, Equatable, Sendable {
    /// It is empty, or longer than 128 bytes.
    case length(Int)
    /// It has a character that a name of a document cannot have, or is one that Firestore keeps.
    case form
    /// It is 32 lower-case hex digits: the user id of a key pair.
    case isCryptoUserID

    /// The fault in lower case, without a full stop.
    package var message: String {
      switch self {
      case .length: "an account id has 1 to \(OAuthID.byteLimit) bytes"
      case .form:
        "an account id has neither '/' nor control characters, and is not '.', '..' or '__x__'"
      case .isCryptoUserID:
        "32 hex digits are the user id of a key pair, not the id of an account"
      }
    }
  }

  /// The text.
  package let text: String

  /// An account.
  ///
  /// - Parameter text: its id.
  /// - Throws: `Fault`.
  package init(_ text: String) throws(Fault) {
    guard (1...Self.byteLimit).contains(text.utf8.count) else { throw .length(text.utf8.count) }
    guard DocumentName.isSegment(text), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw .form
    }
    guard !Self.isCryptoUserID(text) else { throw .isCryptoUserID }
    self.text = text
  }

  /// Whether a text is the user id of a key pair: 32 lower-case hex digits.
  ///
  /// - Parameter text: any text.
  /// - Returns: whether it has that form.
  package static func isCryptoUserID(_ text: String) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy { byte in
        byte &- UInt8(ascii: "0") < 10 || byte &- UInt8(ascii: "a") < 6
      }
  }

  package static func == (left: OAuthID, right: OAuthID) -> Bool {
    ExactText.areEqual(left.text, right.text)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }

  package static func < (left: OAuthID, right: OAuthID) -> Bool {
    ExactText.isLess(left.text, right.text)
  }
}
