// The public keys that age files are written for: age's own, and Ed25519 keys in the form of SSH.
//
//   age1...                            Bech32 of 32 bytes
//   ssh-ed25519 AAAA... [comment]      a line of a .pub or authorized_keys file

/// A key that a file is written for.
package enum AgeRecipient: Hashable, Sendable {
  /// One of age's own.
  case x25519(X25519PublicKey)
  /// A signer's, as a key of SSH.
  case ssh(PublicKey)

  /// The beginning of the text of one of age's own keys.
  package static let prefix = "age1"
  /// The beginning of the text of a post-quantum key, which is not supported.
  package static let hybridPrefix = "age1pq1"
  private static let name = "age"

  /// Reads a text, `age1...` or `ssh-ed25519 AAAA...`; `nil` for anything else, and for a key that nothing can be
  /// encrypted for.
  ///
  /// - Parameter text: without a line end.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    if text.hasPrefix(Self.prefix) {
      guard let raw = Bech32.decode(bytes.span, name: Self.name), raw.count == 32 else {
        return nil
      }
      let point = raw.withSpan { raw in InlineArray<32, UInt8> { raw[$0] } }
      guard let key = X25519PublicKey(bytes: point) else { return nil }
      self = .x25519(key)
      return
    }
    guard let key = SSHKey(line: bytes), X25519PublicKey(key.signer) != nil else { return nil }
    self = .ssh(key.signer)
  }

  /// Its text.
  package var text: String {
    switch self {
    case .x25519(let key):
      Bech32.text(key.bytes.span, name: Self.name).withSpan { text in
        String(decoding: text.indices.map { text[$0] }, as: UTF8.self)
      }
    case .ssh(let signer): SSHKey(signer).line
    }
  }

  /// Wraps a file key.
  ///
  /// - Parameters:
  ///   - fileKey: 16 bytes.
  ///   - output: receives the stanza.
  func wrap(_ fileKey: borrowing SecretBytes, into output: inout [UInt8]) {
    let ephemeral = X25519PrivateKey.generate()
    let share = ephemeral.publicKey.bytes
    var words: [[UInt8]]
    let wrapping: SecretBytes?
    switch self {
    case .x25519(let key):
      words = [Array(AgeStanza.x25519Name.utf8)]
      wrapping = Self.wrapping(ephemeral, key)
    case .ssh(let signer):
      let key = SSHKey(signer)
      words = [Array(AgeStanza.sshName.utf8), Self.base64(key.tag.span)]
      wrapping = Self.wrapping(ephemeral, key)
    }
    words.append(Self.base64(share.span))
    guard let wrapping else { preconditionFailure("BUG: a key that nothing can be sealed for") }
    Self.append(words, AgeWrapping.seal(fileKey, wrapping), to: &output)
  }

  private static func wrapping(
    _ ephemeral: borrowing X25519PrivateKey, _ key: X25519PublicKey
  ) -> SecretBytes? {
    guard let secret = ephemeral.sharedSecret(with: key.bytes) else { return nil }
    return AgeWrapping.key(secret, ephemeral.publicKey.bytes, key, info: AgeWrapping.x25519)
  }

  private static func wrapping(
    _ ephemeral: borrowing X25519PrivateKey, _ key: SSHKey
  ) -> SecretBytes? {
    guard let point = X25519PublicKey(key.signer),
      let secret = ephemeral.sharedSecret(with: point.bytes), let tweaked = key.tweak(secret)
    else { return nil }
    return AgeWrapping.key(tweaked, ephemeral.publicKey.bytes, point, info: AgeWrapping.ssh)
  }

  static func base64(_ bytes: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    Base64.append(unpadded: bytes, to: &text)
    return text
  }

  /// Appends a stanza, whose body must be shorter than a line.
  static func append(_ words: [[UInt8]], _ body: [UInt8], to output: inout [UInt8]) {
    output += AgeHeader.stanzaStart
    output += words.joined(separator: [UInt8(ascii: " ")])
    output.append(UInt8(ascii: "\n"))
    Base64.append(unpadded: body.span, to: &output)
    output.append(UInt8(ascii: "\n"))
  }
}
