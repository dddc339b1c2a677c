// The checks of a store's files: what is good of a damaged one is read all the same.

import RedoObject
import Testing

@testable import RedoStore

@Suite("Checks of a store's files")
struct StoreCheckTests {
  @Test("findings come by path, then id, rule and detail")
  func order() {
    let (one, other) = (min(id(1), id(2)), max(id(1), id(2)))
    let sorted = [
      StoreFinding(.parentMissing, id: one),
      StoreFinding(.parentMissing, id: other),
      StoreFinding(.fileMode, path: "objects/ab/cd"),
      StoreFinding(.fileMode, id: one, path: "objects/ab/cd"),
      StoreFinding(.objectCorrupt, id: one, path: "objects/ab/cd"),
      StoreFinding(.refHead, id: one, path: "refs", detail: "a"),
      StoreFinding(.refHead, id: one, path: "refs", detail: "b"),
    ]
    #expect(sorted.reversed().sorted() == sorted)
  }

  @Test("of refs of two blocks the good one is read, whichever is damaged")
  func blocks() throws {
    let fixture = try RefsDamageTests.twoBlocks()
    let good = try fixture.scratch.read("refs")
    let whole = RefsCheck(in: fixture.scratch.directory)
    #expect(whole.isWhole && whole.findings.isEmpty && whole.refs.count == 16)
    for place in [100, RefBlock.byteCount + 100] {
      var bad = good
      bad[place] ^= 1
      try fixture.scratch.write("refs", bad)
      let check = RefsCheck(in: fixture.scratch.directory)
      #expect(!check.isWhole)
      #expect(check.findings.map(\.rule) == [.refsCorrupt])
      #expect(!check.refs.isEmpty && check.refs.count < 16)
      #expect(Set(check.refs).isSubset(of: whole.refs))
    }
  }

  @Test("of a journal the records before a damaged one count, of the received log the frames")
  func records() throws {
    let fixture = try RefsFixture()
    var ends: [Int] = []
    for number in 0..<3 {
      try fixture.commit(received: [id(number)]) {
        $0.add(id(number), to: name("heads/\(number)"))
      }
      ends.append(try fixture.scratch.read("refs.journal").count)
    }
    var journal = try fixture.scratch.read("refs.journal")
    journal[ends[0] + 40] ^= 1
    try fixture.scratch.write("refs.journal", journal)
    var received = try fixture.scratch.read("received")
    let refs = RefsCheck(in: fixture.scratch.directory)
    #expect(refs.findings.map(\.rule) == [.refsCorrupt])
    #expect(refs.refs.map(\.id) == [id(0)])
    #expect(ReceivedCheck(in: fixture.scratch.directory, refs).times.keys.map(\.self) == [id(0)])
    #expect(ReflogCheck.findings(in: fixture.scratch.directory, refs).isEmpty)
    received[30] ^= 1
    try fixture.scratch.write("received", received)
    let check = ReceivedCheck(in: fixture.scratch.directory, refs)
    #expect(check.findings.map(\.rule) == [.receivedCorrupt])
    #expect(check.times.isEmpty && !check.isWhole)
  }

  @Test("a torn journal is whole as far as it counts")
  func torn() throws {
    let fixture = try RefsFixture()
    try fixture.commit { $0.add(id(1), to: name("heads/1")) }
    try fixture.commit { $0.add(id(2), to: name("heads/2")) }
    let journal = try fixture.scratch.read("refs.journal")
    try fixture.scratch.write("refs.journal", Array(journal.dropLast()))
    let behind = RefsCheck(in: fixture.scratch.directory)
    #expect(behind.findings.map(\.rule) == [.journalTorn, .refsBehind])
    #expect(behind.findings.allSatisfy { $0.repair == StoreRepair.refs })
    #expect(!behind.isWhole && behind.refs.map(\.id) == [id(1)])
    try fixture.scratch.write("received", Array("\(Received.firstLine)".utf8))
    let check = RefsCheck(in: fixture.scratch.directory)
    #expect(check.findings.map(\.rule) == [.journalTorn])
    #expect(check.isWhole && check.refs.map(\.id) == [id(1)])
  }

  @Test("settings of rules: five are always errors")
  func settings() throws {
    for rule in Rule.allCases {
      let key = try #require(KnownKey.named("verify.\(rule.id)"))
      #expect(key.refusal(of: "error") == nil)
      let isFixed = [
        Rule.objectCorrupt, .packCorrupt, .hashMismatch, .signatureBad, .didKeyMismatch,
      ].contains(rule)
      #expect((key.refusal(of: "warn") != nil) == isFixed)
      #expect((key.refusal(of: "ignore") != nil) == isFixed)
      #expect(key.refusal(of: "perhaps") != nil)
    }
    #expect(KnownKey.named("verify.nothing") == nil)
  }
}
