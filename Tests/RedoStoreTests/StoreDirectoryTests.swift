import Glibc
import RedoObject
import Testing

@testable import RedoStore

@Suite("StoreDirectory")
struct StoreDirectoryTests {
  static let sources = ConfigSources()

  static func create(_ path: String) throws -> Bool {
    var isNew = false
    _ = try StoreDirectory.create(
      path, ConfigSources(options: ["core.fsync=none"]), isNew: &isNew)
    return isNew
  }

  /// Every path below a directory with its kind and mode, and the bytes of the files.
  static func tree(_ path: String, _ prefix: String = "") throws -> [String: [UInt8]] {
    let directory = try Directory.open(path)
    var tree: [String: [UInt8]] = [:]
    for name in try directory.list() {
      let mode = try directory.status(name)?.mode ?? 0
      if try directory.status(name)?.kind == .directory {
        tree["\(prefix)\(name)/ \(String(mode, radix: 8))"] = []
        tree.merge(try Self.tree(path + "/" + name, prefix + name + "/")) { $1 }
      } else {
        tree["\(prefix)\(name) \(String(mode, radix: 8))"] = try directory.readFile(name)
      }
    }
    return tree
  }

  @Test("a new store has everything in its place, and making it again changes nothing")
  func create() throws {
    let scratch = try Scratch()
    let path = scratch.path + "/deep/er/.redo"
    #expect(try Self.create(path))
    let tree = try Self.tree(path)
    #expect(
      tree.keys.sorted() == [
        "cache/ 755", "config 644", "keys/ 700", "lock 644", "objects/ 755", "objects/info/ 755",
        "objects/pack/ 755", "quarantine/ 755", "received 644", "reflog 644", "refs 644",
        "refs.journal 644", "remotes/ 755",
      ])
    let config = String(decoding: try #require(tree["config 644"]), as: UTF8.self)
    #expect(config.wholeMatch(of: /\[core\]\n\tformat = 1\n\tid = [0-9a-f]{32}\n/) != nil)
    #expect(try !Self.create(path))
    #expect(try Self.tree(path) == tree)
    let repository = try StoreDirectory.open(path, Self.sources)
    var transaction = RefTransaction(message: "")
    transaction.add(id(1), to: name("heads/-"))
    _ = try repository.refs.commit(transaction, at: 0, RefsOptions(sync: .none))
    let used = try Self.tree(path)
    try repository.directory.removeDirectory("cache")
    #expect(try !Self.create(path))
    #expect(try Self.tree(path) == used)
  }

