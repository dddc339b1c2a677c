import Testing

@testable import RedoStore

@Suite("Config: changes of a text")
struct ConfigTextTests {
  static func text(_ text: String) throws(ConfigError) -> ConfigText {
    try ConfigText(Array(text.utf8), file: "f", origin: .store(path: "f"))
  }

  static func string(_ text: ConfigText) -> String { String(decoding: text.bytes, as: UTF8.self) }

  @Test(
    "a value is replaced where it stands, or added to its section",
    arguments: [
      ("", "a.b", "1", "[a]\n\tb = 1\n"),
      ("[a]b", "a.b", "1", "[a]b = 1"),
      ("[a]b=", "a.b", "1", "[a]b = 1"),
      ("[a] b = 1 # c\n", "a.b", "2", "[a] b = 2 # c\n"),
      ("[a]\n\tb = \"x\" ; c\n", "a.b", "2", "[a]\n\tb = 2 ; c\n"),
      ("[a]\n\tb = x\\\n y\n\tc = 1\n", "a.b", "2", "[a]\n\tb = 2\n\tc = 1\n"),
      ("[a]\n\tb = 1\n[c]\n", "a.d", "2", "[a]\n\tb = 1\n\td = 2\n[c]\n"),
      ("[a]\n[b]\n[a]\n", "a.c", "1", "[a]\n[b]\n[a]\n\tc = 1\n"),
      ("[a] # c", "a.b", "1", "[a] # c\n\tb = 1\n"),
      ("[A \"S\"]\n", "a.S.b", "1", "[A \"S\"]\n\tb = 1\n"),
      ("[a \"s\"]\n", "a.S.b", "1", "[a \"s\"]\n[a \"S\"]\n\tb = 1\n"),
      ("[a.s]\n", "a.s.b", "1", "[a.s]\n\tb = 1\n"),
      ("# only this", "a.q\"\\.b", "1", "# only this\n[a \"q\\\"\\\\\"]\n\tb = 1\n"),
      ("[a]\r\n\tb = 1\r\n", "a.b", "2", "[a]\r\n\tb = 2\r\n"),
    ])
  func set(before: String, key: String, value: String, after: String) throws {
    var text = try Self.text(before)
    try text.set(key, name: "\(key.split(separator: ".").last ?? "")", to: value)
    #expect(Self.string(text) == after)
  }

  @Test(
    "every value is read back as it was",
    arguments: [
      "", " ", "a", " a ", "\t", "#", ";", "a # b", "\"", "\\", "a\\", "\n", "a\nb", "\r", "a\r",
      "\u{8}", "ä\u{301}", "[x]", "= =", "\u{1B}[31m", "a\u{2028}b", "\"a\" \"b\"", "\\n",
    ])
  func roundTrip(value: String) throws {
    var text = try Self.text("[a]\n\tb = old # stays\n\tc = 1\n")
    try text.set("a.b", name: "b", to: value)
    try text.set("x.y z.w", name: "w", to: value)
    let again = try Self.text(Self.string(text))
    #expect(again.entries(of: "a.b").map(\.value) == [value])
    #expect(again.entries(of: "x.y z.w").map(\.value) == [value])
    #expect(again.entries(of: "a.c").map(\.value) == ["1"])
    #expect(Self.string(text).contains("# stays\n"))
  }

  @Test(
    "a key goes with its lines, and nothing else does",
    arguments: [
      ("[a]\n\tb = 1\n\tc = 2\n", "[a]\n\tc = 2\n", 1),
      ("[a] b = 1\n\tc = 2\n", "[a]\n\tc = 2\n", 1),
      ("[a]\n\tb = 1 # gone\n# stays\n", "[a]\n# stays\n", 1),
      ("[a]b=1\n[a]\nb=2\n[c]b=3", "[a]\n[a]\n[c]b=3", 2),
      ("[a]\n\tb = 1", "[a]\n", 1),
      ("[a]\n\tb = 1\\\n2\n[c]\n", "[a]\n[c]\n", 1),
      ("[c]\n", "[c]\n", 0),
    ])
  func unset(before: String, after: String, count: Int) throws {
    var text = try Self.text(before)
    #expect(try text.unset("a.b") == count)
    #expect(Self.string(text) == after)
  }

  @Test("a text that breaks the grammar is not taken")
  func broken() {
    #expect(throws: ConfigError.self) { _ = try Self.text("[a\n") }
  }

  @Test("what a key may be, and what it may not")
  func known() throws {
    let key = try #require(KnownKey.named("core.locktimeout"))
    #expect(key.name == "core.lockTimeout")
    #expect(key.refusal(of: "1k") == nil)
    #expect(key.refusal(of: "-1") == "not a number from 0 to 86400000")
    #expect(KnownKey.named("core.fsync")?.refusal(of: "") == "not none, batch or full")
    #expect(KnownKey.named("signing.form")?.refusal(of: "x") == "not body or digest")
    #expect(KnownKey.named("core.nothing") == nil)
    let names = KnownKey.all.map(\.name)
    #expect(names == names.sorted())
    for name in KnownKey.names {
      let known = try #require(KnownKey.named(name.lowercased()))
      #expect(known.name == name)
      #expect(Config.key(known.name) == known.name.lowercased())
      if !known.standard.isEmpty { #expect(known.refusal(of: known.standard) == nil) }
    }
  }

  @Test("a store reads what the table allows, and refuses what it refuses")
  func readers() throws {
    func config(_ key: String, _ value: String) -> Config {
      Config(entries: [.init(key: key.lowercased(), value: value, origin: .option, line: 0)])
    }
    for value in ["none", "batch", "full", "some", ""] {
      let isRefused = KnownKey.named("core.fsync")?.refusal(of: value) != nil
      #expect((try? config("core.fsync", value).syncPolicy()) == nil ? isRefused : !isRefused)
    }
    for value in ["0", "9", "10", "-1", "x", "1k"] {
      let isRefused = KnownKey.named("core.compression")?.refusal(of: value) != nil
      #expect(
        (try? config("core.compression", value).compression()) == nil ? isRefused : !isRefused)
      let isTimeout = KnownKey.named("core.locktimeout")?.refusal(of: value) == nil
      #expect(
        (try? config("core.lockTimeout", value).refsOptions()) == nil ? !isTimeout : isTimeout)
    }
  }
}
