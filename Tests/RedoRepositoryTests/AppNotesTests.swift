// What a database of the app says, as it is told line by line, and the local rows that come of it.

import RedoCrypto
import RedoObject
import RedoStore
import TestSupport
import Testing

@testable import RedoRepository

/// Rows of the app.
enum AppRows {
  static let now: Int64 = 2_000_000_000_000
  static let blob = StoredObject(blob: [3])
  static var blobName: String { "bafyrei" + String(blob.id.hex.prefix(32)) }

  static func cid(_ number: UInt8) -> String {
    StoredObject(blob: [number]).id.cidText(as: .receipt)
  }

  static func row(_ table: String, _ members: [String: String]) -> AppRow {
    AppRow(table, members.mapValues { Array($0.utf8) })
  }

  static func local(_ header: String, _ more: [String: String] = [:]) -> AppRow {
    let members = [
      "uuid": "\"U1\"", "header_cid": "\"\(header)\"", "is_favorited": "0", "archived": "0",
      "created_at": "1", "updated_at": "2",
    ]
    return row("local_receipts", members.merging(more) { _, new in new })
  }

  static func circle(_ did: String, _ more: [String: String] = [:]) -> AppRow {
    let members = [
      "id": "\"C-\(did)\"", "did": "\"\(did)\"", "display_name": "\"x\"", "status": "\"active\"",
      "pubkey_x25519": "\"\(String(repeating: "A", count: 43))=\"", "created_at": "1",
      "updated_at": "2",
    ]
    return row("circles", members.merging(more) { _, new in new })
  }

  /// A receipt of Tests/Vectors, as the app has it.
  static func receipt(_ more: [String: String] = [:]) throws -> (row: AppRow, receipt: Receipt) {
    let bytes = try VectorFolder.own("receipt").bytes(
      "valid/payload-range--client-cbd-percent-0.cbor")
    var decoder = ReceiptDecoder()
    let decoded = decoder.decode(bytes, signature: nil)
    let receipt = try #require(decoded)
    let plain = String(decoding: LocalRow.json(string(receipt.plainPayload)), as: UTF8.self)
    let members = [
      "cid": "\"\(receipt.id.cidText(as: .receipt))\"", "did": "\"\(receipt.did.text)\"",
      "device_id": "\"\(receipt.deviceID ?? "")\"", "receipt_type": "\"\(receipt.type)\"",
      "root_cid": "\"\(receipt.root.cidText(as: .receipt))\"", "payload_json": plain,
      "raw_cbor": "\"\(Base64.text(bytes.span))\"", "received_at": "1735000000.1234",
      "signature": "\"\(String(repeating: "A", count: 86))==\"",
    ]
    return (row("ucr_headers", members.merging(more) { _, new in new }), receipt)
  }
}

