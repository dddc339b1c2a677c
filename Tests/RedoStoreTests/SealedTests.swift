// Sealed files: the contents come back for the recipients, and for nobody else; nothing can be changed
// unnoticed.

import RedoCrypto
import TestSupport
import Testing

@testable import RedoStore

/// Seals and opens.
private enum Seals {
  /// The cheapest passphrase: these tests are about the file, not about guessing.
  static let cost = Argon2id.Cost(passes: 1, memoryKiB: 8)

  static func secret(_ text: String) -> SecretBytes {
    var bytes = Array(text.utf8)
    return SecretBytes(moving: &bytes)
  }

  static func key(_ byte: UInt8) -> X25519PrivateKey {
    var bytes = [UInt8](repeating: byte, count: 32)
    return X25519PrivateKey(bytes: SecretBytes(moving: &bytes))
  }

  static func seal(_ bytes: [UInt8], _ lock: borrowing SealedLock, step: Int = 70_000) -> [UInt8] {
    var writer = SealedWriter(lock)
    var sealed = writer.take()
    for start in stride(from: 0, to: bytes.count, by: step) {
      writer.add(Array(bytes[start..<min(start + step, bytes.count)]))
      sealed += writer.take()
    }
    writer.finish()
    return sealed + writer.take()
  }

  /// What is in a file; `nil` when the key does not open it.
  static func open(
    _ sealed: [UInt8], _ key: borrowing X25519PrivateKey
  ) throws(SealedError) -> [UInt8]? {
    var reader = try SealedReader(.memory(sealed))
    guard try reader.unlock(key) else { return nil }
    return try all(&reader)
  }

  static func open(_ sealed: [UInt8], passphrase: String) throws(SealedError) -> [UInt8]? {
    var reader = try SealedReader(.memory(sealed))
    guard try reader.unlock(passphrase: secret(passphrase)) else { return nil }
    return try all(&reader)
  }

  private static func all(_ reader: inout SealedReader) throws(SealedError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let chunk = try reader.next() { bytes += chunk }
    return bytes
  }

  static func bytes(_ count: Int) -> [UInt8] {
    var random = SeededRandom(seed: UInt64(count))
    return random.bytes(count)
  }
}

@Suite("Sealed files")
struct SealedTests {
  @Test(
    "come back whole, whatever their size",
    arguments: [1, 2, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 300_000])
  func sizes(_ count: Int) throws {
    let bytes = Seals.bytes(count)
    let lock = SealedLock([Seals.key(1).publicKey])
    for step in [1000, 65_536, 1 << 20] {
      let sealed = Seals.seal(bytes, lock, step: step)
      let chunks = (count + 65_535) / 65_536
      #expect(sealed.count == 14 + 83 + 64 + 24 + count + 17 * chunks)
      #expect(SealedFile.isSealed(sealed))
      #expect(try Seals.open(sealed, Seals.key(1)) == bytes)
    }
  }

  @Test("open for each of their keys and for the passphrase, and for nothing else")
  func locks() throws {
    let bytes = Seals.bytes(1000)
    let made = SealedLock(
      [Seals.key(1).publicKey, Seals.key(2).publicKey], passphrase: Seals.secret("correct horse"),
      cost: Seals.cost)
    guard let lock = made else {
      Issue.record("there is no memory")
      return
    }
    let sealed = Seals.seal(bytes, lock)
    #expect(try Seals.open(sealed, Seals.key(1)) == bytes)
    #expect(try Seals.open(sealed, Seals.key(2)) == bytes)
    #expect(try Seals.open(sealed, passphrase: "correct horse") == bytes)
    #expect(try Seals.open(sealed, Seals.key(3)) == nil)
    #expect(try Seals.open(sealed, passphrase: "correct horse ") == nil)
    let reader = try SealedReader(.memory(sealed))
    let (boxes, hasPassphrase, hasUnknown) = (
      reader.boxCount, reader.hasPassphrase, reader.hasUnknown
    )
    #expect(boxes == 2 && hasPassphrase && !hasUnknown)
    // The same bytes for the same keys are another file.
    let again = Seals.seal(bytes, lock)
    #expect(again != sealed)
    #expect(try Seals.open(again, Seals.key(2)) == bytes)
  }

