// What every store of objects does, whichever it is: memory, loose files, layers.

import RedoCrypto
import RedoObject
import RedoStore
import Testing

/// Any of the stores.
struct AnyStore: Sendable {
  private let wrapped: any ObjectWriter & Sendable

  init(_ store: any ObjectWriter & Sendable) { wrapped = store }

  func contains(_ id: ObjectID) throws -> Bool { try wrapped.contains(id) }
  func read(_ id: ObjectID) throws -> StoredObject? { try wrapped.read(id) }
  func list(prefix: String) throws -> [ObjectID] { try wrapped.list(prefix: prefix) }
  func write(_ writes: [ObjectWrite]) throws -> [WriteOutcome] { try wrapped.write(writes) }
}

/// The stores that must behave alike.
enum StoreKind: CaseIterable {
  case memory, loose, looseSynced, layered
}

/// An empty store that vanishes with the test.
struct EmptyStore: ~Copyable {
  private let scratch: Scratch
  let store: AnyStore

  init(_ kind: StoreKind) throws {
    let scratch = try Scratch()
    for name in ["own", "other", "third"] { try scratch.directory.makeDirectory(name) }
    let path = scratch.path
    switch kind {
    case .memory: store = AnyStore(MemoryStore())
    case .loose: store = AnyStore(try LooseStore(path: path + "/own", syncPolicy: .none))
    case .looseSynced: store = AnyStore(try LooseStore(path: path + "/own", syncPolicy: .full))
    case .layered:
      store = AnyStore(
        try ObjectStore.open(
          path: path + "/own", alternatePaths: [path + "/other", path + "/third"],
          syncPolicy: .none))
    }
    self.scratch = scratch
  }
}

@Suite("Every store")
struct ConformanceTests {
  @Test("is empty at first", arguments: StoreKind.allCases)
  func empty(_ kind: StoreKind) throws {
    let empty = try EmptyStore(kind)
    let store = empty.store
    let id = Objects.blob("a").object.id
    #expect(try store.read(id) == nil)
    #expect(try !store.contains(id))
    #expect(try store.list(prefix: "").isEmpty)
    #expect(try store.write([]).isEmpty)
  }

  @Test("gives back what was written, the same after a second time", arguments: StoreKind.allCases)
  func writes(_ kind: StoreKind) throws {
    let empty = try EmptyStore(kind)
    let store = empty.store
    let writes = [
      Objects.node("a", .body), Objects.node("b", .none), Objects.blob(""), Objects.blob("text"),
      Objects.blob(String(repeating: "long ", count: 100_000)),
    ]
    #expect(try store.write(writes) == writes.map { _ in .new })
    for _ in 0..<2 {
      for write in writes {
        #expect(try store.read(write.object.id) == write.object)
        #expect(try store.contains(write.object.id))
      }
      #expect(try store.list(prefix: "") == writes.map(\.object.id).sorted())
      #expect(try store.write(writes) == writes.map { _ in .known })
    }
  }

  @Test(
    "takes an object that stands twice once, and answers in order", arguments: StoreKind.allCases)
  func twice(_ kind: StoreKind) throws {
    let empty = try EmptyStore(kind)
    let store = empty.store
    let (one, two) = (Objects.blob("1"), Objects.blob("2"))
    #expect(try store.write([two, one, two]) == [.new, .new, .known])
    #expect(try store.write([Objects.blob("3"), one]) == [.new, .known])
    #expect(try store.list(prefix: "").count == 3)
  }

  @Test("lists by prefix, in ascending order", arguments: StoreKind.allCases)
  func lists(_ kind: StoreKind) throws {
    let empty = try EmptyStore(kind)
    let store = empty.store
    let ids = (0..<300).map { Objects.blob("\($0)").object.id }.sorted()
    _ = try store.write((0..<300).map { Objects.blob("\($0)") })
    #expect(try store.list(prefix: "") == ids)
    let hex = ids[150].hex
    for count in [0, 1, 2, 3, 4, 63, 64] {
      let prefix = String(hex.prefix(count))
      #expect(try store.list(prefix: prefix) == ids.filter { $0.hex.hasPrefix(prefix) })
    }
  }

  @Test("makes a node of a blob, never a blob of a node", arguments: StoreKind.allCases)
  func labels(_ kind: StoreKind) throws {
    let empty = try EmptyStore(kind)
    let store = empty.store
    let node = Objects.node("a", .body)
    let blob = ObjectWrite(StoredObject(blob: node.object.canonical), key: nil)
    #expect(try store.write([blob]) == [.new])
    #expect(try store.read(node.object.id)?.kind == .blob)
    #expect(try store.write([node]) == [.upgraded])
    #expect(try store.read(node.object.id) == node.object)
    #expect(try store.write([blob]) == [.known])
    #expect(try store.read(node.object.id) == node.object)
  }

  /// The table of signatures: which of two stays, whichever came first.
  private static func stays(_ one: Objects.Signing, _ other: Objects.Signing) -> Objects.Signing {
    let order: [Objects.Signing] = [.none, .unknownLarge, .unknownSmall, .digest, .body]
    let places = [one, other].map { order.firstIndex(of: $0) ?? 0 }
    return order[max(places[0], places[1])]
  }

