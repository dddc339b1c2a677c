// Getting the file key out of a header.

extension AgeHeader {
  /// Tries a key.
  ///
  /// - Parameter identity: the key.
  /// - Returns: the file key; `nil` when the file is not for it.
  /// - Throws: `header` for a share that nobody makes.
  package func fileKey(_ identity: borrowing AgeIdentity) throws(AgeFault) -> SecretBytes? {
    for stanza in stanzas {
      switch stanza {
      case .x25519(let share, let body):
        guard identity.form == .x25519 else { continue }
        if let key = try Self.open(share, body, identity) { return key }
      case .ssh(let tag, let share, let body):
        guard case .ssh(let signer) = identity.form, SSHKey(signer).tag == tag else { continue }
        if let key = try Self.open(share, body, identity) { return key }
      case .passphrase, .hybrid, .unknown: break
      }
    }
    return nil
  }

  private static func open(
    _ share: InlineArray<32, UInt8>, _ body: [UInt8], _ identity: borrowing AgeIdentity
  ) throws(AgeFault) -> SecretBytes? {
    guard let secret = identity.key.sharedSecret(with: share) else {
      throw .header(line: 2, .lowOrder)
    }
    let own = identity.key.publicKey
    let wrapping: SecretBytes
    switch identity.form {
    case .x25519: wrapping = AgeWrapping.key(secret, share, own, info: AgeWrapping.x25519)
    case .ssh(let signer):
      guard let tweaked = SSHKey(signer).tweak(secret) else {
        throw .header(line: 2, .lowOrder)
      }
      wrapping = AgeWrapping.key(tweaked, share, own, info: AgeWrapping.ssh)
    }
    return AgeWrapping.open(body, wrapping)
  }

  /// Tries a passphrase.
  ///
  /// - Parameters:
  ///   - passphrase: its bytes.
  ///   - limit: the largest base-2 logarithm of scrypt's N that is worked with.
  /// - Returns: the file key; `nil` when the passphrase does not open the file.
  /// - Throws: `work` above the limit, `memory`.
  /// - Complexity: O(N), in time and memory.
  package func fileKey(
    passphrase: borrowing SecretBytes, limit: Int = AgePassphrase.readLimit
  ) throws(AgeFault) -> SecretBytes? {
    for case .passphrase(let salt, let logarithm, let body) in stanzas {
      guard logarithm <= limit else { throw .work(logarithm: logarithm) }
      guard
        let key = Scrypt.key(
          passphrase: passphrase, salt: AgePassphrase.label + salt, logarithm: logarithm)
      else { throw .memory(logarithm: logarithm) }
      return AgeWrapping.open(body, key)
    }
    return nil
  }
}

/// The constants of stanzas for passphrases.
package enum AgePassphrase {
  static let saltCount = 16
  static let label = Array("age-encryption.org/v1/scrypt".utf8)
  /// The base-2 logarithm of scrypt's N in what is written: 256 MiB, about a second of a processor.
  package static let usualLogarithm = 18
  /// The largest that is read, as age has it: 4 GiB.
  package static let readLimit = 22
}

/// The wrapping of a file key.
enum AgeWrapping {
  static let x25519: StaticString = "age-encryption.org/v1/X25519"
  static let ssh: StaticString = "age-encryption.org/v1/ssh-ed25519"

  /// The key that wraps, from a shared secret.
  static func key(
    _ secret: borrowing SecretBytes, _ share: InlineArray<32, UInt8>, _ recipient: X25519PublicKey,
    info: StaticString
  ) -> SecretBytes {
    var salt: [UInt8] = []
    for index in 0..<32 { salt.append(share[index]) }
    for index in 0..<32 { salt.append(recipient.bytes[index]) }
    return HKDF.key(of: secret, salt: salt, info: info)
  }

  /// Each key wraps one file key, so that the nonce is zero.
  private static var nonce: InlineArray<12, UInt8> { InlineArray(repeating: 0) }

  static func seal(_ fileKey: borrowing SecretBytes, _ key: borrowing SecretBytes) -> [UInt8] {
    var body: [UInt8] = []
    fileKey.withSpan { ChaCha20Poly1305.seal($0, key: key, nonce: nonce, into: &body) }
    return body
  }

  static func open(_ body: [UInt8], _ key: borrowing SecretBytes) -> SecretBytes? {
    var fileKey: [UInt8] = []
    fileKey.reserveCapacity(body.count)
    guard ChaCha20Poly1305.open(body.span, key: key, nonce: nonce, into: &fileKey) else {
      return nil
    }
    return SecretBytes(moving: &fileKey)
  }
}
