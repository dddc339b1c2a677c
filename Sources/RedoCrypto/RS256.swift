// RS256 (RFC 7518, section 3.3): RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, section 8.2), by OpenSSL,
// with private keys as their owners get them: PEM (RFC 7468), PKCS #8 (RFC 5958) or PKCS #1.
//
// There is no type that holds a key: each signature reads it anew, which a token an hour can afford, and
// nothing of OpenSSL's key code is linked where nobody signs.

internal import COpenSSL

/// Why a text is no key that signs.
package enum RSAKeyError: Error, Equatable, Sendable {
  /// It is no private key in PEM.
  case noKey
  /// It is one under a passphrase, which nobody is asked for.
  case encrypted
  /// It is the key of another algorithm.
  case otherAlgorithm
  /// It has a modulus of so many bits.
  case size(bits: Int)
  /// The library does not sign with it.
  case unusable
}

extension RSAKeyError: CustomStringConvertible {
  /// The fault, for people: behind "the key".
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
  /// How many bits a modulus may have: RFC 7518 asks for 2048 at least, and nobody waits for more than
  /// OpenSSL's own limit.
  package static let bitRange = 2048...16_384
  /// The most bytes of a PEM text: a key of the largest size has about 13 KiB.
  package static let textLimit = 65_536

  /// Signs a message.
  ///
  /// - Parameters:
  ///   - message: the bytes.
  ///   - pem: an unencrypted private key; lines before it are passed over.
  /// - Returns: the signature, as many bytes as the modulus has.
  /// - Throws: why there is none; never a part of the key.
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

  /// Whether a word stands in a text.
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
