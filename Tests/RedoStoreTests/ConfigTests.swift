import Testing

@testable import RedoStore

@Suite("Config")
struct ConfigTests {
  static func parse(_ text: String) throws -> [String] {
    try ConfigParser.parse(Array(text.utf8), file: "f", origin: .store(path: "f")).map {
      "\($0.key)\($0.value.map { "=" + $0 } ?? "")@\($0.line)"
    }
  }

  @Test(
    "what the grammar allows",
    arguments: [
      ("", []),
      ("\u{FEFF}[a]b=c", ["a.b=c@1"]),
      ("[core]\n\tformat = 1\n", ["core.format=1@2"]),
      ("[CoRe]\nLockTimeout=5", ["core.locktimeout=5@2"]),
      ("[a \"Sub.X\"]\nb=1\n[a.Sub]\nc=2", ["a.Sub.X.b=1@2", "a.sub.c=2@4"]),
      ("[a \"q\\\"\\\\ \\x\"]b=1", ["a.q\"\\ x.b=1@1"]),
      ("[a]b", ["a.b@1"]),
      ("[a]b\n[a]b=", ["a.b@1", "a.b=@2"]),
      ("[a]\nb = one two  # three\n; four\n# [x]\nc=d", ["a.b=one two@2", "a.c=d@5"]),
      ("[a]b = \"x # y \" z ", ["a.b=x # y  z@1"]),
      ("[a]b = \"  \"", ["a.b=  @1"]),
      ("[a]b=\\\"x\\\\y\\nz\\tt", ["a.b=\"x\\y\nz\tt@1"]),
      ("[a]b = one \\\n  two\nc=1", ["a.b=one   two@1", "a.c=1@3"]),
      ("[a]\r\nb = c\r\nd=e\r\n", ["a.b=c@2", "a.d=e@3"]),
      ("[a]b=c=d", ["a.b=c=d@1"]),
      ("[a-1.x]b-2=c", ["a-1.x.b-2=c@1"]),
      ("[a]b=1\n[a]b=2", ["a.b=1@1", "a.b=2@2"]),
    ])
  func good(text: String, expected: [String]) throws {
    #expect(try Self.parse(text) == expected)
  }

