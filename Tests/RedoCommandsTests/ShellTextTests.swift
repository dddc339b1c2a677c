import RedoCommands
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
    var context = Context()
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
    JSONText.append(text, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == expected)
    output = []
    JSONText.append(Array(text.utf8).span, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == expected)
  }

  @Test("JSON strings of broken UTF-8 are UTF-8")
  func jsonBroken() {
    var output: [UInt8] = []
    JSONText.append(([0x61, 0xFF, 0x62] as [UInt8]).span, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == "\"a\u{FFFD}b\"")
  }
}

@Suite("Dates")
struct ShellDateTests {
  @Test(
    "what is no time",
    arguments: [
      "", "2024-01-01", "2024-01-01T00:00:00Z", "2024-01-01T00:00:00.00Z",
      "2024-01-01T00:00:00.000z", "2024-01-01 00:00:00.000Z", "2024-01-01T00:00:00.000+00:00",
      "2024-13-01T00:00:00.000Z", "2024-00-01T00:00:00.000Z", "2024-01-00T00:00:00.000Z",
      "2023-02-29T00:00:00.000Z", "1900-02-29T00:00:00.000Z", "2024-04-31T00:00:00.000Z",
      "2024-01-01T24:00:00.000Z", "2024-01-01T00:60:00.000Z", "2024-01-01T00:00:60.000Z",
      "+024-01-01T00:00:00.000Z", "2024-01-01T00:00:00.000Z ",
    ])
  func refusals(text: String) {
    #expect(Dates.parse(text) == nil)
  }

  @Test(
    "times both ways",
    arguments: [
      ("1970-01-01T00:00:00.000Z", 0), ("1969-12-31T23:59:59.999Z", -1),
      ("2000-02-29T12:34:56.789Z", 951_827_696_789),
      ("2024-01-01T00:00:00.000Z", 1_704_067_200_000),
      ("0000-01-01T00:00:00.000Z", -62_167_219_200_000),
      ("0000-02-29T00:00:00.000Z", -62_162_121_600_000),
      ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ] as [(String, Int64)])
  func bothWays(text: String, time: Int64) {
    #expect(Dates.parse(text) == time)
    #expect(Dates.text(time) == text)
  }

  @Test("every day of 800 years follows the one before")
  func days() {
    let wrong = (-150_000..<150_000).first { day in
      let time = Int64(day) * 86_400_000
      return Dates.parse(Dates.text(time)) != time
    }
    #expect(wrong == nil)
  }

  @Test("years outside 0 to 9999, to the ends of the integer")
  func extremes() {
    #expect(Dates.text(253_402_300_800_000) == "10000-01-01T00:00:00.000Z")
    #expect(Dates.text(-62_167_219_200_001) == "-0001-12-31T23:59:59.999Z")
    #expect(Dates.text(.max) == "292278994-08-17T07:12:55.807Z")
    #expect(Dates.text(.min) == "-292275055-05-16T16:47:04.192Z")
  }

  @Test(
    "how long ago",
    arguments: [
      (0, "0 seconds ago"), (1000, "1 second ago"), (119_999, "119 seconds ago"),
      (120_000, "2 minutes ago"), (7_200_000, "2 hours ago"), (259_200_000, "3 days ago"),
      (1_209_600_000, "2 weeks ago"), (5_259_492_000, "2 months ago"),
      (63_113_904_000, "2 years ago"), (-3000, "in 3 seconds"),
    ] as [(Int64, String)])
  func relative(ago: Int64, expected: String) {
    let now: Int64 = 1_704_067_200_000
    #expect(Dates.relative(now - ago, now: now) == expected)
    #expect(Dates.relative(.min, now: now) == Dates.text(.min))
  }

  @Test(
    "the styles",
    arguments: [
      (DateStyle.iso, "1969-12-31T23:59:58.500Z"), (.unix, "-2"), (.raw, "-1500"),
      (.relative, "1 second ago"),
    ])
  func styles(style: DateStyle, expected: String) {
    var output: [UInt8] = []
    Dates.append(-1500, as: style, now: 0, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == expected)
  }
}
