// Journals that end early, and refs put back as they were earlier: nothing in them is wrong, and other files tell.

import RedoCrypto
import RedoObject
import Synchronization
import Testing

@testable import RedoStore

@Suite("Refs, behind")
struct RefsBehindTests {
  private static let time: Int64 = 1_700_000_000_000

  /// Changes each of which takes in a node and makes it a head.
  private static func grow(
    _ fixture: borrowing RefsFixture, _ numbers: ClosedRange<Int>
  ) throws {
    for number in numbers {
      var transaction = RefTransaction(message: "m\(number)")
      transaction.add(id(number), to: name("heads/\(number)"))
      transaction.received = [id(number)]
      _ = try fixture.refs.commit(transaction, at: time + Int64(number), fixture.options)
    }
  }

  private static func shortfall(_ fixture: borrowing RefsFixture) throws -> RefsShortfall? {
    do throws(RefsError) {
      _ = try fixture.refs.snapshot()
      return nil
    } catch {
      guard case .behind(let shortfall) = error else { throw error }
      return shortfall
    }
  }

  /// Expects that readers and writers refuse, and that the writer leaves everything as it is.
  private static func expectBehind(
    _ fixture: borrowing RefsFixture, _ file: String, stated: Int, found: Int
  ) throws {
    let expected = RefsShortfall(
      file: fixture.scratch.path + "/" + file, stated: stated, found: found)
    #expect(try shortfall(fixture) == expected)
    let files = try fixture.files()
    #expect(throws: RefsError.behind(expected)) {
      try fixture.commit(received: [id(999)]) { $0.add(id(999), to: name("heads/z")) }
    }
    #expect(throws: RefsError.behind(expected)) { _ = try fixture.refs.hold(fixture.options) }
    #expect(throws: RefsError.behind(expected)) { _ = try fixture.refs.fold(fixture.options) }
    #expect(try fixture.files() == files)
    let check = RefsCheck(in: fixture.scratch.directory)
    #expect(check.findings.map(\.rule).contains(.refsBehind))
  }

  /// Repairs: nodes that lost changes had received become heads of their numbers again.
  private static func repair(_ fixture: borrowing RefsFixture, upTo last: Int) throws {
    let numbers = Dictionary(uniqueKeysWithValues: (0...last).map { (id($0), $0) })
    let repair = try fixture.refs.beginRepair(fixture.options) { numbers[$0] != nil }
    var refs = repair.diagnosis.refs
    for lost in repair.diagnosis.lostReceived {
      let number = try #require(numbers[lost])
      refs.insert(Ref(name: name("heads/\(number)"), id: lost))
    }
    let lostFound = try LostFound(in: fixture.scratch.directory, at: time, .none)
    _ = try repair.write(refs, receiving: [], message: "repair", at: time, keeping: lostFound)
    #expect(try fixture.refs.diagnose().damages.isEmpty)
  }

  /// Expects a store with all nodes up to a number, to which more can be added.
  private static func expectWhole(_ fixture: borrowing RefsFixture, upTo last: Int) throws {
    var snapshot = try fixture.refs.snapshot()
    var found: Set<ObjectID> = []
    try snapshot.forEach {
      found.insert($0.id)
      return true
    }
    #expect(found == Set((1...last).map(id)))
    let log = Received(in: fixture.scratch.directory)
    #expect(try log.load(to: snapshot.receivedBytes) == found)
    #expect(try log.end()?.mark == snapshot.mark)
    #expect(try fixture.scratch.read("received").count == snapshot.receivedBytes + 64)
    let entry = snapshot.entry
    let commit = try fixture.commit(received: [id(last + 1)]) {
      $0.add(id(last + 1), to: name("heads/\(last + 1)"))
    }
    #expect(commit.entry == entry + 1 && commit.warnings.isEmpty)
    #expect(try fixture.refs.fold(fixture.options))
    #expect(try fixture.refs.forEachEntry { _ in true } == entry + 1)
  }

  @Test("the log ends with a mark of the last change, by the bytes of redo-store(5)")
  func bytes() throws {
    let fixture = try RefsFixture()
    try Self.grow(fixture, 1...3)
    let received = try fixture.scratch.read("received")
    let snapshot = try fixture.refs.snapshot()
    let line =
      "@00000000 00000003" + Hex.text(snapshot.chain.bytes.span).prefix(4) + " "
    let check = Hex.text(SHA256.digest(of: Array(line.utf8).span).bytes.span).prefix(8)
    let first = Array((line + check + "\n").utf8)
    let digest = SHA256.digest(of: first.span)
    #expect(received.suffix(64) == first + (0..<32).map { digest.bytes[$0] })
    #expect(received.count == snapshot.receivedBytes + 64)
    // A change without nodes puts its mark in the place of the last one.
    try fixture.commit { $0.update(name("tags/t"), to: id(1)) }
    #expect(try fixture.scratch.read("received").count == received.count)
    #expect(try Received(in: fixture.scratch.directory).end()?.mark?.entry == 4)
    #expect(try Self.shortfall(fixture) == nil)
  }

  @Test("a journal cut off at any record is refused, and a repair takes in what was received")
  func cut() throws {
    let fixture = try RefsFixture()
    try Self.grow(fixture, 1...4)
    #expect(try fixture.refs.fold(fixture.options))
    var ends = [try fixture.scratch.read("refs.journal").count]
    for number in 5...12 {
      try Self.grow(fixture, number...number)
      ends.append(try fixture.scratch.read("refs.journal").count)
    }
    let good = try fixture.files()
    let journal = try #require(good["refs.journal"])
    for (index, end) in ends.dropLast().enumerated() {
      for count in [end, end + 1, end + 18, end + 19, ends[index + 1] - 1] {
        try fixture.restore(good)
        try fixture.scratch.write("refs.journal", Array(journal[..<count]))
        try Self.expectBehind(fixture, "received", stated: 12, found: 4 + index)
        let diagnosis = try fixture.refs.diagnose()
        #expect(diagnosis.damages.last?.rule == .refsBehind)
        #expect(diagnosis.lostReceived == ((5 + index)...12).map(id).sorted())
        try Self.repair(fixture, upTo: 12)
        try Self.expectWhole(fixture, upTo: 12)
      }
    }
  }

  @Test("refs and journal put back as they were are refused, and the reflog replays what it has")
  func rolledBack() throws {
    let fixture = try RefsFixture()
    try Self.grow(fixture, 1...3)
    let old = try fixture.files()
    try Self.grow(fixture, 4...6)
    #expect(try fixture.refs.fold(fixture.options))
    try Self.grow(fixture, 7...8)
    let good = try fixture.files()
    for names in [["refs", "refs.journal"], ["refs", "refs.journal", "received"]] {
      try fixture.restore(good)
      for name in names { try fixture.scratch.write(name, try #require(old[name])) }
      let hasMark = names.count == 2
      try Self.expectBehind(
        fixture, hasMark ? "received" : "reflog", stated: hasMark ? 8 : 6, found: 3)
      let diagnosis = try fixture.refs.diagnose()
      #expect(diagnosis.refs.map(\.id).sorted() == (1...6).map(id).sorted())
      #expect(diagnosis.lostReceived == (hasMark ? [7, 8].map(id).sorted() : []))
    }
    try fixture.restore(good)
    for name in ["refs", "refs.journal"] {
      try fixture.scratch.write(name, try #require(old[name]))
    }
    try Self.repair(fixture, upTo: 8)
    try Self.expectWhole(fixture, upTo: 8)
  }

  @Test("what an interrupted fold has put into the reflog is made again")
  func interruptedFold() throws {
    let fixture = try RefsFixture()
    try Self.grow(fixture, 1...6)
    let before = try fixture.files()
    #expect(try fixture.refs.fold(fixture.options))
    let reflog = try fixture.scratch.read("reflog")
    try fixture.restore(before)
    try fixture.scratch.write("reflog", reflog)
    #expect(try Self.shortfall(fixture) == nil, "the journal has all of it")
    let journal = try #require(before["refs.journal"])
    for count in [200, journal.count / 2, journal.count - 1] {
      try fixture.scratch.write("refs.journal", Array(journal[..<count]))
      // The mark alone tells, the reflog alone, and both.
      let found = try fixture.refs.look().entry
      try Self.expectBehind(fixture, "received", stated: 6, found: found)
      let received = try #require(before["received"])
      try fixture.scratch.write("received", received.dropLast(64))
      // Frames of two or more changes tell as well.
      let beyond = try #require(try Self.shortfall(fixture))
      #expect(beyond.stated == 6 && beyond.found == found)
      try Self.repair(fixture, upTo: 6)
      #expect(try fixture.refs.snapshot().entry == 6, "nothing is lost")
      try Self.expectWhole(fixture, upTo: 6)
      try fixture.restore(before)
      try fixture.scratch.write("reflog", reflog)
    }
  }

  @Test("without a mark, frames of several changes tell; those of one may never have been finished")
  func frames() throws {
    let fixture = try RefsFixture()
    var journals: [[UInt8]] = []
    for number in 1...5 {
      try Self.grow(fixture, number...number)
      journals.append(try fixture.scratch.read("refs.journal"))
    }
    let files = try fixture.files()
    let received = try fixture.scratch.read("received").dropLast(64)
    for (index, journal) in journals.enumerated() {
      try fixture.restore(files)
      try fixture.scratch.write("received", Array(received))
      try fixture.scratch.write("refs.journal", journal)
      guard index < 3 else {
        #expect(try Self.shortfall(fixture) == nil)
        continue
      }
      try Self.expectBehind(fixture, "received", stated: 4, found: index + 1)
      try Self.repair(fixture, upTo: 5)
      try Self.expectWhole(fixture, upTo: 5)
    }
  }

  @Test("a change of which a crash left no more than frames was never made")
  func unfinished() throws {
    let fixture = try RefsFixture()
    try Self.grow(fixture, 1...3)
    let before = try fixture.files()
    let end = try fixture.refs.snapshot().receivedBytes
    // Frames of many times, as `redo recover` writes them, are of one change.
    let frames = (10..<200).map { number in
      (ids: [id(number)], note: Received.Note.received(Int64(number)))
    }
    let log = Received(in: fixture.scratch.directory)
    let mark = try fixture.refs.snapshot().mark
    let newEnd = try log.append(frames, at: end, marking: mark, .none)
    let after = try fixture.scratch.read("received")
    #expect(after.count == newEnd + 64)
    // The mark is there before the first of several pages.
    var bytes = after
    for count in [0, 4_096, 8_192, newEnd - end] {
      for index in end + count..<newEnd { bytes[index] = 0 }
      try fixture.scratch.write("received", bytes)
      #expect(try Self.shortfall(fixture) == nil)
      try Self.grow(fixture, 4...4)
      try Self.expectWhole(fixture, upTo: 4)
      try fixture.restore(before)
      bytes = after
    }
  }

  @Test("a mark of another chain is of another history")
  func otherChain() throws {
    let fixture = try RefsFixture()
    let other = try RefsFixture()
    try Self.grow(fixture, 1...5)
    try Self.grow(other, 101...108)
    let good = try fixture.files()
    try fixture.scratch.write("refs.journal", try other.scratch.read("refs.journal"))
    try Self.expectBehind(fixture, "received", stated: 5, found: 8)
    try fixture.restore(good)
    try other.scratch.write("received", try fixture.scratch.read("received"))
    #expect(try Self.shortfall(other)?.stated == 5)
    // Refs that the reflog leads to are right, whatever the received log belongs to.
    let third = try RefsFixture()
    try Self.grow(third, 1...5)
    #expect(try third.refs.fold(third.options))
    try Self.grow(third, 6...9)
    let received = try fixture.scratch.read("received")
    try third.scratch.write("received", received)
    // The same history, as it was earlier.
    #expect(
      throws: RefsError.corrupt(
        third.scratch.path + "/received", at: received.count,
        "the file is shorter than the refs say")
    ) { _ = try third.refs.snapshot() }
    let fourth = try RefsFixture()
    try Self.grow(fourth, 201...205)
    try third.scratch.write("received", try fourth.scratch.read("received"))
    try Self.expectBehind(third, "received", stated: 5, found: 9)
    let repair = try third.refs.beginRepair(third.options)
    #expect(repair.diagnosis.damages.map(\.rule) == [.receivedCorrupt])
    let refs = repair.diagnosis.refs
    #expect(refs.map(\.id).sorted() == (1...9).map(id).sorted())
    _ = try repair.write(
      refs, receiving: (1...9).map(id), message: "repair", at: Self.time,
      keeping: try LostFound(in: third.scratch.directory, at: Self.time, .none))
    try Self.expectWhole(third, upTo: 9)
  }

  @Test("refs and journal of another store: reflog and received log are two against them")
  func otherRefs() throws {
    let fixture = try RefsFixture()
    let other = try RefsFixture()
    try Self.grow(fixture, 1...6)
    #expect(try fixture.refs.fold(fixture.options))
    try Self.grow(fixture, 7...8)
    for number in 1...3 {
      try other.commit(received: (0..<5).map { id(100 * number + $0) }) {
        $0.add(id(number * 100), to: name("heads/\(number)"))
      }
    }
    #expect(try other.refs.fold(other.options))
    for file in ["refs", "refs.journal"] {
      try fixture.scratch.write(file, try other.scratch.read(file))
    }
    try Self.expectBehind(fixture, "received", stated: 8, found: 3)
    try Self.repair(fixture, upTo: 8)
    try Self.expectWhole(fixture, upTo: 8)
  }

  @Test("any bytes at the end are no mark, or one that is refused as a whole")
  func hostile() throws {
    let fixture = try RefsFixture()
    try Self.grow(fixture, 1...3)
    let good = try fixture.scratch.read("received")
    let end = good.count - 64
    for bit in 0..<512 {
      var bytes = good
      bytes[end + bit / 8] ^= UInt8(1 << (bit % 8))
      try fixture.scratch.write("received", bytes)
      #expect(try Self.shortfall(fixture) == nil)
    }
    let files = try fixture.files()
    let times: [(time: Int64, stated: Int?)] = [
      (0, nil), (1, 0), (3 << 16, 3), (0xFFFF_FFFE_FFFF, 0xFFFF_FFFE), (0xFFFF_FFFF_0000, nil),
      (0xFFFF_FFFF_FFFF, nil),
    ]
    for (time, stated) in times {
      try fixture.restore(files)
      try fixture.scratch.write("received", good[..<end] + Received.frame([], time: time))
      #expect(try Self.shortfall(fixture)?.stated == stated)
      #expect(try fixture.refs.diagnose().damages.isEmpty == (stated == nil))
      guard stated != nil else { continue }
      let repair = try fixture.refs.beginRepair(fixture.options)
      let refs = repair.diagnosis.refs
      _ = try repair.write(
        refs, receiving: (1...3).map(id), message: "repair", at: Self.time,
        keeping: try LostFound(in: fixture.scratch.directory, at: Self.time, .none))
      #expect(try Self.shortfall(fixture) == nil)
    }
    #expect(ReceivedMark(entry: 0xFFFF_FFFF, chain: .zero) == nil)
    #expect(ReceivedMark(entry: 0xFFFF_FFFE, chain: .zero)?.frame.count == 64)
    try fixture.restore(files)
    for length in [0, 1, 15, 16, 63, 64, end - 1, -1] {
      if length < 0 {
        try fixture.scratch.directory.unlink("received")
      } else {
        try fixture.scratch.write("received", Array(good[..<length]))
      }
      // Without it, nothing tells how far the journal went.
      let short = RefsError.corrupt(
        fixture.scratch.path + "/received", at: max(length, 0),
        "the file is shorter than the refs say")
      #expect(throws: short) { _ = try fixture.refs.snapshot() }
      #expect(throws: short) { try fixture.commit { $0.update(name("tags/t"), to: id(1)) } }
      #expect(try fixture.refs.look().entry == 3)
    }
    let other = RefsError.corrupt(
      fixture.scratch.path + "/received", at: 0, "the first line is not that of the format")
    for bytes in [[UInt8](repeating: 0, count: good.count), [good[0] ^ 1] + good[1...]] {
      try fixture.scratch.write("received", bytes)
      #expect(throws: other) { _ = try fixture.refs.snapshot() }
      #expect(throws: other) { try fixture.commit { $0.update(name("tags/t"), to: id(1)) } }
      #expect(try fixture.scratch.read("received") == bytes)
    }
    try fixture.scratch.write("received", Array(good[..<end]))
    #expect(try Self.shortfall(fixture) == nil)
  }

  @Test("a mark of an older change is looked up in the reflog where it does not stand at the end")
  func olderMark() throws {
    let fixture = try RefsFixture()
    try Self.grow(fixture, 1...3)
    let old = try #require(try Received(in: fixture.scratch.directory).end()?.mark)
    try Self.grow(fixture, 4...6)
    #expect(try fixture.refs.fold(fixture.options))
    let files = try fixture.files()
    let received = try #require(files["received"])
    let end = received.count - 64
    let other = try #require(ReceivedMark(entry: 3, chain: id(9).digest))
    try fixture.scratch.write("received", received[..<end] + old.frame)
    #expect(try Self.shortfall(fixture) == nil, "as earlier releases may leave it")
    let filling = Received.frame([], .received(0))
    try fixture.scratch.write("received", received[..<end] + filling + old.frame)
    #expect(try Self.shortfall(fixture) == nil)
    try fixture.scratch.write("received", received[..<end] + filling + other.frame)
    try Self.expectBehind(fixture, "received", stated: 3, found: 6)
    #expect(try fixture.refs.diagnose().damages.map(\.rule) == [.receivedCorrupt])
  }

  @Test("readers beside writers that take in, fold and forget never believe that anything is lost")
  func readersBesideWriters() throws {
    let fixture = try RefsFixture()
    let path = fixture.scratch.path
    let role = Atomic<Int>(0)
    let writersLeft = Atomic<Int>(2)
    let reads = Atomic<Int>(0)
    let failures = Mutex<[String]>([])
    Threads.run(threads: 5) {
      let own = role.add(1, ordering: .relaxed).oldValue
      do {
        let refs = Refs(in: try Directory.open(path))
        let options = RefsOptions(
          sync: .none, lockTimeoutMilliseconds: 60_000, foldBytes: own == 0 ? 2_000 : 3_000)
        if own < 2 {
          defer { writersLeft.subtract(1, ordering: .sequentiallyConsistent) }
          for round in 0..<600 {
            let number = own * 100_000 + round * 10
            var transaction = RefTransaction(message: "\(own) \(round)")
            transaction.update(name("tags/\(own)"), to: id(number))
            // Also changes without nodes, and frames of several pages.
            transaction.received = (0..<[0, 1, 9, 300][round % 4]).map { id(number + $0) }
            _ = try refs.commit(transaction, at: Int64(number), options)
            if round % 50 == 49 {
              let entry = try refs.snapshot().entry
              _ = try refs.forget(
                [id(number - 10)], with: RefTransaction(message: "wipe"), after: entry,
                at: Int64(number), options
              ) {}
            }
          }
        } else {
          while writersLeft.load(ordering: .sequentiallyConsistent) > 0 {
            _ = try refs.snapshot()
            reads.add(1, ordering: .relaxed)
          }
        }
      } catch {
        failures.withLock { $0.append("\(own): \(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(reads.load(ordering: .relaxed) > 100)
    #expect(try Self.shortfall(fixture) == nil)
    #expect(try Received(in: fixture.scratch.directory).end()?.mark == fixture.refs.snapshot().mark)
  }
}
