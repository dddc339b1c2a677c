// What checkpoints are made from: all refs in one hash, now and as they were, and the received log as entries that
// a wipe removes at once.

import RedoCrypto
import RedoObject
import Testing

@testable import RedoStore

@Suite("Statements")
struct StatementTests {
  @Test("refs as they stood are what was stated of them then, before and after a fold")
  func past() throws {
    let fixture = try RefsFixture()
    var stated: [Int: RefsStatement] = [:]
    func state() throws {
      var snapshot = try fixture.refs.snapshot()
      let statement = try snapshot.statement()
      #expect(statement.entry == snapshot.entry && statement.chain == snapshot.chain)
      #expect(statement.count == (try snapshot.count()))
      stated[statement.entry] = statement
    }
    try state()
    for number in 1...12 {
      try fixture.commit { transaction in
        transaction.add(id(number), to: name("heads/a"))
        if number % 3 == 0 { transaction.delete(name("tags/x")) }
        if number % 3 == 1 { transaction.update(name("tags/x"), to: id(number)) }
        if number > 4 { transaction.remove(id(number - 4), from: name("heads/a")) }
      }
      try state()
      if number == 7 { #expect(try fixture.refs.fold(fixture.options)) }
    }
    #expect(stated.count == 13)
    #expect(try fixture.refs.statements(at: Set(stated.keys)) == stated)
    #expect(
      try fixture.refs.statements(at: [0, 7, 99])
        == [0: stated[0], 7: stated[7]].compactMapValues(\.self))
    let digest = SHA256.digest(of: Array("\(id(1).text) heads/a\n\(id(1).text) tags/x\n".utf8).span)
    #expect(stated[1]?.digest == digest)
    #expect(Set(stated.values.map(\.digest)).count == 13)
  }

  @Test("entries that are taken back are left out before the file is rewritten and after")
  func forgotten() throws {
    let fixture = try RefsFixture()
    func entries() throws -> [ObjectID] {
      var ids: [ObjectID] = []
      let end = try fixture.refs.snapshot().receivedBytes
      try Received(in: fixture.scratch.directory).forEachEntry(to: end) { id, _ in
        ids.append(id)
        return true
      }
      return ids
    }
    #expect(try entries() == [])
    try fixture.commit(received: (1...5).map(id)) { $0.add(id(5), to: name("heads/a")) }
    #expect(try entries() == (1...5).map(id))
    func wipe(_ remove: () throws(SystemError) -> Void) throws -> ForgetOutcome {
      let entry = try fixture.refs.snapshot().entry
      return try fixture.refs.forget(
        [id(2), id(4)], with: RefTransaction(message: "wipe"), after: entry, at: 9,
        fixture.options, remove: remove)
    }
    let outcome = try wipe { () throws(SystemError) in
      throw SystemError(code: 5, operation: "test", path: "")
    }
    guard case .unfinished = outcome else {
      Issue.record("it is finished")
      return
    }
    #expect(try entries() == [1, 3, 5].map(id))
    // One of them comes again, and is the last.
    try fixture.commit(received: [id(2)]) { $0.add(id(2), to: name("heads/a")) }
    #expect(try entries() == [1, 3, 5, 2].map(id))
    _ = try wipe {}
    #expect(try entries() == [1, 3, 5].map(id))
  }
}
