// Payloads of new receipts: from JSON in plain units to the bytes that an independent writer made of the same.

import DAGCBOR
import RedoCrypto
import TestSupport
import Testing

@testable import RedoObject

@Suite("Payloads of new receipts")
struct ReceiptPayloadTests {
  private static let session = "app.buds.session.created/v1"

  private static func bytes(_ json: String, _ type: String) throws(Finding) -> [UInt8] {
    let payload = try ReceiptPayload(json: Array(json.utf8), type: type)
    let did = DID(of: PublicKey(bytes: InlineArray(repeating: 7)))
    return ReceiptDraft(did: did, deviceID: "D1", type: type, payload: payload).preimage
  }

  /// Whether JSON tells all of a value: it has no bytes and links, and tells no float from an integer that is the same number.
  private static func isTold(_ value: CBORValue) -> Bool {
    switch value.form {
    case .bytes, .link: return false
    case .float(let number): return number.rounded() != number
    default: break
    }
    return value.elements.allSatisfy(isTold) && value.members.allSatisfy { isTold($0.value) }
  }

  @Test("what a valid receipt tells as JSON makes the same receipt again")
  func again() throws {
    let folder = VectorFolder.own("receipt")
    var decoder = ReceiptDecoder()
    var count = 0
    for row in try folder.table() where row[1] == "valid" {
      let receipt = try #require(decoder.decode(try folder.bytes(row[0]), signature: nil))
      let document = try CBORDocument(receipt.preimage)
      guard receipt.form == .client, !receipt.isSession, let deviceID = receipt.deviceID,
        let inside = document.root.member("payload")
      else { continue }
      let payload = try CBORDocument(Array(inside.content))
      guard Self.isTold(payload.root) else { continue }
      let draft = ReceiptDraft(
        did: receipt.did, deviceID: deviceID, type: receipt.type,
        payload: try ReceiptPayload(json: receipt.payloadJSON, type: receipt.type),
        follows: receipt.parent.map { (parent: $0, root: receipt.root) })
      #expect(draft.preimage == receipt.preimage, "\(row[0])")
      count += 1
    }
    #expect(count >= 100)
  }

  @Test(
    "decimals become integers exactly, or not at all",
    arguments: [
      ("23.5", 2, 2350), ("23.50000", 2, 2350), ("0.29", 2, 29), ("2.35e1", 2, 2350),
      ("235E-1", 2, 2350), ("-0.01", 2, -1), ("-0.0", 2, 0), ("0", 3, 0), ("0e999999", 3, 0),
      ("0.5", 3, 500), ("0.0005", 3, nil), ("1e-3", 2, nil), ("23.555", 2, nil), ("7", 0, 7),
      ("7.0", 0, 7), ("7.5", 0, nil), ("9223372036854775807", 0, Int64.max),
      ("-9223372036854775808", 0, Int64.min), ("9223372036854775808", 0, nil),
      ("92233720368547758.07", 2, Int64.max), ("92233720368547758.08", 2, nil),
      ("1e18", 0, 1_000_000_000_000_000_000), ("1e19", 0, nil), ("1e400", 0, nil),
      ("1e99999999999999999999", 0, nil), ("1e-99999999999999999999", 0, nil),
      ("10e-1", 0, 1), ("0.000100e4", 0, 1),
    ] as [(String, Int, Int64?)])
  func decimals(text: String, digits: Int, wanted: Int64?) {
    #expect(DecimalText.integer(text, shiftedBy: digits) == wanted)
  }

  @Test(
    "what has no exact form is refused at its place",
    arguments: [
      (#"{"thc_percent":23.555}"#, session, "payload-type at /payload/thc_percent"),
      (#"{"effects":["a",1.5]}"#, session, "payload-type at /payload/effects/1"),
      (#"{"a":{"b/~":[0,null]}}"#, session, "member-null at /payload/a/b~1~0/1"),
      (#"{"mood_before":["calm",1]}"#, session, "payload-type at /payload/mood_before"),
      (
        #"{"session_duration_mins":"1"}"#, session, "payload-type at /payload/session_duration_mins"
      ),
      (#"{"latitude":-0.0}"#, "app.buds.location/v1", "cbor-float at /payload/latitude"),
      (
        #"{"latitude":9223372036854775808}"#, "app.buds.location/v1",
        "payload-type at /payload/latitude"
      ),
      (
        #"{"claimed_time_ms":1.5}"#, "app.buds.location/v1",
        "payload-type at /payload/claimed_time_ms"
      ),
      (#"7"#, session, "receipt-form at /payload"),
      (#"{"a":1"#, session, "json-"),
    ])
  func refusals(json: String, type: String, wanted: String) {
    do throws(Finding) {
      _ = try Self.bytes(json, type)
      Issue.record("\(json) was taken")
    } catch {
      #expect(error.summary.hasPrefix(wanted), "\(error.summary)")
    }
  }

  @Test("nesting is taken as deep as receipts are read, and no deeper")
  func depth() throws {
    let json = { (depth: Int) in
      #"{"x":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
    }
    let type = "app.buds.daily.summary/v1"
    var decoder = ReceiptDecoder()
    #expect(decoder.decode(try Self.bytes(json(31), type), signature: nil) != nil)
    #expect(throws: Finding.self) { try Self.bytes(json(32), type) }
  }

  @Test("names that look alike stay apart, and keep their bytes")
  func names() throws {
    let bytes = try Self.bytes("{\"e\u{301}\":1,\"\u{e9}\":2}", "app.buds.daily.summary/v1")
    let document = try CBORDocument(bytes)
    let payload = try CBORDocument(Array(try #require(document.root.member("payload")).content))
    #expect(
      payload.root.members.map { Array($0.key.content) } == [[0xC3, 0xA9], [0x65, 0xCC, 0x81]])
  }

  @Test("a time is written where the type has one, unless the payload tells it")
  func times() throws {
    var payload = try ReceiptPayload(json: Array("{}".utf8), type: Self.session)
    let results = [
      payload.setTime(5, type: Self.session), payload.setTime(5, type: Self.session),
      payload.setTime(6, type: Self.session),
      payload.setTime(5, type: "app.buds.reaction.removed/v1"),
      payload.setTime(9, type: "app.buds.reaction.added/v1"),
    ]
    #expect(results == [true, true, false, false, true])
  }

  @Test("a name is made of a key, and holds its beginning")
  func name() throws {
    for first in [0, 1, 255] as [UInt8] {
      var bytes = InlineArray<32, UInt8>(repeating: 9)
      (bytes[0], bytes[1]) = (first, first)
      let key = PublicKey(bytes: bytes)
      let did = DID(of: key)
      let again = try #require(DID(Array(did.text.utf8)[...]))
      #expect(again.keyStart == (0..<20).map { bytes[$0] })
      #expect(again.mayBelong(to: key))
    }
  }
}
