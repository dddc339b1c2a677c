// The public vectors of shares, cells, local ids and V1 made anew (../shared/spec/receipts-vectors.json).

import Foundation
import RedoCrypto
import RedoObject
import TestSupport
import Testing

@testable import RedoRepository

@Suite(
  "Public vectors of shares and places",
  .enabled(if: VectorFolder.isSharedPresent, "SKIPPED: ../shared/vectors is absent"))
struct PublicShareVectorTests {
  private static func vectors() throws -> [String: Any] {
    let bytes = try VectorFolder.shared("../spec").bytes("receipts-vectors.json")
    return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: hex.utf8.count / 2)
    var span = output.mutableSpan
    _ = Hex.decode(Array(hex.utf8).span, into: &span)
    return output
  }

  private static func secret(_ hex: String) -> SecretBytes {
    var bytes = bytes(hex)
    return SecretBytes(moving: &bytes)
  }

  @Test("the wrapped key and the payload of V1 are those of the app")
  func share() throws {
    let all = try Self.vectors()
    let share = try #require(all["share"] as? [String: String])
    func text(_ name: String) throws -> String { try #require(share[name]) }
    let sender = X25519PrivateKey(bytes: Self.secret(try text("sender")))
    let reader = X25519PrivateKey(bytes: Self.secret(try text("recipient")))
    let content = Self.secret(try text("contentKey"))
    let wrapped = ShareWrap.wrap(
      content, by: sender, for: reader.publicKey.bytes, nonce: [UInt8](repeating: 0x61, count: 12))
    let wanted = try #require(Base64.decode(Array(try text("wrapped").utf8).span))
    #expect(wrapped == wanted)
    let receipts = try #require(all["receipts"] as? [[String: String]])
    let preimage = Self.bytes(try #require(receipts[0]["hex"]))
    let cid = Array(try text("receipt_cid").utf8)
    let sealed = AES256GCM.seal(
      preimage.span, key: content, nonce: [UInt8](repeating: 0x51, count: 12), associated: cid)
    let payload = try #require(Base64.decode(Array(try text("encrypted_payload").utf8).span))
    #expect(sealed == payload)
    let opened = AES256GCM.open(payload, key: content, associated: cid)
    #expect(opened == preimage)
    let isSame =
      switch ShareWrap.unwrap(wanted, by: reader, from: sender.publicKey.bytes) {
      case .some(let key): key.isEqual(to: content)
      case .none: false
      }
    #expect(isSame)
  }

  @Test("every point has its cell")
  func grid() throws {
    let rows = try #require(try Self.vectors()["grid"] as? [[Double]])
    #expect(rows.count >= 11)
    for row in rows {
      let cell = FuzzyPlace(latitude: row[0], longitude: row[1])
      #expect(cell.latitude == row[2] && cell.longitude == row[3], "\(row)")
    }
  }

  @Test("a chain has the uuid that it has without a row")
  func uuids() throws {
    let rows = try #require(try Self.vectors()["localUUID"] as? [String: String])
    #expect(!rows.isEmpty)
    for (cid, uuid) in rows { #expect(Repository.localUUID(of: cid) == uuid) }
  }

  @Test("V1 is made anew of its payload in plain units, byte for byte")
  func first() throws {
    let all = try Self.vectors()
    let keys = try #require(all["keys"] as? [String: String])
    let receipts = try #require(all["receipts"] as? [[String: String]])
    let seed = SecretKey(seed: Self.secret(try #require(keys["ed25519Seed"])))
    let did = DID(of: seed.publicKey)
    #expect(did.text == keys["did"])
    let json = #"""
      {"effects":["relaxed"],"amount_grams":0.5,"thc_percent":23.5,"rating":5,"product_name":"Blue Dream",
      "product_type":"flower","claimed_time_ms":1704844800000}
      """#
    let type = ReceiptWriter.created
    let draft = ReceiptDraft(
      did: did, deviceID: try #require(keys["deviceId"]), type: type,
      payload: try ReceiptPayload(json: Array(json.utf8), type: type))
    #expect(draft.preimage == Self.bytes(try #require(receipts[0]["hex"])))
    let signature = try seed.signature(of: draft.preimage, as: .body)
    let wanted = Signature(base64: Array(try #require(receipts[0]["signature"]).utf8).span)
    #expect(signature == wanted)
  }
}
