// A change in two steps: the lock first, then the record.

import RedoObject
import Testing

@testable import RedoStore

@Suite("Refs, held")
struct HeldRefsTests {
  @Test("nobody else writes while refs are held, and whoever lets go has changed nothing")
  func lock() throws {
    let fixture = try RefsFixture()
    try fixture.commit { $0.update(name("tags/a"), to: id(1)) }
    let impatient = RefsOptions(sync: .none, lockTimeoutMilliseconds: 0)
    let other = Refs(in: try Directory.open(fixture.scratch.path))
    do {
      var held = try fixture.refs.hold(impatient)
      #expect(try held.snapshot.ids(of: name("tags/a")) == [id(1)])
      var transaction = RefTransaction(message: "")
      transaction.update(name("tags/a"), to: id(2))
      #expect(throws: RefsError.self) { _ = try other.commit(transaction, at: 0, impatient) }
      #expect(throws: RefsError.self) { _ = try other.hold(impatient) }
      // Readers do not ask.
      #expect(try fixture.lines().count == 1)
    }
    try fixture.commit { $0.update(name("tags/a"), to: id(3), expecting: id(1)) }
  }

  @Test("what is judged by what stands can be made: nothing comes in between")
  func commit() throws {
    let fixture = try RefsFixture()
    let held = try fixture.refs.hold(fixture.options)
    var transaction = RefTransaction(message: "held")
    transaction.create(name("tags/a"), at: id(1))
    transaction.add(id(2), to: name("heads/x"))
    transaction.received = [id(2)]
    guard case .committed(let commit) = try held.commit(transaction, at: 5) else {
      Issue.record("refused")
      return
    }
    #expect(commit.entry == 1 && commit.additions.count == 2 && commit.received == [id(2)])
    #expect(try fixture.lines().count == 2)
    // The lock is gone with the value.
    try fixture.commit { $0.delete(name("tags/a"), expecting: id(1)) }
  }

  @Test("a change that does not fit is refused, held or not")
  func conflict() throws {
    let fixture = try RefsFixture()
    try fixture.commit { $0.update(name("tags/a"), to: id(1)) }
    let held = try fixture.refs.hold(fixture.options)
    var transaction = RefTransaction(message: "")
    transaction.create(name("tags/a"), at: id(2))
    guard case .refused(let conflicts) = try held.commit(transaction, at: 0) else {
      Issue.record("made")
      return
    }
    #expect(conflicts == [RefConflict(name: name("tags/a"), expected: [], found: [id(1)])])
    #expect(try fixture.refs.snapshot().entry == 1)
  }

  @Test("holding repairs what a crash has left, and folding works from there")
  func repair() throws {
    var fixture = try RefsFixture()
    try fixture.commit { $0.update(name("tags/a"), to: id(1)) }
    let journal = try fixture.scratch.read("refs.journal")
    try fixture.scratch.write("refs.journal", journal + Array("@0000".utf8))
    fixture.options.foldBytes = 0
    let held = try fixture.refs.hold(fixture.options)
    var transaction = RefTransaction(message: "")
    transaction.update(name("tags/a"), to: id(2), expecting: id(1))
    guard case .committed(let commit) = try held.commit(transaction, at: 0) else {
      Issue.record("refused")
      return
    }
    #expect(commit.warnings.count == 1)
    #expect(try fixture.refs.snapshot().generation == 2)
  }

  @Test("a name that could not be told from a place in the past is none")
  func braces() {
    #expect(RefName("tags/a@{1") == nil && RefName("tags/@{") == nil)
    #expect(RefName("tags/a@") != nil && RefName("tags/{a}") != nil && RefName("@/a") != nil)
  }
}
