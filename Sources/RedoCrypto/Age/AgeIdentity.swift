// The private keys that open age files: age's own, as text
//
//   AGE-SECRET-KEY-1...     Bech32 of 32 bytes
//
// and Ed25519 keys, which age knows as keys of SSH.

/// A private key that opens age files.
package struct AgeIdentity: ~Copyable, Sendable {
  /// What kind of stanza it opens.
  package enum Form: Hashable, Sendable {
    /// Those for age's own keys.
    case x25519
    /// Those for a signer's key.
    case ssh(PublicKey)
  }

  /// What kind of stanza it opens.
  package let form: Form
  /// The key of the curve.
  let key: X25519PrivateKey

  /// The beginning of the text of a key.
  package static let prefix = "AGE-SECRET-KEY-1"
  /// The beginning of the text of a post-quantum key, which is not supported.
  package static let hybridPrefix = "AGE-SECRET-KEY-PQ-1"
  private static let name = "age-secret-key-"

  private init(_ form: Form, _ key: consuming X25519PrivateKey) {
    self.form = form
    self.key = key
  }

  /// A copy, with its own end.
  package borrowing func copy() -> AgeIdentity { AgeIdentity(form, key.copy()) }

  /// One of age's own keys.
  package init(_ key: consuming X25519PrivateKey) {
    form = .x25519
    self.key = key
  }

  /// A signer's key.
  package init(_ key: borrowing SecretKey) {
    form = .ssh(key.publicKey)
    self.key = X25519PrivateKey(key)
  }

  /// Reads the text of one of age's own keys; `nil` for anything else.
  ///
  /// - Parameter text: ASCII, without a line end.
  package init?(text: Span<UInt8>) {
    let prefix = Array(Self.prefix.utf8)
    guard text.count > prefix.count, prefix.indices.allSatisfy({ text[$0] == prefix[$0] }),
      let bytes = Bech32.decode(text, name: Self.name), bytes.count == 32
    else { return nil }
    self.init(X25519PrivateKey(bytes: bytes))
  }

  /// A new key of age's own form.
  package static func generate() -> AgeIdentity { AgeIdentity(X25519PrivateKey.generate()) }

  /// The text of one of age's own keys; `nil` for a signer's key, which has other forms.
  package borrowing func text() -> SecretBytes? {
    guard form == .x25519 else { return nil }
    var upper = key.bytes().withSpan { Bech32.text($0, name: Self.name) }.withSpan { text in
      text.indices.map { index in
        97...122 ~= text[index] ? text[index] - 32 : text[index]
      }
    }
    return SecretBytes(moving: &upper)
  }

  /// For whom files are written that this key opens.
  package var recipient: AgeRecipient {
    switch form {
    case .x25519: .x25519(key.publicKey)
    case .ssh(let signer): .ssh(signer)
    }
  }
}
