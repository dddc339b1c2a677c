import Glibc
import RedoObject
import Testing

@testable import RedoStore

@Suite("Whether a store is the user's own")
struct KnownStoreTests {
  /// A store in a directory of its own, and a state directory beside it.
  private final class Fixture {
    let scratch: Scratch
    let root: String
    var sources: ConfigSources

    init() throws {
      scratch = try Scratch()
      root = try CurrentProcess.realPath(scratch.path)
      sources = ConfigSources(options: ["core.fsync=none"], stateDirectory: root + "/state/redo")
    }

    var store: String { root + "/.redo" }

    @discardableResult
    func create() throws -> StoreStanding {
      var isNew = false
      return try StoreDirectory.create(store, sources, isNew: &isNew).standing
    }

    func standing(_ path: String? = nil, _ options: String...) throws -> StoreStanding {
      var sources = sources
      sources.options += options
      return try StoreDirectory.open(path ?? store, sources).standing
    }

    var record: String {
      get throws {
        let folder = root + "/state/redo/stores"
        return folder + "/" + (try #require(Directory.open(folder).list().first))
      }
    }

    func loseRecord() throws {
      let path = try record
      #expect(unsafe unlink(path) == 0)
    }

    func append(_ text: String) throws {
      let file = try File.open(store + "/config", .write, .append)
      try file.writeAll(Array(text.utf8))
    }
  }

  @Test("a store that was made here is the user's own, in the next process too")
  func made() throws {
    let fixture = try Fixture()
    #expect(try fixture.create() == .own)
    #expect(try fixture.standing() == .own)
    let status = try #require(try FileStatus.at(fixture.record))
    #expect(status.mode == 0o600)
    #expect(try FileStatus.at(fixture.root + "/state/redo/stores")?.mode == 0o700)
    #expect(try fixture.create() == .own, "making it again changes nothing")
  }

  @Test("without a memory it is a stranger's, and making it again accepts nothing")
  func unknown() throws {
    let fixture = try Fixture()
    try fixture.create()
    try fixture.loseRecord()
    #expect(try fixture.standing() == .stranger)
    #expect(try fixture.create() == .stranger)
    #expect(try fixture.standing() == .stranger)
    fixture.sources.stateDirectory = nil
    #expect(try fixture.standing() == .stranger)
    #expect(try !StoreDirectory.open(fixture.store, fixture.sources).accept())
  }

  @Test("accepting a store removes its caches, and holds until it is taken back")
  func accepted() throws {
    let fixture = try Fixture()
    try fixture.create()
    try fixture.loseRecord()
    try fixture.scratch.write(".redo/cache/graph", "forged")
    let opened = try StoreDirectory.open(fixture.store, fixture.sources)
    #expect(opened.passedOver().caches == ["graph"])
    #expect(try opened.accept())
    #expect(try Directory.open(fixture.store + "/cache").list().isEmpty)
    #expect(try fixture.standing() == .own)
    try fixture.scratch.write(".redo/cache/graph", "made later")
    #expect(try StoreDirectory.open(fixture.store, fixture.sources).accept())
    #expect(try Directory.open(fixture.store + "/cache").list() == ["graph"], "it was own before")
    #expect(try StoreDirectory.open(fixture.store, fixture.sources).forget())
    #expect(try !StoreDirectory.open(fixture.store, fixture.sources).forget())
    #expect(try fixture.standing() == .stranger)
  }

  @Test("a store that was moved, or stands in the place of another, is a stranger's")
  func replaced() throws {
    let fixture = try Fixture()
    try fixture.create()
    let around = try Directory.open(fixture.root)
    try around.rename(".redo", to: "moved")
    #expect(try fixture.standing(fixture.root + "/moved") == .stranger)
    // Another directory of the same name with the same settings.
    let config = try #require(try around.readFile("moved/config"))
    try around.makeDirectory(".redo")
    try fixture.scratch.write(".redo/config", String(decoding: config, as: UTF8.self))
    #expect(try fixture.standing() == .stranger)
    try around.unlink(".redo/config")
    try around.removeDirectory(".redo")
    try around.rename("moved", to: ".redo")
    #expect(try fixture.standing() == .own, "it is back where it was made")
    let digit = { (text: Substring) in text == "0" ? "1" : "0" }
    let id = String(decoding: config, as: UTF8.self)
      .replacing(/(id = [0-9a-f]{31})([0-9a-f])/) { $0.output.1 + digit($0.output.2) }
    try fixture.scratch.write(".redo/config", id)
    #expect(try fixture.standing() == .stranger, "another store's id")
  }

