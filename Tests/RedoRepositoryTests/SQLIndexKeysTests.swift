// What follows from the keys of an index: nothing is done, what has come is added, or it is built anew.

import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

@Suite("Which state of a store an index has")
struct SQLIndexKeysTests {
  private static let task = TaskID(Array("821b50da-9a9a-4bd2-be50-80459fa11870".utf8).span)

  private static var old: SQLIndexKeys {
    var keys = SQLIndexKeys()
    keys.store = "fdaa2c32021361c2e4e1f5bc467a21ef"
    keys.received = 336
    keys.receivedEnd = String(repeating: "29", count: 32)
    keys.entry = 3
    keys.chain = String(repeating: "ec", count: 32)
    keys.log = 16
    keys.logChain = String(repeating: "00", count: 32)
    keys.local = LocalRows.Mark(bytes: 200, check: [UInt8](repeating: 7, count: 32))
    keys.signatures = "e3"
    keys.trust = "aa"
    keys.cards = [StoredObject(blob: [1]).id, StoredObject(blob: [2]).id]
    keys.open = [task].compactMap { $0 }
    keys.isWhole = true
    return keys
  }

  @Test("its texts are read as they were committed")
  func again() throws {
    let old = Self.old
    #expect(SQLIndexKeys(old.values) == old)
    var empty = SQLIndexKeys()
    #expect(SQLIndexKeys(empty.values) == empty)
    empty.hasKeyless = true
    #expect(SQLIndexKeys(empty.values)?.hasKeyless == true)
  }

  @Test(
    "texts of another release, or of somebody else, are none",
    arguments: [
      ("format", "1"), ("format", nil), ("received", "x"), ("received", "-1"), ("refs", nil),
      ("log", "-1"),
      ("local", "-1"), ("local_end", "zz"), ("cards", "bafkrei"), ("open", "no task"),
    ])
  func foreign(name: String, value: String?) {
    var values = Self.old.values
    values[name] = value
    #expect(SQLIndexKeys(values) == nil)
  }

  @Test(
    "of the same store in the same state nothing is done, whatever was found out about its rows")
  func same() {
    var now = Self.old
    now.cards = []
    now.open = []
    now.isWhole = false
    #expect(Self.old.step(to: now, .init()) == .none)
  }

  @Test("what has come is added")
  func grown() {
    var now = Self.old
    now.received = 400
    now.entry = 4
    now.chain = "00"
    #expect(Self.old.step(to: now, .init()) == .update)
    now = Self.old
    now.local = LocalRows.Mark(bytes: 300, check: [])
    #expect(Self.old.step(to: now, .init()) == .update)
  }

  @Test("everything else is built anew")
  func rebuilt() {
    let old = Self.old
    func step(_ change: (inout SQLIndexKeys, inout SQLIndexKeys.Fit) -> Void) -> SQLIndexKeys.Step {
      var now = old
      var fit = SQLIndexKeys.Fit()
      change(&now, &fit)
      return old.step(to: now, fit)
    }
    #expect(step { now, _ in now.store = "other" } == .rebuild)
    #expect(step { now, _ in now.signatures = "e4" } == .rebuild)
    #expect(step { now, _ in now.trust = "" } == .rebuild)
    #expect(step { _, fit in fit.received = false } == .rebuild)
    #expect(step { _, fit in fit.local = false } == .rebuild)
    #expect(
      step { now, fit in
        now.entry = 4
        fit.refs = false
      } == .rebuild)
    // A history of which something that was received is no part may take it in again.
    var partial = old
    partial.isWhole = false
    var now = old
    now.entry = 4
    #expect(partial.step(to: now, .init()) == .rebuild)
    // New nodes may bring the key that others lacked.
    var keyless = old
    keyless.hasKeyless = true
    #expect(keyless.step(to: now, .init()) == .update)
    now.received = 400
    #expect(keyless.step(to: now, .init()) == .rebuild)
  }
}
