// Content identifiers: one text for each, and no other.

import DAGCBOR
import TestSupport
import Testing

@Suite("CIDs")
struct CIDTests {
  private func cid(_ text: String) -> CID? {
    let bytes = Array(text.utf8)
    return CID(text: bytes.span)
  }

  private func cid(bytes: [UInt8]) -> CID? { CID(bytes: bytes.span) }

  private func varint(_ bytes: [UInt8], _ index: inout Int) -> UInt64? {
    Varint.read(bytes.span, &index)
  }

  @Test("bytes and text go both ways")
  func text() throws {
    // The SHA-256 of nothing, as raw bytes; known from IPFS as that of the empty block.
    let empty = bytes(hex: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    let raw = CID(.raw, sha256: empty)
    #expect(raw.text == "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku")
    #expect(cid(raw.text) == raw)
    #expect(cid(bytes: raw.bytes) == raw)
    let map = CID(.dagCBOR, sha256: empty)
    #expect(map.text.hasPrefix("bafyrei"))
    #expect(cid(map.text) == map)
  }

  @Test("any other spelling is none")
  func spellings() {
    let text = "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"
    #expect(cid(text) != nil)
    #expect(cid(text.uppercased()) == nil)
    #expect(cid("z" + text.dropFirst()) == nil)
    #expect(cid(text + "a") == nil)
    #expect(cid(String(text.dropLast())) == nil)
    #expect(cid(text + "=") == nil)
    #expect(cid("") == nil)
    // The last letter has two bits that no byte needs.
    for letter in "vwxz" where letter != text.last {
      #expect(cid(String(text.dropLast()) + String(letter)) == nil, "\(letter)")
    }
    #expect(cid("bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvy1u") == nil)
  }

  @Test("varints: the fewest bytes, and no more than 63 bits")
  func varints() {
    for value in [0, 1, 127, 128, 16_383, 16_384, 1 << 62, UInt64(Int64.max)] {
      var bytes: [UInt8] = []
      Varint.append(value, to: &bytes)
      var index = 0
      #expect(varint(bytes, &index) == value)
      #expect(index == bytes.count)
      index = 0
      #expect(varint(Array(bytes.dropLast()), &index) == nil || value == 0)
    }
    for hex in ["", "80", "8000", "ff00", "ffffffffffffffffff01"] {
      var index = 0
      #expect(varint(bytes(hex: hex), &index) == nil, "\(hex)")
      #expect(index == 0)
    }
  }
}