  @Test("settings that something other than redo config has changed have to be accepted again")
  func changed() throws {
    let fixture = try Fixture()
    try fixture.create()
    try fixture.append("[color]\n\tui = always\n[verify]\n\tfile-mode = error\n")
    #expect(try fixture.standing() == .own, "these do no harm")
    try fixture.append("[user]\n\tname = Ada\n")
    let opened = try StoreDirectory.open(fixture.store, fixture.sources)
    #expect(opened.standing == .changed)
    #expect(opened.config.get("user.name") == nil)
    #expect(opened.config.passedOver.map(\.entry.key) == ["user.name"])
    #expect(opened.passedOver().settings.map(\.key) == ["user.name"])
    // A change by redo itself accepts nothing else.
    try opened.changeSettings { text throws(ConfigError) in
      try text.set("user.email", name: "email", to: "a@example.org")
    }
    #expect(try fixture.standing() == .changed)
    #expect(try StoreDirectory.open(fixture.store, fixture.sources).accept())
    try StoreDirectory.open(fixture.store, fixture.sources).changeSettings {
      text throws(ConfigError) in
      try text.set("user.name", name: "name", to: "Grace")
    }
    let known = try StoreDirectory.open(fixture.store, fixture.sources)
    #expect(known.standing == .own && known.config.get("user.name") == "Grace")
    try fixture.append("[remote \"a\"]\n\turl = https://elsewhere.example\n")
    #expect(try fixture.standing() == .changed, "a secret is for one address")
  }

  @Test("a name that an old store gets from redo makes it nobody else's")
  func named() throws {
    let fixture = try Fixture()
    try fixture.create()
    try fixture.scratch.write(".redo/config", "[core]\n\tformat = 1\n")
    #expect(try StoreDirectory.open(fixture.store, fixture.sources).accept())
    _ = try StoreDirectory.open(fixture.store, fixture.sources).name(.random())
    #expect(try fixture.standing() == .own)
  }

  @Test("a memory that others may write, or that is no file, is none")
  func exposed() throws {
    let fixture = try Fixture()
    try fixture.create()
    let record = try fixture.record
    let folder = fixture.root + "/state/redo/stores"
    #expect(unsafe chmod(record, 0o620) == 0)
    #expect(try fixture.standing() == .stranger)
    #expect(unsafe chmod(record, 0o600) == 0)
    #expect(try fixture.standing() == .own)
    #expect(unsafe chmod(folder, 0o770) == 0)
    #expect(try fixture.standing() == .stranger)
    #expect(throws: StoreDirectoryError.self) {
      _ = try StoreDirectory.open(fixture.store, fixture.sources).accept()
    }
    #expect(unsafe chmod(folder, 0o700) == 0)
    #expect(unsafe rename(record, record + ".real") == 0)
    #expect(unsafe symlink(record + ".real", record) == 0)
    #expect(try fixture.standing() == .stranger)
    for text in ["", "redo-store 1 ", "redo-store 2 x"] {
      #expect(unsafe unlink(record) == 0)
      try fixture.scratch.write(
        "state/redo/stores/\(record.split(separator: "/").last ?? "")", text)
      #expect(try fixture.standing() == .stranger)
    }
  }

  @Test("safe.store lists stores, and the store's own word does not count")
  func safe() throws {
    let fixture = try Fixture()
    try fixture.create()
    fixture.sources.stateDirectory = nil
    let root = fixture.root
    for value in ["*", root, root + "/", root + "/.redo", root + "/*"] {
      #expect(try fixture.standing(nil, "safe.store=\(value)") == .own, "\(value)")
    }
    for value in ["", root + "/x", root + "x/*"] {
      #expect(try fixture.standing(nil, "safe.store=\(value)") == .stranger, "\(value)")
    }
    #expect(try fixture.standing(nil, "safe.store=*", "safe.store=") == .stranger)
    try fixture.append("[safe]\n\tstore = *\n")
    #expect(try fixture.standing() == .stranger)
  }

