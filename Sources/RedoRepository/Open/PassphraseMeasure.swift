// How good a new passphrase is, before it protects something that can be attacked at leisure.
//
// NIST SP 800-63B (revision 4, section 3.1.1.2) asks for 15 characters where a password is all there is, and for 8 at the
// least in any case; each code point counts as one character, and no kinds of characters are asked for. With Argon2id
// over 256 MiB a guess takes half a second: 3,000 years of one processor for 8 random letters of 26, half a day for the
// 100,000 words of a dictionary. So no length by itself is a promise. An existing passphrase is never measured.

internal import RedoCrypto

/// What a new passphrase must be.
package enum PassphraseRule: Sendable {
  /// Long enough.
  case measured
  /// Anything but empty: whoever asks knows what they do.
  case any
}

/// What speaks against a new passphrase that is taken.
package enum PassphraseWeakness: Equatable, Sendable {
  /// It has fewer characters than this.
  case short(good: Int)
  /// It has fewer different characters than this.
  case uniform(good: Int)
}

/// A new passphrase that is not taken.
package enum PassphraseFault: Fault {
  /// It has fewer characters than this.
  case tooShort(least: Int)

  /// The kind of error.
  package var code: RedoError.Code { .refused }
  /// Nothing of it is ever said.
  package var subject: String? { nil }
}

extension PassphraseRule {
  /// The fewest characters of a passphrase.
  package static let least = 8
  /// The fewest characters of a good one.
  package static let good = 15
  /// The fewest different characters of a good one.
  package static let goodDifferent = 6

  /// Measures a new passphrase; what speaks against it is reported.
  ///
  /// - Throws: `tooShort`.
  func check(_ passphrase: borrowing SecretBytes, _ effects: Effects) throws(PassphraseFault) {
    let (characters, different) = passphrase.withSpan { Self.counts($0) }
    guard characters >= Self.least || self == .any else { throw .tooShort(least: Self.least) }
    if characters < Self.good { effects.report(.weakPassphrase(.short(good: Self.good))) }
    if different < Self.goodDifferent {
      effects.report(.weakPassphrase(.uniform(good: Self.goodDifferent)))
    }
  }

  /// How many characters a text has, and how many different ones: in place, because no copy may stay behind.
  ///
  /// A character of UTF-8 begins with any byte but 0x80 to 0xBF.
  ///
  /// - Complexity: O(*n*²); a passphrase has at most 1,024 bytes.
  static func counts(_ text: Span<UInt8>) -> (characters: Int, different: Int) {
    func end(_ start: Int) -> Int {
      var end = start + 1
      while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
      return end
    }
    var (characters, different) = (0, 0)
    var start = 0
    while start < text.count {
      let next = end(start)
      characters += 1
      var isNew = true
      var earlier = 0
      while earlier < start, isNew {
        let earlierEnd = end(earlier)
        isNew =
          earlierEnd - earlier != next - start
          || !(0..<next - start).allSatisfy { text[earlier + $0] == text[start + $0] }
        earlier = earlierEnd
      }
      if isNew { different += 1 }
      start = next
    }
    return (characters, different)
  }
}
