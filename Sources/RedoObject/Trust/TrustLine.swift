// One line of a trust file (redo-trust(1)): who may sign what, and when.
//
//   <public key | user id> [<option>[,<option>...]] [# <comment>]

package import RedoCrypto

/// The signer that a line of a trust file concerns.
package enum Signer: Hashable, Sendable {
  /// The owner of the secret half of this key.
  case key(PublicKey)
  /// The owner of the secret half of a key that begins with this.
  case user(UserID)

  /// Reads 64 hex digits of a key, or 32 of a user id, in lower case.
  ///
  /// - Parameter hex: ASCII; `nil` is returned for anything else.
  package init?(hex: Span<UInt8>) {
    if let bytes = Hex.decode32(hex) {
      self = .key(PublicKey(bytes: bytes))
    } else if let user = UserID(hex: hex) {
      self = .user(user)
    } else {
      return nil
    }
  }

  /// The user.
  package var userID: UserID {
    switch self {
    case .key(let key): UserID(of: key)
    case .user(let user): user
    }
  }

  /// The key, if the line names one.
  package var key: PublicKey? { if case .key(let key) = self { key } else { nil } }

  /// 64 or 32 hex digits.
  package var text: String {
    switch self {
    case .key(let key): Hex.text(key.bytes.span)
    case .user(let user): user.text
    }
  }
}

/// What a line of a trust file says.
package struct TrustLine: Equatable, Sendable {
  /// What a signer may sign.
  package enum Role: String, CaseIterable, Sendable {
    /// Nodes and checkpoints.
    case author
    /// Checkpoints only.
    case auditor
  }

  /// The signer.
  package let signer: Signer
  /// What they sign; `nil` when the line does not say so, which means author.
  package var role: Role?
  /// The first instant at which they sign.
  package var validAfter: WallTime?
  /// The first instant at which the signer may no longer sign.
  package var validBefore: WallTime?
  /// Whether the key is in the wrong hands, or no longer used.
  package var isRevoked = false
  /// Nodes that stay good nevertheless, with all their ancestors.
  package var validThrough: [ObjectID] = []
  /// Another signer who is the same person.
  package var sameAs: Signer?
  /// What proves it.
  package var proof: KeyLink?
  /// The devices whose receipts the key signs.
  package var devices: [DeviceName] = []
  /// The comment after the `#`, without the blanks around it; `nil` when there is none.
  package var comment: [UInt8]?

  /// A line that only says who may sign.
  package init(_ signer: Signer) { self.signer = signer }

  /// Whether the line says nothing but that its signer is revoked.
  package var isOnlyRevocation: Bool {
    isRevoked && role == nil && validAfter == nil && validBefore == nil && sameAs == nil
      && devices.isEmpty
  }

  /// The line in its written form, without the line feed.
  package var bytes: [UInt8] {
    var options: [String] = []
    if let role { options.append("role=\(role.rawValue)") }
    if let validAfter { options.append("valid-after=\(validAfter.text)") }
    if let validBefore { options.append("valid-before=\(validBefore.text)") }
    if let sameAs { options.append("same-as=\(sameAs.text)") }
    if let proof { options.append("proof=\(proof.text)") }
    options += devices.map { "device=\($0.escaped)" }
    if isRevoked { options.append("revoked") }
    options += validThrough.map { "valid-through=\($0.text)" }
    var bytes = Array(signer.text.utf8)
    if !options.isEmpty { bytes += " \(options.joined(separator: ","))".utf8 }
    if let comment { bytes += " #".utf8 + (comment.isEmpty ? [] : [UInt8(ascii: " ")]) + comment }
    return bytes
  }
}
