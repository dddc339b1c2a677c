// Files of refs whose hashes fit, and whose numbers nobody has counted: somebody wrote them to do harm.

import Glibc
import RedoCrypto
import RedoObject
import Testing

@testable import RedoStore

@Suite("Refs with hostile numbers")
struct RefsHostileTests {
  /// A refs file without refs whose first line says this, and a journal that continues it.
  static func write(_ header: RefsHeader, in scratch: borrowing Scratch) throws {
    var header = header
    let closing = RefBlock.closingCount(generation: header.generation, number: 0)
    while header.line.count + closing != header.fileBytes {
      header.fileBytes = header.line.count + closing
    }
    var bytes = header.line
    RefBlock.close(&bytes, generation: header.generation, number: 0, isLast: true)
    try scratch.write("refs", bytes)
    try scratch.write(
      "refs.journal", RefsJournal.header(generation: header.generation, chain: header.chain))
  }

  /// What a new store's refs say.
  static let sound = RefsHeader.first(
    reflogBytes: Reflog.firstLine.utf8CodeUnitCount,
    receivedBytes: Received.firstLine.utf8CodeUnitCount)

  /// Diagnoses and repairs, as `redo verify --repair-refs` does.
  static func repair(_ fixture: borrowing RefsFixture) throws {
    let repair = try fixture.refs.beginRepair(fixture.options)
    let lostFound = try LostFound(
      in: fixture.scratch.directory, at: 1_700_000_000_000, .none)
    let refs = repair.diagnosis.refs
    _ = try repair.write(
      refs, receiving: [], message: "repair", at: 1_700_000_000_000, keeping: lostFound)
  }

  @Test(
    "numbers that nothing can be added to are refused by readers and writers, and repaired",
    arguments: [
      \RefsHeader.generation, \RefsHeader.entry, \RefsHeader.reflogBytes,
      \RefsHeader.receivedBytes, \RefsHeader.refCount,
    ] as [any WritableKeyPath<RefsHeader, Int> & Sendable], [Int.max, Int.max - 1, 1 << 53])
  func largest(_ field: any WritableKeyPath<RefsHeader, Int> & Sendable, _ number: Int) throws {
    let fixture = try RefsFixture()
    var header = Self.sound
    header[keyPath: field] = number
    try Self.write(header, in: fixture.scratch)
    #expect(try RefsDamageTests.readAll(fixture.refs) == nil)
    #expect(throws: RefsError.self) { try fixture.commit { $0.add(id(1), to: name("heads/a")) } }
    try Self.repair(fixture)
    #expect(try RefsDamageTests.readAll(fixture.refs) == [])
    try fixture.commit { $0.add(id(1), to: name("heads/a")) }
    #expect(try RefsDamageTests.readAll(fixture.refs)?.count == 1)
  }

