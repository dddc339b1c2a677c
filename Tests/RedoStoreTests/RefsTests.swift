import RedoCrypto
import RedoObject
import TestSupport
import Testing

@testable import RedoStore

@Suite("Refs")
struct RefsTests {
  @Test(
    "good names",
    arguments: ["heads/-", "heads/4f2c", "a/b", "remotes/home/heads/x", "tags/ü", "a/@", "a/b.c"])
  func goodName(text: String) { #expect(RefName(text)?.text == text) }

  @Test(
    "names that break a rule",
    arguments: [
      "", "a", "HEAD", "/a", "a/", "a//b", "a/.b", ".a/b", "a/b.lock", "a.lock/b", "a/b..c",
      "a/b c",
      "a/b\tc", "a/b\u{7F}", "a/~", "a/^", "a/:", "a/?", "a/*", "a/[", "a/\\", "a/\n",
    ])
  func badName(text: String) { #expect(RefName(text) == nil) }

  @Test("a name has a length, and is UTF-8")
  func nameLimits() {
    #expect(RefName("a/" + String(repeating: "b", count: 1_022)) != nil)
    #expect(RefName("a/" + String(repeating: "b", count: 1_023)) == nil)
    #expect(RefName(bytes: Array("a/".utf8) + [0xFF]) == nil)
  }

  @Test("heads hold several ids, everything else one")
  func multiValued() {
    for text in ["heads/-", "heads/x", "remotes/r/heads/x", "recovered/2/heads/-"] {
      #expect(name(text).isMultiValued)
    }
    for text in ["heads/x/y", "tags/x", "remotes/r/tags/x", "remotes/heads/x", "other/r/heads/x"] {
      #expect(!name(text).isMultiValued)
    }
  }

  @Test("a new store has no refs")
  func empty() throws {
    let fixture = try RefsFixture()
    var snapshot = try fixture.refs.snapshot()
    #expect(snapshot.generation == 1)
    #expect(snapshot.entry == 0)
    #expect(snapshot.reflogBytes == 14)
    #expect(snapshot.receivedBytes == 16)
    #expect(try snapshot.count() == 0)
    #expect(try snapshot.ids(of: name("heads/-")) == [])
    #expect(try fixture.lines() == [])
    #expect(
      try fixture.scratch.directory.list().sorted() == [
        "received", "reflog", "refs", "refs.journal",
      ])
  }

  @Test("the files look as the format says")
  func format() throws {
    let fixture = try RefsFixture()
    let zeros = String(repeating: "0", count: 64)
    let text = String(decoding: try fixture.scratch.read("refs"), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "redo-refs 1 1 \(text.utf8.count) 0 0 \(zeros) 14 16")
    #expect(lines[1].hasPrefix("# 1 0 "))
    #expect(lines.count == 3)
    let journal = String(decoding: try fixture.scratch.read("refs.journal"), as: UTF8.self)
    #expect(journal.hasPrefix("redo-journal 1 1 \(zeros) "))
    try fixture.commit("first\n\\second") { $0.add(id(1), to: name("heads/a")) }
    let record = String(
      decoding: try fixture.scratch.read("refs.journal").dropFirst(journal.utf8.count),
      as: UTF8.self)
    let parts = record.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(parts[0].utf8.count == 18 && parts[0].hasPrefix("@000000"))
    #expect(parts[1] == "entry 1 1700000000000 16")
    #expect(parts[2] == "+ \(id(1).text) heads/a")
    #expect(parts[3] == "message first\\x0a\\x5csecond")
    let body = zeros + parts[1...3].joined(separator: "\n") + "\n"
    let chain = SHA256.digest(of: Array(body.utf8).span)
    #expect(parts[4] == "chain \(Hex.text(chain.bytes.span))")
    #expect(try fixture.refs.snapshot().chain == chain)
  }

  @Test("steps are taken in order, and a change shows what it did")
  func steps() throws {
    let fixture = try RefsFixture()
    let first = try fixture.commit {
      $0.add(id(1), to: name("heads/a"))
      $0.add(id(2), to: name("heads/a"))
      $0.add(id(2), to: name("heads/a"))
      $0.create(name("tags/t"), at: id(3))
    }
    #expect(first.entry == 1)
    #expect(Set(first.additions.map(\.id)) == [id(1), id(2), id(3)])
    let second = try fixture.commit {
      $0.remove(id(1), from: name("heads/a"))
      $0.remove(id(9), from: name("heads/a"))
      $0.add(id(4), to: name("heads/a"))
      $0.update(name("tags/t"), to: id(5), expecting: id(3))
    }
    #expect(
      second.removals == [
        Ref(name: name("heads/a"), id: id(1)), Ref(name: name("tags/t"), id: id(3)),
      ])
    var snapshot = try fixture.refs.snapshot()
    #expect(try snapshot.ids(of: name("heads/a")) == [id(2), id(4)].sorted())
    #expect(try snapshot.ids(of: name("tags/t")) == [id(5)])
    #expect(try snapshot.count() == 3)
    let nothing = try fixture.commit { $0.add(id(2), to: name("heads/a")) }
    #expect(nothing.entry == 2 && nothing.additions.isEmpty)
    try fixture.commit {
      $0.delete(name("tags/t"), expecting: id(5))
      $0.delete(name("heads/a"))
    }
    #expect(try fixture.lines() == [])
  }

