// AES-256-GCM against the test cases of its authors, and keys wrapped for other devices.

import RedoCrypto
import TestSupport
import Testing

@Suite("AES-256-GCM")
struct AES256GCMTests {
  private static func bytes(_ hex: String) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: hex.utf8.count / 2)
    var span = output.mutableSpan
    _ = Hex.decode(Array(hex.utf8).span, into: &span)
    return output
  }

  private static func key(_ byte: UInt8) -> SecretBytes {
    var bytes = [UInt8](repeating: byte, count: 32)
    return SecretBytes(moving: &bytes)
  }

  /// Test cases 13, 14 and 16 of McGrew and Viega, "The Galois/Counter Mode of Operation".
  @Test(
    "the test cases of the mode",
    arguments: [
      (
        String(repeating: "00", count: 32), String(repeating: "00", count: 12), "", "",
        "530f8afbc74536b9a963b4f1c4cb738b"
      ),
      (
        String(repeating: "00", count: 32), String(repeating: "00", count: 12),
        String(repeating: "00", count: 16), "",
        "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"
      ),
      (
        "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
        "cafebabefacedbaddecaf888",
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
        "feedfacedeadbeeffeedfacedeadbeefabaddad2",
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b"
      ),
    ])
  func cases(key: String, nonce: String, plain: String, associated: String, wanted: String) throws {
    var secret = Self.bytes(key)
    let key = SecretBytes(moving: &secret)
    let (nonce, associated) = (Self.bytes(nonce), Self.bytes(associated))
    let sealed = AES256GCM.seal(
      Self.bytes(plain).span, key: key, nonce: nonce, associated: associated)
    let found = try #require(sealed)
    #expect(found == nonce + Self.bytes(wanted))
    let opened = AES256GCM.open(found, key: key, associated: associated)
    #expect(opened == Self.bytes(plain))
    for index in found.indices {
      var changed = found
      changed[index] ^= 1
      let opened = AES256GCM.open(changed, key: key, associated: associated)
      #expect(opened == nil, "\(index)")
    }
    let others = [
      AES256GCM.open(found, key: key, associated: associated + [0]),
      AES256GCM.open(Array(found.dropLast()), key: key, associated: associated),
      AES256GCM.open(found, key: Self.key(3), associated: associated),
    ]
    #expect(others == [nil, nil, nil])
  }

  @Test("a wrapped key is opened by the device that it is for, and by no other")
  func wraps() throws {
    let own = X25519PrivateKey.generate()
    let other = X25519PrivateKey.generate()
    let (ownPublic, otherPublic) = (own.publicKey.bytes, other.publicKey.bytes)
    let nonce = [UInt8](repeating: 1, count: 12)
    let made = ShareWrap.wrap(Self.key(5), by: own, for: otherPublic, nonce: nonce)
    let wrapped = try #require(made)
    #expect(wrapped.count == ShareWrap.byteCount)
    let isOpened = Self.opens(wrapped, other, from: ownPublic)
    #expect(isOpened)
    let byItself = Self.opens(wrapped, own, from: otherPublic)
    #expect(byItself, "both have the same secret")
    let byStranger = Self.opens(wrapped, X25519PrivateKey.generate(), from: ownPublic)
    #expect(!byStranger)
    let isCut = Self.opens(Array(wrapped.dropLast()), other, from: ownPublic)
    #expect(!isCut)
    // A key of zeros, and another point of small order, are shared with everybody.
    for first in [0, 1] as [UInt8] {
      var point = InlineArray<32, UInt8>(repeating: 0)
      point[0] = first
      let shared = ShareWrap.wrap(Self.key(5), by: own, for: point, nonce: nonce)
      #expect(shared == nil)
      let isTaken = Self.opens(wrapped, other, from: point)
      #expect(!isTaken)
    }
  }

  private static func opens(
    _ wrapped: [UInt8], _ key: borrowing X25519PrivateKey, from other: InlineArray<32, UInt8>
  ) -> Bool {
    switch ShareWrap.unwrap(wrapped, by: key, from: other) {
    case .some(let content): content.isEqual(to: Self.key(5))
    case .none: false
    }
  }
}