  @Test("no number is written that would not be read again")
  func accepted() throws {
    let fixture = try RefsFixture()
    var header = Self.sound
    header.entry = LineScanner.largestNumber
    try Self.write(header, in: fixture.scratch)
    #expect(try RefsDamageTests.readAll(fixture.refs) == [])
    #expect(throws: RefsError.tooLarge(file: fixture.refs.journalPath)) {
      try fixture.commit { $0.add(id(1), to: name("heads/a")) }
    }
    header = Self.sound
    header.generation = LineScanner.largestNumber
    try Self.write(header, in: fixture.scratch)
    try fixture.commit { $0.add(id(1), to: name("heads/a")) }
    #expect(throws: RefsError.tooLarge(file: fixture.refs.refsPath)) {
      _ = try fixture.refs.fold(fixture.options)
    }
    #expect(try RefsDamageTests.readAll(fixture.refs)?.count == 1)
  }

  @Test("bytes of the received log that were never there cost no memory")
  func receivedBytes() throws {
    let fixture = try RefsFixture()
    var header = Self.sound
    header.receivedBytes = 3_000_000_000
    try Self.write(header, in: fixture.scratch)
    let before = Self.peakKiB()
    try Self.repair(fixture)
    #expect(Self.peakKiB() - before < 200_000)
    #expect(try fixture.refs.snapshot().receivedBytes == Received.firstLine.utf8CodeUnitCount)
  }

  private static func peakKiB() -> Int {
    var usage = rusage()
    // SAFETY: a plain C value that outlives the call.
    _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
  }

  @Test("a journal without a first line may begin with any number")
  func firstNumbers() throws {
    for number in [0, 1, 2, LineScanner.largestNumber, Int.max] {
      let fixture = try RefsFixture()
      var entry = ReflogEntry(
        number: number, milliseconds: 1, receivedBytes: Received.firstLine.utf8CodeUnitCount,
        removals: [], additions: [Ref(name: name("heads/a"), id: id(1))], message: "")
      let payload = entry.payload(after: .zero)
      try fixture.scratch.write(
        "refs.journal",
        Array("nothing\n".utf8) + JournalFrame.line(payloadCount: payload.count) + payload)
      try fixture.scratch.write("refs", [])
      try Self.repair(fixture)
      #expect(try RefsDamageTests.readAll(fixture.refs) != nil)
    }
  }

  /// Puts entries into the journal of a new store, each with the bytes of the received log that count and the refs it adds.
  static func writeJournal(
    _ entries: [(receivedBytes: Int, additions: [Ref])], in scratch: borrowing Scratch
  ) throws {
    var bytes = RefsJournal.header(generation: 1, chain: .zero)
    var chain = Digest.zero
    for (number, made) in entries.enumerated() {
      var entry = ReflogEntry(
        number: number + 1, milliseconds: 1, receivedBytes: made.receivedBytes, removals: [],
        additions: made.additions, message: "")
      let payload = entry.payload(after: chain)
      chain = entry.chain
      bytes += JournalFrame.line(payloadCount: payload.count) + payload
    }
    try scratch.write("refs.journal", bytes)
  }

  @Test("a name of one id that stands twice is found by readers and checks, and repaired")
  func twice() throws {
    let fixture = try RefsFixture()
    let received = Received.firstLine.utf8CodeUnitCount
    let (first, last) = (id(1) < id(2) ? id(2) : id(1), id(1) < id(2) ? id(1) : id(2))
    try Self.writeJournal(
      [first, last].map { (received, [Ref(name: name("notes/a"), id: $0)]) }, in: fixture.scratch)
    let check = RefsCheck(in: fixture.scratch.directory)
    #expect(check.findings.map(\.rule) == [.refsCorrupt])
    #expect(!check.isWhole)
    #expect(try RefsDamageTests.readAll(fixture.refs) == nil)
    try Self.repair(fixture)
    #expect(try RefsDamageTests.readAll(fixture.refs) == [Ref(name: name("notes/a"), id: last)])
    #expect(RefsCheck(in: fixture.scratch.directory).findings.isEmpty)
    try fixture.commit { $0.update(name("notes/a"), to: id(3)) }
  }

  @Test("a record that makes the received log shorter is found by readers and checks, and repaired")
  func shorter() throws {
    let received = Received.firstLine.utf8CodeUnitCount
    for counts in [[0], [received - 1], [received + 64, received]] {
      let fixture = try RefsFixture()
      try Self.writeJournal(
        counts.enumerated().map { place, count in
          (count, [Ref(name: name("heads/a"), id: id(place))])
        }, in: fixture.scratch)
      #expect(!RefsCheck(in: fixture.scratch.directory).findings.isEmpty, "\(counts)")
      #expect(try RefsDamageTests.readAll(fixture.refs) == nil)
      try Self.repair(fixture)
      #expect(try RefsDamageTests.readAll(fixture.refs)?.count == counts.count - 1)
      #expect(RefsCheck(in: fixture.scratch.directory).findings.isEmpty, "\(counts)")
    }
  }
}
