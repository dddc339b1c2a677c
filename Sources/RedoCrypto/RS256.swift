// RS256 (RFC 7518, section 3.3): RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, section 8.2), by OpenSSL,
// with private keys as their owners get them: PEM (RFC 7468), PKCS #8 (RFC 5958) or PKCS #1.
//
// No type holds a key: each signature reads it anew, which is affordable for one token an hour, and
// nothing of OpenSSL's key code is linked where nobody signs.

internal import COpenSSL

/// Why a text is not a key that can sign.
package enum RSAKeyError: Error, Equatable, Sendable {
  /// It is not a private key in PEM.
  case noKey
  /// It is under a passphrase; nobody is asked for one.
  case encrypted
  /// It is the key of another algorithm.
  case otherAlgorithm
  /// The number of bits of its modulus.
  case size(bits: Int)
  /// The library does not sign with it.
  case unusable
}

extension RSAKeyError: CustomStringConvertible {
  /// The fault, for people, following "the key".
  package var description: String {
    switch self {
    case .noKey: "is no private key in PEM"
    case .encrypted: "is encrypted, and there is nobody to ask for its passphrase"
    case .otherAlgorithm: "is no key of RSA"
    case .size(let bits):
      "has \(bits) bits, not from \(RS256.bitRange.lowerBound) to \(RS256.bitRange.upperBound)"
    case .unusable: "is damaged"
    }
  }
}

/// The signature algorithm RS256.
package enum RS256 {
  /// How many bits a modulus may have: RFC 7518 requires at least 2048, and OpenSSL's own limit bounds the
  /// time it takes.
  package static let bitRange = 2048...16_384
  /// The most bytes of a PEM text: a key of the largest size has about 13 KiB.
  package static let textLimit = 65_536

  /// Signs a message.
  ///
  /// - Parameters:
  ///   - message: the bytes.
  ///   - pem: an unencrypted private key; lines before it are passed over.
  /// - Returns: the signature, as many bytes as the modulus has.
  /// - Throws: why it cannot be read; never a part of the key.
  package static func sign(
    _ message: Span<UInt8>, pem: borrowing SecretBytes
  ) throws(RSAKeyError) -> [UInt8] {
    guard pem.count <= textLimit else { throw .noKey }
    // What the library notes of its troubles tells nothing that is needed here.
    defer { ERR_clear_error() }
    // SAFETY: the text lives during the call, and the key is freed before the end of it.
    let result = unsafe pem.withMutablePointer { text in
      unsafe signature(of: message, text, pem.count)
    }
    return try result.get()
  }

  @unsafe
  private static func signature(
    of message: Span<UInt8>, _ text: UnsafeMutablePointer<UInt8>, _ count: Int
  ) -> Result<[UInt8], RSAKeyError> {
    let isEncrypted = unsafe contains("ENCRYPTED", UnsafeBufferPointer(start: text, count: count))
    guard let source = unsafe BIO_new_mem_buf(text, Int32(count)) else {
      return .failure(.unusable)
    }
    defer { unsafe BIO_free_all(source) }
    // Without a function of ours the library would ask at the terminal.
    guard let key = unsafe PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil) else {
      return .failure(isEncrypted ? .encrypted : .noKey)
    }
    defer { unsafe EVP_PKEY_free(key) }
    guard unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else { return .failure(.otherAlgorithm) }
    let bits = unsafe Int(EVP_PKEY_get_bits(key))
    guard bitRange.contains(bits) else { return .failure(.size(bits: bits)) }
    guard let context = unsafe EVP_MD_CTX_new() else { return .failure(.unusable) }
    defer { unsafe EVP_MD_CTX_free(context) }
    guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1 else {
      return .failure(.unusable)
    }
    var output = [UInt8](repeating: 0, count: (bits + 7) / 8)
    var length = output.count
    let isSigned = unsafe message.withUnsafeBufferPointer { message in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe EVP_DigestSign(
          context, output.baseAddress, &length, message.baseAddress, message.count) == 1
      }
    }
    guard isSigned, length == output.count else { return .failure(.unusable) }
    return .success(output)
  }

  /// Whether a text contains a word.
  @unsafe
  private static func contains(_ word: StaticString, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let count = word.utf8CodeUnitCount
    guard text.count >= count else { return false }
    // SAFETY: both are read below their counts.
    return (0...text.count - count).contains { start in
      (0..<count).allSatisfy { unsafe text[start + $0] == word.utf8Start[$0] }
    }
  }
}