  @Test(
    "what lies in a directory before a store is made there is not the user's",
    arguments: [
      "hooks/pre-receive", "trust", "cache/graph", "cache/snapshots/current", "cache/living",
    ])
  func planted(name: String) throws {
    let fixture = try Fixture()
    let folders = name.split(separator: "/").dropLast()
    try Directory.makeDirectories(
      ([fixture.store] + folders.map(String.init)).joined(separator: "/"), mode: 0o755)
    try fixture.scratch.write(".redo/" + name, "x")
    #expect(try fixture.create() == .stranger)
    #expect(try fixture.standing() == .stranger)
  }

  // MARK: The table

  /// Who may say each key, written down a second time on purpose.
  private static let table: [(KnownKey.Speaker, [String])] = [
    (
      .anyStore,
      [
        "color.ui", "core.bulkLimit", "core.compression", "core.format", "core.id",
        "remote.<name>.batch", "remote.<name>.enabled", "remote.<name>.listing",
        "remote.<name>.timeout", "remote.<name>.url", "signing.form",
      ]
    ),
    (
      .user,
      [
        "checkpoint.file", "key.command", "key.passphraseCommand", "safe.directory", "safe.store",
        "trust.file",
      ]
    ),
  ]

  @Test(
    "every key has its speaker, and whatever is not known to do no harm needs a store of one's own")
  func speakers() {
    var words: [String: KnownKey.Speaker] = [:]
    for (speaker, names) in Self.table { for name in names { words[name] = speaker } }
    for key in KnownKey.all { #expect(key.speaker == words[key.name] ?? .ownStore, "\(key.name)") }
    #expect(Set(words.keys).isSubset(of: KnownKey.all.map(\.name)))
  }

  @Test(
    "a store's settings are in force as the table says",
    arguments: [
      StoreStanding.own, .changed, .stranger,
    ])
  func filter(standing: StoreStanding) {
    let origin = Config.Origin.store(path: "/s/.redo/config")
    let keys =
      KnownKey.names
      + KnownKey.all.map(\.name).filter { $0.contains("remote") }.map {
        $0.replacing("<name>", with: "a.b")
      } + ["a.b", "remote.a.b.other", "verify.nothing", "core", "remote.url"]
    for (line, name) in keys.enumerated() {
      let key = Config.key(name) ?? name
      for value in ["x", "error"] {
        let entry = Config.Entry(key: key, value: value, origin: origin, line: line + 1)
        let config = Config().adding([entry], of: standing)
        let speaker = KnownKey.speaker(of: entry)
        let isInForce = speaker == .anyStore || (speaker == .ownStore && standing == .own)
        #expect((config.get(key) != nil) == isInForce, "\(name)")
        #expect(config.passedOver.count == (isInForce ? 0 : 1), "\(name)")
        if KnownKey.named(key) == nil { #expect(speaker == nil && !isInForce, "\(name)") }
      }
    }
    let strict = Config.Entry(key: "verify.file-mode", value: "error", origin: origin, line: 1)
    #expect(KnownKey.speaker(of: strict) == .anyStore)
    for value in ["warn", "ignore", nil] {
      let weak = Config.Entry(key: "verify.file-mode", value: value, origin: origin, line: 1)
      #expect(KnownKey.speaker(of: weak) == .ownStore)
    }
    let list = Config.Entry(key: "verify.skiplist", value: "error", origin: origin, line: 1)
    #expect(KnownKey.speaker(of: list) == .ownStore, "a path of that name")
    let protected = Config.Entry(key: "trust.file", value: "x", origin: .option, line: 0)
    #expect(Config(entries: [protected]).adding([], of: standing).get("trust.file") == "x")
  }

  @Test("a secret of the user's goes to no address that a stranger's store gives")
  func addresses() {
    let token = Config.Entry(
      key: "remote.a.tokenfile", value: "t", origin: .user(path: "u"), line: 1)
    let origin = Config.Origin.store(path: "/s")
    let url = Config.Entry(key: "remote.a.url", value: "https://x", origin: origin, line: 2)
    let user = Config(entries: [token])
    for standing in [StoreStanding.changed, .stranger] {
      #expect(user.adding([url], of: standing).strangeAddress(for: token, of: "a") == url)
      #expect(user.adding([url], of: standing).strangeAddress(for: token, of: "b") == nil)
    }
    #expect(user.adding([url], of: .own).strangeAddress(for: token, of: "a") == nil)
    let option = Config.Entry(key: "remote.a.url", value: "https://y", origin: .option, line: 0)
    let given = Config(entries: [token, option]).adding([url], of: .stranger)
    #expect(given.strangeAddress(for: token, of: "a") == nil, "the user's own word comes later")
  }
}
