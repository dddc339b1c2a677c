// How refs have changed since a moment, also one before the last time that the journal was folded.

import RedoCrypto
import RedoObject
import TestSupport
import Testing

@testable import RedoStore

@Suite("Refs since a moment")
struct RefsSinceTests {
  private static func lines(_ refs: Set<Ref>) -> [String] {
    refs.map { "\($0.name.text) \($0.id.hex.prefix(8))" }.sorted()
  }

  private static func line(_ name: String, _ number: Int) -> String {
    "\(name) \(id(number).hex.prefix(8))"
  }

  private func fold(_ fixture: borrowing RefsFixture) throws {
    let isFolded = try fixture.refs.fold(fixture.options)
    #expect(isFolded)
  }

  /// Whether it is known what came to a store since a moment.
  private func isKnown(_ moment: RefsMoment, in fixture: borrowing RefsFixture) throws -> Bool {
    let snapshot = try fixture.refs.snapshot()
    return try fixture.refs.changes(since: moment, snapshot) != nil
  }

  /// The moment of a store, and after that three changes.
  private func changed(
    _ fixture: borrowing RefsFixture, folding folds: Set<Int>
  ) throws -> RefsMoment {
    for (number, ids) in [[1, 2], [3]].enumerated() {
      try fixture.commit(received: ids.map { id($0) }) { transaction in
        for one in ids { transaction.add(id(one), to: name("heads/a")) }
      }
      if folds.contains(number) { try fold(fixture) }
    }
    let moment = try fixture.refs.snapshot().moment
    if folds.contains(2) { try fold(fixture) }
    try fixture.commit(received: [id(4)]) { transaction in
      transaction.remove(id(1), from: name("heads/a"))
      transaction.add(id(4), to: name("heads/a"))
    }
    if folds.contains(3) { try fold(fixture) }
    try fixture.commit { $0.add(id(5), to: name("heads/b")) }
    if folds.contains(4) { try fold(fixture) }
    try fixture.commit { $0.remove(id(5), from: name("heads/b")) }
    if folds.contains(5) { try fold(fixture) }
    return moment
  }

  @Test(
    "are what came and what went, wherever the journal was folded",
    arguments: [
      [], [0], [1], [2], [3], [4], [5], [1, 4], [0, 3, 5], [1, 2, 3], [3, 4, 5],
      [0, 1, 2, 3, 4, 5],
    ] as [Set<Int>])
  func since(folds: Set<Int>) throws {
    let fixture = try RefsFixture()
    // A fold without anything to fold says so.
    let moment = try changed(fixture, folding: folds.contains(1) ? folds.subtracting([2]) : folds)
    let snapshot = try fixture.refs.snapshot()
    let found = try fixture.refs.changes(since: moment, snapshot)
    let changes = try #require(found)
    #expect(changes.receivedBytes == moment.receivedBytes)
    #expect(Self.lines(changes.added) == [Self.line("heads/a", 4)])
    #expect(Self.lines(changes.removed) == [Self.line("heads/a", 1)])
    let nothing = try fixture.refs.changes(since: snapshot.moment, snapshot)
    let none = try #require(nothing)
    #expect(none.added.isEmpty && none.removed.isEmpty)
  }

  @Test("are not known of a moment of another store, or of one that is ahead")
  func foreign() throws {
    let fixture = try RefsFixture()
    let moment = try changed(fixture, folding: [0, 5])
    var isKnown = try isKnown(moment, in: fixture)
    #expect(isKnown)
    let others: [(inout RefsMoment) -> Void] = [
      { $0.chain = SHA256.digest(of: [1].span) }, { $0.logChain = SHA256.digest(of: [1].span) },
      { $0.logBytes += 7 }, { $0.logBytes = .max },
    ]
    for change in others {
      var other = moment
      change(&other)
      isKnown = try self.isKnown(other, in: fixture)
      #expect(!isKnown)
    }
    let empty = try RefsFixture()
    isKnown = try self.isKnown(moment, in: empty)
    #expect(!isKnown)
  }
}