@Suite("Lines about a database of the app")
struct AppLineTests {
  @Test("bytes, rows without their NULLs, rows that are wrong, and nothing else")
  func lines() throws {
    func line(_ text: String) -> AppLine? { AppLine(Array(text.utf8)) }
    guard case .blob("n", [0, 1])? = line(#"{"blob":"n","data":"AAE="}"#) else {
      Issue.record("no bytes")
      return
    }
    guard case .row(let row)? = line(#"{"put":"t","row":{"a":null,"b":"x","c":1.5,"d":-3}}"#)
    else {
      Issue.record("no row")
      return
    }
    #expect(row.table == "t" && row.members.keys.sorted() == ["b", "c", "d"])
    #expect(row.text("b") == "x" && row.text("c") == nil && row.number("d") == -3)
    #expect(row.time("c") == 1500 && row.time("a") == nil)
    guard
      case .wrong("t", "k", "c")? = line(#"{"wrong":{"column":"c","key":"k","table":"t"}}"#)
    else {
      Issue.record("nothing wrong")
      return
    }
    for text in ["", "{}", "[]", #"{"blob":"n","data":"*"}"#, #"{"put":"t"}"#, "{\"put\":"] {
      #expect(line(text) == nil, "\(text)")
    }
  }

  @Test("times that no clock has are bounded")
  func times() {
    #expect(AppRows.row("t", ["a": "1e300"]).time("a") ?? 0 > 1 << 60)
    #expect(AppRows.row("t", ["a": "-1e300"]).time("a") ?? 0 < -(1 << 60))
    #expect(AppRows.row("t", ["a": "1.0005"]).time("a") == 1001)
  }
}

@Suite("Receipts of a database of the app")
struct AppReceiptTests {
  @Test("the bytes, the signature, the time")
  func whole() throws {
    let (row, receipt) = try AppRows.receipt()
    let read = try AppReceipt(row)
    #expect(read.incoming.bytes == receipt.preimage && read.incoming.stated == receipt.id)
    #expect(read.incoming.signature != nil && read.received == 1_735_000_000_123)
    #expect(read.differences(from: receipt) == [])
  }

  @Test("payloads in the clients' integers are the same")
  func integers() throws {
    let (_, receipt) = try AppRows.receipt()
    let text = String(decoding: LocalRow.json(string(receipt.payloadJSON)), as: UTF8.self)
    let row = try AppRows.receipt(["payload_json": text]).row
    #expect(try AppReceipt(row).differences(from: receipt) == [])
  }

  @Test(
    "each column that differs is named",
    arguments: [
      ("did", "\"did:x:y\""), ("device_id", "\"D\""), ("root_cid", "\"SELF\""),
      ("receipt_type", "\"x\""), ("parent_cid", "\"p\""), ("payload_json", "\"{}\""),
      ("payload_json", "\"no JSON\""),
    ])
  func differences(column: String, value: String) throws {
    let (row, receipt) = try AppRows.receipt([column: value])
    let findings = try AppReceipt(row).differences(from: receipt)
    #expect(findings.map(\.rule) == [.databaseColumn])
    #expect(findings.map(\.place) == [.pointer("/\(column)")])
    // A payload is not shown.
    #expect(column != "payload_json" || findings.allSatisfy { $0.detail.isEmpty })
  }

  @Test(
    "what is no CID, no bytes, no signature",
    arguments: [
      ("cid", "\"bafyreix\"", Rule.cidForm), ("raw_cbor", "\"*\"", .receiptForm),
      ("signature", "\"AA==\"", .signatureForm), ("signature", "\"\"", .signatureForm),
    ])
  func refused(column: String, value: String, rule: Rule) throws {
    let row = try AppRows.receipt([column: value]).row
    #expect {
      _ = try AppReceipt(row)
    } throws: {
      ($0 as? Finding)?.rule == rule && ($0 as? Finding)?.place == .pointer("/\(column)")
    }
  }
}

@Suite("Names of the app")
struct AppNamesTests {
  @Test("bytes are named by half of their hash, or by their CID")
  func blobs() throws {
    let cid = AppRows.blob.id.cidText(as: .blob)
    for name in [AppRows.blobName, cid] {
      var names = AppNames()
      #expect(names.blob(AppRows.blobName) == nil)
      try names.note(name, of: AppRows.blob.id)
      #expect(names.blob(name) == cid)
    }
    var names = AppNames()
    for name in ["", "bafyrei", AppRows.blobName + "0", AppRows.cid(3), AppRows.cid(4)] {
      #expect(throws: Finding.self, "\(name)") { try names.note(name, of: AppRows.blob.id) }
    }
    // A CID stands for itself, whether or not its bytes come.
    #expect(names.blob(cid) == cid && names.blob(AppRows.cid(3)) == nil)
  }

  @Test("a place keeps the digest of its CID, or gets that of its name")
  func places() {
    let name = StoredObject(blob: Array("here".utf8)).id.cidText(as: .blob)
    #expect(AppNames.place("here") == name)
    #expect(AppNames.place(AppRows.cid(3)) == AppRows.blob.id.cidText(as: .blob))
    #expect(AppNames.place(name) == name)
  }
}

@Suite("Local rows of a database of the app")
struct AppNotesTests {
  private static func notes(_ rows: [AppRow], without left: Set<String> = []) throws -> AppNotes {
    let receipt = try AppRows.receipt().receipt
    var names = AppNames()
    try names.note(AppRows.blobName, of: AppRows.blob.id)
    return AppNotes(
      rows, [AppNotes.Member(receipt, received: 5)], without: left, names, now: AppRows.now)
  }

  private static func root() throws -> String {
    try AppRows.receipt().receipt.root.cidText(as: .receipt)
  }

  @Test("a row of a receipt is one of its chain, with the CIDs of pictures")
  func chain() throws {
    let images = #""[\"\#(AppRows.blobName)\",\"gone\"]""#
    let notes = try Self.notes([AppRows.local(try Self.root(), ["image_cids": images])])
    let row = try #require(notes.rows.first)
    #expect(row.key == LocalRow.Key(.localReceipts, try Self.root()) && row.time == 2000)
    #expect(row.texts("image_cids") == [AppRows.blob.id.cidText(as: .blob)])
    #expect(notes.lackingCount == 1 && notes.withoutRow == [] && notes.refused.isEmpty)
  }

