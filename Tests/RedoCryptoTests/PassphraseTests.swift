// Keys under passphrases: known answers of other implementations, and what must not open.

import RedoCrypto
import TestSupport
import Testing

/// Secret bytes of the given ones.
private func secret(_ bytes: [UInt8]) -> SecretBytes {
  var bytes = bytes
  return SecretBytes(moving: &bytes)
}

/// The bytes of a secret, for comparison.
private func revealed(_ secret: borrowing SecretBytes?) -> [UInt8]? {
  switch secret {
  case .some(let secret):
    secret.withSpan { span in
      var bytes: [UInt8] = []
      for index in span.indices { bytes.append(span[index]) }
      return bytes
    }
  case .none: nil
  }
}

@Suite("Argon2id")
struct Argon2idTests {
  /// Answers of the reference implementation (github.com/P-H-C/phc-winner-argon2, by argon2-cffi), one
  /// lane, 32 bytes, for costs from the least on; PyNaCl agrees.
  struct KnownAnswer: Sendable, CustomTestStringConvertible {
    let passphrase: String
    let salt: String
    let passes: Int
    let memoryKiB: Int
    let key: String
    var testDescription: String { "\(passes) passes over \(memoryKiB) KiB" }
  }
  static let answers = [
    KnownAnswer(
      passphrase: "password", salt: "000102030405060708090a0b0c0d0e0f", passes: 1, memoryKiB: 8,
      key: "3a008963c65f7ffa7331a90babd1fd17ea9f03bd05356b857ceb43f7b7080adc"),
    KnownAnswer(
      passphrase: "password", salt: "000102030405060708090a0b0c0d0e0f", passes: 2, memoryKiB: 64,
      key: "716882821df77bc6414358b07159fb63ca1c90beaeb9d0ca0e43bd887dcf2ca9"),
    KnownAnswer(
      passphrase: "password", salt: "736f6d6573616c74736f6d6573616c74", passes: 3, memoryKiB: 256,
      key: "45712205ca8e0777e07eeb552e27165d3450b42ba9d9e646b9be536116b192cc"),
    KnownAnswer(
      passphrase: "p\u{E4}ssw\u{F6}rd \u{1F511}", salt: "ffffffffffffffffffffffffffffffff",
      passes: 1, memoryKiB: 1024,
      key: "0c8e5f836b8ab9067cf029798d1a33705ad3cff93cc167748c4b3aa0c1ca4898"),
    KnownAnswer(
      passphrase: "x", salt: "00000000000000000000000000000000", passes: 4, memoryKiB: 32,
      key: "413060ffd879de539e8fe9f283ebf88a0b72b180fea943cfe06a477984c9a775"),
    KnownAnswer(
      passphrase: String(repeating: "correct horse battery staple", count: 8),
      salt: "101112131415161718191a1b1c1d1e1f", passes: 3, memoryKiB: 65536,
      key: "4b2b801edcb4d77ee9a237b413b557e148a6bf03fa61a890269ee534b099e093"),
  ]

  private func key(_ answer: KnownAnswer, salt: [UInt8]? = nil, passphrase: String? = nil)
    -> [UInt8]?
  {
    let salt = salt ?? bytes(hex: answer.salt)
    return revealed(
      Argon2id.key(
        passphrase: secret(Array((passphrase ?? answer.passphrase).utf8)),
        salt: InlineArray { salt[$0] },
        cost: Argon2id.Cost(passes: answer.passes, memoryKiB: answer.memoryKiB)))
  }

  @Test("known answers of the reference implementation", arguments: answers)
  func knownAnswer(_ answer: KnownAnswer) {
    let expected = bytes(hex: answer.key)
    #expect(key(answer) == expected)
  }

  @Test("another passphrase or salt gives another key")
  func sensitive() {
    let answer = Self.answers[0]
    var salt = bytes(hex: answer.salt)
    salt[15] ^= 1
    #expect(key(answer, salt: salt) != key(answer))
    #expect(key(answer, passphrase: "passwore") != key(answer))
  }

  @Test("more memory than there is gives no key, and no crash")
  func noMemory() {
    let made = revealed(
      Argon2id.key(
        passphrase: secret([1]), salt: InlineArray(repeating: 0),
        cost: Argon2id.Cost(passes: 1, memoryKiB: 1 << 40)))
    #expect(made == nil)
  }
}