  @Test("every change of a byte is refused")
  func changes() throws {
    let made = SealedLock(
      [Seals.key(1).publicKey], passphrase: Seals.secret("p"), cost: Seals.cost)
    guard let lock = made else {
      Issue.record("there is no memory")
      return
    }
    let sealed = Seals.seal(Seals.bytes(200), lock)
    for place in sealed.indices {
      for bit: UInt8 in [0x01, 0x10, 0x80] {
        var bad = sealed
        bad[place] ^= bit
        #expect(throws: SealedError.self, "byte \(place)") {
          _ = try Seals.open(bad, Seals.key(1))
        }
      }
      var bad = sealed
      bad[place] = ~bad[place]
      #expect(throws: SealedError.self, "byte \(place)") {
        _ = try Seals.open(bad, passphrase: "p")
      }
    }
  }

  @Test("a header that was written anew with its hash is refused under the file key")
  func forgedHeader() throws {
    let sealed = Seals.seal(
      Seals.bytes(200), SealedLock([Seals.key(1).publicKey, Seals.key(2).publicKey]))
    // The second stanza is removed, and the hash that anybody can compute is corrected.
    var head = Array(sealed[..<(14 + 83)])
    head[12] = 1
    let sum = SHA256.digest(of: head.span)
    for index in 0..<32 { head.append(sum.bytes[index]) }
    let bad = head + sealed[(14 + 2 * 83 + 32)...]
    #expect(throws: SealedError.self) { _ = try Seals.open(bad, Seals.key(1)) }
    #expect(try Seals.open(bad, Seals.key(2)) == nil)
  }

  @Test("what is cut off, made longer, repeated or moved is refused")
  func order() throws {
    let lock = SealedLock([Seals.key(1).publicKey])
    let sealed = Seals.seal(Seals.bytes(3 * 65_536), lock)
    let start = 14 + 83 + 64 + 24
    let chunk = 65_536 + 17
    #expect(sealed.count == start + 3 * chunk)
    func refused(_ bad: [UInt8], _ what: Comment) {
      #expect(throws: SealedError.self, what) { _ = try Seals.open(bad, Seals.key(1)) }
    }
    let short = Seals.seal(Seals.bytes(100), lock)
    for count in short.indices { refused(Array(short[..<count]), "the first \(count) bytes") }
    refused(short + [0], "a byte more")
    refused(Array(sealed[..<(start + chunk)]), "one chunk")
    refused(Array(sealed[..<(start + 2 * chunk)]), "two chunks")
    refused(Array(sealed[..<(start + 2 * chunk + 5)]), "two chunks and a bit")
    refused(sealed + sealed[(start + 2 * chunk)...], "the last chunk twice")
    refused(
      Array(sealed[..<start] + sealed[(start + chunk)...]), "without the first chunk")
    refused(
      Array(
        sealed[..<start] + sealed[(start + chunk)..<(start + 2 * chunk)]
          + sealed[start..<(start + chunk)] + sealed[(start + 2 * chunk)...]),
      "two chunks exchanged")
    let other = Seals.seal(Seals.bytes(3 * 65_536), lock)
    refused(Array(sealed[..<start] + other[start...]), "the chunks of another file")
  }

  @Test("a passphrase dearer than keys may be is not paid for, and other versions are named")
  func limits() throws {
    let made = SealedLock([], passphrase: Seals.secret("p"), cost: Seals.cost)
    guard let lock = made else {
      Issue.record("there is no memory")
      return
    }
    var sealed = Seals.seal([1], lock)
    // The KiB of the stanza, and the hash over the header.
    for (place, byte) in zip(17 + 20..<17 + 24, [0xFF, 0xFF, 0xFF, 0x7F] as [UInt8]) {
      sealed[place] = byte
    }
    let end = 14 + 3 + 96
    let sum = SHA256.digest(of: sealed.span.extracting(0..<end))
    for index in 0..<32 { sealed[end + index] = sum.bytes[index] }
    #expect(throws: SealedError.cost(Argon2id.Cost(passes: 1, memoryKiB: 0x7FFF_FFFF))) {
      _ = try Seals.open(sealed, passphrase: "p")
    }
    sealed[11] = 2
    #expect(throws: SealedError.unsupported(version: 2)) {
      _ = try Seals.open(sealed, passphrase: "p")
    }
    #expect(throws: SealedError.notSealed) { _ = try Seals.open([1, 2], passphrase: "p") }
  }

  @Test("a copy without a name keeps what it is given", arguments: [10, 1000, 100_000])
  func copies(_ limit: Int) throws {
    let bytes = Seals.bytes(5000)
    let scratch = try Scratch()
    var copy = HiddenCopy(in: scratch.path, memoryLimit: limit)
    for start in stride(from: 0, to: bytes.count, by: 700) {
      try copy.add(Array(bytes[start..<min(start + 700, bytes.count)]))
    }
    let source = copy.finish()
    #expect(try source.size() == 5000)
    #expect(try source.read(10_000, at: 0) == bytes)
    #expect(try source.read(100, at: 4950) == Array(bytes[4950...]))
    #expect(try Directory.open(scratch.path).list().isEmpty)
    #expect(try File.unnamed(in: scratch.path).status().mode & 0o777 == 0o600)
  }
}

