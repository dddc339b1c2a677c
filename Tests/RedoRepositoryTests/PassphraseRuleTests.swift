// How long new passphrases are, in characters.

import Testing

@testable import RedoRepository

@Suite("New passphrases")
struct PassphraseRuleTests {
  @Test(
    "characters are counted, not bytes, and which of them differ",
    arguments: [
      ("", 0, 0), ("a", 1, 1), ("aaaa", 4, 1), ("abab", 4, 2), ("äöüßéèñ", 7, 7), ("ääüü", 4, 2),
      ("🔑🔑🔒", 3, 2), ("e\u{301}e", 3, 2), ("aé\u{E9}é", 4, 2), ("correct horse", 13, 8),
    ])
  func counts(_ text: String, _ characters: Int, _ different: Int) {
    let bytes = Array(text.utf8)
    let counts = PassphraseRule.counts(bytes.span)
    #expect(counts.characters == characters && counts.different == different)
  }

  @Test("bytes that are no UTF-8 are counted as well, and end")
  func bytes() {
    for bytes: [UInt8] in [[0xFF, 0xFE], [0x80, 0x80, 0x80], [0xC3], [0xC3, 0xA4, 0xC3]] {
      let counts = PassphraseRule.counts(bytes.span)
      #expect((1...bytes.count).contains(counts.characters))
      #expect((1...counts.characters).contains(counts.different))
    }
  }
}
