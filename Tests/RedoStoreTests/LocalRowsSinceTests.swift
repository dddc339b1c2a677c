// What has come to local rows since somebody read them.

import RedoObject
import TestSupport
import Testing

@testable import RedoStore

@Suite("Local rows since a mark")
struct LocalRowsSinceTests {
  private static let none = LocalRows.Mark(bytes: 0, check: [])
  private static let options = RefsOptions(sync: .none)

  private static func row(_ number: Int, name: String) throws -> LocalRow {
    try LocalRow(
      .circles, key: nil,
      members: [
        "id": LocalRow.json("p\(number)"), "did": LocalRow.json("did:phone:\(number)"),
        "display_name": LocalRow.json(name),
        "pubkey_x25519": LocalRow.json(String(repeating: "A", count: 43) + "="),
        "status": LocalRow.json("active"), "created_at": Array("1".utf8),
        "updated_at": Array("1".utf8),
      ], time: 1)
  }

  private static func keys(_ since: LocalRows.Since?) -> [String]? {
    since.map { $0.keys.map(\.text).sorted() }
  }

  @Test("are the rows behind it, and none behind the end")
  func since() throws {
    let scratch = try Scratch()
    let rows = LocalRows(in: scratch.directory)
    #expect(Self.keys(try rows.since(Self.none)) == [])
    try rows.append(Self.options) { _ in [try Self.row(1, name: "a"), try Self.row(2, name: "b")] }
    let first = try #require(try rows.since(Self.none))
    #expect(Self.keys(first) == ["p1", "p2"])
    #expect(try rows.mark(at: rows.read().endBytes) == first.mark)
    #expect(Self.keys(try rows.since(first.mark)) == [])
    try rows.append(Self.options) { _ in [try Self.row(2, name: "c")] }
    let second = try #require(try rows.since(first.mark))
    #expect(Self.keys(second) == ["p2"])
    #expect(second.mark.bytes > first.mark.bytes && second.mark.check != first.mark.check)
    #expect(Self.keys(try rows.since(Self.none)) == ["p1", "p2"])
  }

  @Test("are not known of a file that does not go on from there")
  func foreign() throws {
    let scratch = try Scratch()
    let rows = LocalRows(in: scratch.directory)
    let name = String(repeating: "x", count: 400)
    for number in 0..<4 {
      try rows.append(Self.options) { _ in [try Self.row(1, name: "\(name)\(number)")] }
    }
    let mark = try #require(try rows.since(Self.none)).mark
    // A record that a writer has not ended is none yet.
    let whole = try scratch.read(Layout.local)
    try scratch.write(Layout.local, whole + Array("@0000".utf8))
    #expect(Self.keys(try rows.since(mark)) == [])
    try scratch.write(Layout.local, Array(whole.dropLast(40)))
    #expect(Self.keys(try rows.since(mark)) == nil)
    var flipped = whole
    flipped[whole.count - 5] ^= 1
    try scratch.write(Layout.local, flipped)
    #expect(Self.keys(try rows.since(mark)) == nil)
    try scratch.write(Layout.local, whole)
    #expect(try rows.compact(Self.options, isDryRun: false) > 0)
    #expect(Self.keys(try rows.since(mark)) == nil)
    try scratch.directory.unlink(Layout.local)
    #expect(Self.keys(try rows.since(mark)) == nil)
  }
}
