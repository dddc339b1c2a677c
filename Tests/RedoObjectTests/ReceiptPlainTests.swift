// Payloads for queries: canonical JSON in plain units, whatever the form of the envelope.

import DAGCBOR
import RedoCrypto
import TestSupport
import Testing

@testable import RedoObject

@Suite("Payloads in plain units")
struct ReceiptPlainTests {
  private static let session = "app.buds.session.created/v1"

  /// The plain payload of a receipt of client form with a payload.
  private static func plain(_ json: String, _ type: String) throws -> String? {
    let payload = try ReceiptPayload(json: Array(json.utf8), type: type)
    let did = DID(of: PublicKey(bytes: InlineArray(repeating: 7)))
    let draft = ReceiptDraft(did: did, deviceID: "D1", type: type, payload: payload)
    var decoder = ReceiptDecoder()
    guard let receipt = decoder.decode(draft.preimage, signature: nil) else { return nil }
    return String(decoding: receipt.plainPayload, as: UTF8.self)
  }

  @Test(
    "percents and grams of sessions are those that people say",
    arguments: [
      ("23.5", "23.5"), ("0.29", "0.29"), ("100", "100"), ("0", "0"), ("0.01", "0.01"),
      ("33.33", "33.33"),
    ])
  func units(given: String, wanted: String) throws {
    let json =
      "{\"thc_percent\":\(given),\"rating\":4,\"product_type\":\"flower\",\"product_name\":\"x\",\"effects\":[],"
      + "\"amount_grams\":\(given),\"claimed_time_ms\":1}"
    #expect(
      try Self.plain(json, Self.session)
        == "{\"amount_grams\":\(wanted),\"claimed_time_ms\":1,\"effects\":[],\"product_name\":\"x\","
        + "\"product_type\":\"flower\",\"rating\":4,\"thc_percent\":\(wanted)}")
  }

  @Test("members of other types, and of what is inside, are what they are")
  func others() throws {
    #expect(
      try Self.plain(
        "{\"thc_percent\":2350,\"b\":{\"amount_grams\":500,\"a\":[1,2.5]},\"claimed_time_ms\":9007199254740993}",
        "app.other.thing/v1")
        == "{\"b\":{\"a\":[1,2.5],\"amount_grams\":500},\"claimed_time_ms\":9007199254740993,\"thc_percent\":2350}"
    )
  }

  @Test("members are in the order of UTF-16, not in that of the bytes of CBOR")
  func order() throws {
    // By length: b, aa, then the rest; by UTF-16 the last character beyond the plane comes before U+FB01.
    #expect(
      try Self.plain("{\"\u{FB01}\":1,\"\u{1F33F}\":2,\"b\":3,\"aa\":4}", "app.other.thing/v1")
        == "{\"aa\":4,\"b\":3,\"\u{1F33F}\":2,\"\u{FB01}\":1}")
  }

  @Test("every valid receipt has one, which is canonical JSON")
  func all() throws {
    let folder = VectorFolder.own("receipt")
    var decoder = ReceiptDecoder()
    var count = 0
    for row in try folder.table() where row[1] == "valid" {
      let receipt = try #require(decoder.decode(try folder.bytes(row[0]), signature: nil))
      let text = receipt.plainPayload
      // Members that differ in order alone, and units, are all that sets it apart from what people are shown.
      if receipt.form == .docs || !receipt.isSession {
        #expect(text.sorted() == receipt.payloadJSON.sorted(), "\(row[0])")
      }
      #expect(text.first == UInt8(ascii: "{") && text.last == UInt8(ascii: "}"), "\(row[0])")
      count += 1
    }
    #expect(count >= 100)
  }
}
