// Nodes that leave the history: the received log forgets them at the moment of the refs record, and is
// rewritten once they are removed; a crash anywhere between reads the same.

import RedoCrypto
import RedoObject
import Testing

@testable import RedoStore

@Suite("Forgetting")
struct ForgetTests {
  private func forget(
    _ fixture: borrowing RefsFixture, _ ids: [ObjectID],
    _ transaction: RefTransaction = RefTransaction(message: "wipe"),
    remove: () throws(SystemError) -> Void = {}
  ) throws -> ForgetOutcome {
    let entry = try fixture.refs.snapshot().entry
    return try fixture.refs.forget(
      Set(ids), with: transaction, after: entry, at: 99, fixture.options, remove: remove)
  }

  private func received(_ fixture: borrowing RefsFixture) throws -> Set<ObjectID> {
    let end = try fixture.refs.snapshot().receivedBytes
    return try Received(in: fixture.scratch.directory).load(to: end)
  }

  /// Takes nodes into the history, those that are not in it.
  private func receive(
    _ fixture: borrowing RefsFixture, _ ids: [ObjectID]
  ) throws -> RefCommit {
    var transaction = RefTransaction(message: "test")
    transaction.received = ids
    transaction.receivedChecked = 0
    guard
      case .committed(let commit) = try fixture.refs.commit(transaction, at: 1, fixture.options)
    else { preconditionFailure("it was refused") }
    return commit
  }

  @Test("what is forgotten is new when it comes again")
  func again() throws {
    let fixture = try RefsFixture()
    try fixture.commit(received: (1...5).map(id)) { $0.add(id(5), to: name("heads/a")) }
    var transaction = RefTransaction(message: "wipe")
    transaction.replace(name("heads/a"), with: [id(3)])
    guard case .done = try forget(fixture, [id(4), id(5)], transaction) else {
      Issue.record("it is not done")
      return
    }
    #expect(try fixture.lines() == ["heads/a \(id(3).hex.prefix(8))"])
    #expect(try received(fixture) == Set((1...3).map(id)))
    let commit = try receive(fixture, [id(3), id(4)])
    #expect(commit.received == [id(4)])
    #expect(try received(fixture) == Set((1...4).map(id)))
    var messages: [String] = []
    _ = try fixture.refs.forEachEntry { entry in
      messages.append(entry.message)
      return true
    }
    #expect(messages == ["test", "wipe", "test"])
  }

  @Test("no trace of the ids is left in the received log")
  func traces() throws {
    let fixture = try RefsFixture()
    try fixture.commit(received: (1...100).map(id))
    try fixture.commit(received: (101...200).map(id))
    _ = try forget(fixture, (1...150).map(id))
    let bytes = try fixture.scratch.read("received")
    for number in 1...200 {
      let digest = id(number).digest
      let raw = (0..<32).map { digest.bytes[$0] }
      let isThere = (0...bytes.count - 32).contains { bytes[$0..<$0 + 32].elementsEqual(raw) }
      #expect(isThere == (number > 150), "\(number)")
    }
    #expect(try fixture.refs.snapshot().receivedBytes + ReceivedMark.byteCount == bytes.count)
    _ = try forget(fixture, (1...200).map(id))
    #expect(try fixture.scratch.read("received").count == 16 + 64, "a mark and no frame")
  }

  @Test("while the removal is unfinished the history is right already, and it goes on later")
  func unfinished() throws {
    let fixture = try RefsFixture()
    try fixture.commit(received: (1...5).map(id))
    let failing = SystemError(code: 5, operation: "unlink", path: "x")
    guard
      case .unfinished(_, .system(failing)) = try forget(
        fixture, [id(2)],
        remove: { () throws(SystemError) in throw failing })
    else {
      Issue.record("it is not unfinished")
      return
    }
    #expect(try received(fixture) == Set([1, 3, 4, 5].map(id)))
    let log = Received(in: fixture.scratch.directory)
    #expect(try log.forgotten(to: fixture.refs.snapshot().receivedBytes) == [id(2)])
    // What comes again meanwhile is received, and no longer to be removed.
    _ = try fixture.commit(received: [id(2), id(6)])
    #expect(try log.forgotten(to: fixture.refs.snapshot().receivedBytes) == [])
    #expect(try received(fixture) == Set((1...6).map(id)))
    guard case .done = try forget(fixture, [id(6)]) else { return }
    #expect(try received(fixture) == Set((1...5).map(id)))
  }

  @Test("between the rewriting of the log and the fold it is as long as before, and says the same")
  func rewritten() throws {
    let fixture = try RefsFixture()
    try fixture.commit(received: (1...70).map(id)) { $0.add(id(5), to: name("heads/a")) }
    _ = try forget(
      fixture, [id(2)],
      remove: { () throws(SystemError) in
        throw SystemError(code: 5, operation: "unlink", path: "x")
      })
    let length = try fixture.refs.snapshot().receivedBytes
    let mark = try fixture.refs.snapshot().mark
    let kept = try Received(in: fixture.scratch.directory).rewrite(
      to: length, marking: mark, .none)
    let count = try fixture.scratch.read("received").count
    #expect(kept < length)
    #expect(count == length + ReceivedMark.byteCount)
    let rest = Set((1...70).filter { $0 != 2 }.map(id))
    #expect(try received(fixture) == rest)
    // The next writer continues after it, whatever it writes.
    let commit = try receive(fixture, [id(2), id(3)])
    #expect(commit.received == [id(2)])
    #expect(try received(fixture) == Set((1...70).map(id)))
  }

  @Test("frames of zeros fill room of any size", arguments: [1, 2, 3, 4, 5, 64, 70_000, 131_074])
  func rooms(count: Int) throws {
    let fixture = try RefsFixture()
    try fixture.commit(received: (1...count).map(id))
    try fixture.commit(received: [id(0)])
    _ = try forget(
      fixture, (1...count).map(id),
      remove: { () throws(SystemError) in
        throw SystemError(code: 5, operation: "unlink", path: "x")
      })
    let length = try fixture.refs.snapshot().receivedBytes
    let kept = try Received(in: fixture.scratch.directory).rewrite(
      to: length, marking: nil, .none)
    #expect(kept == 16 + 64 + 32)
    #expect(try received(fixture) == [id(0)])
  }

  @Test("refs that have changed since are not touched")
  func outdated() throws {
    let fixture = try RefsFixture()
    try fixture.commit(received: [id(1)])
    let entry = try fixture.refs.snapshot().entry
    try fixture.commit(received: [id(2)])
    let files = try fixture.files()
    let outcome = try fixture.refs.forget(
      [id(1)], with: RefTransaction(message: "wipe"), after: entry, at: 1, fixture.options
    ) { () throws(SystemError) in Issue.record("something is removed") }
    guard case .outdated = outcome else {
      Issue.record("it is done")
      return
    }
    #expect(try fixture.files() == files)
  }

  @Test("whoever writes objects shares them, whoever removes some has them alone")
  func holds() throws {
    var fixture = try RefsFixture()
    fixture.options.lockTimeoutMilliseconds = 5
    let one = try fixture.refs.holdObjects(.shared, fixture.options)
    let other = try fixture.refs.holdObjects(.shared, fixture.options)
    let path = fixture.scratch.path + "/lock"
    #expect(throws: RefsError.locked(path: path)) {
      _ = try fixture.refs.holdObjects(.alone, fixture.options)
    }
    // Refs can be changed meanwhile.
    try fixture.commit { $0.add(id(1), to: name("heads/a")) }
    extendLifetime(one)
    extendLifetime(other)
  }
}
