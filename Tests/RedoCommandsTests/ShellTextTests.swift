import CanonicalJSON
import RedoCommands
import RedoReadCommands
import RedoWriteCommands
import RedoRepository
import RedoShell
import Testing

@Suite("Hostile text")
struct ShellEscapeTests {
  @Test(
    "what moves a cursor or turns the writing is shown",
    arguments: [
      ("\u{1B}[31mred", "\\x1b[31mred"), ("a\nb\rc\td\0", "a\\x0ab\\x0dc\\x09d\\x00"),
      ("\u{7F}", "\\x7f"), ("\u{9B}31m", "\\u{9b}31m"), ("\u{85}", "\\u{85}"),
      ("\u{202E}txt", "\\u{202e}txt"), ("\u{2066}\u{2069}", "\\u{2066}\\u{2069}"),
      ("\u{200E}\u{200F}\u{61C}", "\\u{200e}\\u{200f}\\u{61c}"), ("\u{2028}", "\\u{2028}"),
    ])
  func hostile(text: String, shown: String) { expect(text, shown) }

  @Test(
    "what nobody sees is shown",
    arguments: [
      ("phone\u{200B}", "phone\\u{200b}"), ("\u{FEFF}phone", "\\u{feff}phone"),
      ("ad\u{AD}min", "ad\\u{ad}min"), ("a\u{180E}b\u{2060}c", "a\\u{180e}b\\u{2060}c"),
      ("\u{E0041}\u{E007F}", "\\u{e0041}\\u{e007f}"), ("\u{FFF9}", "\\u{fff9}"),
      ("a\u{34F}b", "a\\u{34f}b"),
      (
        "\u{115F}\u{1160}\u{3164}\u{FFA0}",
        "\\u{115f}\\u{1160}\\u{3164}\\u{ffa0}"
      ), ("\u{17B4}", "\\u{17b4}"),
      ("a\u{FE00}\u{E0100}", "a\\u{fe00}\\u{e0100}"), ("\u{E000}\u{F8FF}", "\\u{e000}\\u{f8ff}"),
      ("\u{378}\u{FFFF}\u{10FFFE}", "\\u{378}\\u{ffff}\\u{10fffe}"),
      // Joiners where nothing joins.
      ("a\u{200D}b", "a\\u{200d}b"), ("\u{200D}👩", "\\u{200d}👩"), ("👩\u{200D}", "👩\\u{200d}"),
      ("👩\u{200D}\u{200D}👩", "👩\\u{200d}\\u{200d}👩"), ("👩\u{200D}\u{1F3FD}", "👩\\u{200d}\u{1F3FD}"),
      ("1\u{FE0F}", "1\\u{fe0f}"), ("a\u{FE0F}", "a\\u{fe0f}"), ("1\u{200D}👩", "1\\u{200d}👩"),
      ("👩\u{FE0F}\u{FE0F}", "👩\u{FE0F}\\u{fe0f}"), ("🇩\u{200D}🇪", "🇩\\u{200d}🇪"),
      ("a\u{200C}b", "a\\u{200c}b"), ("ب\u{200C}", "ب\\u{200c}"), ("\u{200C}ب", "\\u{200c}ب"),
      ("د\u{200C}ب", "د\\u{200c}ب"), ("ب\u{200C}\u{200C}ب", "ب\\u{200c}\\u{200c}ب"),
      ("\u{94D}\u{200D}", "\u{94D}\\u{200d}"), ("क\u{94D}\u{200C}", "क\u{94D}\\u{200c}"),
    ])
  func hidden(text: String, shown: String) { expect(text, shown) }

  @Test(
    "joiners that join stay",
    arguments: [
      "👩\u{200D}👩\u{200D}👧\u{200D}👦", "❤\u{FE0F}\u{200D}🔥", "🏳\u{FE0F}\u{200D}🌈",
      "👩\u{1F3FD}\u{200D}🚀", "🧑\u{1F3FB}\u{200D}❤\u{FE0F}\u{200D}💋\u{200D}🧑\u{1F3FF}",
      "🏃\u{200D}♂\u{FE0F}", "1\u{FE0F}\u{20E3}#\u{FE0F}\u{20E3}", "☂\u{FE0E}☂\u{FE0F}", "🇩🇪",
      // Persian: they want; a book of ours. Marks between the letters do not matter.
      "می\u{200C}خواهند", "کتاب ب\u{64E}\u{200C}\u{64B}ی",
      // Hindi without a ligature; Sinhala Sri Lanka; Bengali RAB; Kannada.
      "क्\u{200C}ष", "ක්\u{200D}ෂ ශ්\u{200D}රී", "र्\u{200D}", "র\u{200D}্যাব", "ರ\u{200D}್ಕ",
    ])
  func joiners(text: String) { expect(text, text) }