  @Test(
    "what it does not, with the line",
    arguments: [
      ("b=1", 1), ("[a", 1), ("[]b", 1), ("[a b]", 1), ("[a \"b]\nc=1", 1), ("[a \"b\" ]", 1),
      ("[a]\n\n1b=2", 3), ("[a]\nb c", 2), ("[a]b ; comment", 1), ("[a]b=\"c", 1),
      ("[a]\nb=\"c\nd\"", 2), ("[a]\nb=\\q", 2), ("[a_b]c=1", 1), ("[a]b_c=1", 1), ("[a]\n=1", 2),
      ("[a]b=\0", 1),
    ])
  func bad(text: String, line: Int) {
    #expect {
      _ = try Self.parse(text)
    } throws: { error in
      guard case .syntax("f", line, _)? = error as? ConfigError else { return false }
      return "\(error)".hasPrefix("bad config line \(line) in 'f': ")
    }
  }

  @Test("text that is not UTF-8 is refused")
  func encoding() {
    let bytes = Array("[a]b=".utf8) + [0xFF]
    #expect(throws: ConfigError.self) {
      _ = try ConfigParser.parse(bytes, file: "f", origin: .option)
    }
  }

  static func config(_ options: String...) throws -> Config {
    try Config.loadProtected(ConfigSources(options: options))
  }

  @Test(
    "truths",
    arguments: [
      ("a.b", true), ("a.b=true", true), ("a.b=YES", true), ("a.b=on", true), ("a.b=1", true),
      ("a.b=-2k", true), ("a.b=false", false), ("a.b=No", false), ("a.b=off", false),
      ("a.b=0", false), ("a.b=", false),
    ])
  func truths(option: String, expected: Bool) throws {
    #expect(try Self.config(option).bool("a.b") == expected)
  }

  @Test(
    "numbers",
    arguments: [
      ("0", 0), ("-7", -7), ("+7", 7), ("2k", 2_048), ("2M", 2_097_152), ("3g", 3 << 30),
    ])
  func numbers(text: String, expected: Int) throws {
    #expect(try Self.config("a.b=\(text)").int("a.b") == expected)
  }

  @Test("values of the wrong kind", arguments: ["", "k", "1t", "1.5", "x", "9223372036854775807k"])
  func wrongNumbers(text: String) throws {
    let config = try Self.config("a.b=\(text)")
    #expect(throws: ConfigError.self) { try config.int("a.b") }
    if !text.isEmpty { #expect(throws: ConfigError.self) { try config.bool("a.b") } }
  }

  @Test("keys of options", arguments: ["a", "", ".b", "a.", "a.1b", "a b.c", "a.b_c", "=x"])
  func wrongKeys(text: String) {
    #expect(throws: ConfigError.key(text, origin: .option)) { _ = try Self.config(text) }
  }

  @Test("layers: system, user, store, environment, options")
  func layers() throws {
    let scratch = try Scratch()
    func text(_ names: String..., value: String) -> String {
      names.map { "[remote \"\($0)\"]\nurl=\(value)\n" }.joined()
    }
    try scratch.write("system", text("x", "y", "z", "v", "w", value: "system"))
    try scratch.directory.makeDirectory("redo")
    let user = try scratch.directory.openSubdirectory("redo")
    try user.openFile("config", .write, .create).writeAll(
      Array(text("y", "z", "v", "w", value: "user").utf8))
    try scratch.write("config", text("z", "v", "w", value: "store"))
    let config = try Config.loadProtected(
      ConfigSources(
        systemPath: scratch.path + "/system", userPath: scratch.path + "/redo/config",
        environment: .success([
          ConfigSources.Setting(key: "Remote.v.URL", value: "environment"),
          ConfigSources.Setting(key: "remote.w.url", value: "environment"),
        ]), options: ["remote.w.url=option"])
    ).adding(Config.entries(of: scratch.directory), of: .stranger)
    #expect(
      ["x", "y", "z", "v", "w"].map { config.get("remote.\($0).url") } == [
        "system", "user", "store", "environment", "option",
      ])
    #expect(
      config.all("remote.w.url").map(\.value) == [
        "system", "user", "store", "environment", "option",
      ])
    #expect(config.all("remote.w.url").count { $0.origin.isProtected } == 4)
    #expect(config.entry("remote.z.url")?.place == "line 2 of '\(scratch.path)/config'")
    #expect(config.get("remote.none.url") == nil)
    let wrong = ConfigSources(environment: .success([.init(key: "x", value: "")]))
    #expect(throws: ConfigError.key("x", origin: .environment)) {
      _ = try Config.loadProtected(wrong)
    }
    let fault = ConfigError.environment(variable: "X", rule: "is missing")
    #expect(throws: fault) { _ = try Config.loadProtected(.init(environment: .failure(fault))) }
  }

  @Test("the settings that we know")
  func settings() throws {
    let usual = try Self.config()
    #expect(try usual.syncPolicy() == .batch)
    #expect(try usual.compression() == 1)
    #expect(try usual.refsOptions().lockTimeoutMilliseconds == 10_000)
    let own = try Self.config("core.fsync=full", "core.compression=9", "core.lockTimeout=5")
    #expect(try own.syncPolicy() == .full)
    #expect(try own.compression() == 9)
    #expect(try own.refsOptions().lockTimeoutMilliseconds == 5)
    #expect(throws: ConfigError.self) { try Self.config("core.compression=10").compression() }
    #expect {
      try Self.config("core.fsync=x").syncPolicy()
    } throws: {
      "\($0)" == "bad value 'x' for 'core.fsync' (option -c): not none, batch or full"
    }
  }
}
