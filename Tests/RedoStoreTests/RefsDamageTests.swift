// Damage to the files of refs: whatever happens to them, reading says so or answers as before.

import RedoCrypto
import RedoObject
import Synchronization
import Testing

@testable import RedoStore

@Suite("Refs, damaged")
struct RefsDamageTests {
  /// A store whose refs fill two blocks with few long lines.
  static func twoBlocks() throws -> RefsFixture {
    let fixture = try RefsFixture()
    let long = String(repeating: "n", count: 1_000)
    try fixture.commit { transaction in
      for number in 0..<13 { transaction.add(id(number), to: name("heads/\(long)\(number)")) }
      transaction.add(id(13), to: name("heads/x\(long)"))
      transaction.add(id(14), to: name("heads/y\(long.prefix(850))"))
      transaction.add(id(15), to: name("heads/z"))
    }
    guard try fixture.refs.fold(fixture.options) else { preconditionFailure("nothing to fold") }
    return fixture
  }

  /// What reading everything gives: all refs, or `nil` when it is refused as damaged.
  static func readAll(_ refs: borrowing Refs) throws -> [Ref]? {
    do throws(RefsError) {
      var snapshot = try refs.snapshot()
      var found: [Ref] = []
      try snapshot.forEach {
        found.append($0)
        return true
      }
      return found
    } catch {
      switch error {
      case .corrupt, .unsupportedFormat: return nil
      default: throw error
      }
    }
  }

  @Test("no flipped bit of a refs file of two blocks goes unseen")
  func flippedBits() throws {
    let fixture = try Self.twoBlocks()
    let good = try fixture.scratch.read("refs")
    #expect(good.count > RefBlock.byteCount && good.count < 2 * RefBlock.byteCount)
    let journal = try fixture.scratch.read("refs.journal")
    let unseen = Mutex<[Int]>([])
    let tried = Atomic<Int>(0)
    let next = Atomic<Int>(0)
    Threads.run(threads: Threads.processorCount) {
      guard let scratch = try? Scratch(), (try? scratch.write("refs", good)) != nil,
        (try? scratch.write("refs.journal", journal)) != nil,
        let file = try? scratch.directory.openFile("refs", .readWrite)
      else { return }
      let refs = Refs(in: scratch.directory)
      while true {
        let position = next.add(1, ordering: .relaxed).oldValue
        guard position < good.count else { break }
        for bit in 0..<8 {
          let flipped = [good[position] ^ UInt8(1 << bit)]
          guard (try? file.writeAll(flipped.span, at: position)) != nil else { return }
          let result = Result { try Self.readAll(refs) }
          if case .success(.none) = result {
          } else {
            unseen.withLock { $0.append(position * 8 + bit) }
          }
          tried.add(1, ordering: .relaxed)
        }
        guard (try? file.writeAll([good[position]].span, at: position)) != nil else { return }
      }
    }
    #expect(unseen.withLock { $0 } == [])
    #expect(tried.load(ordering: .relaxed) == good.count * 8)
    #expect(try Self.readAll(fixture.refs)?.count == 16)
  }

  @Test("no flipped bit of a journal of three records goes unseen")
  func flippedJournalBits() throws {
    let fixture = try RefsFixture()
    for number in 1...3 {
      try fixture.commit("m\(number)") { $0.add(id(number), to: name("heads/a")) }
    }
    let good = try fixture.scratch.read("refs.journal")
    let file = try fixture.scratch.directory.openFile("refs.journal", .readWrite)
    for position in good.indices {
      for bit in 0..<8 {
        try file.writeAll([good[position] ^ UInt8(1 << bit)].span, at: position)
        // Straight, without the second looks that a reader takes because of running writers.
        do throws(RefsError) {
          let snapshot = try fixture.refs.openLocked()
          Issue.record("bit \(bit) of byte \(position): \(snapshot.entry) entries were read")
        } catch {
          switch error {
          case .corrupt(let corruption):
            #expect(corruption.file == fixture.refs.journalPath)
            #expect(corruption.offset <= position)
          case .unsupportedFormat: #expect(position < 20)
          default: Issue.record("\(error)")
          }
        }
      }
      try file.writeAll([good[position]].span, at: position)
    }
    #expect(try Self.readAll(fixture.refs)?.count == 3)
  }