  @Test("every conflict is told, and nothing is changed")
  func conflicts() throws {
    let fixture = try RefsFixture()
    try fixture.commit {
      $0.create(name("tags/t"), at: id(1))
      $0.add(id(2), to: name("heads/a"))
    }
    let before = try fixture.files()
    var transaction = RefTransaction(message: "no")
    transaction.add(id(7), to: name("heads/b"))
    transaction.create(name("tags/t"), at: id(3))
    transaction.update(name("tags/u"), to: id(3), expecting: id(1))
    transaction.verify(name("heads/a"), is: [id(2), id(3)])
    transaction.delete(name("tags/v"), expecting: RefTransaction.zero)
    guard
      case .refused(let conflicts) = try fixture.refs.commit(
        transaction, at: 0, fixture.options)
    else {
      Issue.record("it was made")
      return
    }
    #expect(
      conflicts == [
        RefConflict(name: name("tags/t"), expected: [], found: [id(1)]),
        RefConflict(name: name("tags/u"), expected: [id(1)], found: []),
        RefConflict(name: name("heads/a"), expected: [id(2), id(3)].sorted(), found: [id(2)]),
      ])
    #expect(try fixture.files() == before)
  }

  @Test(
    "many refs over many blocks: look-up, order, prefixes, journal over refs",
    arguments: SeededRandom.seeds("many refs"))
  func many(_ seed: UInt64) throws {
    var fixture = try RefsFixture()
    fixture.options.foldBytes = 1_000_000
    var model: [String: Set<ObjectID>] = [:]
    var random = SeededRandom(seed: seed)
    for round in 0..<4 {
      try fixture.commit { transaction in
        for _ in 0..<300 {
          let number = Int.random(in: 0..<300, using: &random)
          let text = number % 7 == 0 ? "tags/t\(number)" : "heads/task-\(number)"
          let value = id(Int.random(in: 0..<20, using: &random))
          let isAdding = Int.random(in: 0..<3, using: &random) > 0
          if number % 7 == 0 {
            if isAdding { transaction.update(name(text), to: value) }
            if !isAdding { transaction.delete(name(text)) }
            model[text] = isAdding ? [value] : []
          } else if isAdding {
            transaction.add(value, to: name(text))
            model[text, default: []].insert(value)
          } else {
            transaction.remove(value, from: name(text))
            model[text]?.remove(value)
          }
        }
      }
      if round % 2 == 1 { #expect(try fixture.refs.fold(fixture.options)) }
      let expected = model.flatMap { text, ids in
        ids.map { Ref(name: name(text), id: $0) }
      }.sorted()
      var found: [Ref] = []
      var snapshot = try fixture.refs.snapshot()
      try snapshot.forEach {
        found.append($0)
        return true
      }
      #expect(found == expected)
      #expect(try snapshot.count() == expected.count)
      for number in stride(from: round, to: 300, by: 4) {
        for text in ["tags/t\(number)", "heads/task-\(number)"] {
          #expect(try snapshot.ids(of: name(text)) == (model[text] ?? []).sorted())
        }
      }
      for prefix in ["heads/task-1", "tags/", "tags/t7", "zzz", "a", "heads/task-299"] {
        var some: [Ref] = []
        try snapshot.forEach(prefix: prefix) {
          some.append($0)
          return true
        }
        #expect(some == expected.filter { $0.name.text.hasPrefix(prefix) })
      }
      var some: [Ref] = []
      try snapshot.forEach {
        some.append($0)
        return some.count < 5
      }
      #expect(some == Array(expected.prefix(5)))
    }
    #expect(try fixture.scratch.read("refs").count > 2 * RefBlock.byteCount)
    #expect(try !fixture.refs.fold(fixture.options), "nothing is left to fold")
  }

  @Test("a name with so many ids that they fill several blocks")
  func wide() throws {
    let fixture = try RefsFixture()
    let ids = (0..<500).map(id).sorted()
    try fixture.commit { transaction in
      for id in ids { transaction.add(id, to: name("heads/wide")) }
      transaction.add(id(1), to: name("heads/a"))
      transaction.add(id(1), to: name("heads/z"))
    }
    #expect(try fixture.refs.fold(fixture.options))
    var snapshot = try fixture.refs.snapshot()
    #expect(try snapshot.ids(of: name("heads/wide")) == ids)
    #expect(try snapshot.ids(of: name("heads/z")) == [id(1)])
    #expect(try snapshot.ids(of: name("heads/wides")) == [])
  }

  @Test(
    "a change that was written here is told by a byte that is escaped without need",
    arguments: [
      ("commit", true, "\\x63ommit"), ("commit", false, "commit"), ("\n\\ü", false, "\\x0a\\x5cü"),
      ("\n\\u", true, "\\x0a\\x5c\\x75"), ("", true, ""), ("\n", true, "\\x0a"),
    ])
  func written(message: String, isWritten: Bool, text: String) throws {
    var entry = ReflogEntry(
      number: 1, milliseconds: 2, receivedBytes: 3, removals: [], additions: [],
      message: message, isWritten: isWritten)
    let payload = entry.payload(after: .zero)
    // No other lines: release 0.1 takes them for damage.
    let lines = String(decoding: payload, as: UTF8.self).split(separator: "\n")
    #expect(lines.dropLast() == ["entry 1 2 3", "message \(text)"])
    let read = try ReflogEntry(
      parsing: payload, in: 0..<payload.count, base: 0, after: .zero, file: "f")
    #expect(read.message == message)
    #expect(read.isWritten == (isWritten && text != "" && text != "\\x0a"))
  }

  @Test("the word of stores of a time between says the same")
  func writtenBetween() throws {
    let body = Array("entry 1 2 3\nwritten commit\n".utf8)
    let chain = SHA256.digest(of: (Array(repeating: UInt8(ascii: "0"), count: 64) + body).span)
    let payload = body + Array("chain \(Hex.text(chain.bytes.span))\n".utf8)
    let read = try ReflogEntry(
      parsing: payload, in: 0..<payload.count, base: 0, after: .zero, file: "f")
    #expect(read.message == "commit" && read.isWritten)
  }

  @Test("the journal is folded when it is long, and the reflog tells all")
  func foldAndReflog() throws {
    var fixture = try RefsFixture()
    fixture.options.foldBytes = 1_500
    for number in 1...30 {
      let commit = try fixture.commit("change \(number) \\ \n") {
        $0.update(name("tags/t"), to: id(number))
        $0.isWritten = number % 3 == 0
      }
      #expect(commit.warnings == [])
      var entries: [Int] = []
      let count = try fixture.refs.forEachEntry {
        entries.append($0.number)
        #expect($0.message == "change \($0.number) \\ \n")
        #expect($0.isWritten == ($0.number % 3 == 0))
        #expect($0.additions.map(\.id) == [id($0.number)])
        return true
      }
      #expect(count == number)
      #expect(entries == Array(1...number))
    }
    #expect(try fixture.refs.snapshot().generation > 3)
    #expect(try fixture.scratch.read("refs.journal").count < 2_500)
  }

  @Test("nodes that another store received are noted with its times, in the order of these")
  func receivedTimes() throws {
    let fixture = try RefsFixture()
    var transaction = RefTransaction(message: "copy")
    transaction.received = (1...70_000).map { id($0) }
    for number in 1...69_999 { transaction.receivedTimes[id(number)] = Int64(number % 3 + 5) }
    _ = try fixture.refs.commit(transaction, at: 77, fixture.options)
    let received = Received(in: fixture.scratch.directory)
    let end = try fixture.refs.snapshot().receivedBytes
    var found: [(ObjectID, Received.Note)] = []
    try received.forEach(to: end) {
      found.append(($0, $1))
      return true
    }
    #expect(found.count == 70_000)
    let times = found.map { if case .received(let time) = $0.1 { time } else { Int64(-1) } }
    #expect(times == times.sorted() && Set(times) == [5, 6, 7, 77])
    #expect(found.first?.0 == id(3) && found.last?.0 == id(70_000))
    let notes = Dictionary(uniqueKeysWithValues: found)
    #expect(notes[id(4)] == .received(6))
  }

  @Test("received nodes are noted once, with their time")
  func received() throws {
    let fixture = try RefsFixture()
    try fixture.commit(received: [id(1), id(2), id(1)])
    let checked = try fixture.refs.snapshot().receivedBytes
    try fixture.commit(received: [id(3)])
    var transaction = RefTransaction(message: "late")
    transaction.received = [id(3), id(4)]
    transaction.receivedChecked = checked
    guard
      case .committed(let commit) = try fixture.refs.commit(transaction, at: 77, fixture.options)
    else { preconditionFailure("it was refused") }
    #expect(commit.received == [id(4)])
    // Anything that a crash left after what counts is overwritten.
    let good = try fixture.scratch.read("received")
    try fixture.scratch.write("received", good + [1, 2, 3])
    try fixture.commit(received: [id(5)])
    let received = Received(in: fixture.scratch.directory)
    let end = try fixture.refs.snapshot().receivedBytes
    var found: [ObjectID] = []
    var times: [Received.Note] = []
    try received.forEach(to: end) {
      found.append($0)
      times.append($1)
      return true
    }
    #expect(found == [1, 2, 3, 4, 5].map(id))
    #expect(times[3] == .received(77) && times[4] == .received(1_700_000_000_000))
    #expect(try received.load(to: end) == Set(found))
    #expect(try fixture.scratch.read("received").count == end + ReceivedMark.byteCount)
    for position in stride(from: 0, to: end, by: 5) {
      var bytes = good
      guard position < bytes.count else { break }
      bytes[position] ^= 4
      try fixture.scratch.write("received", bytes)
      #expect(throws: RefsError.self) { _ = try received.load(to: good.count) }
    }
    try fixture.scratch.write("received", good.dropLast())
    #expect(throws: RefsError.self) { _ = try received.load(to: good.count) }
  }

  @Test("a lock held by another is its own outcome")
  func locked() throws {
    var fixture = try RefsFixture()
    fixture.options.lockTimeoutMilliseconds = 5
    try fixture.commit { $0.add(id(1), to: name("heads/a")) }
    let lock = try LockFile.acquire(
      in: fixture.scratch.directory, name: "lock", timeoutMilliseconds: 0)
    let path = fixture.scratch.path + "/lock"
    #expect(throws: RefsError.locked(path: path)) {
      try fixture.commit { $0.add(id(2), to: name("heads/a")) }
    }
    #expect(try fixture.lines().count == 1, "readers do not wait")
    extendLifetime(lock)
  }
}
