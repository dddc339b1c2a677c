// The text of a private key, in a slot or from elsewhere: 64 hex digits, or a wrapped key.

package import RedoCrypto

/// A private key as it was read.
package enum PrivateKeyText: ~Copyable {
  /// The key itself.
  case plain(SecretKey)
  /// The key under a passphrase.
  case wrapped(WrappedKey)

  /// The most bytes of such a text.
  package static let byteLimit = 1024

  /// Reads a text.
  ///
  /// - Parameter text: the whole of it; one line feed may end it.
  /// - Returns: the key.
  /// - Throws: what is wrong with it.
  package static func read(
    _ text: borrowing SecretBytes
  ) throws(WrappedKey.Fault) -> PrivateKeyText {
    let isWrapped = text.withSpan { WrappedKey.isWrapped($0) }
    if isWrapped {
      // A wrapped key is not secret, so an array may hold it.
      let bytes = text.withSpan { span in
        var bytes: [UInt8] = []
        for index in span.indices { bytes.append(span[index]) }
        return bytes
      }
      return .wrapped(try WrappedKey.read(bytes))
    }
    let seed = text.withSpan { span in
      let hasEnd = span.count > 0 && span[span.count - 1] == UInt8(ascii: "\n")
      let digits = span.extracting(0..<(span.count - (hasEnd ? 1 : 0)))
      return digits.count == 64 ? SecretBytes.decodeHex(digits) : nil
    }
    guard let seed else { throw .form }
    return .plain(SecretKey(seed: seed))
  }

  /// The text to write of a plain key.
  package static func plainText(of key: borrowing SecretKey) -> SecretBytes {
    key.seed().hex(followedBy: [UInt8(ascii: "\n")])
  }

  /// Whether it takes a passphrase.
  package var isWrapped: Bool {
    switch self {
    case .plain: false
    case .wrapped: true
    }
  }

  /// The public half.
  package var publicKey: PublicKey {
    switch self {
    case .plain(let key): key.publicKey
    case .wrapped(let key): key.publicKey
    }
  }
}
