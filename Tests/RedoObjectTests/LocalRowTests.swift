// Local rows: lines that come back as they went, columns of every table, and places.

import RedoObject
import TestSupport
import Testing

@Suite("Local rows")
struct LocalRowTests {
  private static let receipt = StoredObject(blob: [1]).id.cidText(as: .receipt)
  private static let bytes = StoredObject(blob: [2]).id.cidText(as: .blob)
  private static let key = String(repeating: "A", count: 43) + "="

  private static func row(_ line: String, now: Int64? = 5) throws(Finding) -> LocalRow {
    try LocalRow(line: Array(line.utf8), now: now)
  }

  /// A row of each table that has every column that must be there.
  private static let rows: [(table: String, row: String)] = [
    (
      "local_receipts",
      #"{"created_at":1.5,"is_favorited":0,"updated_at":-1,"uuid":"u"}"#
    ),
    (
      "circles",
      #"{"created_at":1,"did":"did:a:b","display_name":"","id":"1","pubkey_x25519":"\#(key)","status":"active","updated_at":1}"#
    ),
    (
      "devices",
      #"{"device_id":"1","device_name":"","owner_did":"did:a:b","pubkey_ed25519":"\#(key)","pubkey_x25519":"\#(key)","registered_at":1,"status":"revoked"}"#
    ),
    (
      "circle_invites",
      #"{"created_at":1,"id":"1","invite_code":"BUDS-00FF-92B1","max_uses":1,"status":"expired","use_count":1}"#
    ),
    (
      "shared_memories",
      #"{"id":"1","memory_cid":"\#(receipt)","permissions":"view","shared_at":1,"shared_with":"circle"}"#
    ),
    (
      "received_memories",
      #"{"header_cid":"\#(receipt)","id":"1","memory_cid":"\#(receipt)","permissions":"full","received_at":1,"sender_did":"did:a:b","shared_at":1}"#
    ),
    (
      "locations",
      #"{"captured_at":1,"cid":"\#(bytes)","created_at":1,"location_type":"named"}"#
    ),
    (
      "blobs",
      #"{"cid":"\#(bytes)","created_at":1,"encrypted":1,"mime_type":"a/b","size":0}"#
    ),
    (
      "receipt_blobs",
      #"{"blob_cid":"\#(bytes)","position":0,"receipt_cid":"\#(receipt)"}"#
    ),
  ]

  private static func line(_ table: String, _ row: String) -> String {
    let key = table == "local_receipts" ? #""key":"\#(receipt)","# : ""
    return #"{"table":"\#(table)",\#(key)"row":\#(row)}"#
  }