  @Test("a character stays if it has a form of its own, and is shown otherwise")
  func everyScalar() {
    // Of what is far from everyday use, samples.
    let values = [
      Array(0..<0x3200), Array(stride(from: 0x3200, to: 0xFB00, by: 61)), Array(0xFB00..<0x1_0100),
      Array(stride(from: 0x1_0100, to: 0xE_0000, by: 61)), Array(0xE_0000..<0xE_0200),
      Array(stride(from: 0xE_0200, to: 0x11_0000, by: 997)), [0x10_FFFE, 0x10_FFFF],
    ]
    for value in values.joined() {
      guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
      let properties = scalar.properties
      let isHidden =
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: true
        default: properties.isDefaultIgnorableCodePoint
        }
      // Between others it is found as well.
      let text = "ab\(Character(scalar))c"
      if (Escape.text(text) != text) != isHidden {
        Issue.record("U+\(String(value, radix: 16)): \(Escape.text(text))")
      }
    }
  }

  @Test(
    "names look alike that differ in what is not seen",
    arguments: [
      ("phone", "phone\u{200B}", true), ("phone", "\u{FEFF}pho\u{AD}ne\u{E0020}", true),
      ("Ada L", " Ada \u{A0}\u{2003} L\u{2800}", true), ("caf\u{E9}", "cafe\u{301}", true),
      ("❤", "❤\u{FE0F}", true), ("می\u{200C}خواهند", "میخواهند", true),
      ("phone", "phonc", false), ("Ada", "ada", false), ("AdaL", "Ada L", false), ("a", "а", false),
    ])
  func alike(one: String, other: String, isAlike: Bool) {
    #expect((LookAlike.look(of: one) == LookAlike.look(of: other)) == isAlike)
  }

  @Test("names that look alike are written so that they do not")
  func distinct() {
    #expect(LookAlike.distinct(["Zoë", "Zoë\u{200D}"]) == ["Zoë", "Zoë\\u{200d}"])
    #expect(LookAlike.distinct(["❤", "❤\u{FE0F}"]) == ["❤", "❤\\u{fe0f}"])
    #expect(LookAlike.distinct(["A B", "A\u{A0}B"]) == ["A B", "A\\u{a0}B"])
    #expect(LookAlike.distinct(["\u{E9}", "e\u{301}"]) == ["\u{E9}", "e\\u{301}"])
    #expect(LookAlike.distinct(["\u{212B}", "\u{C5}"]) == ["\\u{212b}", "\\u{c5}"])
    #expect(LookAlike.distinct(["\u{1B}[m"]) == ["\\x1b[m"])
  }

  private func expect(_ text: String, _ shown: String) {
    #expect(Escape.text(text) == shown)
    #expect(Escape.text(shown) == shown)
    #expect(Escape.text(Array(text.utf8)) == shown)
  }

  @Test(
    "everything else is kept",
    arguments: [
      "", "plain 'quoted' \"text\" \\x", "häßlich ñ 日本 🙂", "\u{A0}\u{3000}\u{2010}\u{E9}",
    ])
  func harmless(text: String) {
    #expect(Escape.text(text) == text)
    #expect(Escape.text(Array(text.utf8).span) == text)
  }

  @Test(
    "broken UTF-8 is shown byte by byte",
    arguments: [
      ([0xFF], "\\xff"), ([0x61, 0xC3], "a\\xc3"), ([0xC3, 0x61], "\\xc3a"),
      ([0xED, 0xA0, 0x80], "\\xed\\xa0\\x80"), ([0xC0, 0x80], "\\xc0\\x80"),
      ([0xE2, 0x82, 0xAC, 0xE2, 0x82], "€\\xe2\\x82"), ([0xF5, 0x1B], "\\xf5\\x1b"),
    ] as [([UInt8], String)])
  func broken(bytes: [UInt8], shown: String) {
    #expect(Escape.text(bytes) == shown)
  }

  @Test(
    "a word for a shell is that word, whatever marks combine with its quotes",
    arguments: [
      ("plain", "plain"), ("a b", "'a b'"), ("a'b", #"'a'\''b'"#),
      ("a'\u{301};id #", "'a'\\''\u{301};id #'"), ("'\u{20E3}", "''\\''\u{20E3}'"),
      ("a\u{200B}'\u{301}", "$'a\\342\\200\\213\\'\u{301}'"),
    ])
  func shellWords(text: String, word: String) {
    // Compared by their bytes: as strings, others would be equal.
    #expect(Array(ShellQuote.word(Array(text.utf8)).utf8) == Array(word.utf8))
  }

  @Test("messages are one harmless line each")
  func messages() {
    let context = Context()
    context.error("a\nfatal: b")
    context.warning("\u{1B}c")
    context.hint("d")
    context.note("e")
    #expect(
      context.errors.text == "error: a\\x0afatal: b\nwarning: \\x1bc\nhint: d\ne\n")
  }

  @Test(
    "JSON strings by RFC 8785",
    arguments: [
      ("", #""""#), ("a\"b\\c/", #""a\"b\\c/""#), ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
      ("\0\u{1F}\u{7F}", "\"\\u0000\\u001f\u{7F}\""), ("é€🙂\u{2028}", "\"é€🙂\u{2028}\""),
    ])
  func json(text: String, expected: String) {
    var output: [UInt8] = []
    JSONWriter.appendString(text, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == expected)
  }
}
