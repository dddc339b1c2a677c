// The text of the key by which others share secrets with this device (receipts, section 5.1): 64 hex digits, or, where the
// key that signs is not open to whoever reads the keyring, one line that takes it to open:
//
//   redo-x25519 1 <64 hex: public key> <64 hex: signer> <48 hex: nonce> <96 hex: the scalar, sealed>
//
// HKDF-SHA-256 of the signer's seed, without salt, with "redo x25519_private_key 1", gives a key; XChaCha20-Poly1305 seals
// the 32 bytes of the scalar with it, with the 32 bytes of the public key as associated data. redo-key(1) documents the
// form for other programs.

package import RedoCrypto

/// An X25519 private key as a slot has it.
package enum ExchangeKeyText: ~Copyable {
  /// The key itself.
  case plain(X25519PrivateKey)
  /// The key for the one who can sign.
  case sealed(SealedExchangeKey)

  /// Reads a text.
  ///
  /// - Parameter text: one line, without its end.
  /// - Returns: `nil` when it is no such key.
  package static func read(_ text: Span<UInt8>) -> ExchangeKeyText? {
    if text.count == 64, let bytes = SecretBytes.decodeHex(text) {
      return .plain(X25519PrivateKey(bytes: bytes))
    }
    // What is sealed is not secret, so an array may hold it.
    return SealedExchangeKey(text.indices.map { text[$0] }).map { .sealed($0) }
  }

  /// The public half.
  package var publicKey: X25519PublicKey {
    switch self {
    case .plain(let key): key.publicKey
    case .sealed(let key): key.publicKey
    }
  }

  /// Whether it takes the key of a signer to open it.
  package var isSealed: Bool {
    switch self {
    case .plain: false
    case .sealed: true
    }
  }

  /// The text of a plain key.
  package static func plainText(of key: borrowing X25519PrivateKey) -> SecretBytes {
    key.bytes().hex()
  }
}

/// An X25519 private key that a signer can open.
package struct SealedExchangeKey: Sendable {
  /// The public half, which anybody may read.
  package let publicKey: X25519PublicKey
  /// The public key of the signer who can open it.
  package let signer: PublicKey
  private let nonce: InlineArray<24, UInt8>
  private let sealed: [UInt8]

  private static let magic = ["redo-x25519", "1"]
  private static let info: StaticString = "redo x25519_private_key 1"

  /// Seals a key.
  package init(_ key: borrowing X25519PrivateKey, for signer: borrowing SecretKey) {
    publicKey = key.publicKey
    self.signer = signer.publicKey
    nonce = SecretBytes(randomCount: 24).withSpan { bytes in
      InlineArray<24, UInt8> { bytes[$0] }
    }
    sealed = XChaCha20Poly1305.seal(
      key.bytes(), key: HKDF.key(of: signer.seed(), info: Self.info), nonce: nonce,
      associated: publicKey.bytes.span)
  }

  /// Opens the key.
  ///
  /// - Parameter signer: the private key of its signer.
  /// - Returns: `nil` when it is another one, or the text was changed.
  package func open(by signer: borrowing SecretKey) -> X25519PrivateKey? {
    let bytes = XChaCha20Poly1305.open(
      sealed.span, key: HKDF.key(of: signer.seed(), info: Self.info), nonce: nonce,
      associated: publicKey.bytes.span)
    guard let bytes, bytes.count == 32 else { return nil }
    let key = X25519PrivateKey(bytes: bytes)
    guard key.publicKey == publicKey else { return nil }
    return key
  }

  /// Reads a text; `nil` when it is none.
  init?(_ text: [UInt8]) {
    let words = text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 6, zip(Self.magic, words).allSatisfy({ $1.elementsEqual($0.utf8) }),
      let point = Hex.decode32(Array(words[2]).span), let publicKey = X25519PublicKey(bytes: point),
      let signer = Hex.decode32(Array(words[3]).span),
      let nonce = Self.bytes(words[4], 24), let sealed = Self.bytes(words[5], 48)
    else { return nil }
    self.publicKey = publicKey
    self.signer = PublicKey(bytes: signer)
    self.nonce = InlineArray { nonce[$0] }
    self.sealed = sealed
  }

  private static func bytes(_ digits: ArraySlice<UInt8>, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var span = bytes.mutableSpan
    return Hex.decode(Array(digits).span, into: &span) ? bytes : nil
  }

  /// The text, one line without its end.
  package var text: [UInt8] {
    var text = Array(Self.magic.joined(separator: " ").utf8)
    for word in [
      Hex.text(publicKey.bytes.span), Hex.text(signer.bytes.span), Hex.text(nonce.span),
      Hex.text(sealed.span),
    ] { text += " \(word)".utf8 }
    return text
  }
}

extension Keyring {
  /// The key by which others share secrets with this device.
  ///
  /// - Returns: `nil` when the slot is empty.
  /// - Throws: what reading throws, `malformed` among it.
  package func exchangeKey() throws(KeyringError) -> ExchangeKeyText? {
    guard let value = try value(.exchangeKey) else { return nil }
    let text = value.withSpan { ExchangeKeyText.read($0) }
    guard let text else {
      throw .malformed(path: path(of: .exchangeKey), reason: SlotKind.exchangeKeyForm)
    }
    return text
  }
}
