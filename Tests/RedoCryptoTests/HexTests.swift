// Lower-case hexadecimal and digests.

import RedoCrypto
import TestSupport
import Testing

@Suite("Hex")
struct HexTests {
  @Test("every byte is written as two lower-case digits and read back")
  func everyByte() {
    let all = (0...255).map(UInt8.init)
    let written = Hex.text(all.span)
    #expect(written == hex(all))
    for start in stride(from: 0, to: 256, by: 32) {
      let text = Array(written.utf8)[2 * start..<2 * start + 64]
      let read = decode(Array(text))
      #expect(read == Array(all[start..<start + 32]))
    }
  }

  @Test("any count of bytes is read, with a wrong digit found in every place")
  func everyCount() {
    for count in 0...40 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 29 &+ 200) }
      var text = Array(hex(bytes).utf8)
      #expect(decode(text) == bytes)
      for place in text.indices {
        let digit = text[place]
        text[place] = UInt8(ascii: "F")
        #expect(decode(text) == nil, "\(count) bytes, digit \(place)")
        text[place] = digit
      }
    }
  }

  @Test("of all 256 bytes only 0-9 and a-f are digits, in every place")
  func onlyLowerCase() {
    let digits = Set("0123456789abcdef".utf8)
    for byte in UInt8.min...UInt8.max {
      #expect((Hex.value(byte) < 16) == digits.contains(byte))
      for place in [0, 1, 30, 31] {
        var text = [UInt8](repeating: UInt8(ascii: "7"), count: 32)
        text[place] = byte
        #expect((decode(text) != nil) == digits.contains(byte), "\(byte) at \(place)")
      }
    }
  }

  @Test("a text of another length is no value")
  func lengths() {
    for count in 0...130 {
      let text = [UInt8](repeating: UInt8(ascii: "a"), count: count)
      let read = [
        Hex.decode16(text.span) != nil, Hex.decode32(text.span) != nil,
        Hex.decode64(text.span) != nil,
      ]
      #expect(read == [count == 32, count == 64, count == 128])
    }
  }

  /// As many bytes as the text has pairs of digits.
  private func decode(_ text: [UInt8]) -> [UInt8]? {
    var output = [UInt8](repeating: 0, count: text.count / 2)
    var span = output.mutableSpan
    return Hex.decode(text.span, into: &span) ? output : nil
  }
}

@Suite("SHA-256")
struct SHA256Tests {
  @Test(
    "known answers of FIPS 180-4",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func knownAnswers(message: String, digest: String) {
    #expect(digits(RedoCryptoTests.digest(of: Array(message.utf8)).bytes) == digest)
  }

  @Test("a message in pieces has the digest of the whole")
  func pieces() {
    let message = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let whole = digest(of: message)
    for size in [1, 3, 63, 64, 65, 999, 1000] {
      var hash = SHA256()
      for start in stride(from: 0, to: message.count, by: size) {
        hash.update(Array(message[start..<min(start + size, message.count)]).span)
      }
      #expect(hash.finalize() == whole, "pieces of \(size)")
    }
  }

  @Test("digests are ordered bytewise, as their hex is; raw bytes of another count are no digest")
  func order() {
    let digests = (0..<100).map { digest(of: [UInt8($0)]) }
    let texts = digests.sorted().map { digits($0.bytes) }
    #expect(texts == texts.sorted())
    #expect(Set(digests).count == 100)
    let counts = (0...40).filter { Digest(raw: [UInt8](repeating: 0, count: $0).span) != nil }
    #expect(counts == [32])
  }
}