  @Test("written images that are none stay none, and no images stay no images")
  func noImages() throws {
    let root = try Self.root()
    let written = try Self.notes([AppRows.local(root, ["image_cids": "\"[]\""])])
    #expect(written.rows.first?.text("image_cids") == "[]")
    #expect(try Self.notes([AppRows.local(root)]).rows.first?.text("image_cids") == nil)
  }

  @Test("a session without a row is put away; a row without a receipt is refused, or goes with it")
  func withoutRow() throws {
    #expect(try Self.notes([]).withoutRow == [try Self.root()])
    let other = AppRows.local(AppRows.cid(9))
    let refused = try Self.notes([other]).refused
    #expect(refused.map(\.finding.place) == [.pointer("/row/header_cid")])
    #expect(refused.map(\.row) == ["local_receipts/U1"])
    let left = try Self.notes([other], without: [AppRows.cid(9)])
    #expect(left.refused.isEmpty && left.rows.isEmpty)
  }

  @Test("one chain has one row")
  func twice() throws {
    let root = try Self.root()
    let notes = try Self.notes([AppRows.local(root), AppRows.local(root, ["uuid": "\"U2\""])])
    #expect(notes.rows.count == 1)
    #expect(notes.refused.map(\.row) == ["local_receipts/U2"])
  }

  @Test("a phone number loses what people put between digits; one that is none is left out")
  func phones() throws {
    let good = try Self.notes([
      AppRows.circle("did:x:a", ["phone_number": "\"+1 (415) 555-0123\""])
    ])
    #expect(good.rows.first?.text("phone_number") == "+14155550123" && good.odd.isEmpty)
    let bad = try Self.notes([AppRows.circle("did:x:a", ["phone_number": "\"call me\""])])
    #expect(bad.rows.count == 1 && bad.rows.first?.text("phone_number") == nil)
    #expect(bad.odd.map(\.finding.rule) == [.databaseColumn])
    #expect(bad.odd.allSatisfy { $0.finding.detail.isEmpty })
  }

  @Test("what a row cannot do without refuses it")
  func required() throws {
    let notes = try Self.notes([AppRows.circle("did:x:a", ["status": "\"x\""])])
    #expect(notes.rows.isEmpty && notes.refused.map(\.finding.rule) == [.localRow])
  }

  @Test("no row was written later than now")
  func later() throws {
    let notes = try Self.notes([AppRows.circle("did:x:a", ["updated_at": "99999999999"])])
    #expect(notes.rows.first?.time == AppRows.now)
  }

  @Test("a place belongs to the last receipt that names it")
  func place() throws {
    let receipt = try AppRows.receipt().receipt
    let name = try #require(receipt.payloadText("location_cid"))
    let row = AppRows.row(
      "locations",
      [
        "cid": "\"\(name)\"", "location_type": "\"precise\"", "captured_at": "0",
        "created_at": "0", "latitude": "91",
      ])
    let notes = try Self.notes([row])
    #expect(notes.rows.first?.text("receipt_cid") == receipt.id.cidText(as: .receipt))
    #expect(notes.rows.first?.time == 5 && notes.rows.first?.number("latitude") == nil)
  }

  @Test("a device that is noted with another key is refused, and pins nothing")
  func devices() throws {
    func device(_ byte: UInt8) -> AppRow {
      let key = Base64.text([UInt8](repeating: byte, count: 32).span)
      return AppRows.row(
        "devices",
        [
          "device_id": "\"D1\"", "owner_did": "\"did:x:a\"", "device_name": "\"\"",
          "pubkey_x25519": "\"\(key)\"", "pubkey_ed25519": "\"\(key)\"", "status": "\"active\"",
          "registered_at": "1",
        ])
    }
    let fresh = AppNotes.devices([device(1)], over: LocalRows.Found())
    #expect(fresh.rows.count == 1 && fresh.refused.isEmpty)
    #expect(fresh.keys.keys.map(\.deviceID) == ["D1"])
    var found = LocalRows.Found()
    found.put(try LocalRow(.devices, key: nil, members: device(1).members, time: 1))
    #expect(AppNotes.devices([device(1)], over: found).refused.isEmpty)
    let other = AppNotes.devices([device(2)], over: found)
    #expect(other.rows.isEmpty && other.keys.isEmpty)
    #expect(other.refused.map(\.finding.place) == [.pointer("/row/pubkey_ed25519")])
  }
}
