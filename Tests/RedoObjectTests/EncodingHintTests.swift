// The hints for values that should have been lower-case hex: each was a real incident once.

import RedoObject
import TestSupport
import Testing

@Suite("Encoding hints")
struct EncodingHintTests {
  private func hint(_ text: String) -> String? { EncodingHint.text(for: Array(text.utf8).span) }

  @Test("upper-case hex")
  func upperCase() {
    #expect(hint("7A0B1C2D3E4F4A5B8C6D7E8F9A0B1C2D")?.contains("upper-case") == true)
    #expect(hint("sha256:E3B0C44298FC1C149AFBF4C8996FB92427")?.contains("upper-case") == true)
    #expect(hint("7a0b1c2d3e4f4a5b8c6d7e8f9a0b1c2D")?.contains("upper-case") == true)
  }

  @Test("Base58 has neither 0 nor O, I nor l")
  func base58() {
    #expect(hint("4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi")?.contains("Base58") == true)
    #expect(hint("4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLK0")?.contains("Base58") == false)
  }

  @Test("Base64, of both alphabets")
  func base64() {
    #expect(hint("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")?.contains("Base64") == true)
    #expect(hint("47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU")?.contains("Base64") == true)
  }

  @Test(
    "no hint where nothing is to be guessed",
    arguments: [
      "", "ABC", "7a0b1c2d3e4f4a5b8c6d7e8f9a0b1c2d", "not hex at all, but long enough",
      "sha256:", "ééééééééééééééééé", "7A0B1C2D-3E4F-4A5B-8C6D-7E8F9A0B1C2D",
    ])
  func none(text: String) {
    #expect(hint(text) == nil)
  }

  @Test("the hint stands beside the finding of each hex member")
  func beside() {
    let key = #""7A0B1C2D3E4F4A5B8C6D7E8F9A0B1C2D7A0B1C2D3E4F4A5B8C6D7E8F9A0B1C2D""#
    let user = #"{"deviceId":"d","userId":"7A0B1C2D3E4F4A5B8C6D7E8F9A0B1C2D"}"#
    let texts = [
      nodeText(["author": user]), nodeText(["id": key]), nodeText(["parents": "[\(key)]"]),
      nodeText(["signature": key]),
      nodeText([
        "author":
          #"{"deviceId":"d","publicKey":\#(key),"userId":"7a0b1c2d3e4f4a5b8c6d7e8f9a0b1c2d"}"#
      ]),
    ]
    for text in texts {
      let findings = decode(text).findings
      #expect(findings.count == 1)
      #expect(findings.first?.hint?.contains("upper-case") == true, "\(text)")
    }
  }
}