  @Test("a journal that ends before what was marked is refused, wherever it ends")
  func cutJournal() throws {
    let fixture = try RefsFixture()
    let start = try fixture.scratch.read("refs.journal").count
    var ends = [start]
    for number in 1...3 {
      try fixture.commit("m\(number)") { $0.add(id(number), to: name("heads/a")) }
      ends.append(try fixture.scratch.read("refs.journal").count)
    }
    let good = try fixture.scratch.read("refs.journal")
    for count in start..<good.count {
      try fixture.scratch.write("refs.journal", Array(good[..<count]))
      let found = ends.lastIndex { $0 <= count } ?? 0
      let behind = RefsError.behind(
        RefsShortfall(file: fixture.scratch.path + "/received", stated: 3, found: found))
      #expect(throws: behind) { _ = try fixture.refs.snapshot() }
      #expect(throws: behind) { try fixture.commit { $0.add(id(9), to: name("heads/b")) } }
      #expect(try fixture.scratch.read("refs.journal").count == count, "nothing is cut off")
    }
  }

  @Test("a journal that ends anywhere holds its whole records, and the next writer cuts the rest")
  func tornJournal() throws {
    let fixture = try RefsFixture()
    let start = try fixture.scratch.read("refs.journal").count
    var ends = [start]
    for number in 1...3 {
      try fixture.commit("m\(number)") { $0.add(id(number), to: name("heads/a")) }
      ends.append(try fixture.scratch.read("refs.journal").count)
    }
    let good = try fixture.scratch.read("refs.journal")
    for count in 0...good.count {
      try fixture.scratch.write("refs.journal", Array(good[..<count]))
      try fixture.scratch.write("received", Array("\(Received.firstLine)".utf8))
      guard count >= start else {
        #expect(try Self.readAll(fixture.refs) == nil)
        continue
      }
      let whole = ends.lastIndex { $0 <= count } ?? 0
      #expect(
        try Self.readAll(fixture.refs)
          == (0..<whole).map {
            Ref(name: name("heads/a"), id: id($0 + 1))
          }.sorted())
      #expect(try fixture.scratch.read("refs.journal").count == count, "readers write nothing")
      let commit = try fixture.commit { $0.add(id(9), to: name("heads/b")) }
      let torn = count - ends[whole]
      let path = fixture.refs.journalPath
      #expect(commit.warnings == (torn > 0 ? [.tornRecord(file: path, bytes: torn)] : []))
      #expect(commit.entry == whole + 1)
      #expect(try Self.readAll(fixture.refs)?.count == whole + 1)
    }
  }

  @Test("a corrupt journal is kept, refuses writers, and can be repaired")
  func corruptJournal() throws {
    let fixture = try RefsFixture()
    try fixture.commit { $0.add(id(1), to: name("heads/a")) }
    let first = try fixture.scratch.read("refs.journal").count
    try fixture.commit { $0.add(id(2), to: name("heads/a")) }
    var bytes = try fixture.scratch.read("refs.journal")
    bytes[first + 30] ^= 1
    try fixture.scratch.write("refs.journal", bytes)
    let digest = SHA256.digest(of: Array(bytes[first...]).span)
    let saved = "lost-found/journal-\(Hex.text(digest.bytes.span).prefix(16))"
    for _ in 0..<2 {
      #expect {
        try fixture.commit { $0.add(id(3), to: name("heads/a")) }
      } throws: { error in
        guard case .writeRefusedWhileCorrupt(let corruption, saved)? = error as? RefsError else {
          return false
        }
        return corruption.offset == first
      }
      #expect(try fixture.scratch.read(saved) == Array(bytes[first...]))
      #expect(try fixture.scratch.read("refs.journal") == bytes)
    }
    #expect(try fixture.scratch.directory.openSubdirectory("lost-found").list().count == 1)
    try RefsHostileTests.repair(fixture)
    #expect(try Self.readAll(fixture.refs)?.count == 1)
    #expect(try fixture.commit { $0.add(id(3), to: name("heads/a")) }.entry == 2)
  }

  @Test("blocks that were swapped, or come from another generation, are found")
  func foreignBlocks() throws {
    let fixture = try RefsFixture()
    try fixture.commit { transaction in
      for number in 0..<700 { transaction.add(id(number), to: name("heads/\(number)")) }
    }
    #expect(try fixture.refs.fold(fixture.options))
    let first = try fixture.scratch.read("refs")
    let size = RefBlock.byteCount
    #expect(first.count > 3 * size)
    var swapped = Array(first[..<size]) + first[(2 * size)..<(3 * size)]
    swapped += first[size..<(2 * size)] + first[(3 * size)...]
    try fixture.scratch.write("refs", swapped)
    #expect(try Self.readAll(fixture.refs) == nil)
    // A look-up reads few blocks, so it cannot lean on the order of all.
    for number in 0..<700 {
      var snapshot = try fixture.refs.snapshot()
      let ids: [ObjectID]
      do throws(RefsError) { ids = try snapshot.ids(of: name("heads/\(number)")) } catch {
        continue
      }
      #expect(ids == [id(number)])
    }
    try fixture.scratch.write("refs", first)
    // The same refs in the next generation, as many bytes.
    try fixture.commit { $0.update(name("tags/t"), to: id(1)) }
    try fixture.commit { $0.delete(name("tags/t")) }
    #expect(try fixture.refs.fold(fixture.options))
    let second = try fixture.scratch.read("refs")
    #expect(second.count == first.count)
    for block in 0..<(second.count + size - 1) / size {
      var mixed = second
      let range = block * size..<min((block + 1) * size, second.count)
      mixed.replaceSubrange(range, with: first[range])
      try fixture.scratch.write("refs", mixed)
      #expect(try Self.readAll(fixture.refs) == nil)
    }
    for bytes in [first, Array(second.dropLast()), second + [10], [], Array(second[..<size])] {
      try fixture.scratch.write("refs", bytes)
      #expect(try Self.readAll(fixture.refs) == nil)
    }
    try fixture.scratch.write("refs", second)
    #expect(try Self.readAll(fixture.refs)?.count == 700)
    for missing in ["refs", "refs.journal"] {
      let kept = try fixture.scratch.read(missing)
      try fixture.scratch.directory.unlink(missing)
      #expect(try Self.readAll(fixture.refs) == nil)
      try fixture.scratch.write(missing, kept)
    }
  }

  @Test("a first line of a block that lies leads no look-up to a wrong answer")
  func lyingFirstLines() throws {
    let fixture = try RefsFixture()
    try fixture.commit { transaction in
      for number in 0..<1_000 { transaction.add(id(number), to: name("heads/\(number)")) }
    }
    _ = try fixture.refs.fold(fixture.options)
    let good = try fixture.scratch.read("refs")
    let count = (good.count + RefBlock.byteCount - 1) / RefBlock.byteCount
    #expect(count > 4)
    // Before all names, after all of them, among them, no line at all, and none that ends.
    let lies = ["heads/!", "heads/~~", "heads/5", "\n\n\n\n", String(repeating: "x", count: 1_200)]
    for block in 1..<count {
      for lie in lies {
        var bytes = good
        let start = block * RefBlock.byteCount + ObjectID.textCount + 1
        guard start + lie.utf8.count <= bytes.count else { continue }
        bytes.replaceSubrange(start..<start + lie.utf8.count, with: lie.utf8)
        try fixture.scratch.write("refs", bytes)
        var answers = 0
        var wrong: [Int] = []
        // In an order in which one look-up leaves hints to the next, and names that are not there.
        var snapshot = try fixture.refs.snapshot()
        for step in 0..<1_000 {
          let number = step * 7919 % 1_000
          do throws(RefsError) {
            // Compared here, and told once: each expectation takes longer than the look-up.
            let found = try snapshot.ids(of: name("heads/\(number)"))
            let others = try snapshot.ids(of: name("heads/\(number)x"))
            if found != [id(number)] || !others.isEmpty { wrong.append(number) }
            answers += 1
          } catch {
            guard case .corrupt = error else { throw error }
          }
        }
        #expect(wrong.isEmpty, "\(block) \(lie.prefix(8))")
        #expect(answers > 0 && answers < 1_000, "\(block) \(lie.prefix(8))")
      }
    }
  }

  @Test("only what is read is checked")
  func damageElsewhere() throws {
    let fixture = try RefsFixture()
    try fixture.commit { transaction in
      for number in 100..<900 { transaction.add(id(number), to: name("heads/\(number)")) }
    }
    _ = try fixture.refs.fold(fixture.options)
    var bytes = try fixture.scratch.read("refs")
    bytes[bytes.count - 100] ^= 1
    try fixture.scratch.write("refs", bytes)
    var snapshot = try fixture.refs.snapshot()
    #expect(try snapshot.ids(of: name("heads/100")) == [id(100)])
    #expect(throws: RefsError.self) { _ = try snapshot.ids(of: name("heads/899")) }
    // A change elsewhere still goes; folding is what fails, and the change stays made.
    var options = fixture.options
    options.foldBytes = 0
    var transaction = RefTransaction(message: "")
    transaction.add(id(1), to: name("heads/101"))
    for number in 1_000..<1_040 { transaction.add(id(number), to: name("heads/102")) }
    guard case .committed(let commit) = try fixture.refs.commit(transaction, at: 0, options) else {
      Issue.record("it was refused")
      return
    }
    #expect(commit.warnings.count == 1)
    var later = try fixture.refs.snapshot()
    #expect(try later.ids(of: name("heads/101")).count == 2)
    #expect(
      try fixture.scratch.directory.list().sorted() == [
        "lock", "received", "reflog", "refs", "refs.journal",
      ])
  }

  @Test("a crash at any step of folding reads as before, and the next writer completes it")
  func foldCrashes() throws {
    let fixture = try RefsFixture()
    for number in 1...4 {
      try fixture.commit(received: [id(number)]) { $0.add(id(number), to: name("heads/\(number)")) }
      if number == 2 { #expect(try fixture.refs.fold(fixture.options)) }
    }
    let before = try fixture.files()
    let expected = try Self.readAll(fixture.refs)
    #expect(try fixture.refs.fold(fixture.options))
    let after = try fixture.files()
    #expect(before["refs"] != after["refs"] && before["reflog"] != after["reflog"])
    var states: [[String: [UInt8]]] = [before, after]
    for part in [1, 20, 200] {
      var state = before
      state["reflog"] = after["reflog"]?.dropLast(part)
      state["tmp_refs_0123456789abcdef"] = [1, 2, 3]
      states.append(state)
    }
    var state = before
    state["reflog"] = after["reflog"]
    states.append(state)
    state["tmp_refs_0123456789abcdef"] = after["refs"]
    states.append(state)
    state["refs"] = after["refs"]
    states.append(state)
    for state in states {
      try fixture.restore(state)
      #expect(try Self.readAll(fixture.refs) == expected)
      #expect(try fixture.refs.snapshot().entry == 4)
      #expect(try fixture.refs.snapshot().receivedBytes + 64 == after["received"]?.count)
      #expect(try fixture.refs.forEachEntry { _ in true } == 4)
      let commit = try fixture.commit { $0.add(id(5), to: name("heads/5")) }
      #expect(commit.entry == 5 && commit.warnings == [])
      #expect(try fixture.refs.fold(fixture.options))
      #expect(try fixture.refs.forEachEntry { _ in true } == 5)
      #expect(try Self.readAll(fixture.refs)?.count == 5)
      #expect(try !fixture.scratch.directory.list().contains { $0.hasPrefix("tmp_") })
    }
  }

  @Test("an older journal that does not lead to the refs is no crash, but a loss")
  func staleJournal() throws {
    let fixture = try RefsFixture()
    try fixture.commit { $0.add(id(1), to: name("heads/1")) }
    let old = try fixture.scratch.read("refs.journal")
    try fixture.commit { $0.add(id(2), to: name("heads/2")) }
    let last = try fixture.scratch.read("refs.journal")
    #expect(try fixture.refs.fold(fixture.options))
    let new = try fixture.scratch.read("refs.journal")
    try fixture.scratch.write("refs.journal", last)
    #expect(try Self.readAll(fixture.refs)?.count == 2)
    try fixture.scratch.write("refs.journal", old)
    #expect(try Self.readAll(fixture.refs) == nil)
    try fixture.scratch.write("refs.journal", new)
    try fixture.commit { $0.add(id(3), to: name("heads/3")) }
    #expect(try fixture.refs.fold(fixture.options))
    try fixture.scratch.write("refs.journal", last)
    #expect(try Self.readAll(fixture.refs) == nil)
  }

  @Test("another version is refused by its number")
  func versions() throws {
    let fixture = try RefsFixture()
    for (file, word) in [("refs", "redo-refs"), ("refs.journal", "redo-journal")] {
      let good = try fixture.scratch.read(file)
      let text = String(decoding: good, as: UTF8.self).dropFirst(word.utf8.count + 2)
      try fixture.scratch.write(file, "\(word) 12\(text)")
      let path = fixture.scratch.path + "/" + file
      #expect(throws: RefsError.unsupportedFormat(file: path, version: "12")) {
        _ = try fixture.refs.snapshot()
      }
      try fixture.scratch.write(file, good)
    }
  }

  @Test("a flipped bit in the reflog breaks its chain")
  func reflogBits() throws {
    let fixture = try RefsFixture()
    for number in 1...3 {
      try fixture.commit("m\(number)") { $0.add(id(number), to: name("heads/a")) }
    }
    #expect(try fixture.refs.fold(fixture.options))
    let good = try fixture.scratch.read("reflog")
    for position in good.indices {
      var bytes = good
      bytes[position] ^= UInt8(1 << (position % 8))
      try fixture.scratch.write("reflog", bytes)
      #expect(throws: RefsError.self) { _ = try fixture.refs.forEachEntry { _ in true } }
    }
    try fixture.scratch.write("reflog", good.dropLast())
    #expect(throws: RefsError.self) { _ = try fixture.refs.forEachEntry { _ in true } }
    try fixture.scratch.write("reflog", good)
    #expect(try fixture.refs.forEachEntry { _ in true } == 3)
  }
}
