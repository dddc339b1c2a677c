// What is kept of a history for the next exchange: it says the same as the history, and nothing once that has changed.

import RedoObject
import RedoStore
import TestSupport
import Testing

@testable import RedoRemote
@testable import RedoRepository
@testable import RedoShell

@Suite("Compared history")
struct ComparedHistoryTests {
  private func history(
    _ store: TemporaryStore, allowsUnsigned: Bool = false
  ) throws -> ComparedHistory {
    try ComparedHistory(store.open(), allowsUnsigned: allowsUnsigned, store.context().effects)
  }

  /// A store with signed and unsigned changes.
  private func mixed() throws -> TemporaryStore {
    let store = try TemporaryStore()
    try store.redo("key", "generate")
    try store.fill(12)
    try store.fill(2, isSigned: false)
    return store
  }

  @Test(
    "what was kept says the same as the history, held back nodes too", arguments: [false, true])
  func same(_ allowsUnsigned: Bool) throws {
    let store = try mixed()
    let first = try history(store, allowsUnsigned: allowsUnsigned)
    #expect(first.top == nil)
    let source = try first.source()
    let held = try first.held(limit: nil)
    #expect(held.count == (allowsUnsigned ? 0 : 4))
    let second = try history(store, allowsUnsigned: allowsUnsigned)
    #expect(try second.top == RangeTree(of: source)?.top && second.root == first.root)
    #expect(try second.counts == first.counts && second.counts.history == 28)
    #expect(try second.held(limit: nil) == held && second.withheld == first.withheld)
    for limit in 0..<3 { #expect(try second.held(limit: limit) == first.held(limit: limit)) }
    // It was not opened for any of this.
    #expect(second.top != nil)
    #expect(try second.source().tree == source.tree)
    // What is compared otherwise is something else.
    #expect(try history(store, allowsUnsigned: !allowsUnsigned).top == nil)
  }

  @Test("void after a commit, without a head, after a signature, beside a node that cannot be read")
  func void() throws {
    for change in 0..<4 {
      let store = try mixed()
      _ = try history(store).source()
      #expect(try history(store).top != nil)
      switch change {
      case 0: try store.redo("commit", "-q", "create", "--title=new")
      case 1:
        let row = try #require(try store.redo("show-ref", "--heads").split(separator: "\n").first)
        let words = row.split(separator: " ").map(String.init)
        try store.redo("update-ref", "-d", words[1], words[0])
      case 2: try store.open().objects.renewSignatureMark()
      default:
        let id = try #require(try store.log().first)
        try store.open().note(unreadable: [id])
        let opened = try store.open()
        let found = try ComparedHistory(
          opened, allowsUnsigned: false, unreadable: [id: Finding(.objectMissing)],
          store.context().effects)
        #expect(found.top == nil)
        #expect(try found.source().tree == nil && found.root == nil)
        continue
      }
      let after = try history(store)
      #expect(after.top == nil)
      #expect(try after.source().tree?.top == RangeTree(of: store.source())?.top)
    }
  }

  @Test("without the caches nothing is kept or believed")
  func stranger() throws {
    let store = try mixed()
    _ = try history(store).source()
    var context = store.context()
    context.effects.surroundings.settings = []
    let opened = try context.effects.openRepository()
    try #require(!opened.usesCache)
    let found = try ComparedHistory(opened, allowsUnsigned: false, context.effects)
    #expect(found.top == nil)
    #expect(try found.root == nil && found.counts.history == 28)
  }

  @Test("a server keeps a history as long as nothing has changed")
  func shelf() throws {
    let store = try mixed()
    let shelf = SourceShelf()
    func kept() throws -> HistorySource? {
      let moment = try #require(try KeptTree(store.open(), allowsUnsigned: false).moment())
      return try shelf.source(store.open().store.path, at: moment)
    }
    #expect(try kept() == nil)
    let first = try ComparedHistory(
      store.open(), allowsUnsigned: false, on: shelf, store.context().effects)
    _ = try first.source()
    #expect(try kept()?.count == 24)
    try store.redo("commit", "-q", "create", "--title=new")
    #expect(try kept() == nil)
  }

  @Test("a forged tree of other places is made anew, and is no trap")
  func forged() throws {
    let store = try mixed()
    let kept = KeptTree(try store.open(), allowsUnsigned: false)
    let source = try history(store).source()
    let tree = try #require(source.tree)
    var opening = tree.top.opening
    let first = opening[0]
    opening[0] = RangeTree.Run(bound: first.bound, end: first.end + 1, digest: first.digest)
    let top = try #require(RangeTree.Top(root: tree.top.root, opening: opening))
    let other = try #require(RangeTree(top: top, pieces: tree.pieces))
    let moment = try #require(try kept.moment())
    kept.keep(other, of: source, at: moment)
    let found = try history(store)
    #expect(found.top == top)
    // As the answer to a client that began with it.
    let digests = RangeDigests(salt: RangeSalt { 0 })
    var initiator = RangeInitiator<HistorySource>(top, digests)
    _ = try initiator.next()
    let isSame = initiator.use(try found.source())
    #expect(!isSame)
    while let message = try initiator.next() {
      try initiator.take(RangeResponder(source, digests).answer(message))
    }
    #expect(initiator.difference.isEmpty)
    #expect(kept.tree(at: moment) == tree)
  }

  @Test("a history without what could not be read is not kept: it may come again")
  func damaged() throws {
    let store = try TemporaryStore()
    try store.redo("key", "generate")
    try store.fill(12)
    let id = try #require(try store.log().last)
    let name = "objects/\(id.hex.prefix(2))/\(id.hex.dropFirst(2))"
    let directory = try Directory.open(store.path + "/.redo")
    let bytes = try #require(try directory.readFile(name))
    try directory.unlink(name)
    for file in ["graph", "graph.tail", "graph.heads", "graph.tree"] {
      _ = try? directory.unlink("cache/\(file)")
    }
    let shelf = SourceShelf()
    func count() throws -> Int {
      let opened = try store.open()
      return try ComparedHistory(
        opened, allowsUnsigned: false, unreadable: opened.unreadableNodes(), on: shelf,
        store.context().effects
      ).counts.compared
    }
    #expect(try count() == 23)
    try directory.openFile(name, .write, [.create]).writeAll(bytes)
    #expect(try count() == 24)
  }
}