@Suite("XChaCha20-Poly1305")
struct XChaCha20Poly1305Tests {
  /// The first is A.3.1 of draft-irtf-cfrg-xchacha-03; the others are answers of PyCryptodome.
  struct KnownAnswer: Sendable {
    let key, nonce, associated, secret, sealed: String
  }
  static let answers = [
    KnownAnswer(
      key: "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
      nonce: "404142434445464748494a4b4c4d4e4f5051525354555657",
      associated: "50515253c0c1c2c3c4c5c6c7",
      secret: "4c616469657320616e642047656e746c656d656e206f662074686520636c6173"
        + "73206f66202739393a204966204920636f756c64206f6666657220796f75206f"
        + "6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73"
        + "637265656e20776f756c642062652069742e",
      sealed: "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb"
        + "731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452"
        + "2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9"
        + "21f9664c97637da9768812f615c68b13b52ec0875924c1c7987947deafd8780acf49"),
    KnownAnswer(
      key: "0000000000000000000000000000000000000000000000000000000000000000",
      nonce: "000000000000000000000000000000000000000000000000", associated: "", secret: "00",
      sealed: "780de63f05fe64e1a83e8e9be354ce6069"),
    KnownAnswer(
      key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      nonce: "000102030405060708090a0b0c0d0e0f1011121314151617",
      associated: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      secret: "404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f",
      sealed: "de834d3cd497cbe97b0d6c85871fe6a71b167af6a9834bbc274365ed61f0ab06"
        + "b6df6b6ce2849e995be50624bab867fb"),
  ]

  private func open(
    _ sealed: [UInt8], _ key: [UInt8], _ nonce: [UInt8], _ associated: [UInt8]
  ) -> [UInt8]? {
    revealed(
      XChaCha20Poly1305.open(
        sealed.span, key: secret(key), nonce: InlineArray { nonce[$0] },
        associated: associated.span))
  }

  @Test("known answers of others, sealed and opened", arguments: answers)
  func knownAnswer(_ answer: KnownAnswer) {
    let (key, nonce) = (bytes(hex: answer.key), bytes(hex: answer.nonce))
    let associated = bytes(hex: answer.associated)
    let sealed = XChaCha20Poly1305.seal(
      secret(bytes(hex: answer.secret)), key: secret(key), nonce: InlineArray { nonce[$0] },
      associated: associated.span)
    let expected = bytes(hex: answer.sealed)
    #expect(sealed == expected)
    let opened = open(sealed, key, nonce, associated)
    #expect(opened == bytes(hex: answer.secret))
  }

  @Test("one bit changed anywhere, and it does not open")
  func changed() {
    let answer = Self.answers[2]
    let parts = [answer.sealed, answer.key, answer.nonce, answer.associated].map { bytes(hex: $0) }
    for part in parts.indices {
      for index in parts[part].indices {
        var changed = parts
        changed[part][index] ^= 1 << UInt8(index % 8)
        let opened = open(changed[0], changed[1], changed[2], changed[3])
        #expect(opened == nil, "part \(part), byte \(index)")
      }
    }
    for count in 0..<parts[0].count {
      let opened = open(Array(parts[0][..<count]), parts[1], parts[2], parts[3])
      #expect(opened == nil, "\(count) bytes")
    }
  }
}

@Suite("Secrets in memory and in hex")
struct SecretHexTests {
  @Test("random bytes are others each time")
  func random() {
    let seen = Set((0..<100).compactMap { _ in revealed(SecretBytes(randomCount: 32)) })
    #expect(seen.count == 100)
  }

  @Test("hex digits, and back; nothing but lower-case hex is taken")
  func hex() {
    let made = revealed(secret([0, 0x9A, 0xFF, 0x10]).hex())
    #expect(made == Array("009aff10".utf8))
    let ended = revealed(secret([0, 0x9A, 0xFF, 0x10]).hex(followedBy: [10]))
    #expect(ended == Array("009aff10\n".utf8))
    let back = revealed(SecretBytes.decodeHex(Array("009aff10".utf8).span))
    #expect(back == [0, 0x9A, 0xFF, 0x10])
    for text in ["009AFF10", "009aff1g", "009aff1", "", " 09aff10"] {
      let none = revealed(SecretBytes.decodeHex(Array(text.utf8).span))
      #expect(none == nil, "'\(text)'")
    }
  }

  @Test("a part is a copy, and equality looks at every byte")
  func parts() {
    let whole = secret([1, 2, 3, 4])
    let part = revealed(whole.copy(1..<3))
    #expect(part == [2, 3])
    let isSame = whole.isEqual(to: secret([1, 2, 3, 4]))
    let isLonger = whole.isEqual(to: secret([1, 2, 3, 4, 0]))
    let isOther = whole.isEqual(to: secret([1, 2, 3, 5]))
    #expect(isSame && !isLonger && !isOther)
  }

  @Test("the seed of a key is the one it was made of; new keys differ")
  func seed() {
    let bytes = [UInt8](1...32)
    let seed = revealed(secretKey(seed: bytes).seed())
    #expect(seed == bytes)
    let (one, two) = (SecretKey.generate().publicKey, SecretKey.generate().publicKey)
    #expect(one != two)
  }
}
