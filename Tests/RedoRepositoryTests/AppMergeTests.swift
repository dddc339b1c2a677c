// Local rows of a database of the app among those that are here.

import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

@Suite("Local rows of the app among others")
struct AppMergeTests {
  private static let now = AppRows.now

  /// A receipt without parent, as far as its row needs it.
  private static func notes(_ rows: [LocalRow], withoutRow: [String] = []) -> AppNotes {
    AppNotes(rows, withoutRow: withoutRow)
  }

  private static func chain(
    _ root: String, _ uuid: String, time: Int64, note: String? = nil
  ) throws -> LocalRow {
    var members = [
      "uuid": LocalRow.json(uuid), "is_favorited": Array("0".utf8),
      "created_at": Array("1".utf8), "updated_at": LocalRow.json(time: time),
    ]
    members["local_notes"] = note.map { LocalRow.json($0) }
    return try LocalRow(.localReceipts, key: root, members: members, time: time)
  }

  private static func person(
    _ id: String, _ did: String, _ status: String, time: Int64, joined: Double = 0
  ) throws -> LocalRow {
    let members = [
      "id": LocalRow.json(id), "did": LocalRow.json(did), "display_name": LocalRow.json(""),
      "pubkey_x25519": LocalRow.json(String(repeating: "A", count: 43) + "="),
      "status": LocalRow.json(status), "created_at": Array("1".utf8),
      "updated_at": Array("1".utf8), "joined_at": LocalRow.json(joined),
    ]
    return try LocalRow(.circles, key: nil, members: members, time: time)
  }

  private static func found(_ rows: [LocalRow]) -> LocalRows.Found {
    var found = LocalRows.Found()
    for row in rows { found.put(row) }
    return found
  }

  private static func merge(_ notes: AppNotes, _ rows: [LocalRow] = []) -> AppMerge {
    AppMerge([notes], over: found(rows), now: now)
  }

  private static func keys(_ merge: AppMerge) -> [String] { merge.rows.map(\.key.text) }

  @Test("what is here is known, what is older stays out, what is newer comes")
  func times() throws {
    let (first, second) = (AppRows.cid(1), AppRows.cid(2))
    let notes = Self.notes([
      try Self.chain(first, "U1", time: 5), try Self.chain(second, "U2", time: 5),
    ])
    #expect(Self.keys(Self.merge(notes)) == [first, second])
    let again = Self.merge(notes, notes.rows)
    #expect(again.rows.isEmpty && again.knownCount == 2)
    // Of the same time, what the database says counts; marks made here later stay.
    let mixed = Self.merge(
      notes,
      [
        try Self.chain(first, "U1", time: 5, note: "other"),
        try Self.chain(second, "U2", time: 6, note: "mine"),
      ])
    #expect(Self.keys(mixed) == [first] && mixed.knownCount == 1)
  }

  @Test("a session without a row is put away, unless a row is here, be it null")
  func putAway() throws {
    let root = AppRows.cid(1)
    let notes = Self.notes([], withoutRow: [root])
    let merge = Self.merge(notes)
    #expect(merge.rows.map(\.isPutAway) == [true] && merge.putAwayCount == 1)
    #expect(merge.newCount == 0 && !merge.hasLateRows)
    #expect(Self.merge(notes, merge.rows).rows.isEmpty)
    #expect(Self.merge(notes, [try Self.chain(root, "U1", time: 1)]).rows.isEmpty)
  }

  @Test("a row that moves takes its uuid along: the old chain is put away after the receipts came")
  func moved() throws {
    let (old, new) = (AppRows.cid(1), AppRows.cid(2))
    let before = try Self.chain(old, "U1", time: 5)
    let notes = Self.notes([try Self.chain(new, "U1", time: 9)], withoutRow: [old])
    let merge = Self.merge(notes, [before])
    #expect(merge.rows.map(\.key.text).sorted() == [old, new].sorted())
    #expect(merge.earlyRows.isEmpty && merge.hasLateRows)
    let after = Self.found([before] + merge.rows)
    #expect(after.rows[LocalRow.Key(.localReceipts, old)]?.isPutAway == true)
    #expect(after.rows[LocalRow.Key(.localReceipts, new)]?.text("uuid") == "U1")
    // The same database, and the older one, change nothing more.
    #expect(AppMerge([notes], over: after, now: Self.now).rows.isEmpty)
    let older = Self.notes([before])
    #expect(AppMerge([older], over: after, now: Self.now).rows.isEmpty)
  }

  @Test("what was noted here later moves, too")
  func movedMark() throws {
    let (old, new) = (AppRows.cid(1), AppRows.cid(2))
    let mark = try Self.chain(old, "U1", time: 20, note: "mine")
    let merge = Self.merge(Self.notes([try Self.chain(new, "U1", time: 9)]), [mark])
    let row = merge.rows.first { $0.key.text == new }
    #expect(row?.text("local_notes") == "mine" && row?.time == 20)
  }

  @Test("somebody who is here stays one person")
  func people() throws {
    let here = try Self.person("mine", "did:x:a", "pending", time: 1)
    let notes = Self.notes([try Self.person("theirs", "did:x:a", "active", time: 2)])
    let merge = Self.merge(notes, [here])
    #expect(Self.keys(merge) == ["mine"] && merge.rows.first?.text("status") == "active")
    #expect(Self.merge(notes, merge.rows).rows.isEmpty)
  }

  @Test("no more than twelve are active: those who are, then those who joined first")
  func circle() throws {
    var here: [LocalRow] = []
    for number in 0..<10 {
      here.append(try Self.person("h\(number)", "did:x:h\(number)", "active", time: 1))
    }
    let notes = Self.notes([
      try Self.person("late", "did:x:late", "active", time: 1, joined: 9),
      try Self.person("first", "did:x:first", "active", time: 1, joined: 1),
      try Self.person("h0", "did:x:h0", "active", time: 1, joined: 99),
      try Self.person("next", "did:x:next", "active", time: 1, joined: 2),
      try Self.person("gone", "did:x:gone", "removed", time: 1),
    ])
    let merge = Self.merge(notes, here)
    let status = Dictionary(
      uniqueKeysWithValues: merge.rows.map { ($0.key.text, $0.text("status")) })
    #expect(status["first"] == "active" && status["next"] == "active")
    #expect(status["late"] == "pending" && status["gone"] == "removed")
    #expect(status["h0"] == "active" && merge.pendingCount == 1)
    let again = AppMerge([notes], over: Self.found(here + merge.rows), now: Self.now)
    #expect(again.rows.isEmpty && again.pendingCount == 0)
  }

  @Test("an older copy does not bring back a device that was revoked")
  func revoked() throws {
    func device(_ status: String) throws -> LocalRow {
      let key = LocalRow.json(String(repeating: "A", count: 43) + "=")
      let members = [
        "device_id": LocalRow.json("D1"), "owner_did": LocalRow.json("did:x:a"),
        "device_name": LocalRow.json(""), "pubkey_x25519": key, "pubkey_ed25519": key,
        "status": LocalRow.json(status), "registered_at": Array("1".utf8),
      ]
      return try LocalRow(.devices, key: nil, members: members, time: 1)
    }
    let active = Self.notes([try device("active")])
    #expect(Self.merge(active, [try device("revoked")]).rows.isEmpty)
    #expect(Self.merge(Self.notes([try device("revoked")]), active.rows).rows.count == 1)
  }
}
