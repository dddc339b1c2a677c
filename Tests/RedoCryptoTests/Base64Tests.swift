// Base64 against the test vectors of RFC 4648, section 10, and its refusals.

import RedoCrypto
import TestSupport
import Testing

@Suite("Base64")
struct Base64Tests {
  @Test(
    "the vectors of RFC 4648",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func vectors(plain: String, text: String) {
    #expect(encoded(Array(plain.utf8)) == text)
    #expect(decoded(text) == Array(plain.utf8))
  }

  @Test("every byte in every place comes back")
  func roundTrip() {
    for count in 0..<7 {
      for byte in 0...UInt8.max {
        let bytes = (0..<count).map { UInt8($0) &* 37 &+ byte }
        #expect(decoded(encoded(bytes)) == bytes)
      }
    }
    #expect(decoded("+/+/") == [0xFB, 0xFF, 0xBF])
  }

  @Test(
    "what is not exactly the text of a value is refused",
    arguments: [
      "Z", "Zg", "Zg=", "Zg===", "====", "=", "Z===", "Zm9v=", "Zm9vYg", "Zh==", "Zm9=", "Zm8=Zm8=",
      "Zg==Zg==", "Zm 9", "Zm9v\n", "Zm9-", "Zm9_", "Zm=v", "Z=8=", "\u{e9}Zm",
    ])
  func refused(text: String) { #expect(decoded(text) == nil) }

  private func encoded(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    Base64.append(bytes.span, to: &text)
    return string(text)
  }
  private func decoded(_ text: String) -> [UInt8]? {
    let bytes = Array(text.utf8)
    return Base64.decode(bytes.span)
  }
}