  @Test("every table has a row, which comes back as it went; none of its columns may be missing")
  func tables() throws {
    #expect(Set(Self.rows.map(\.table)) == Set(LocalTable.allCases.map(\.rawValue)))
    for (table, row) in Self.rows {
      let read = try Self.row(Self.line(table, row))
      #expect(read.key.table.rawValue == table && read.time == 5)
      let again = try LocalRow(line: read.line)
      #expect(again.line == read.line && again.key == read.key)
      #expect(LocalRow.object(of: read.members ?? [:]) == Array(row.utf8), "\(table)")
      let taken = try Self.row(
        #"{"table":"\#(table)","key":"\#(read.key.text)","row":null,"time":7}"#)
      #expect(taken.members == nil && taken.key == read.key && taken.time == 7)
      #expect(taken.isPutAway == (table == "local_receipts"))
      for name in (read.members ?? [:]).keys {
        var members = read.members ?? [:]
        members[name] = nil
        #expect(throws: Finding.self, "\(table) without \(name)") {
          _ = try LocalRow(read.key.table, key: read.key.text, members: members, time: 1)
        }
        members[name] = Array("true".utf8)
        #expect(throws: Finding.self, "\(table) with another \(name)") {
          _ = try LocalRow(read.key.table, key: read.key.text, members: members, time: 1)
        }
      }
    }
  }

  @Test(
    "values of another form are refused at their member",
    arguments: [
      ("local_receipts", #""tags_json":"[1]""#), ("local_receipts", #""tags_json":"{}""#),
      ("local_receipts", #""image_cids":"[\"x\"]""#), ("local_receipts", #""archived":2"#),
      ("circles", #""phone_number":"4155550123""#), ("circles", #""phone_number":"+0155550123""#),
      ("circles", #""avatar_cid":"bafy""#), ("locations", #""latitude":91"#),
      ("locations", #""fuzzy_lon":-181"#), ("locations", #""salt":"AAAA""#),
      ("locations", #""fuzzy_radius":1.5"#), ("shared_memories", #""wrapped_keys_json":"[]""#),
      ("shared_memories", #""encrypted_payload":"A""#), ("blobs", #""thumbnail_cid":"""#),
      ("devices", #""last_seen_at":"now""#), ("receipt_blobs", #""colour":1"#),
    ])
  func values(table: String, member: String) throws {
    let row = try #require(Self.rows.first { $0.table == table }?.row)
    let line = Self.line(table, "{\(member)," + row.dropFirst())
    do throws(Finding) {
      _ = try Self.row(line)
      Issue.record("\(member) was taken")
    } catch {
      let name = try #require(member.split(separator: "\"").first)
      #expect(error.summary == "local-row at /row/\(name)")
    }
  }

  @Test("an invitation was accepted as often as it may be, and no more", arguments: 0...3)
  func invitations(uses: Int) throws {
    let row = try #require(Self.rows.first { $0.table == "circle_invites" }?.row)
    let line = Self.line(
      "circle_invites",
      row.replacing(#""max_uses":1"#, with: #""max_uses":2"#)
        .replacing(#""use_count":1"#, with: #""use_count":\#(uses)"#))
    do throws(Finding) {
      #expect(try Self.row(line).integer("use_count") == uses && uses <= 2)
    } catch {
      #expect(error.summary == "local-row at /row/use_count" && uses > 2)
    }
  }

  @Test("a row is from a year that can be written")
  func years() throws {
    let row = try #require(Self.rows.first).row
    for (time, isTaken) in [
      (WallTime.earliest.milliseconds, true), (WallTime.earliest.milliseconds - 1, false),
      (WallTime.latest.milliseconds, true), (WallTime.latest.milliseconds + 1, false),
      (1 << 53, false),
    ] {
      let read = try? Self.row(Self.line("local_receipts", row), now: time)
      #expect((read != nil) == isTaken, "\(time)")
    }
    #expect(throws: Finding.self) {
      let late = row.replacing("1.5", with: "253402300800")
      _ = try Self.row(Self.line("local_receipts", late))
    }
  }

  @Test("a stored line is canonical, and passed over only where it ends as one of another table")
  func stored() throws {
    for (table, row) in Self.rows {
      let read = try Self.row(Self.line(table, row))
      #expect(try LocalRow(stored: read.line).line == read.line)
      for other in LocalTable.allCases {
        #expect(LocalRow.mayBe(of: other, read.line[...]) == (other == read.key.table))
      }
      let text = String(decoding: read.line, as: UTF8.self)
      for line in [
        text + " ", text.replacing("\"time\"", with: "\"tim\\u0065\""),
        Self.line(table, row).dropLast() + ",\"time\":5}",
      ] {
        #expect(throws: Finding.self, "\(line)") { _ = try LocalRow(stored: Array(line.utf8)) }
        #expect(LocalRow.mayBe(of: read.key.table, Array(line.utf8)[...]), "\(line)")
      }
    }
  }

  @Test("a member that is null is missing; a row may be 1 MiB, and no more")
  func bounds() throws {
    let row = try #require(Self.rows.first?.row)
    let read = try Self.row(Self.line("local_receipts", #"{"archived":null,"# + row.dropFirst()))
    #expect(read.members?["archived"] == nil)
    let room = LocalRow.byteLimit - read.line.count - #","local_notes":"""#.utf8.count
    for (count, isTaken) in [(room, true), (room + 1, false)] {
      var members = read.members ?? [:]
      members["local_notes"] = LocalRow.json(String(repeating: "n", count: count))
      let long = try? LocalRow(.localReceipts, key: Self.receipt, members: members, time: 5)
      #expect((long != nil) == isTaken, "\(count)")
    }
  }

  @Test(
    "places lie in cells that grow towards the poles",
    arguments: [
      (0.0, 0.0, 0.0, 0.0), (-0.001, -0.001, 0.0, 0.0), (45.0, 7.0, 45.0, 7.0),
      (45.01, 7.004, 45.01, 7.0), (69.5, -0.011, 69.5, -0.02), (85.1, 100.0, 85.1, 0.0),
      (10.0, 180.0, 10.0, -180.0), (-10.0, -180.0, -10.0, -180.0),
    ])
  func cells(latitude: Double, longitude: Double, fuzzyLatitude: Double, fuzzyLongitude: Double) {
    let cell = FuzzyPlace(latitude: latitude, longitude: longitude)
    #expect(cell.latitude == fuzzyLatitude && cell.longitude == fuzzyLongitude)
    #expect(cell.latitude.sign == .plus || cell.latitude != 0)
  }

  @Test("the name of a place depends on all that is noted, and on its salt")
  func names() {
    var place = PrecisePlace(latitude: 1, longitude: 2, captured: 3)
    let salt = [UInt8](repeating: 7, count: 16)
    var names: Set = [place.cid(salt: salt)]
    names.insert(place.cid(salt: [UInt8](repeating: 8, count: 16)))
    place.name = "Park"
    names.insert(place.cid(salt: salt))
    place.accuracy = 5
    names.insert(place.cid(salt: salt))
    place.captured = 4
    names.insert(place.cid(salt: salt))
    #expect(names.count == 5)
  }
}
