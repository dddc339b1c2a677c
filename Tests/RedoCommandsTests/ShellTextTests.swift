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
  func hostile(text: String, shown: String) {
    #expect(Escape.text(text) == shown)
    #expect(Escape.text(shown) == shown)
    #expect(Escape.text(Array(text.utf8)) == shown)
  }

  @Test(
    "everything else is kept",
    arguments: [
      "", "plain 'quoted' \"text\" \\x", "häßlich ñ 日本 🙂", "\u{A0}\u{200B}\u{2010}\u{E9}",
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