  @Test(
    "keeps the better of two signatures, in both orders",
    arguments: StoreKind.allCases, Objects.Signing.allCases)
  func signatures(_ kind: StoreKind, _ first: Objects.Signing) throws {
    for second in Objects.Signing.allCases {
      let empty = try EmptyStore(kind)
      let store = empty.store
      // Once the key has been seen it is known of both.
      let knowsKey = [first, second].contains { $0 == .digest || $0 == .body }
      let write = Objects.node("a", second)
      let key = knowsKey ? Objects.key : nil
      _ = try store.write([Objects.node("a", first)])
      let outcome = try store.write([ObjectWrite(write.object, key: key)])
      let expected = Self.stays(first, second)
      #expect(
        try store.read(write.object.id) == Objects.node("a", expected).object,
        "\(kind): \(first), then \(second)")
      #expect(outcome == [expected == first ? .known : .upgraded])
    }
  }

  @Test("ends alike whatever the order", arguments: StoreKind.allCases)
  func converges(_ kind: StoreKind) throws {
    var ends: [StoredObject?] = []
    for rotation in Objects.Signing.allCases.indices {
      for isTurned in [false, true] {
        let empty = try EmptyStore(kind)
        let store = empty.store
        var all = Objects.Signing.allCases.map { Objects.node("a", $0).object }
        all = Array(all[rotation...] + all[..<rotation])
        if isTurned { all.reverse() }
        for object in all { _ = try store.write([ObjectWrite(object, key: Objects.key)]) }
        ends.append(try store.read(all[0].id))
      }
    }
    let best = Objects.node("a", .body).object
    #expect(ends == ends.map { _ in best })
  }

  @Test("takes writes from many threads", arguments: StoreKind.allCases)
  func threads(_ kind: StoreKind) throws {
    let empty = try EmptyStore(kind)
    let store = empty.store
    let outcomes = Threads.parallelMap(Array(0..<8), threads: 8, makeState: { 0 }) { _, number in
      (0..<100).map { try? store.write([Objects.blob("\($0 + number * 50)")]) }
    }
    let flat = outcomes.flatMap(\.self)
    #expect(!flat.contains { $0 == nil })
    #expect(flat.count { $0 == [.new] } == 450)
    #expect(try store.list(prefix: "").count == 450)
  }
}

@Suite("Layers")
struct LayerTests {
  /// A store with an alternate that has some objects.
  private struct Fixture: ~Copyable {
    let scratch: Scratch
    let own: LooseStore
    let other: LooseStore
    let store: ObjectStore

    init(_ objects: [ObjectWrite]) throws {
      let scratch = try Scratch()
      for name in ["own", "own/info", "other", "other/info"] {
        try scratch.directory.makeDirectory(name)
      }
      let own = try LooseStore(path: scratch.path + "/own", syncPolicy: .none)
      let other = try LooseStore(path: scratch.path + "/other", syncPolicy: .none)
      _ = try other.write(objects)
      // Relative to the directory of objects, as in git.
      try scratch.write("own/info/alternates", "# a comment\n../other\n")
      let store = try ObjectStore.open(path: scratch.path + "/own", syncPolicy: .none)
      (self.own, self.other, self.store) = (own, other, store)
      self.scratch = scratch
    }
  }

  @Test("what an alternate has can be read and listed, once")
  func reads() throws {
    let (one, two) = (Objects.blob("1"), Objects.node("2", .body))
    let fixture = try Fixture([one, two])
    _ = try fixture.own.write([one])
    #expect(try fixture.store.read(two.object.id) == two.object)
    #expect(try fixture.store.contains(two.object.id))
    #expect(try fixture.store.list(prefix: "") == [one, two].map(\.object.id).sorted())
    #expect(try fixture.own.read(two.object.id) == nil)
  }

  @Test("what an alternate has is not written again, unless it becomes better")
  func writes() throws {
    let (none, good) = (Objects.node("a", .none), Objects.node("a", .body))
    let fixture = try Fixture([none])
    #expect(try fixture.store.write([none]) == [.known])
    #expect(try fixture.own.list(prefix: "").isEmpty)
    #expect(try fixture.store.write([good]) == [.upgraded])
    #expect(try fixture.store.read(good.object.id) == good.object)
    #expect(try fixture.other.read(good.object.id) == none.object, "an alternate is only read")
  }

  @Test("a worse copy is never written over a better one of an alternate")
  func worse() throws {
    let (none, good) = (Objects.node("a", .none), Objects.node("a", .body))
    let fixture = try Fixture([good])
    #expect(try fixture.store.write([none]) == [.known])
    #expect(try fixture.store.read(good.object.id) == good.object)
  }

  @Test("a corrupt copy does not hide a good one")
  func corrupt() throws {
    let good = Objects.blob("some bytes")
    let fixture = try Fixture([good])
    _ = try fixture.own.write([good])
    let file = "own/" + Layout.loose(good.object.id)
    try fixture.scratch.directory.unlink(file)
    try fixture.scratch.write(file, [1, 2, 3])
    #expect(try fixture.store.read(good.object.id) == good.object)
    #expect(throws: StoreError.self) { try fixture.own.read(good.object.id) }
  }

  @Test("alternates of alternates are followed, and circles end")
  func chains() throws {
    let one = Objects.blob("1")
    let fixture = try Fixture([])
    try fixture.scratch.directory.makeDirectory("third")
    try fixture.scratch.directory.makeDirectory("third/info")
    let third = try LooseStore(path: fixture.scratch.path + "/third", syncPolicy: .none)
    _ = try third.write([one])
    try fixture.scratch.write("other/info/alternates", "\(fixture.scratch.path)/third\n")
    try fixture.scratch.write("third/info/alternates", "\(fixture.scratch.path)/own\n")
    let store = try ObjectStore.open(path: fixture.scratch.path + "/own")
    #expect(try store.read(one.object.id) == one.object)
    #expect(try store.list(prefix: "") == [one.object.id])
  }
}