@Suite("Keys of recipients")
struct RecipientTests {
  private static func bytes(_ hex: String) -> InlineArray<32, UInt8> {
    Hex.decode32(Array(hex.utf8).span) ?? InlineArray(repeating: 0)
  }

  @Test("a signer's key opens what was sealed for its public half")
  func converted() throws {
    for seed in 1...20 {
      var bytes = Seals.bytes(31 + seed)[..<32].map { $0 }
      let signer = SecretKey(seed: SecretBytes(moving: &bytes))
      guard let recipient = X25519PublicKey(signer.publicKey) else {
        Issue.record("a key of ours is refused")
        continue
      }
      let key = X25519PrivateKey(signer)
      #expect(key.publicKey == recipient)
      #expect(try Seals.open(Seals.seal([7], SealedLock([recipient])), key) == [7])
    }
  }

  @Test(
    "points of small order, or not in their one form, are no keys of signers",
    arguments: [
      // The neutral element, the points of orders 2, 4 and 8, and these in other forms.
      "0100000000000000000000000000000000000000000000000000000000000000",
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "0000000000000000000000000000000000000000000000000000000000000000",
      "0000000000000000000000000000000000000000000000000000000000000080",
      "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
      "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      // y = p + 3, a point of the main form's y = 3 if that is one.
      "f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      // Not on the curve.
      "0200000000000000000000000000000000000000000000000000000000000000",
    ])
  func refusedSigners(_ hex: String) {
    #expect(X25519PublicKey(PublicKey(bytes: Self.bytes(hex))) == nil)
  }

  @Test("a point with a part outside of the main subgroup is no key of a signer")
  func mixed() {
    // The base point plus a point of order 8, by another program.
    let hex = "da99e28ba529cdde35a25fba9059e78ecaee239f99755b9b1aa4f65df00803e2"
    #expect(X25519PublicKey(PublicKey(bytes: Self.bytes(hex))) == nil)
  }

  @Test(
    "points of small order, or not reduced, are no keys of recipients",
    arguments: [
      "0000000000000000000000000000000000000000000000000000000000000000",
      "0100000000000000000000000000000000000000000000000000000000000000",
      "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
      "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      // 9 + p: the base point, not reduced; and 9 with the bit that is not looked at.
      "f6ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "0900000000000000000000000000000000000000000000000000000000000080",
    ])
  func refused(_ hex: String) {
    #expect(X25519PublicKey(bytes: Self.bytes(hex)) == nil)
  }

  @Test("the base point is a key")
  func base() {
    let hex = "0900000000000000000000000000000000000000000000000000000000000000"
    #expect(X25519PublicKey(bytes: Self.bytes(hex)) != nil)
  }

  @Test("a public key is the one that OpenSSL makes of the same bytes")
  func vector() {
    var bytes = (0..<32).map { UInt8($0) }
    let key = X25519PrivateKey(bytes: SecretBytes(moving: &bytes))
    #expect(
      Hex.text(key.publicKey.bytes.span)
        == "8f40c5adb68f25624ae5b214ea767a6ec94d829d3d7b5e1ad1ba6f3e2138285f")
  }
}