  @Test("what a crash left of making a store is completed, and is no store before")
  func interrupted() throws {
    let scratch = try Scratch()
    let path = scratch.path + "/.redo"
    #expect(try Self.create(path))
    let whole = try Self.tree(path)
    // Each store has a name of its own.
    func isWhole(_ tree: [String: [UInt8]]) -> Bool {
      tree.keys == whole.keys && tree.allSatisfy { $0 == "config 644" || whole[$0] == $1 }
    }
    // The order in which it is made, backwards.
    let steps = [
      "config", "refs", "refs.journal", "received", "reflog", "cache", "remotes", "quarantine",
      "keys", "objects/info", "objects/pack", "objects",
    ]
    for count in 1...steps.count {
      let directory = try Directory.open(path)
      for step in steps.prefix(count) {
        if try directory.status(step)?.kind == .directory {
          try directory.removeDirectory(step)
        } else {
          try directory.unlink(step)
        }
      }
      try scratch.write(".redo/tmp_refs_0123456789abcdef", "half")
      #expect(throws: StoreDirectoryError.notAStore(path: path)) {
        _ = try StoreDirectory.open(path, Self.sources)
      }
      #expect(try Self.create(path))
      try directory.unlink("tmp_refs_0123456789abcdef")
      #expect(isWhole(try Self.tree(path)))
    }
  }

  @Test("a finished store that has lost its refs is damaged, not new")
  func lostRefs() throws {
    let scratch = try Scratch()
    let path = scratch.path + "/.redo"
    #expect(try Self.create(path))
    try scratch.directory.openSubdirectory(".redo").unlink("refs")
    #expect(try !Self.create(path))
    let repository = try StoreDirectory.open(path, Self.sources)
    #expect(throws: RefsError.self) { _ = try repository.refs.snapshot() }
  }

  @Test("another format is refused by its name", arguments: ["3", "0", "01", "x", "", nil])
  func format(found: String?) throws {
    let scratch = try Scratch()
    let path = scratch.path + "/.redo"
    #expect(try Self.create(path))
    try scratch.write(".redo/config", "[core]\n" + (found.map { "format=\($0)" } ?? ""))
    let expected = StoreDirectoryError.config(.format(file: path + "/config", found: found))
    let before = try Self.tree(path)
    #expect(throws: expected) { _ = try StoreDirectory.open(path, Self.sources) }
    #expect(throws: expected) { _ = try Self.create(path) }
    #expect(try Self.tree(path) == before)
    // Options do not help: it is the store's own word that counts.
    #expect(throws: expected) {
      _ = try StoreDirectory.open(path, ConfigSources(options: ["core.format=1"]))
    }
  }

  @Test("finding: where it is named, or upwards")
  func find() throws {
    let scratch = try Scratch()
    let root = scratch.path
    #expect(try Self.create(root + "/a/.redo"))
    try Directory.makeDirectories(root + "/a/b/c", mode: 0o755)
    for start in ["/a", "/a/", "/a/b", "/a/b/c", "/a//b/c/"] {
      let found = try StoreDirectory.find(nil, from: root + start)
      #expect(try CurrentProcess.realPath(found) == CurrentProcess.realPath(root + "/a/.redo"))
      _ = try StoreDirectory.open(found, Self.sources)
    }
    // A file of that name is passed by; a directory of that name ends the search.
    try scratch.write("a/b/.redo", "x")
    #expect(
      try StoreDirectory.find(nil, from: root + "/a/b/c")
        == root + "/a/.redo")
    try Directory.makeDirectories(root + "/a/b/c/.redo", mode: 0o755)
    let nearest = try StoreDirectory.find(nil, from: root + "/a/b/c")
    #expect(throws: StoreDirectoryError.notAStore(path: nearest)) {
      _ = try StoreDirectory.open(nearest, Self.sources)
    }
    #expect(throws: StoreDirectoryError.notFound(from: root)) {
      _ = try StoreDirectory.find(nil, from: root)
    }
    #expect(try StoreDirectory.find("/v", from: root + "/a") == "/v")
    #expect(throws: StoreDirectoryError.notAStore(path: root + "/none")) {
      _ = try StoreDirectory.open(root + "/none", Self.sources)
    }
  }

  @Test("the owner of a store must be the user, or safe.directory must list it")
  func owner() throws {
    let scratch = try Scratch()
    let root = try CurrentProcess.realPath(scratch.path)
    #expect(try Self.create(root + "/w/.redo"))
    let directory = try Directory.open(root + "/w/.redo")
    let owner = try directory.status().userID
    func check(_ user: UInt32, _ sudo: UInt32?, _ options: String...) throws -> Bool {
      let config = try Config.loadProtected(ConfigSources(options: options))
      do throws(StoreDirectoryError) {
        try OwnerCheck(userID: user, sudoUserID: sudo, config).check(directory)
        return true
      } catch {
        guard case .unsafeOwner(_, owner) = error else { throw error }
        return false
      }
    }
    let other = owner + 1
    #expect(try check(owner, nil))
    #expect(try !check(other, nil))
    #expect(try !check(other, owner), "only root may have become somebody else")
    if owner != 0 {
      #expect(try check(0, owner))
      #expect(try !check(0, other))
    }
    #expect(try check(other, nil, "safe.directory=*"))
    #expect(try check(other, nil, "safe.directory=\(root)/w"))
    #expect(try check(other, nil, "safe.directory=\(root)/w/"))
    #expect(try check(other, nil, "safe.directory=\(root)/w/.redo"))
    #expect(try check(other, nil, "safe.directory=\(root)/*"))
    #expect(try !check(other, nil, "safe.directory=\(root)"))
    #expect(try !check(other, nil, "safe.directory=*", "safe.directory="))
    // The store's own word does not count.
    try scratch.write("w/.redo/config", "[core]\nformat=1\n[safe]\ndirectory=*")
    let all = try Config.loadProtected(Self.sources)
      .adding(Config.entries(of: directory), of: .own)
    #expect(throws: StoreDirectoryError.unsafeOwner(path: directory.path, userID: owner)) {
      try OwnerCheck(userID: other, sudoUserID: nil, all).check(directory)
    }
  }
}
